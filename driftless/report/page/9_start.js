// All parts, each on its own: what one of them cannot draw keeps no other from being seen.
for (const part of [showAnimation, showPlots, showCertificate, showStates, showStructure]) {
  try {
    part();
  } catch (error) {
    console.error(error);
  }
}

const redrawAll = () => { for (const redraw of redraws) redraw(); };
let resizing = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(redrawAll);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
addEventListener("beforeprint", () => { document.documentElement.classList.add("printed"); redrawAll(); });
addEventListener("afterprint", () => { document.documentElement.classList.remove("printed"); redrawAll(); });
