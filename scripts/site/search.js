// Searches titles and headings while one types. Arrows and Enter work as everywhere.
"use strict";
const root = document.currentScript.dataset.root;
const field = document.getElementById("search");
const list = document.getElementById("found");

function matches(words) {
  const found = [];
  for (const [title, target, summary] of searchIndex) {
    const text = (title + " " + summary).toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
    found.push({ title, target, weight: inTitle * 100 - title.length });
  }
  return found.sort((a, b) => b.weight - a.weight).slice(0, 12);
}

function show() {
  list.replaceChildren();
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
  if (!words.length) return;
  for (const { title, target } of matches(words)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + "/" + target;
    link.textContent = title;
    item.append(link);
    list.append(item);
  }
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  const first = list.querySelector("a");
  if (event.key === "Enter" && first) location.href = first.href;
  if (event.key === "ArrowDown" && first) { first.focus(); event.preventDefault(); }
  if (event.key === "Escape") { field.value = ""; show(); }
});
list.addEventListener("keydown", (event) => {
  const item = document.activeElement.parentElement;
  const next = event.key === "ArrowDown" ? item.nextElementSibling : event.key === "ArrowUp" ? item.previousElementSibling : null;
  if (next) { next.firstChild.focus(); event.preventDefault(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) { field.focus(); event.preventDefault(); }
});
