// A mechanism in motion, in the plane or in space. Between output points coordinates are interpolated, never across an
// event.
class Motion {
  constructor(a) {
    this.times = doublesOf(a.times);
    this.values = scaledOf(a.values, a.low, a.high);
    this.n = a.coordinates;
    this.dimension = a.dimension;
    this.shapes = a.shapes;
    this.now = new Float64Array(this.n);
    this.at(this.times[0]);
    this.box = this.bounds();
    this.moving = this.movingCoordinates();
  }

  at(t) {
    let k = lowerBound(this.times, t);
    if (k >= this.times.length) k = this.times.length - 1;
    const before = Math.max(0, k - 1);
    const gap = this.times[k] - this.times[before];
    const part = gap > 0 ? (t - this.times[before]) / gap : 1;
    for (let j = 0; j < this.n; ++j) {
      const from = this.values[before * this.n + j];
      this.now[j] = from + Math.min(1, Math.max(0, part)) * (this.values[k * this.n + j] - from);
    }
  }

  movingCoordinates() {
    const size = Math.max(...this.box.high.map((v, j) => v - this.box.low[j]));
    return Array.from({ length: this.n }, (_, j) => {
      for (let row = 1; row < this.times.length; ++row)
        if (Math.abs(this.values[row * this.n + j] - this.values[j]) > 1e-3 * size) return true;
      return false;
    });
  }

  moves(shape) {
    return shape.at.some((place) => place >= 0 && this.moving[place]);
  }

  number(place, row) {
    if (place < 0) return 0;
    return row === undefined ? this.now[place] : this.values[row * this.n + place];
  }

  // The corners of a shape now, or at an output point.
  corners(shape, row) {
    const count = shape.kind === "circle" ? 1 : Math.floor(shape.at.length / this.dimension);
    return Array.from({ length: count }, (_, k) =>
      Array.from({ length: this.dimension }, (__, j) => this.number(shape.at[k * this.dimension + j], row)));
  }

  radius(shape) {
    return Math.abs(this.number(shape.at[this.dimension]));
  }

  bounds() {
    const low = new Array(this.dimension).fill(Infinity);
    const high = new Array(this.dimension).fill(-Infinity);
    const stride = Math.max(1, Math.floor((this.times.length * this.shapes.length) / 40000));
    for (let row = 0; row < this.times.length; row += stride)
      for (const shape of this.shapes) {
        const r = shape.kind === "circle" ? Math.abs(this.number(shape.at[this.dimension], row)) : 0;
        for (const corner of this.corners(shape, row))
          corner.forEach((v, j) => {
            if (!Number.isFinite(v)) return;
            low[j] = Math.min(low[j], v - r);
            high[j] = Math.max(high[j], v + r);
          });
      }
    return { low, high };
  }
}

function showAnimation() {
  const place = placeOf("animation");
  if (!place) return;
  const motion = new Motion(data.animation);
  const [begin, end] = [motion.times[0], motion.times[motion.times.length - 1]];
  const length = end - begin;
  const state = { t: begin, playing: false, turn: [-0.6, 0.35], trails: motion.shapes.length <= 60, last: 0 };
  const surface = make("div", { class: "surface stage" });
  const drawn = drawnCanvas(surface, (width) => stageHeight(motion, width), (context, width, height) =>
    drawStage(context, width, height, motion, state));

  const clock = make("output", {}, "");
  const slider = make("input", { type: "range", min: 0, max: 1000, value: 0, "aria-label": "time" });
  const speeds = speedsFor(length);
  const speed = make("select", { "aria-label": "speed" }, ...speeds.map(([value, label]) => make("option", { value }, label)));
  speed.value = String(speeds.find(([value]) => length / value <= 12)?.[0] ?? speeds[0][0]);
  const play = make("button", { type: "button", class: "tool play" }, "▶ play");
  const trails = make("input", { type: "checkbox" });
  trails.checked = state.trails;

  const show = () => {
    motion.at(state.t);
    slider.value = String(Math.round((1000 * (state.t - begin)) / (length || 1)));
    clock.textContent = `t = ${shortNumber(state.t, 4)}`;
    drawn.request();
  };
  const step = (now) => {
    if (!state.playing) return;
    state.t += ((now - state.last) / 1000) * Number(speed.value);
    state.last = now;
    if (state.t > end) state.t = begin;
    view.point(state.t);
    show();
    requestAnimationFrame(step);
  };
  const toggle = () => {
    state.playing = !state.playing;
    play.textContent = state.playing ? "❚❚ pause" : "▶ play";
    state.last = performance.now();
    if (state.playing) requestAnimationFrame(step);
    else view.point(null);
  };
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => {
    if (state.playing) toggle();
    state.t = begin + (Number(slider.value) / 1000) * length;
    show();
  });
  trails.addEventListener("change", () => { state.trails = trails.checked; show(); });
  if (motion.dimension === 3) turnByDragging(drawn.canvas, state, show);
  place.append(surface, make("div", { class: "tools player" }, play, slider, clock, speed, make("label", {}, trails, "paths")),
    make("p", { class: "hint" }, (data.animation.declared ? "As the model declares it." : "Told from the equations of the model.") +
      (motion.shapes.some((shape) => shape.elastic) ? " Dashed: the length changes." : "") + (motion.dimension === 3 ? " Drag to turn." : "")));
  show();
}

