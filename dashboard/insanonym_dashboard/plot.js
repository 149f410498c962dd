/* Shows the figure of a Plot and redraws it in place; plot.py says what the traits mean. */

// plotly.js, once for a page: its template brings it along, or the library widget sends it.
const fromPage = (script) =>
  new Promise((resolve) => {
    const done = () => resolve(globalThis.Plotly);
    if (globalThis.Plotly) done();
    else ["load", "error"].forEach((event) => script.addEventListener(event, done));
  });

const fromKernel = async (model) => {
  const library = await model.widget_manager.get_model(model.get("library"));
  const source = await new Promise((resolve) => {
    library.once("msg:custom", (_, [buffer]) => resolve(new TextDecoder().decode(buffer)));
    library.send("plotly");
  });
  const module = { exports: {} }; // whatever module loader the page may have
  new Function("module", "exports", "define", source)(module, module.exports, undefined);
  return module.exports;
};

// Kept by the library's id: a kernel that died before it answered does not keep the next one's figures waiting.
const loaded = (model) => {
  const asked = (globalThis.insanonymPlotly ??= new Map());
  const library = model.get("library");
  if (!asked.has(library)) {
    asked.set(library, (async () => {
      const script = document.getElementById("insanonym-plotly");
      return globalThis.Plotly ?? (script && (await fromPage(script))) ?? (globalThis.Plotly = await fromKernel(model));
    })());
  }
  return asked.get(library);
};

const FRENCH = {
  dictionary: {
    "Download plot": "Télécharger la figure",
    "Double-click to zoom back out": "Double-cliquer pour revenir à la vue entière",
    "Double-click on legend to isolate one trace": "Double-cliquer sur la légende pour isoler une série",
    "Taking snapshot - this may take a few seconds": "Image en préparation…",
    "Snapshot succeeded": "Image enregistrée",
    "Sorry, there was a problem downloading your snapshot!": "L'image n'a pas pu être enregistrée.",
  },
};

