// Curves over time on a canvas. A curve is { label, unit, colour, values, shown, literals }, its values belong to the
// times of the run. At an event there are two values of the same time: the curve is broken there, the value before is an
// open circle, the one after a dot.
class Plot {
  constructor(place, curves, options = {}) {
    this.curves = curves;
    this.options = options;
    this.view = options.view ?? view;
    this.frame = { left: 50, top: 8, width: 100, height: 100 };
    this.box = make("div", { class: "plot" });
    this.legend = make("div", { class: "legend" });
    place.append(this.box);
    if (options.title) this.box.append(make("h3", {}, options.title));
    this.box.append(this.legend);
    const surface = make("div", { class: "surface" });
    this.box.append(surface);
    this.drawn = drawnCanvas(surface, (width) => options.height ?? (width < 500 ? 210 : 250),
      (context, width, height) => this.draw(context, width, height));
    this.drawn.canvas.setAttribute("aria-label", `plot of ${curves.map((curve) => curve.label).join(", ")}`);
    this.selection = handleView(this.drawn.canvas, this.view, () => this.frame);
    this.redraw = () => { this.drawn.request(); this.readOut(); };
    this.view.listeners.add(this.redraw);
    this.entries = curves.map((curve) => this.entryOf(curve));
    this.legend.append(...this.entries.map((entry) => entry.button));
  }

  remove() {
    this.view.listeners.delete(this.redraw);
    this.drawn.remove();
    this.box.remove();
  }

  entryOf(curve) {
    const value = make("span", { class: "value" });
    const button = make("button", { type: "button", "aria-pressed": "true", title: curve.about || "show or hide" },
      make("span", { class: "swatch", style: `background: var(--${curve.colour})` }), curve.label, value);
    button.addEventListener("click", () => {
      curve.shown = !curve.shown;
      button.setAttribute("aria-pressed", String(curve.shown));
      this.redraw();
    });
    return { button, value, curve };
  }

  // The output point nearest to the cursor; of an event both sides.
  rowsAtCursor() {
    const t = this.view.cursor;
    if (t === null || times.length === 0) return null;
    let row = Math.min(times.length - 1, lowerBound(times, t));
    if (row > 0 && t - times[row - 1] < times[row] - t) --row;
    let last = row;
    while (row > 0 && times[row - 1] === times[row]) --row;
    while (last + 1 < times.length && times[last + 1] === times[row]) ++last;
    return [row, last];
  }

  readOut() {
    const rows = this.rowsAtCursor();
    for (const { value, curve } of this.entries) {
      if (!rows) {
        value.textContent = "";
        continue;
      }
      const say = (v) => (curve.literals && Number.isInteger(v) ? curve.literals[v - 1] ?? String(v) : shortNumber(v));
      const [before, after] = rows.map((row) => curve.values[row]);
      value.textContent = before === after || (Number.isNaN(before) && Number.isNaN(after))
        ? say(after) : `${say(before)} → ${say(after)}`;
    }
  }

