"""Arrays: a rod that conducts heat, as 40 temperatures, against the decay of its slowest mode."""
import sys

import numpy as np

import driftless as dl

n = 40
places = np.linspace(0.0, 1.0, n + 2)
m = dl.Model("Rod")
k = m.parameter("k", 1.0, description="diffusivity")
T = m.variable("T", shape=n, start=np.sin(np.pi * places[1:-1]), fixed=True)
whole = np.concatenate([[0.0], T, [0.0]])  # both ends are cold
m.equation(dl.der(T), k * (n + 1) ** 2 * (whole[2:] - 2 * whole[1:-1] + whole[:-2]))
m.experiment(stop=0.1)

solution = m.simulate(tol=1e-8)
mode = 4 * (n + 1) ** 2 * np.sin(np.pi / (2 * (n + 1))) ** 2  # of the discrete Laplacian
print(f"method     {solution.method}, {solution.statistics['steps']} steps")
print(f"middle     T = {solution.final('T[20]'):.8f}, exact {np.exp(-mode * 0.1) * np.sin(np.pi * places[20]):.8f}")
assert abs(solution.final("T[20]") - np.exp(-mode * 0.1) * np.sin(np.pi * places[20])) < 1e-6
if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(layout="constrained")
    for t in (0.0, 0.02, 0.05, 0.1):
        axes.plot(places[1:-1], solution([f"T[{j + 1}]" for j in range(n)], t), label=f"t = {t}")
    axes.set(xlabel="place", ylabel="temperature", title="Rod")
    axes.legend()
    figure.savefig(sys.argv[1])
