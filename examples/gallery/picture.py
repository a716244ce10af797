"""What the pictures of the gallery share: size and colours, and files that are small and the same every time."""
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "driftless", "font.family": "sans-serif", "font.size": 10,
    "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
    "axes.prop_cycle": matplotlib.cycler(color=["#0068a8", "#d1550a", "#008b66", "#b8578f", "#c98a00", "#6b4fa0"]),
    "lines.linewidth": 1.4, "path.simplify_threshold": 0.3, "legend.frameon": False,
})


def panels(rows=1, columns=1, **options):
    """A figure of the usual size, and its axes."""
    return pyplot.subplots(rows, columns, figsize=(7.2, 3.3), layout="constrained", **options)


def save(figure):
    """Into the file that the command line names. Of SVG, coordinates with two decimals are enough."""
    path = Path(sys.argv[1])
    figure.savefig(path, metadata={"Date": None, "Creator": None} if path.suffix == ".svg" else None)
    if path.suffix == ".svg":
        text = re.sub(r"(\d+\.\d\d)\d+", r"\1", path.read_text())
        path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
