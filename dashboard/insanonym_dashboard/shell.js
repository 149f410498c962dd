/* What only the page itself can do: keys, opened tiles, the address, what the browser keeps. shell.py says what the traits mean. */

const KEPT = "insanonym-trails";
const WIDEST = 1400; // pixels: twice what a sheet has
const typing = (target) => target.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea, [contenteditable=true]");

function render({ model, el }) {
  el.style.display = "none";
  const page = document.body.classList.contains("insanonym-page");
  const root = () => el.closest(".insanonym") ?? document.querySelector(".insanonym");
  const tell = (event, values = {}) => model.send({ event, ...values });

  // --- tiles ---------------------------------------------------------------------------------------
  const opened = () => document.querySelector(".insanonym-tile.insanonym-expanded");
  const expand = (tile) => {
    const before = opened();
    before?.classList.remove("insanonym-expanded");
    if (tile && tile !== before) tile.classList.add("insanonym-expanded");
    (tile ?? before)?.querySelector(".insanonym-expand")?.focus({ preventScroll: true });
    window.dispatchEvent(new Event("resize"));
  };
  const close = (target) => { // explanations that lie over a tile
    for (const one of document.querySelectorAll(".insanonym details:is(.about, .unprotected)[open]"))
      if (!target || !one.contains(target)) one.open = false;
  };
  const clicked = ({ target }) => {
    close(target);
    const button = target.closest?.(".insanonym-expand");
    if (button && root()?.contains(button)) expand(button.closest(".insanonym-tile"));
  };
  const twice = ({ target }) => {
    const head = target.closest?.(".insanonym-tile-head");
    const figure = target.closest?.(".insanonym-plot");
    if ((head && !target.closest("button, select, input")) || figure) expand(target.closest(".insanonym-tile"));
  };

  // --- paper -----------------------------------------------------------------------------------------
  // Figures cannot be drawn anew for a sheet: tiles keep the size they have on the screen, and the browser shrinks a
  // page that is too wide.
  const frozen = ".insanonym-right, .insanonym-body, .insanonym-grid, .insanonym-tile";
  const freeze = () => {
    const sizes = [...document.querySelectorAll(frozen)].map((one) => [one, one.offsetWidth, one.offsetHeight]);
    for (const [one, width, height] of sizes) {
      one.style.setProperty("--insanonym-wide", `${width}px`);
      one.style.setProperty("--insanonym-high", `${height}px`);
      one.style.setProperty("--insanonym-zoom", Math.min(1, WIDEST / width)); // browsers shrink no further than to a half
    }
  };

  // --- keys ----------------------------------------------------------------------------------------
  let pointed = null;
  const over = ({ target }) => { pointed = target.closest?.(".insanonym-tile") ?? null; };
  const pressed = (event) => {
    if (!root()?.isConnected) return;
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && !event.altKey && (key === "z" || key === "y") && !(typing(event.target) && event.target.value !== undefined && event.target.type === "text")) {
      event.preventDefault();
      tell(key === "y" || event.shiftKey ? "redo" : "undo");
    } else if (key === "escape" && document.querySelector(".insanonym details:is(.about, .unprotected)[open]")) {
      close();
    } else if (key === "escape" && opened()) {
      expand(null);
    } else if (key === "f" && !held && !event.altKey && !typing(event.target)) {
      const tile = document.activeElement?.closest?.(".insanonym-tile") ?? pointed ?? document.querySelector(".insanonym-tile");
      if (tile) expand(tile);
    } else if (event.target.closest?.(".insanonym-tile-plane") && (key === "arrowleft" || key === "arrowright") && !typing(event.target)) {
      event.preventDefault();
      tell(key === "arrowleft" ? "undo" : "redo");
    }
  };

  // --- the address ---------------------------------------------------------------------------------
  const asked = new URLSearchParams(window.location.search);
  const fragment = () => new URLSearchParams(window.location.hash.slice(1)).get("r") ?? "";
  // What this window kept comes first: another one, open beside it, has a trail of its own.
  const stored = () => {
    try {
      return window.sessionStorage.getItem(KEPT) ?? window.localStorage.getItem(KEPT) ?? "";
    } catch { return ""; } // storage may be forbidden
  };
  if (asked.get("present") === "1") document.body.classList.add("insanonym-present");
  model.set({
    tab: asked.get("tab") ?? model.get("tab"),
    lang: asked.get("lang") ?? model.get("lang"),
    page: asked.get("page") ?? model.get("page"),
    preset: asked.get("preset") ?? "",
    fragment: fragment() || model.get("fragment"),
    stored: stored(),
    known: true,
  });
  model.save_changes();
  let addressed = ""; // the tab that the address names
  const write = () => {
    if (!page) return;
    const now = new URLSearchParams(window.location.search);
    for (const name of ["tab", "lang", "page"]) model.get(name) ? now.set(name, model.get(name)) : now.delete(name);
    const place = model.get("fragment") ? `#r=${model.get("fragment")}` : "";
    const tab = model.get("tab"), another = model.get("ready") && tab !== addressed;
    window.history[another ? "pushState" : "replaceState"](null, "", `?${now}${place}`); // Back returns to the tab before
    addressed = tab;
    document.documentElement.lang = model.get("lang") || "en";
  };
  const wentBack = () => { // the recipe of an address that was left is not the latest of its tab
    const tab = new URLSearchParams(window.location.search).get("tab") ?? "";
    if (!page || !tab || tab === model.get("tab")) return;
    addressed = tab;
    model.set("tab", tab);
    model.save_changes();
  };
  const changedHash = () => {
    if (fragment() && fragment() !== model.get("fragment")) {
      model.set("fragment", fragment());
      model.save_changes();
      tell("link");
    }
  };
  const keep = () => {
    try {
      if (!model.get("kept")) return;
      window.sessionStorage.setItem(KEPT, model.get("kept"));
      window.localStorage.setItem(KEPT, model.get("kept"));
    } catch { /* full or forbidden: nothing is kept */ }
  };
  const told = ({ copy }) => { if (copy) navigator.clipboard?.writeText(copy).catch(() => {}); };

  // --- for screen readers: names and states that ipywidgets does not tell ----------------------------
  const states = { // by selector: an attribute, and its value
    ".insanonym-tabbutton": ["aria-current", (one) => (one.classList.contains("insanonym-open") ? "page" : "false")],
    ".insanonym-pages button": ["aria-pressed", (one) => String(one.classList.contains("mod-active"))],
    ".insanonym-fold-line": ["aria-expanded", (one) => String(one.textContent.endsWith("▴"))],
    ".insanonym .jupyter-button[title]": ["aria-label", (one) => (/\p{L}/u.test(one.textContent) ? one.textContent : one.title)], // "↶" is no name
  };
  const tellStates = () => {
    for (const [selector, [name, value]] of Object.entries(states))
      document.querySelectorAll(selector).forEach((one) => one.setAttribute(name, value(one)));
    for (const slider of document.querySelectorAll(".insanonym .widget-inline-hbox:has(.noUi-handle)")) {
      const handles = slider.querySelectorAll(".noUi-handle"), readout = slider.querySelector(".widget-readout");
      const name = slider.querySelector(".widget-label")?.textContent ?? "";
      handles.forEach((handle) => handle.setAttribute("aria-label", name));
      if (!readout) continue;
      if (handles.length === 1) handles[0].setAttribute("aria-valuetext", readout.textContent); // not the place in a list
      readout.setAttribute("role", "textbox");
      readout.setAttribute("aria-label", name);
    }
  };
  let waiting = 0;
  const observer = new MutationObserver(() => {
    waiting ||= window.setTimeout(() => { waiting = 0; tellStates(); }, 200);
  });
  observer.observe(document.body, { childList: true, subtree: true });

  write();
  const listeners = [["click", clicked], ["dblclick", twice], ["keydown", pressed], ["mouseover", over]];
  listeners.forEach(([name, handler]) => document.addEventListener(name, handler));
  window.addEventListener("popstate", wentBack);
  window.addEventListener("hashchange", changedHash);
  window.addEventListener("beforeprint", freeze);
  ["tab", "lang", "page", "fragment"].forEach((name) => model.on(`change:${name}`, write));
  model.on("change:kept", keep);
  model.on("msg:custom", told);
  return () => {
    listeners.forEach(([name, handler]) => document.removeEventListener(name, handler));
    window.removeEventListener("popstate", wentBack);
    window.removeEventListener("hashchange", changedHash);
    window.removeEventListener("beforeprint", freeze);
    observer.disconnect();
  };
}

export default { render };
