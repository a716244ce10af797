"""What a model that was built from expressions wants to be seen moving."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

POINT, LINE, CIRCLE = range(3)


def _corner(what: str, value: Any, extra: int = 0) -> list:
    """Two or three coordinates, and `extra` numbers behind them."""
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) - extra not in (2, 3):
        radius = ", radius" if extra else ""
        raise ValueError(f"{what} is (x, y{radius}) or (x, y, z{radius})")
    return list(value)


def _shape(kind: int, name: str, value: Any) -> tuple:
    if kind == POINT:
        corner = _corner(f"the point '{name}'", value)
        return kind, name, len(corner), corner
    if kind == CIRCLE:
        corner = _corner(f"the circle '{name}'", value, 1)
        return kind, name, len(corner) - 1, corner
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) < 2:
        raise ValueError(f"the line '{name}' is a list of two or more points")
    corners = [_corner(f"a corner of the line '{name}'", corner) for corner in value]
    if len({len(corner) for corner in corners}) > 1:
        raise ValueError(f"the corners of the line '{name}' have two coordinates each, or three each")
    return kind, name, len(corners[0]), [number for corner in corners for number in corner]


def animated_shapes(points: Mapping[str, Any] | None, lines: Mapping[str, Any] | None, circles: Mapping[str, Any] | None,
                    known: Sequence[tuple]) -> list[tuple]:
    """As the library takes them: kind, name, dimension, numbers and expressions."""
    shapes: list[tuple] = []
    for kind, group in ((POINT, points), (LINE, lines), (CIRCLE, circles)):
        for name, value in (group or {}).items():
            shape = _shape(kind, name, value)
            for other in (*known, *shapes):
                if other[1] == name:
                    raise ValueError(f"there are two shapes with the name '{name}'")
                if other[2] != shape[2]:
                    raise ValueError(f"'{name}' has {shape[2]} coordinates, and '{other[1]}' has {other[2]}")
            shapes.append(shape)
    return shapes
