/* What a map does in the browser, saved or live. `shown` holds the data and the texts; map_page.py writes it. */
const insanonymMaps = (L, shown) => {
  const french = shown.lang === "fr";
  const [fine, coarse] = [2, 1].map((digits) => new Intl.NumberFormat(shown.lang, { maximumFractionDigits: digits }));
  const plain = (text) =>
    String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
  const counted = (value, [one, many]) =>
    `<b>${(value < 1 ? fine : coarse).format(value)}</b> ${plain((french ? Math.abs(value) < 2 : value === 1) ? one : many)}`;

  L.Map.mergeOptions({
    attributionControl: shown.tiles,
    zoomAnimation: false, // the panes move together at every moment, not only when all is at rest
    trackResize: false, // `start` does, for all panes at once
    // Whole zoom levels only suit tiles; without them a city fills its pane better.
    ...(shown.tiles ? {} : { zoomSnap: 0.1, zoomDelta: 0.5 }),
  });

  // Every kind of layer has a level of its own, so that what is switched off and on again does not cover the
  // others. Only cells may be drawn on a canvas: a canvas above them would keep the mouse from them.
  const LEVELS = { cells: 390, path: 410, pois: 420, ends: 430 };
  const rendererOf = (map, level, shapes = 0) => {
    map.levels ??= {};
    if (!map.levels[level]) {
      map.createPane(level).style.zIndex = LEVELS[level];
      const make = level === "cells" && shapes > shown.manyShapes ? L.canvas : L.svg;
      map.levels[level] = make({ pane: level, padding: 0.5 });
    }
    return { pane: level, renderer: map.levels[level] };
  };

  // For as long as the layer is on its map: a live one is soon replaced.
  const atEveryZoom = (map, layer, act) =>
    layer
      .on("add", () => {
        map.on("zoomend", act);
        act();
      })
      .on("remove", () => map.off("zoomend", act));

  const widthOf = (map, degrees) => (degrees / 360) * 256 * 2 ** map.getZoom(); // in pixels

  const SIMPLE = { noClip: true, smoothFactor: 0 }; // nothing to simplify about a square: thousands are quick

  const drawCells = (map, layer) => {
    const { size, latitude, longitude, values, labels, colours, breaks } = layer;
    const classOf = (value) => breaks.findLastIndex((low) => value >= low);
    const square = (place) => {
      const [south, west] = [(latitude[place] - 0.5) * size, (longitude[place] - 0.5) * size];
      const [north, east] = [south + size, west + size];
      const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
      return {
        type: "Feature",
        properties: { place },
        geometry: { type: "Polygon", coordinates: [ring] },
      };
    };
    // White edges tell cells apart that are wide enough to have any; narrower ones would be all edge, and
    // get one of their own colour so that a single cell can be seen from afar.
    const edgeNow = () => {
      const width = widthOf(map, size);
      return width < 6 ? { weight: Math.max(0.5, 2 - width) } : { weight: 0.5, color: "#fff" };
    };
    let edge = edgeNow();
    const style = ({ properties: { place } }) => {
      const colour = colours[classOf(values[layer.value][place])];
      return colour
        ? { color: colour, ...edge, fillColor: colour, fillOpacity: shown.tiles ? 0.65 : 1 }
        : { color: "#c5cbd3", weight: 0.5, fillOpacity: 0 };
    };
    const text = ({ feature: { properties: { place } } }) =>
      Object.keys(labels).map((name) => counted(values[name][place], labels[name])).join("<br>");
    // The largest last, so that no neighbour's edge hides them.
    const counts = values[layer.value];
    const order = latitude.map((_, place) => place).sort((one, other) => counts[one] - counts[other]);
    const features = { type: "FeatureCollection", features: order.map(square) };
    const drawn = rendererOf(map, "cells", latitude.length);
    const made = L.geoJSON(features, { ...drawn, ...SIMPLE, style });
    atEveryZoom(map, made, () => {
      const before = edge;
      edge = edgeNow();
      if (edge.weight === before.weight && edge.color === before.color) return;
      // A canvas is drawn anew after every zoom anyway, with the options it then finds.
      if (drawn.renderer instanceof L.Canvas) made.eachLayer((one) => Object.assign(one.options, style(one.feature)));
      else made.setStyle(style);
    });
    return made.bindTooltip(text, { sticky: true });
  };

  // One measure for all circles of the page: the panes are there to be compared.
  const pois = Object.values(shown.panes).flat().filter(({ kind }) => kind === "pois");
  const most = pois.flatMap(({ individuals }) => individuals).reduce((one, other) => Math.max(one, other), 1);

  const drawPois = (map, layer) => {
    const circles = layer.latitude.map((latitude, place) =>
      L.circleMarker([latitude, layer.longitude[place]], {
        ...rendererOf(map, "pois"),
        color: layer.edge ?? "#fff",
        weight: layer.edge ? 1.5 : 0.75,
        fillColor: layer.colour,
        fillOpacity: layer.left[place],
      }).bindTooltip(
        [`<b>${plain(layer.label)}</b>`, counted(layer.individuals[place], layer.labels.individuals)]
          .concat(layer.stays.map(([label, hours]) => counted(hours[place], label)))
          .join("<br>"),
      ),
    );
    // Circles grow with their cell, within reason: the three types of place stand side by side in it.
    const resize = () => {
      const widest = Math.min(14, Math.max(layer.least + 1, widthOf(map, layer.size) / 4));
      const least = Math.max(layer.least, widest / 3);
      circles.forEach((circle, place) =>
        circle.setRadius(Math.max(least, widest * Math.sqrt(layer.individuals[place] / most))),
      );
    };
    return atEveryZoom(map, L.featureGroup(circles), resize);
  };

  const drawPath = (map, layer) =>
    L.polyline(layer.points, {
      ...rendererOf(map, "path"),
      color: layer.colour,
      weight: 1.5,
      opacity: 0.55,
      interactive: false,
    });

  const drawEnds = (map, layer) =>
    L.featureGroup(
      layer.points.map((point, place) =>
        L.circleMarker(point, {
          ...rendererOf(map, "ends"),
          radius: place ? 4.5 : 8, // both are seen where somebody ends where they began
          color: layer.colour,
          weight: 2.5,
          fillColor: place ? layer.colour : "#fff",
          fillOpacity: 1,
        }).bindTooltip(layer.texts[place].map(plain).join("<br>")),
      ),
    );

  const DRAW = { cells: drawCells, pois: drawPois, path: drawPath, ends: drawEnds };
  const draw = (map, [pane, number]) => {
    const layer = shown.panes[pane][number];
    return DRAW[layer.kind](map, layer);
  };

  // panes: [{ map, and where layers are switched: control, overlays (label → layer), row (where the control goes) }]
  const start = (panes) => {
    const maps = panes.map(({ map }) => map);
    const [first] = maps;
    let following = false; // while a pane follows, its own moves lead nobody
    const together = (act) => {
      if (following) return;
      following = true;
      try {
        act();
      } finally {
        following = false;
      }
    };
    const lead = (source) => {
      for (const map of maps) {
        if (map !== source) map.setView(source.getCenter(), source.getZoom(), { animate: false });
      }
    };

    let bounds = shown.bounds;
    let fitted = null; // the view as we chose it; once somebody has moved it, it is theirs
    const view = () => `${first.getZoom()} ${first.getCenter()}`;
    const fit = () => {
      if (bounds) first.fitBounds(bounds, { animate: false, padding: [16, 16], maxZoom: 16 });
      else first.setView([0, 0], 1, { animate: false });
      lead(first);
      fitted = view();
    };
    const resized = () => {
      const [centre, zoom, untouched] = [first.getCenter(), first.getZoom(), view() === fitted];
      maps.forEach((map) => map.invalidateSize({ animate: false }));
      const { x, y } = first.getSize();
      if (x === 0 || y === 0) return; // in a tab that is not open yet
      if (fitted === null || untouched) fit();
      else maps.forEach((map) => map.setView(centre, zoom, { animate: false }));
    };

    // A layer switched on or off in one pane is so in the other: it is the same layer of the other file.
    const switched = (name, on) => {
      for (const { map, overlays } of panes) {
        if (map.hasLayer(overlays[name]) === on) continue;
        if (on) map.addLayer(overlays[name]);
        else map.removeLayer(overlays[name]);
      }
    };

    for (const { map, control, row } of panes) {
      row?.append(control.getContainer());
      L.control.zoom({ zoomInTitle: shown.texts.zoomIn, zoomOutTitle: shown.texts.zoomOut }).addTo(map);
      L.control.scale({ imperial: false }).addTo(map);
      map.attributionControl?.setPrefix("Leaflet");
      map.on("move", () => together(() => lead(map)));
      map.on("overlayadd", ({ name }) => switched(name, true));
      map.on("overlayremove", ({ name }) => switched(name, false));
    }
    const watch = new ResizeObserver(() => together(resized));
    maps.forEach((map) => watch.observe(map.getContainer()));
    together(resized);
    return {
      fit: (around) => {
        [bounds, fitted] = [around, null];
        together(resized);
      },
      stop: () => watch.disconnect(),
    };
  };

  return { counted, draw, plain, start };
};
