// The trajectory: which variables are shown is the reader's choice.
const colours = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

function curveOf(column, k) {
  return {
    label: column.unit ? `${column.name} [${column.unit}]` : column.name, about: column.about, unit: column.unit,
    colour: colours[k % colours.length], dash: k < colours.length ? [] : [6, 3], values: valuesOf(column), shown: true,
    literals: column.literals,
  };
}

function showPlots() {
  const place = placeOf("plots");
  if (!place) return;
  const chosen = new Set(data.series.shown.map((name) => columns.findIndex((c) => c.name === name)).filter((k) => k >= 0));
  if (chosen.size === 0) columns.slice(0, 4).forEach((_, k) => chosen.add(k));
  const arrange = make("select", { "aria-label": "arrangement" },
    make("option", { value: "unit" }, "a plot for each unit"), make("option", { value: "each" }, "a plot for each variable"),
    make("option", { value: "one" }, "all in one plot"));
  const reset = make("button", { type: "button", class: "tool", disabled: true, onclick: () => view.reset() }, "whole run");
  const zoomIn = make("button", { type: "button", class: "tool", title: "zoom in", onclick: () => view.zoom(0.6) }, "+");
  const zoomOut = make("button", { type: "button", class: "tool", title: "zoom out", onclick: () => view.zoom(1 / 0.6) }, "−");
  view.listeners.add(() => { reset.disabled = view.isWhole; });
  const panels = make("div", { class: "panels" });
  let plots = [];
  const show = () => {
    plots.forEach((plot) => plot.remove());
    plots = groupsOf([...chosen], arrange.value).map((list) => new Plot(panels, list.map(([k, n]) => curveOf(columns[k], n))));
    if (plots.length === 0) panels.replaceChildren(make("p", { class: "empty" }, "No variable is chosen."));
    else panels.querySelector(".empty")?.remove();
  };
  arrange.addEventListener("change", show);
  place.append(make("div", { class: "tools" }, arrange, zoomIn, zoomOut, reset,
    make("span", { class: "hint" }, "drag to zoom, Shift-drag to move, double-click for the whole run")),
    chooser(chosen, show), panels, ...notesOnData());
  show();
}

// Columns with their numbers among the chosen ones, which give the colours.
function groupsOf(list, how) {
  const numbered = list.map((k, n) => [k, n]);
  if (how === "one") return list.length ? [numbered] : [];
  if (how === "each") return numbered.map(([k]) => [[k, 0]]);
  const groups = new Map();
  for (const [k] of numbered) {
    const key = columns[k].kind === 2 && !columns[k].unit ? "discrete" : columns[k].unit;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push([k, groups.get(key).length]);
  }
  return [...groups.values()];
}

const most_listed = 150;

function chooser(chosen, changed) {
  const search = make("input", { type: "search", placeholder: `search ${columns.length} variables`, "aria-label": "search variables" });
  const kind = make("select", { "aria-label": "kind" }, make("option", { value: "all" }, "all"),
    make("option", { value: "0" }, "variables"), make("option", { value: "1" }, "derivatives"),
    make("option", { value: "2" }, "discrete"), make("option", { value: "chosen" }, "chosen"));
  const list = make("div", { class: "choices" });
  const count = make("span", { class: "hint" });
  const summary = make("summary", {}, "Choose variables ", count);
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (column, k) => (kind.value === "all" || (kind.value === "chosen" ? chosen.has(k) : String(column.kind) === kind.value)) &&
      words.every((word) => column.name.toLowerCase().includes(word) || column.about.toLowerCase().includes(word));
    const found = [];
    columns.forEach((column, k) => { if (fits(column, k)) found.push(k); });
    list.replaceChildren(...found.slice(0, most_listed).map((k) => choice(k)));
    if (found.length > most_listed) list.append(make("p", { class: "hint" }, `and ${found.length - most_listed} more: search for a part of the name`));
    count.textContent = `${chosen.size} of ${columns.length}`;
  };
  const choice = (k) => {
    const box = make("input", { type: "checkbox" });
    box.checked = chosen.has(k);
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(k);
      else chosen.delete(k);
      count.textContent = `${chosen.size} of ${columns.length}`;
      changed();
    });
    return make("label", { title: columns[k].about }, box, columns[k].name,
      make("span", { class: "hint" }, columns[k].unit ? ` [${columns[k].unit}]` : ""));
  };
  search.addEventListener("input", fill);
  kind.addEventListener("change", fill);
  const none = make("button", { type: "button", class: "tool", onclick: () => { chosen.clear(); fill(); changed(); } }, "none");
  fill();
  return make("details", { class: "chooser" }, summary, make("div", { class: "tools" }, search, kind, none), list);
}

// What was left out of the file, in plain words.
function notesOnData() {
  const notes = [];
  const s = data.series;
  if (times.length < s.rows_in_all) notes.push(`Of ${s.rows_in_all} output points the report holds ${times.length}, chosen so that peaks stay where there are few curves.`);
  if (columns.length < s.columns_in_all) notes.push(`Of ${s.columns_in_all} variables and derivatives the report holds ${columns.length}, evenly spaced; --plot NAMES holds others.`);
  if (s.bytes === 2) notes.push("Values are rounded to 1/65534 of the range of each curve.");
  const h = data.happened;
  if (h.events_in_all > 0) notes.push("Ticks on the ground are events; at a jump the open circle is the value before, the dot the value after.");
  if (h.events.length < h.events_in_all) notes.push(`The first ${h.events.length} of ${h.events_in_all} events are marked.`);
  if (h.pivots.length > 0) notes.push("Triangles at the top are changes of states.");
  return notes.map((note) => make("p", { class: "hint" }, note));
}
