/* The steps of a recipe as compact rows; steps.py says what the traits mean. */

const element = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

// "0,25" and "1 000" are numbers too.
const parseNumber = (text) => Number(text.replace(/[\s\u00a0\u202f]/g, "").replace(",", "."));

const nearest = (values, wanted) => {
  let best = 0;
  values.forEach((value, place) => {
    if (Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = place;
  });
  return best;
};

// Each control: { root, show(value) }; `changed(value)` hears what somebody sets.
const CONTROLS = {
  slider({ label, unit, values, texts, typed }, name, changed) {
    const range = element("input", { type: "range", min: 0, max: values.length - 1, step: 1, id: name, "aria-label": label });
    const field = element("input", { type: "text", inputMode: "decimal", className: "value", "aria-label": label, readOnly: !typed });
    let current = null;
    const text = (value) => texts[values.indexOf(value)] ?? String(value);
    const show = (value) => {
      current = value;
      const place = nearest(values, value);
      range.value = place;
      range.style.setProperty("--filled", values.length > 1 ? place / (values.length - 1) : 0);
      range.setAttribute("aria-valuetext", `${text(value)} ${unit}`.trim());
      if (document.activeElement !== field) field.value = text(value);
      field.style.width = `${Math.max(3, field.value.length + 1)}ch`;
    };
    range.addEventListener("input", () => {
      show(values[range.value]);
      changed(current);
    });
    const commit = () => {
      const value = parseNumber(field.value);
      const known = texts.indexOf(field.value.trim());
      if (known >= 0) changed(values[known]);
      else if (field.value.trim() !== "" && Number.isFinite(value) && value !== current) changed(value);
      field.value = text(current);
    };
    field.addEventListener("change", commit);
    field.addEventListener("focus", () => field.select());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") field.blur();
      if (event.key === "Escape") { field.value = text(current); field.blur(); event.stopPropagation(); }
    });
    const head = element("div", { className: "line" }, element("label", { htmlFor: name, textContent: label }),
      element("span", { className: "number" }, field, element("span", { className: "unit", textContent: unit })));
    return { root: element("div", { className: "parameter" }, head, range), show };
  },

  choice({ label, options }, name, changed) {
    const select = element("select", { id: name });
    select.append(...options.map(([text, value], place) => element("option", { value: place, textContent: text })));
    const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    select.addEventListener("change", () => changed(options[select.value][1]));
    const show = (value) => {
      select.value = options.findIndex((one) => same(one[1], value));
      select.title = options[select.value]?.[0] ?? ""; // a long name has no room
    };
    const line = element("div", { className: "line" }, element("label", { htmlFor: name, textContent: label }), select);
    return { root: element("div", { className: "parameter" }, line), show };
  },

  switch({ label }, name, changed) {
    const box = element("input", { type: "checkbox", id: name });
    box.addEventListener("change", () => changed(box.checked));
    const line = element("div", { className: "line" }, element("label", { htmlFor: name, textContent: label }), box);
    return { root: element("div", { className: "parameter" }, line), show: (value) => { box.checked = value; } };
  },

  hours({ label, from, to }, name, changed) {
    const choose = (first, last, text) => {
      const select = element("select", { "aria-label": `${label}, ${text}` });
      for (let hour = first; hour <= last; hour += 1) select.append(element("option", { value: hour, textContent: `${hour} h` }));
      return select;
    };
    const [low, high] = [choose(0, 23, from), choose(0, 24, to)];
    let current = [0, 24];
    const show = (value) => { current = value; [low.value, high.value] = value; };
    const set = () => {
      const span = [Number(low.value), Number(high.value)];
      if (span[0] === span[1]) show(current); // no span at all
      else changed(span);
    };
    [low, high].forEach((select) => select.addEventListener("change", set));
    const line = element("div", { className: "line" }, element("span", { textContent: label }), element("span", {}, low, " – ", high));
    return { root: element("div", { className: "parameter" }, line), show };
  },

  lines({ label, example }, name, changed) {
    const field = element("textarea", { id: name, rows: 2, placeholder: example, spellcheck: false });
    field.addEventListener("change", () => changed(field.value));
    field.addEventListener("keydown", (event) => event.stopPropagation()); // arrows and Escape are the text's own
    const said = element("small");
    const summary = element("summary", { textContent: label });
    summary.append(" ", said);
    field.setAttribute("aria-label", label);
    const show = (value) => {
      field.value = value;
      said.textContent = value ? `${value.split("\n")[0]} …` : "–";
    };
    return { root: element("details", { className: "parameter lines" }, summary, field), show };
  },

  several({ label, options, none, count }, name, changed) {
    const boxes = options.map(([text, value]) => {
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => changed(options.filter((_, place) => boxes[place].checked).map((one) => one[1])));
      return box;
    });
    const labels = boxes.map((box, place) => element("label", { title: options[place][0] }, box, options[place][0]));
    const summary = element("summary", { textContent: label });
    const said = element("small");
    const show = (value) => {
      const chosen = new Set(value.map(String));
      boxes.forEach((box, place) => { box.checked = chosen.has(String(options[place][1])); });
      said.textContent = value.length || !none ? count.replace("{chosen}", value.length).replace("{all}", options.length) : none;
    };
    summary.append(" ", said);
    const list = element("div", { className: "boxes", role: "group", "aria-label": label }, ...labels);
    return { root: element("details", { className: "parameter several" }, summary, list), show };
  },
};