  // The smallest and largest value that is seen.
  range(first, last) {
    let low = Infinity;
    let high = -Infinity;
    for (const curve of this.curves) {
      if (!curve.shown) continue;
      for (let k = first; k <= last; ++k) {
        const v = curve.values[k];
        if (!Number.isFinite(v) || (this.options.log && v <= 0)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (low > high) return this.options.log ? [1e-17, 1] : [-1, 1];
    if (this.options.log) return [10 ** Math.floor(Math.log10(low) - 0.2), 10 ** Math.ceil(Math.log10(high) + 0.2)];
    if (low === 0 && high === 0) return [-1, 1];
    const pad = high > low ? 0.06 * (high - low) : Math.max(Math.abs(low) * 0.1, 1e-12);
    return [low - pad, high + pad];
  }

  draw(context, width, height) {
    const [from, to] = this.view.span;
    const first = Math.max(0, lowerBound(times, from) - 1);
    const last = Math.min(times.length - 1, lowerBound(times, to) + 1);
    const [low, high] = this.range(first, last);
    const axis = this.verticalTicks(low, high, height);
    context.font = "12px system-ui, sans-serif";
    const margin = 12 + Math.ceil(Math.max(...axis.labels.map((label) => context.measureText(label).width), 36));
    if (margin > this.view.margin) {  // all plots of a view begin at the same place
      this.view.margin = margin;
      queueMicrotask(() => this.view.changed());
    }
    const left = this.view.margin;
    const frame = (this.frame = { left, top: 10, width: width - left - 10, height: height - 36 });
    const xOf = (t) => frame.left + ((t - from) / (to - from)) * frame.width;
    const scale = this.options.log ? Math.log10 : (v) => v;
    const [bottom, top] = [scale(low), scale(high)];
    const yOf = (v) => frame.top + (1 - ((this.options.log && v <= 0 ? bottom : scale(v)) - bottom) / (top - bottom)) * frame.height;
    this.drawAxes(context, axis, xOf, yOf);
    context.save();
    context.beginPath();
    context.rect(frame.left, frame.top, frame.width, frame.height);
    context.clip();
    this.drawMarks(context, xOf);
    for (const curve of this.curves)
      if (curve.shown) (this.options.log ? drawDots : drawCurve)(context, curve, first, last, xOf, yOf);
    this.drawCursor(context, xOf, yOf);
    context.restore();
  }

  verticalTicks(low, high, height) {
    if (this.options.log) {
      const exponents = [];
      const [bottom, top] = [Math.log10(low), Math.log10(high)];
      const step = Math.max(1, Math.ceil((top - bottom) / (height / 34)));
      for (let k = Math.ceil(bottom); k <= top + 1e-9; k += step) exponents.push(k);
      return { ticks: exponents.map((k) => 10 ** k), labels: exponents.map((k) => `1e${String(k).replace("-", "−")}`) };
    }
    const { ticks, step } = ticksBetween(low, high, height / 44);
    return { ticks, labels: tickLabels(ticks, step ?? 1) };
  }

  drawAxes(context, axis, xOf, yOf) {
    const { left, top, width, height } = this.frame;
    const [from, to] = this.view.span;
    const across = ticksBetween(from, to, width / 90);
    const labels = tickLabels(across.ticks, across.step ?? 1);
    context.lineWidth = 1;
    context.strokeStyle = colour("grid");
    context.fillStyle = colour("faint");
    context.beginPath();
    for (const t of across.ticks) {
      const x = Math.round(xOf(t)) + 0.5;
      context.moveTo(x, top);
      context.lineTo(x, top + height);
    }
    for (const v of axis.ticks) {
      const y = Math.round(yOf(v)) + 0.5;
      context.moveTo(left, y);
      context.lineTo(left + width, y);
    }
    context.stroke();
    context.textBaseline = "top";
    across.ticks.forEach((t, k) => {
      const half = context.measureText(labels[k]).width / 2;
      context.textAlign = "center";
      context.fillText(labels[k], Math.min(xOf(t), left + width - half + 6), top + height + 8);
    });
    context.textAlign = "right";
    context.textBaseline = "middle";
    axis.ticks.forEach((v, k) => context.fillText(axis.labels[k], left - 8, yOf(v)));
  }

  // Events as ticks on the ground, changes of states as triangles at the top.
  drawMarks(context, xOf) {
    if (!data.happened || this.options.marks === false) return;
    const { top, height } = this.frame;
    context.strokeStyle = colour("event");
    context.lineWidth = 1;
    context.beginPath();
    for (const [t] of data.happened.events) {
      const x = Math.round(xOf(t)) + 0.5;
      context.moveTo(x, top + height);
      context.lineTo(x, top + height - 9);
    }
    context.stroke();
    context.fillStyle = colour("pivot");
    context.beginPath();
    for (const [t] of data.happened.pivots) {
      const x = xOf(t);
      context.moveTo(x - 4, top);
      context.lineTo(x + 4, top);
      context.lineTo(x, top + 7);
    }
    context.fill();
  }

  drawCursor(context, xOf, yOf) {
    const { top, height, left, width } = this.frame;
    const selected = this.selection();
    if (selected) {
      context.fillStyle = colour("select");
      context.fillRect(Math.min(...selected), top, Math.abs(selected[1] - selected[0]), height);
    }
    const rows = this.rowsAtCursor();
    if (!rows) return;
    const x = xOf(times[rows[0]]);
    context.strokeStyle = colour("faint");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    for (const curve of this.curves) {
      if (!curve.shown) continue;
      for (const row of new Set(rows)) {
        if (!Number.isFinite(curve.values[row])) continue;
        context.fillStyle = colour(curve.colour);
        context.beginPath();
        context.arc(x, yOf(curve.values[row]), 3.5, 0, 7);
        context.fill();
      }
    }
    const label = `t = ${shortNumber(times[rows[0]], 7)}`;
    const size = context.measureText(label).width + 10;
    const at = Math.min(Math.max(x + 6, left), left + width - size);
    context.fillStyle = colour("paper");
    context.globalAlpha = 0.85;
    context.fillRect(at, top + 2, size, 18);
    context.globalAlpha = 1;
    context.fillStyle = colour("ink");
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(label, at + 5, top + 11);
  }
}

// With many points in a pixel: from the smallest to the largest of them, so that no peak is lost.
function drawCurve(context, curve, first, last, xOf, yOf) {
  const values = curve.values;
  context.strokeStyle = colour(curve.colour);
  context.fillStyle = context.strokeStyle;
  context.lineWidth = 1.8;
  context.lineJoin = "round";
  context.setLineDash(curve.dash ?? []);
  context.beginPath();
  const width = xOf(times[last]) - xOf(times[first]);
  const jumps = [];
  if (last - first > 4 * Math.max(width, 1)) {
    drawEnvelope(context, values, first, last, xOf, yOf);
  } else {
    let open = false;
    for (let k = first; k <= last; ++k) {
      if (!Number.isFinite(values[k])) {
        open = false;
        continue;
      }
      const jumped = k > first && times[k] === times[k - 1] && values[k] !== values[k - 1] && open;
      if (jumped) jumps.push(k);
      if (open && !jumped) context.lineTo(xOf(times[k]), yOf(values[k]));
      else context.moveTo(xOf(times[k]), yOf(values[k]));
      open = true;
    }
  }
  context.stroke();
  context.setLineDash([]);
  if (jumps.length) drawJumps(context, curve, jumps, xOf, yOf, width);
}

// Residuals are noise: no line leads from one to the next. On a logarithmic scale zero has no place.
function drawDots(context, curve, first, last, xOf, yOf) {
  context.fillStyle = colour(curve.colour);
  for (let k = first; k <= last; ++k)
    if (curve.values[k] > 0) context.fillRect(xOf(times[k]) - 1.2, yOf(curve.values[k]) - 1.2, 2.4, 2.4);
}

function drawEnvelope(context, values, first, last, xOf, yOf) {
  let k = first;
  while (k <= last) {
    const pixel = Math.floor(xOf(times[k]));
    let low = Infinity;
    let high = -Infinity;
    let end = NaN;
    const begin = values[k];
    for (; k <= last && Math.floor(xOf(times[k])) === pixel; ++k) {
      if (!Number.isFinite(values[k])) continue;
      low = Math.min(low, values[k]);
      high = Math.max(high, values[k]);
      end = values[k];
    }
    if (low > high) continue;
    if (Number.isFinite(begin)) context.lineTo(pixel + 0.5, yOf(begin));
    context.lineTo(pixel + 0.5, yOf(low));
    context.lineTo(pixel + 0.5, yOf(high));
    context.lineTo(pixel + 0.5, yOf(end));
  }
}

function drawJumps(context, curve, jumps, xOf, yOf, width) {
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.globalAlpha = 0.6;
  context.beginPath();
  for (const k of jumps) {
    context.moveTo(xOf(times[k]), yOf(curve.values[k - 1]));
    context.lineTo(xOf(times[k]), yOf(curve.values[k]));
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (jumps.length > width / 12) return;  // circles would hide the curve
  for (const k of jumps) {
    context.beginPath();
    context.arc(xOf(times[k]), yOf(curve.values[k]), 2.6, 0, 7);
    context.fill();
    context.beginPath();
    context.arc(xOf(times[k]), yOf(curve.values[k - 1]), 2.6, 0, 7);
    context.fillStyle = colour("paper");
    context.fill();
    context.stroke();
    context.fillStyle = context.strokeStyle;
  }
}
