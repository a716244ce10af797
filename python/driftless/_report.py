"""Tables as text and as HTML."""
from __future__ import annotations

import html
import shutil
from typing import Iterable, Sequence


def width_of_terminal() -> int:
    return max(60, min(120, shutil.get_terminal_size((100, 24)).columns))


def number(value: float) -> str:
    return f"{value:.6g}"


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence]) -> str:
    """A table of the notebook's own style; empty without rows."""
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
                   for row in rows)
    if not body:
        return ""
    top = "".join(f"<th style='text-align:left'>{html.escape(cell)}</th>" for cell in head)
    caption = f"<caption style='text-align:left;font-weight:bold'>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def html_lines(*lines: str) -> str:
    return "<p>" + "<br>".join(html.escape(line) for line in lines if line) + "</p>"


def text_section(title: str, lines: Iterable[str], most: int = 40) -> str:
    """A titled list, cut where it becomes too long; empty without lines."""
    lines = list(lines)
    if not lines:
        return ""
    shown = [f"  {line}" for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"  ... and {len(lines) - most} more")
    return "\n".join(["", title, *shown]) + "\n"
