/* What does not fit on a page; geometry.py asks. Each is a function of its own name. */

({
  // Boxes are compared by their inner part: a line of text is higher than its letters.
  problems: (least) => {
  const found = [];
  const say = (...parts) => found.push(parts.join(" "));
  const seen = (one) => {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    const inClosed = one.closest("details:not([open])") && !one.closest("summary") && one.tagName !== "DETAILS";
    return box.width > 1 && box.height > 1 && !inClosed && style.visibility !== "hidden" && style.opacity !== "0";
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)].filter(seen);
  const name = (one) => `${one.tagName.toLowerCase()}.${one.className?.baseVal ?? one.className} `
    + JSON.stringify((one.textContent ?? "").trim().slice(0, 40));
  const inside = (one, place, what, slack = 1.5) => {
    const a = one.getBoundingClientRect(), b = place;
    if (a.left < b.left - slack || a.right > b.right + slack || a.top < b.top - slack || a.bottom > b.bottom + slack)
      say("outside", what, name(one), [a.left, a.top, a.right, a.bottom].map(Math.round), "in",
        [b.left, b.top, b.right, b.bottom].map(Math.round));
  };
  const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const overlaps = (ones, what) => {
    const boxes = ones.map((one) => [one, one.getBoundingClientRect()]);
    boxes.forEach(([one, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
      if (one.contains(other) || other.contains(one)) return;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 0.3 * Math.min(a.height, b.height)) say("overlap", what, name(one), name(other));
    }));
  };
  const cut = (one) => {
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"
      && getComputedStyle(one).display !== "inline") say("cut", name(one), one.scrollWidth, ">", one.clientWidth);
  };

  // The page itself.
  const root = document.scrollingElement;
  if (root.scrollHeight > innerHeight) say("the page scrolls down:", root.scrollHeight, ">", innerHeight);
  if (root.scrollWidth > innerWidth) say("the page scrolls across:", root.scrollWidth, ">", innerWidth);
  all(".insanonym-body, .insanonym-main, .insanonym-right").forEach((one) => {
    if (one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible")
      say("hidden below:", name(one).slice(0, 60), one.scrollHeight, ">", one.clientHeight);
  });

  // Bar, sidebar, strip, chips.
  const bar = document.querySelector(".insanonym-bar"), sidebar = document.querySelector(".insanonym-sidebar");
  if (bar && seen(bar)) {
    if (bar.getBoundingClientRect().height > 48.5) say("the bar is higher than 48 px");
    const parts = [...bar.children].filter(seen);
    parts.forEach((one) => inside(one, window_, "the window"));
    overlaps(parts, "in the bar");
    all("button", bar).forEach(cut);
  }
  if (sidebar && seen(sidebar)) {
    const place = sidebar.getBoundingClientRect();
    if (place.width > 290.5) say("the sidebar is wider than 290 px");
    if (sidebar.scrollWidth > sidebar.clientWidth) say("the sidebar scrolls across");
    const texts = all("label, header b, .unit, .value, .insanonym-fold-line, h2, summary, select", sidebar);
    texts.forEach((one) => {
      cut(one);
      const box = one.getBoundingClientRect();
      if (box.left < place.left - 1 || box.right > place.right + 1) say("beside the sidebar", name(one));
    });
    overlaps(all("label, header b, .number, .insanonym-fold-line, input[type=range]", sidebar), "in the sidebar");
    all(".parameter:not(.several)", sidebar).forEach((one) => {
      if (one.getBoundingClientRect().height > 52.5) say("a parameter is higher than 52 px", name(one));
    });
  }
  const strip = document.querySelector(".insanonym-strip");
  if (strip && seen(strip)) {
    const place = strip.getBoundingClientRect();
    const presented = document.body.classList.contains("insanonym-present");
    if (place.height > 70.5 && !presented) say("the strip is higher than 70 px:", place.height);
    inside(strip, window_, "the window");
    const parts = all(".headline, .threat", strip);
    parts.forEach((one) => inside(one, place, "the strip", 2));
    overlaps(parts, "in the strip");
    all(".headline h2, .headline b, .headline i.up, .headline i.down, .threat > p, .threat summary", strip).forEach((one) => {
      cut(one);
      inside(one, one.closest(".headline, .threat").getBoundingClientRect(), "its part of the strip", 2);
      if (one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflowY !== "visible") say("cut below", name(one));
    });
    overlaps(all(".threat > p, .threat summary", strip), "in the threat");
  }
  const chips = all(".insanonym-pages button");
  chips.forEach((one) => { inside(one, window_, "the window"); cut(one); });
  overlaps(chips, "of the pages");

  // Tiles.
  const opened = all(".insanonym-tile.insanonym-expanded"); // the others lie below it
  const tiles = opened.length ? opened : all(".insanonym-tile");
  tiles.forEach((one) => inside(one, window_, "the window"));
  overlaps(tiles, "of the tiles");
  for (const tile of tiles) {
    const place = tile.getBoundingClientRect();
    const head = tile.querySelector(".insanonym-tile-head");
    const parts = [...head.children].filter(seen);
    parts.forEach((one) => inside(one, place, "its tile"));
    overlaps(parts, "in the head of a tile");
    all("h2", head).forEach((one) => { cut(one); inside(one, place, "its tile"); });
    const written = (one) => [...one.childNodes].some((text) => text.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(text.textContent));
    const body_ = tile.querySelector(".insanonym-tile-body");
    all("*", body_).filter((one) => !one.closest("svg, .insanonym-plot") && one.tagName !== "OPTION" && written(one)).forEach((one) => {
      const size = parseFloat(getComputedStyle(one).fontSize);
      if (size < least - 0.05) say("small:", name(one), size, "px <", least);
    });
    all(".insanonym-cards", tile).forEach((one) => {
      const body = one.closest(".insanonym-tile-body");
      if (body.scrollHeight > body.clientHeight + 1) say("cards are cut", body.scrollHeight, ">", body.clientHeight);
    });
  }

  // Figures.
  for (const plot of all(".insanonym-plot").filter((one) => !opened.length || opened[0].contains(one))) {
    const place = (plot.closest(".insanonym-tile-body") ?? plot).getBoundingClientRect();
    const label = plot.getAttribute("aria-label");
    inside(plot.querySelector(".main-svg") ?? plot, { ...place.toJSON() }, `the place of ${label}`, 2);
    const texts = all("svg text", plot).filter((one) => !one.closest(".hoverlayer, .modebar") && one.textContent.trim());
    for (const one of texts) {
      const matrix = one.getScreenCTM();
      const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(matrix.a, matrix.b);
      if (size < least - 0.05) say("small:", label, name(one), size.toFixed(1), "px <", least);
      inside(one, place, `the place of ${label}`, 2);
    }
    overlaps(texts, `in ${label}`);
  }
  return found;
},

  // A slider of the first step, the strip and the whole of the first figure, all in the window.
  together: () => {
  const wanted = { slider: ".insanonym-steps .step [data-parameter]", strip: ".insanonym-strip",
    figure: ".insanonym-grid .insanonym-tile" };
  return Object.entries(wanted).flatMap(([what, selector]) => {
    const one = document.querySelector(selector);
    if (!one) return [`there is no ${what}`];
    const box = one.getBoundingClientRect();
    const sidebar = one.closest(".insanonym-sidebar")?.getBoundingClientRect();
    const bottom = Math.min(innerHeight, sidebar?.bottom ?? innerHeight);
    const shown = box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= bottom + 1 && box.right <= innerWidth + 1;
    return shown ? [] : [`the ${what} is not whole in the window: ${JSON.stringify(box)}`];
  });
},

  // The tiles with these titles are there, and each figure is drawn for its place.
  ready: (titles) => {
  const shown = (one) => one.getBoundingClientRect().width > 0 && getComputedStyle(one).visibility !== "hidden";
  const tiles = [...document.querySelectorAll(".insanonym-tile")].filter(shown);
  const told = tiles.map((one) => one.querySelector("h2").textContent);
  if (titles && JSON.stringify(told) !== JSON.stringify(titles)) return false;
  const drawn = (tile) => {
    const plot = tile.querySelector(".insanonym-plot"), svg = plot?.querySelector(".main-svg");
    if (!svg || plot.dataset.drawn === "0" || /^(Computing|Calcul)\b/.test(svg.parentElement.textContent.trim())) return false;
    const scale = plot.getBoundingClientRect().width / svg.clientWidth; // of a tile that is enlarged
    return Math.abs(plot.dataset.drawnFor - plot.clientWidth / scale) < 10;
  };
  const figures = tiles.filter((one) => one.matches(".insanonym-tile-figure, .insanonym-tile-plane, .insanonym-tile-front"));
  return tiles.length > 0 && figures.every(drawn) && !document.querySelector(".insanonym-stale, .insanonym-working p");
},
})
