"""A rod that conducts heat, by lines: its ends are algebraic conditions, and the decay of the slowest mode is known."""
import sys

import numpy as np

import driftless as dl

n = 60
m = dl.Model("Rod")
places = np.linspace(0.0, 1.0, n + 2)
T = m.variable("T", shape=n + 2, start=np.sin(np.pi * places))
m.equation(dl.der(T[1:-1]), (n + 1) ** 2 * (T[2:] - 2 * T[1:-1] + T[:-2]))
m.equation(T[0], 0.0)
m.equation(T[-1], 0.0)
for k in range(1, n + 1):
    m.initial_equation(T[k], float(np.sin(np.pi * places[k])))

solution = m.simulate(stop=0.2, tol=1e-8, intervals=100)
rate = 4 * (n + 1) ** 2 * np.sin(np.pi / (2 * (n + 1))) ** 2  # the eigenvalue of the differences
middle = solution[f"T[{n // 2}]"]
exact = np.exp(-rate * solution.t) * np.sin(np.pi * places[n // 2 - 1])
print(f"{solution.statistics['steps']} steps with {solution.method}")
print(f"off the closed form by {np.abs(middle - exact).max():.1e}; pi^2 = {np.pi**2:.4f}, here {rate:.4f}")
assert np.abs(middle - exact).max() < 1e-6

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for t in (0.0, 0.02, 0.05, 0.1, 0.2):
        axes.plot(places, solution([f"T[{k}]" for k in range(1, n + 3)], t), label=f"t = {t}")
    axes.set(xlabel="place", ylabel="temperature")
    axes.legend()
    save(figure)
