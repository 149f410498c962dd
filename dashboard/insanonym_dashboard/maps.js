/* The maps of a LinkedMaps: maps.py puts this behind Leaflet (L) and the maps.js of saved maps (insanonymMaps). */

const SIDES = ["original", "release"];

function render({ model, el }) {
  const frame = (side) => `<div class="frame"><div class="insanonym-map-${side}"></div><p class="nothing"></p></div>`;
  el.classList.add("insanonym-maps");
  el.innerHTML = `<div class="legends"></div><p class="background"></p>
    <div class="panes panes-2">${SIDES.map((side) => `<section><h3></h3>${frame(side)}</section>`).join("")}</div>
    <p class="told" aria-live="polite"></p>`;
  const found = (selector) => [...el.querySelectorAll(selector)];
  const [[legends], [background], [told]] = [".legends", ".background", ".told"].map(found);
  const [headings, frames, nothings] = ["h3", ".frame", ".nothing"].map(found);
  frames.forEach((one) => (one.style.minHeight = `${model.get("height")}px`));
  let [maps, tiles, linked, layers, views, drawing, shown] = [null, [], null, [], null, null, null];

  // What the cell at a place holds on both sides; nothing when it is empty on both.
  const pointed = ({ latlng: { lat, lng } }) => {
    const sides = SIDES.map((side, place) => {
      const { size, latitude, longitude, values, labels } = shown.panes[side][0];
      const [row, column] = [lat, lng].map((degrees) => Math.round(degrees / size));
      const cell = latitude.findIndex((one, number) => one === row && longitude[number] === column);
      const counts = Object.keys(labels).map((name) => drawing.counted(values[name][cell] ?? 0, labels[name]));
      return { some: cell >= 0, text: `${drawing.plain(shown.headings[place][0])}: ${counts.join(" · ")}` };
    });
    told.innerHTML = sides.some(({ some }) => some) ? sides.map(({ text }) => text).join(" &emsp; ") : "";
  };

  const begin = () => {
    const view = { center: [0, 0], zoom: 1, zoomControl: false };
    maps = frames.map((one) => L.map(one.firstChild, view).on("click", pointed));
    tiles = maps.map(() => L.tileLayer(shown.background.url, { maxZoom: 19 }));
    linked = drawing.start(maps.map((map) => ({ map })));
  };

  const draw = () => {
    layers.forEach((layer) => layer.remove());
    shown = { ...model.get("shown"), tiles: model.get("tiles") };
    if (!shown.panes) return;
    drawing = insanonymMaps(L, shown);
    legends.innerHTML = shown.legends;
    told.innerHTML = "";
    background.innerHTML = shown.tiles ? shown.background.said : ""; // before anything is asked of anybody
    shown.headings.forEach(([heading, subheading, nothing], place) => {
      headings[place].innerHTML = `${drawing.plain(heading)} <small>${drawing.plain(subheading)}</small>`;
      nothings[place].textContent = nothing;
    });
    if (!maps) begin();
    layers = maps.flatMap((map, place) =>
      shown.panes[SIDES[place]].map((_, number) => drawing.draw(map, [SIDES[place], number]).addTo(map)),
    );
    maps.forEach((map, place) => (shown.tiles ? tiles[place].addTo(map) : tiles[place].remove()));
    if (shown.bounds && views !== model.get("views")) {
      views = model.get("views");
      linked.fit(shown.bounds);
    }
  };

  model.on("change", draw);
  draw();
  return () => {
    model.off("change", draw);
    linked?.stop();
    maps?.forEach((map) => map.remove());
  };
}

export default { render };