function speedsFor(length) {
  const factors = [1e-4, 1e-3, 0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 100, 1000, 1e4];
  const useful = factors.filter((f) => length / f < 300 && length / f > 0.5);
  return (useful.length ? useful : [length / 10]).map((f) => [f, f === 1 ? "real time" : f < 1 ? `${shortNumber(1 / f, 3)} × slower` : `${shortNumber(f, 3)} × faster`]);
}

function stageHeight(motion, width) {
  if (motion.dimension === 3) return Math.min(440, width * 0.8);
  const [w, h] = [0, 1].map((j) => motion.box.high[j] - motion.box.low[j]);
  return Math.min(460, Math.max(160, (width * h) / Math.max(w, 1e-300) + 40));
}

// Where a corner is seen. In space: turned about the vertical axis z, then tilted, without perspective.
function projection(motion, state, width, height) {
  const middle = motion.box.low.map((v, j) => (v + motion.box.high[j]) / 2);
  const size = motion.box.low.map((v, j) => motion.box.high[j] - v);
  if (motion.dimension === 2) {
    const scale = Math.min((width - 40) / Math.max(size[0], 1e-9 * size[1], 1e-300), (height - 40) / Math.max(size[1], 1e-9 * size[0], 1e-300));
    return { scale, of: ([x, y]) => [width / 2 + (x - middle[0]) * scale, height / 2 - (y - middle[1]) * scale] };
  }
  const scale = (Math.min(width, height) - 40) / Math.max(Math.hypot(...size), 1e-300);
  const [turn, tilt] = state.turn;
  return {
    scale,
    of: ([x, y, z]) => {
      const [a, b, c] = [x - middle[0], y - middle[1], z - middle[2]];
      const right = a * Math.cos(turn) - b * Math.sin(turn);
      const away = a * Math.sin(turn) + b * Math.cos(turn);
      return [width / 2 + right * scale, height / 2 - (c * Math.cos(tilt) - away * Math.sin(tilt)) * scale];
    },
  };
}

function drawStage(context, width, height, motion, state) {
  const { scale, of } = projection(motion, state, width, height);
  if (motion.dimension === 3) drawAxesInSpace(context, motion, of);
  if (state.trails) drawTrails(context, motion, state, of);
  const small = motion.shapes.length > 200;
  context.lineCap = "round";
  for (const shape of motion.shapes) {
    if (shape.kind !== "line") continue;
    context.strokeStyle = colour("ink");
    context.lineWidth = small ? 1 : 3;
    context.setLineDash(shape.elastic ? [5, 5] : []);
    context.beginPath();
    motion.corners(shape).map(of).forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.stroke();
  }
  context.setLineDash([]);
  for (const shape of motion.shapes) {
    if (shape.kind === "line") continue;
    const [x, y] = of(motion.corners(shape)[0]);
    const moves = motion.moves(shape);
    context.beginPath();
    if (shape.kind === "circle") {
      context.strokeStyle = colour("ink");
      context.lineWidth = 2;
      context.arc(x, y, motion.radius(shape) * scale, 0, 7);
      context.stroke();
    } else {
      context.fillStyle = colour(moves ? "c0" : "faint");
      context.arc(x, y, small ? 1.5 : moves ? 6 : 4, 0, 7);
      context.fill();
    }
  }
}

// Where the moving points have been, fading; of very many the last one only.
function drawTrails(context, motion, state, of) {
  const points = motion.shapes.filter((shape) => shape.kind !== "line" && motion.moves(shape));
  const chosen = points.length > 60 ? points.slice(-1) : points;
  const end = lowerBound(motion.times, state.t);
  const begin = Math.max(0, end - 160);
  context.lineWidth = 1.2;
  context.strokeStyle = colour("c1");
  for (const shape of chosen)
    for (let row = begin + 1; row < end; ++row) {
      const [x0, y0] = of(motion.corners(shape, row - 1)[0]);
      const [x1, y1] = of(motion.corners(shape, row)[0]);
      context.globalAlpha = 0.75 * ((row - begin) / (end - begin));
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      context.stroke();
    }
  context.globalAlpha = 1;
}

function drawAxesInSpace(context, motion, of) {
  const size = Math.max(...motion.box.high.map((v, j) => v - motion.box.low[j]));
  const origin = motion.box.low;
  context.lineWidth = 1;
  ["x", "y", "z"].forEach((name, j) => {
    const tipOf = origin.map((v, k) => (k === j ? v + size * 0.28 : v));
    context.strokeStyle = colour("faint");
    context.fillStyle = colour("faint");
    context.beginPath();
    context.moveTo(...of(origin));
    context.lineTo(...of(tipOf));
    context.stroke();
    const [x, y] = of(tipOf);
    context.fillText(name, x + 4, y);
  });
}

function turnByDragging(canvas, state, show) {
  let last = null;
  canvas.classList.add("turns");
  canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    state.turn[0] += (event.clientX - last[0]) * 0.01;
    state.turn[1] = Math.min(1.57, Math.max(-1.57, state.turn[1] + (event.clientY - last[1]) * 0.01));
    last = [event.clientX, event.clientY];
    show();
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { last = null; });
}
