// The data of the page, unpacked when it is needed, and what all parts share. Text of the model enters the page as text
// only, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
  return bytes.buffer;
}

const doublesOf = (text) => new Float64Array(bytesOf(text));
const floatsOf = (text) => new Float32Array(bytesOf(text));

// Steps of the range between low and high; 65535 is no value.
function scaledOf(text, low, high) {
  const steps = new Uint16Array(bytesOf(text));
  const values = new Float32Array(steps.length);
  for (let k = 0; k < steps.length; ++k) values[k] = steps[k] === 65535 ? NaN : low + (high - low) * (steps[k] / 65534);
  return values;
}

const columns = data.series ? data.series.columns : [];
for (const column of columns) {
  column.unit ??= "";
  column.kind ??= 0;
  column.about = column.about === undefined ? "" : data.series.descriptions[column.about];
}
const times = data.series ? doublesOf(data.series.times) : new Float64Array(0);

function valuesOf(column) {
  const { bytes } = data.series;
  column.unpacked ??= bytes === 8 ? doublesOf(column.values)
    : bytes === 4 ? floatsOf(column.values) : scaledOf(column.values, column.low, column.high);
  return column.unpacked;
}

// An element with attributes and children; strings become text.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const placeOf = (id) => document.querySelector(`#${id} > .drawn`);

// ---- numbers

function shortNumber(value, digits = 6) {
  if (value === null || Number.isNaN(value)) return "no value";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(Math.min(digits - 1, 3)).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits)));
}

// Multiples of 1, 2 or 5 times a power of ten, some `count` of them.
function ticksBetween(low, high, count) {
  const range = high - low;
  if (!(range > 0) || !Number.isFinite(range)) return { ticks: [low], digits: 3 };
  const raw = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw * 0.999) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * range; ++k) ticks.push(k * step);
  return { ticks, step };
}

// All ticks of an axis with equally many decimals, or all with a power of ten.
function tickLabels(ticks, step) {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest >= 1e5 || (largest > 0 && largest < 1e-3)) {
    const digits = Math.max(0, Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step)));
    return ticks.map((t) => (t === 0 || Math.abs(t) < step * 1e-6 ? "0" : shortPower(t, digits)));
  }
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  return ticks.map((t) => (Math.abs(t) < step * 1e-6 ? 0 : t).toFixed(decimals).replace("-", "−"));
}

function shortPower(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  return `${mantissa}e${Number(exponent)}`.replaceAll("-", "−");
}

// The first place in ascending numbers that is not below a value.
function lowerBound(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ---- drawing

const redraws = new Set();  // called when sizes or colours change

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// A canvas that is sharp on every screen; `draw(context, width, height)` in pixels of the page. Drawn at once when it is
// seen, not before.
function drawnCanvas(place, heightOf, draw) {
  const canvas = make("canvas");
  place.append(canvas);
  let wanted = false;
  let seen = false;
  const paint = () => {
    wanted = false;
    const width = Math.max(60, Math.floor(place.clientWidth));
    const height = Math.round(heightOf(width));
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    draw(context, width, height);
  };
  const request = () => {
    if (wanted || !seen) return;
    wanted = true;
    requestAnimationFrame(paint);
  };
  canvas.style.width = "100%";  // until it is drawn
  canvas.style.height = `${heightOf(place.clientWidth)}px`;
  const watch = new IntersectionObserver((entries) => {
    seen = entries.some((entry) => entry.isIntersecting) || seen;
    request();
  }, { rootMargin: "400px" });
  watch.observe(canvas);
  const now = () => { seen = true; paint(); };
  redraws.add(now);
  return { canvas, request, remove: () => { watch.disconnect(); redraws.delete(now); canvas.remove(); } };
}

// What is said near the pointer.
const tip = make("div", { class: "tip", role: "status" });
document.body.append(tip);

function showTip(event, ...lines) {
  tip.replaceChildren(...lines.map((line) => make("div", {}, line)));
  tip.classList.add("on");
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 14 + box.width > innerWidth ? event.clientX - 14 - box.width : event.clientX + 14;
  const y = Math.min(event.clientY + 14, innerHeight - box.height - 4);
  tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}

const hideTip = () => tip.classList.remove("on");
