// The incidence matrix in block triangular form. Small ones entry by entry; of large ones a raster whose cells are the
// darker, the more entries they hold.
function showStructure() {
  const place = placeOf("structure");
  if (!place) return;
  const s = data.structure;
  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  place.append(make("p", {}, `${plural(s.n, "equation")} (rows) and as many variables (columns) with ${plural(s.entries_in_all, "entry").replace("entrys", "entries")}, ` +
    (s.blocks_in_all === 1 ? "solved as one block." : `ordered into ${s.blocks_in_all} blocks that can be solved one after the other; the largest has ${plural(s.largest_block, "equation")}.`)));
  const surface = make("div", { class: "surface matrix" });
  place.append(surface);
  if (s.raster) showRaster(surface, s);
  else showEntries(surface, s);
}

const sideOf = (width, n, largest) => Math.min(width, Math.max(140, Math.min(largest, n * 26)));

// An entry of the highest derivatives, which the blocks are made of, is strong; others are faint. More often
// differentiated equations have a warmer colour.
function entryColour(differentiations) {
  return ["c0", "c1", "c3", "c6"][Math.min(3, differentiations)];
}

const most_labelled = 32;

// Names of equations to the right of a small matrix, of variables above it, turned.
function labelsAround(context, s, width) {
  if (s.n > most_labelled) return { right: 0, top: 0 };
  const widest = (list) => Math.max(...list.map(([name]) => context.measureText(name).width));
  return { right: Math.min(widest(s.rows) + 10, width * 0.5), top: Math.min(widest(s.cols), 110) * 0.8 + 14 };
}

function drawLabels(context, s, cell, side, around) {
  context.fillStyle = colour("faint");
  context.textBaseline = "middle";
  context.textAlign = "left";
  s.rows.forEach(([name], i) => context.fillText(fitted(context, name, around.right - 8), side + 8, (i + 0.5) * cell));
  s.cols.forEach(([name], j) => {
    context.save();
    context.translate((j + 0.5) * cell, -6);
    context.rotate(-0.93);
    context.fillText(fitted(context, name, 110), 0, 0);
    context.restore();
  });
}

function showEntries(place, s) {
  const cells = new Map(s.entries.map(([i, j, sigma]) => [i * s.n + j, sigma]));
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = "12px system-ui, sans-serif";
  const layout = (width) => {
    const around = labelsAround(ruler, s, width);
    return { around, side: sideOf(width - around.right, s.n, 560) };
  };
  let now = { side: 0, top: 0 };
  const heightOf = (width) => layout(width).side + layout(width).around.top + 1;
  const drawn = drawnCanvas(place, heightOf, (context, width) => {
    const { around, side } = layout(width);
    now = { side, top: around.top };
    const cell = side / s.n;
    context.translate(0, around.top);
    if (s.n <= most_labelled) drawLabels(context, s, cell, side, around);
    context.strokeStyle = colour("grid");
    context.strokeRect(0.5, 0.5, side - 1, side - 1);
    for (const [i, j, sigma] of s.entries) {
      const strong = sigma === s.cols[j][1] - s.rows[i][1];
      context.fillStyle = colour(entryColour(s.rows[i][1]));
      context.globalAlpha = strong ? 1 : 0.28;
      const gap = cell > 8 ? 1.5 : cell > 3 ? 0.5 : 0;
      context.fillRect(j * cell + gap, i * cell + gap, Math.max(1, cell - 2 * gap), Math.max(1, cell - 2 * gap));
    }
    context.globalAlpha = 1;
    drawBlocks(context, s, cell);
  });
  onCell(drawn.canvas, () => now, s.n, (event, i, j) => {
    const sigma = cells.get(i * s.n + j);
    showTip(event, s.rows[i][0], s.cols[j][0] + (sigma === undefined ? " does not occur" : sigma === 0 ? "" : `, derivative ${sigma} of it`),
      ...(s.rows[i][1] > 0 ? [`the equation is differentiated ${s.rows[i][1]} ${s.rows[i][1] === 1 ? "time" : "times"}`] : []));
  });
  place.append(make("p", { class: "hint" }, "Strong: the highest derivatives, which the blocks are made of. Faint: lower ones. Colours: how often the equation is differentiated (",
    ...[0, 1, 2, 3].filter((c) => s.rows.some((row) => Math.min(3, row[1]) === c)).flatMap((c) => [
      make("span", { class: "swatch", style: `background: var(--${entryColour(c)})` }), ` ${c === 3 ? "3 or more" : c} `]), "times)."));
}

function showRaster(place, s) {
  const most = Math.max(...s.cells.map((cell) => cell[2]));
  const counts = new Map(s.cells.map(([i, j, count]) => [i * s.raster + j, count]));
  let side = 0;
  const drawn = drawnCanvas(place, (width) => Math.min(width, 560) + 1, (context, width) => {
    side = Math.min(width, 560);
    const cell = side / s.raster;
    context.strokeStyle = colour("grid");
    context.strokeRect(0.5, 0.5, side - 1, side - 1);
    context.fillStyle = colour("c0");
    for (const [i, j, count] of s.cells) {
      context.globalAlpha = 0.3 + 0.7 * Math.sqrt(count / most);
      context.fillRect(j * cell, i * cell, Math.max(cell, 1.2), Math.max(cell, 1.2));
    }
    context.globalAlpha = 1;
    drawBlocks(context, s, side / s.n);
  });
  onCell(drawn.canvas, () => ({ side, top: 0 }), s.raster, (event, i, j) => {
    const count = counts.get(i * s.raster + j) ?? 0;
    showTip(event, `${count} ${count === 1 ? "entry" : "entries"}`, `equations ${s.sides[i][0]} … ${s.sides[i][1]}`, `variables ${s.sides[j][2]} … ${s.sides[j][3]}`);
  });
  place.append(make("p", { class: "hint" }, `Seen from afar: each of the ${s.raster} × ${s.raster} cells is the darker, the more entries it holds.`));
}

function drawBlocks(context, s, cell) {
  context.strokeStyle = colour("ink");
  context.lineWidth = 1;
  for (const [first, size] of s.blocks) context.strokeRect(first * cell + 0.5, first * cell + 0.5, size * cell - 1, size * cell - 1);
}

function onCell(canvas, frameOf, n, say) {
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const { side, top } = frameOf();
    const j = Math.floor(((event.clientX - box.left) / side) * n);
    const i = Math.floor(((event.clientY - box.top - top) / side) * n);
    if (i < 0 || j < 0 || i >= n || j >= n) return hideTip();
    say(event, i, j);
  });
  canvas.addEventListener("pointerleave", hideTip);
}