const slug = (text) => text.normalize("NFD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";

// A figure for a report: with title and recipe if the kernel drew it so, else as it stands; PNG three times as fine.
const save = (figure, format, label) => {
  const { width, height } = figure.layout ?? {};
  return globalThis.Plotly.downloadImage(figure, { format, width, height, filename: slug(label), scale: format === "png" ? 3 : 1 });
};

const saveButton = (format, model) => ({
  name: format,
  title: format.toUpperCase(),
  icon: globalThis.Plotly.Icons[format === "svg" ? "disk" : "camera"],
  click: () => model.send({ export: format }),
});

const configOf = (model, lang) => ({
  label: model.get("label"), // of no meaning to plotly: tells two settings apart
  displaylogo: false,
  modeBarButtons: [[saveButton("svg", model), saveButton("png", model)]],
  responsive: false, // the container is watched below
  locale: lang,
  locales: { fr: FRENCH },
});

// In a tile that is opened to the whole area, or on a projector, a figure is drawn as for a small tile and enlarged, so
// that its text grows with it.
const TILE = { width: 560, height: 300 };
const PRESENTED = 1.7;
const enlargement = (tile, width, height) => {
  if (!tile) return 1;
  if (tile.classList.contains("insanonym-expanded")) return Math.max(1, Math.min(width / TILE.width, height / TILE.height, 2.4));
  return document.body.classList.contains("insanonym-present") && width > 700 ? PRESENTED : 1;
};

async function render({ model, el }) {
  const place = document.createElement("div");
  el.classList.add("insanonym-plot");
  el.setAttribute("role", "figure");
  el.tabIndex = 0; // F opens the figure that has the keyboard, arrows go back and forth on the plane
  el.dataset.drawn = 0;
  el.append(place);
  const figureNow = () => JSON.parse(new TextDecoder().decode(model.get("figure")));
  const labelled = () => el.setAttribute("aria-label", model.get("label"));
  labelled();
  const reserve = (layout) => { // what stands below does not jump; a tile has its own height
    place.style.minHeight = el.closest(".insanonym-tile") ? "" : `${layout?.height ?? 0}px`;
  };
  reserve(figureNow().layout);

  const Plotly = await loaded(model);
  let [clicks, config, drawing, wanted, width, height, scale, near] = [0, null, false, true, 0, 0, 1, true];

  const enlarged = () => (scale === 1 ? "" : `scale(${scale})`);
  const clicked = ({ points: [point] }) => {
    const { curveNumber, pointIndex, pointNumber, customdata = null, x = null, y = null } = point;
    const told = { curveNumber, pointIndex: pointIndex ?? pointNumber ?? null, customdata, x, y };
    model.set("clicked", { ...told, count: (clicks += 1) });
    model.save_changes();
  };

  // What came while a figure was drawn is drawn next, and only the last of it; in a closed tab, when it opens; what
  // stands above or below the window, when somebody scrolls there, prints or saves it (but the first, at once).
  const draw = async ({ anyway = false } = {}) => {
    wanted = true;
    const first = el.dataset.drawn === "0";
    if (drawing || !(near || first || anyway)) return;
    drawing = true;
    try {
      while (wanted && width > 0) {
        wanted = false;
        const { data, layout } = figureNow();
        if (!data) break;
        reserve(layout);
        const next = configOf(model, layout.meta?.lang ?? "en");
        const fresh = next.label !== config?.label || next.locale !== config?.locale;
        if (fresh) config = next; // the very same object otherwise: plotly makes a new plot for any other one
        const sized = { ...layout, width, autosize: false };
        if (height && layout.height <= height) sized.height = height; // drawn for a tile of nearly this height
        place.style.transform = ""; // plotly measures the texts of tables on the page
        await Plotly.react(place, data, sized, config);
        place.style.transform = enlarged();
        if (fresh) {
          place.removeAllListeners("plotly_click");
          place.on("plotly_click", clicked);
        }
        el.dataset.drawnFor = layout.width; // the width of its place when the kernel drew it
        el.dataset.drawn = Number(el.dataset.drawn) + 1;
      }
    } catch (error) {
      console.error(error);
    } finally {
      drawing = false;
    }
  };

  const resized = () => {
    const tile = el.closest(".insanonym-tile");
    const [across, down] = [el.clientWidth, tile ? el.clientHeight : 0];
    if (across === 0) return;
    scale = enlargement(tile, across, down);
    const [wide, high] = [Math.floor(across / scale), Math.floor(down / scale)];
    if (!drawing) place.style.transform = enlarged();
    if (wide === width && high === height) return;
    [width, height] = [wide, high];
    model.set({ width, height });
    model.save_changes();
    if (wanted || tile) draw();
    else Plotly.relayout(place, { width });
  };

  const relabelled = () => {
    labelled();
    draw();
  };
  const asked = ({ save: format }, buffers) => {
    if (!format || !el.isConnected || width === 0 || !figureNow().data) return;
    const made = buffers?.length ? JSON.parse(new TextDecoder().decode(buffers[0])) : place;
    save(made, format, model.get("label"));
  };
  const changed = () => draw();
  const printed = () => wanted && draw({ anyway: true });
  const scrolled = (entries) => {
    near = entries.at(-1).isIntersecting;
    if (near && wanted && width > 0) draw();
  };
  model.on("msg:custom", asked);
  model.on("change:figure", changed);
  model.on("change:label", relabelled);
  const watch = new ResizeObserver(resized);
  watch.observe(el);
  const sight = new IntersectionObserver(scrolled, { rootMargin: "100px" });
  resized();
  sight.observe(el);
  globalThis.addEventListener("beforeprint", printed);
  return () => {
    watch.disconnect();
    sight.disconnect();
    globalThis.removeEventListener("beforeprint", printed);
    model.off("msg:custom", asked);
    model.off("change:figure", changed);
    model.off("change:label", relabelled);
    Plotly.purge(place);
  };
}

export default { render };
