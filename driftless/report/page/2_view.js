// The span of time that several plots show together, and the instant they point at.
class View {
  constructor(from, to) {
    this.all = [from, to > from ? to : from + 1];
    this.span = [...this.all];
    this.cursor = null;
    this.margin = 0;
    this.listeners = new Set();
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  get isWhole() {
    return this.span[0] === this.all[0] && this.span[1] === this.all[1];
  }

  show(from, to) {
    const whole = this.all[1] - this.all[0];
    const length = Math.min(whole, Math.max(to - from, whole * 1e-9));
    const begin = Math.min(Math.max(from, this.all[0]), this.all[1] - length);
    this.span = length >= whole * (1 - 1e-12) ? [...this.all] : [begin, begin + length];
    this.changed();
  }

  reset() {
    this.show(...this.all);
  }

  // The instant `fixed` stays where it is.
  zoom(factor, fixed = (this.span[0] + this.span[1]) / 2) {
    const [from, to] = this.span;
    this.show(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
  }

  pan(part) {
    const length = this.span[1] - this.span[0];
    this.show(this.span[0] + part * length, this.span[1] + part * length);
  }

  point(t) {
    if (this.cursor === t) return;
    this.cursor = t;
    this.changed();
  }
}

// Mouse: drag selects a span, with Shift it moves; the wheel zooms where Ctrl is held or the plot was clicked. Touch: one
// finger moves and points, two zoom. Keys: arrows, +, -, 0.
function handleView(canvas, view, frameOf) {
  const pointers = new Map();
  let drag = null;
  let pinch = 0;
  const timeAt = (x) => {
    const frame = frameOf();
    const [from, to] = view.span;
    return from + ((x - frame.left) / Math.max(1, frame.width)) * (to - from);
  };
  const place = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.abs(a - b);
  };

  canvas.tabIndex = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 2) {
      drag = null;
      pinch = spread();
    } else {
      const moves = event.pointerType === "touch" || event.shiftKey;
      drag = { x: place(event), moves, span: [...view.span], to: null };
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const x = place(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, x);
    if (pointers.size === 2) {
      const now = spread();
      const middle = [...pointers.values()].reduce((a, b) => a + b) / 2;
      if (pinch > 0 && now > 0) view.zoom(pinch / now, timeAt(middle));
      pinch = now;
      return;
    }
    if (drag && drag.moves) {
      const shift = ((drag.x - x) / Math.max(1, frameOf().width)) * (drag.span[1] - drag.span[0]);
      view.show(drag.span[0] + shift, drag.span[1] + shift);
    } else if (drag) {
      drag.to = x;
      view.changed();
    }
    view.point(Math.min(view.span[1], Math.max(view.span[0], timeAt(x))));
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (drag && drag.to !== null && Math.abs(drag.to - drag.x) > 5) {
      const ends = [timeAt(drag.x), timeAt(drag.to)].sort((a, b) => a - b);
      drag = null;
      view.show(...ends);
    }
    drag = null;
    view.changed();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => view.point(null));
  canvas.addEventListener("dblclick", () => view.reset());
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    view.zoom(Math.exp(Math.sign(event.deltaY) * 0.2), timeAt(place(event)));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const keys = {
      ArrowLeft: () => view.pan(-0.1), ArrowRight: () => view.pan(0.1), "+": () => view.zoom(0.7),
      "=": () => view.zoom(0.7), "-": () => view.zoom(1 / 0.7), 0: () => view.reset(), Escape: () => canvas.blur(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  return () => (drag && !drag.moves && drag.to !== null ? [drag.x, drag.to] : null);
}

const view = new View(data.start, times.length ? Math.max(times[times.length - 1], data.start) : data.reached);
