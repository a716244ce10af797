"""Steady states of a damped pendulum with a constraint: one is stable, the other is not; the modes have closed forms."""
import sys

import numpy as np

import driftless as dl


def pendulum(y_start, damping):
    m = dl.Model("Pendulum")
    d = m.parameter("d", damping)
    x = m.variable("x", start=0.0)
    y = m.variable("y", start=y_start)
    force = m.variable("force")
    m.equation(dl.der(dl.der(x)), -force * x - d * dl.der(x))
    m.equation(dl.der(dl.der(y)), -force * y - 9.81 - d * dl.der(y))
    m.equation(x**2 + y**2, 1)
    return m


dampings = np.linspace(0.0, 10.0, 21)
for start, name in ((-1.0, "hanging"), (1.0, "upright")):
    state = pendulum(start, 1.0).steady_state()
    square = complex(0.25 - 9.81 if start < 0 else 0.25 + 9.81)
    expected = sorted([-0.5 + square**0.5, -0.5 - square**0.5], key=lambda z: (z.real, z.imag))
    found = sorted(state.modes, key=lambda z: (z.real, z.imag))
    print(f"{name}: y = {state['y']:.0f}, {state.stability}, modes {found[0]:.4f} and {found[1]:.4f}")
    assert np.allclose(found, expected, atol=1e-8)
    assert state.stability == ("stable" if start < 0 else "unstable")

modes = np.array([sorted(pendulum(-1.0, d).steady_state().modes, key=lambda z: z.imag) for d in dampings])
assert np.allclose(modes.prod(axis=1), 9.81)

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for k in (0, 1):
        axes.plot(modes[:, k].real, modes[:, k].imag, "o-", markersize=3)
    axes.axvline(0, color="0.5")
    axes.set(xlabel="real part [1/s]", ylabel="imaginary part [1/s]", title="modes of the hanging pendulum, damping 0 ... 10")
    save(figure)
