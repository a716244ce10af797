// The certificate: the largest relative residual of each constraint and level as a bar on a logarithmic scale, with the
// bound as a line; and the residuals of each level over time.
function levelName(level) {
  return level === 0 ? "as written" : `${level}${["th", "st", "nd", "rd"][level < 4 ? level : 0]} derivative`;
}

function showCertificate() {
  const place = placeOf("certificate");
  if (!place) return;
  const { entries, bound, in_all } = data.certificate;
  place.append(make("p", {}, `The largest residual at any output point, relative to the size of the terms of its equation; the line is the bound ${shortNumber(bound)}.` +
    (entries.length < in_all ? ` The ${entries.length} worst of ${in_all} are shown.` : "")));
  const bars = make("div", { class: "surface" });
  place.append(bars);
  showBars(bars, entries, bound);
  if (!data.series || data.series.drift.length === 0 || times.length < 2) return;
  const curves = data.series.drift.map((text, level) => ({
    label: levelName(level), about: "", colour: colours[level % colours.length], values: floatsOf(text), shown: true,
  }));
  if (curves.every((curve) => curve.values.every((v) => v === 0))) {
    place.append(make("p", { class: "hint" }, "At every output point all residuals are zero."));
    return;
  }
  new Plot(place, curves, { log: true, title: "Largest residual of each level over time, absolute; zero has no place on this scale", height: 200, marks: false });
}

function showBars(place, entries, bound) {
  const row = 22;
  const value = (entry) => (entry.relative === null ? Infinity : entry.relative);
  const finite = entries.map(value).filter((v) => v > 0 && Number.isFinite(v));
  const low = Math.floor(Math.log10(Math.min(bound || 1, 1e-16, ...finite)));
  const high = Math.ceil(Math.log10(Math.max(bound || 1e-16, ...finite))) + 1;
  let frame = null;
  const drawn = drawnCanvas(place, () => entries.length * row + 30, (context, width, height) => {
    const labelWidth = Math.min(width * 0.46, Math.max(...entries.map((e) => context.measureText(nameOf(e)).width)) + 14);
    frame = { left: labelWidth, width: width - labelWidth - 26 };
    const xOf = (v) => frame.left + ((Math.log10(v) - low) / (high - low)) * frame.width;
    drawScale(context, low, high, xOf, height);
    entries.forEach((entry, k) => {
      const y = k * row;
      const v = value(entry);
      const end = v === Infinity ? frame.left + frame.width : v > 0 ? Math.max(xOf(v), frame.left + 2) : frame.left + 2;
      context.fillStyle = colour(entry.kept ? "good" : "bad");
      context.fillRect(frame.left, y + 4, end - frame.left, row - 9);
      context.fillStyle = colour("ink");
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillText(fitted(context, nameOf(entry), labelWidth - 12), frame.left - 8, y + row / 2);
    });
    if (bound > 0) {
      context.strokeStyle = colour("warn");
      context.lineWidth = 2;
      context.setLineDash([5, 3]);
      context.beginPath();
      context.moveTo(xOf(bound), 0);
      context.lineTo(xOf(bound), height - 26);
      context.stroke();
      context.setLineDash([]);
    }
  });
  drawn.canvas.addEventListener("pointermove", (event) => {
    const entry = entries[Math.floor((event.clientY - drawn.canvas.getBoundingClientRect().top) / row)];
    if (!entry) return hideTip();
    showTip(event, `${entry.label}  ${entry.text}`, levelName(entry.level), `relative ${shortNumber(entry.relative, 3)}, absolute ${shortNumber(entry.residual, 3)} at t = ${shortNumber(entry.at)}`,
      entry.kept ? "kept" : "not kept");
  });
  drawn.canvas.addEventListener("pointerleave", hideTip);
}

const nameOf = (entry) => `${entry.label}, ${levelName(entry.level)}`;

function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) --end;
  return `${text.slice(0, end)}…`;
}

function drawScale(context, low, high, xOf, height) {
  const step = Math.max(1, Math.ceil((high - low) / Math.max(2, (xOf(10 ** high) - xOf(10 ** low)) / 56)));
  context.strokeStyle = colour("grid");
  context.fillStyle = colour("faint");
  context.textBaseline = "top";
  context.textAlign = "center";
  context.beginPath();
  for (let k = low; k <= high; k += step) {
    const x = Math.round(xOf(10 ** k)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height - 26);
    context.fillText(`1e${String(k).replace("-", "−")}`, x, height - 20);
  }
  context.stroke();
}
