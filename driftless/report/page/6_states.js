// Who was a state from when to when: a line for each quantity that competes.
function showStates() {
  const place = placeOf("states");
  if (!place) return;
  const { lines, candidates } = data.states;
  place.append(make("p", {}, "A bar says from when to when a quantity was a state, one of those that the method integrates; the others follow from the constraints." +
    (lines.length < candidates ? ` Of ${candidates} quantities that compete, those with most changes are shown.` : "")));
  const row = 24;
  const surface = make("div", { class: "surface" });
  place.append(surface);
  let frame = { left: 60, width: 100 };
  const drawn = drawnCanvas(surface, () => lines.length * row + 26, (context, width, height) => {
    const labelWidth = Math.min(width * 0.4, Math.max(...lines.map(([name]) => context.measureText(name).width), 20) + 14);
    frame = { left: labelWidth, width: width - labelWidth - 10 };
    const [from, to] = view.span;
    const xOf = (t) => frame.left + ((t - from) / (to - from)) * frame.width;
    const across = ticksBetween(from, to, frame.width / 90);
    const labels = tickLabels(across.ticks, across.step ?? 1);
    context.strokeStyle = colour("grid");
    context.fillStyle = colour("faint");
    context.textAlign = "center";
    context.textBaseline = "top";
    context.beginPath();
    across.ticks.forEach((t, k) => {
      const x = Math.round(xOf(t)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, height - 24);
      context.fillText(labels[k], x, height - 18);
    });
    context.stroke();
    lines.forEach(([name, spans], k) => {
      context.fillStyle = colour("ink");
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillText(fitted(context, name, labelWidth - 12), frame.left - 8, k * row + row / 2);
      context.fillStyle = colour(colours[0]);
      for (const [begin, end] of spans) {
        const x0 = Math.max(frame.left, xOf(begin));
        const x1 = Math.min(frame.left + frame.width, xOf(end));
        if (x1 >= x0) context.fillRect(x0, k * row + 5, Math.max(1, x1 - x0 - 0.5), row - 10);
      }
    });
    drawCursorLine(context, xOf, height - 24);
  });
  handleView(drawn.canvas, view, () => frame);
  view.listeners.add(() => drawn.request());
  drawn.canvas.addEventListener("pointermove", (event) => {
    const line = lines[Math.floor((event.clientY - drawn.canvas.getBoundingClientRect().top) / row)];
    if (!line || view.cursor === null) return hideTip();
    const is = line[1].some(([begin, end]) => begin <= view.cursor && view.cursor <= end);
    showTip(event, `t = ${shortNumber(view.cursor)}`, `${line[0]} is ${is ? "a state" : "dependent"}`);
  });
  drawn.canvas.addEventListener("pointerleave", hideTip);
}

function drawCursorLine(context, xOf, height) {
  if (view.cursor === null) return;
  context.strokeStyle = colour("faint");
  context.beginPath();
  context.moveTo(xOf(view.cursor), 0);
  context.lineTo(xOf(view.cursor), height);
  context.stroke();
}