function render({ model, el }) {
  el.classList.add("insanonym-steps");
  const list = element("div", { className: "steps" });
  const adder = element("select", { className: "adder" });
  el.append(list, adder);
  let shown = {}; // controls by "step id.parameter"
  const texts = () => model.get("texts");
  const tell = (event, values) => model.send({ event, version: model.get("version"), ...values });

  const set = (key, value) => {
    model.set("values", { ...model.get("values"), [key]: value });
    model.save_changes();
  };

  const move = (from, to) => {
    const { first, last } = model.get("span");
    const place = Math.min(Math.max(to, first), last - 1);
    if (place !== from) tell("move", { from, to: place });
  };

  const handle = (step, place) => {
    const grip = element("button", { type: "button", className: "grip", draggable: true, textContent: "⠿", title: step.move, "aria-label": step.move });
    grip.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      focus = { place: place + by, grip: true };
      move(place, place + by);
    });
    grip.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/x-insanonym-step", String(place));
      event.dataTransfer.effectAllowed = "move";
    });
    return grip;
  };

  let focus = null; // where the keyboard goes after the steps were drawn anew
  const card = (step, place) => {
    const box = element("section", { className: `step step-${step.method}`, "aria-label": step.title });
    const help = element("p", { className: "help", hidden: true, textContent: step.help });
    const ask = element("button", { type: "button", className: "ask", textContent: "?", title: step.help_title, "aria-label": step.help_title, "aria-expanded": "false" });
    ask.addEventListener("click", () => {
      help.hidden = !help.hidden;
      ask.setAttribute("aria-expanded", String(!help.hidden));
    });
    const head = element("header", {}, ...(step.movable ? [handle(step, place)] : []), element("b", { textContent: step.title }), ask);
    if (step.removable) {
      const away = element("button", { type: "button", className: "remove", textContent: "✕", title: step.remove, "aria-label": step.remove });
      away.addEventListener("click", () => { focus = { adder: true }; tell("remove", { place }); });
      head.append(away);
    }
    box.append(head, help);
    for (const parameter of step.parameters) {
      const key = `${step.id}.${parameter.name}`;
      const made = CONTROLS[parameter.type](parameter, `insanonym-${key}`, (value) => set(key, value));
      made.root.dataset.parameter = parameter.name;
      shown[key] = made;
      box.append(made.root);
    }
    box.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("text/x-insanonym-step")) event.preventDefault();
    });
    box.addEventListener("drop", (event) => {
      const from = event.dataTransfer.getData("text/x-insanonym-step");
      if (from === "") return;
      event.preventDefault();
      move(Number(from), place);
    });
    return box;
  };

  let said = {}; // values that the controls show, as JSON: a move sets one control, and the others stand still
  const values = () => {
    for (const [key, value] of Object.entries(model.get("values"))) {
      const text = JSON.stringify(value);
      if (said[key] === text) continue;
      said[key] = text;
      shown[key]?.show(value);
    }
  };

  const draw = () => {
    [shown, said] = [{}, {}];
    list.replaceChildren(...model.get("steps").map(card));
    const offered = model.get("offered");
    adder.hidden = offered.length === 0;
    adder.setAttribute("aria-label", texts().add ?? "");
    adder.replaceChildren(element("option", { value: "", textContent: texts().add ?? "" }),
      ...offered.map(([text, method]) => element("option", { value: method, textContent: text })));
    values();
    if (focus?.adder) adder.focus();
    else if (focus) list.children[focus.place]?.querySelector(".grip")?.focus();
    focus = null;
  };

  adder.addEventListener("change", () => {
    const method = adder.value;
    adder.value = "";
    if (method) tell("add", { method });
  });
  model.on("change:version", draw);
  model.on("change:values", values);
  draw();
}

export default { render };
