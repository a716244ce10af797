"""A clutch closes: the index rises from 1 to 2, two speeds become one, and the momentum is kept through the impulse."""
import sys
from pathlib import Path

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "hybrid" / "clutch.mo")
solution = model.simulate(tol=1e-9, intervals=300)
p = solution.parameters
before = [10 + p["drive"] / p["J1"] * 1.0, 1.0]
common = (p["J1"] * before[0] + p["J2"] * before[1]) / (p["J1"] + p["J2"])
impulse = p["J2"] * (common - before[1])
closing = solution.events[0]
print(f"at t = {closing.time:.6f} both turn at {solution('w1', 1 + 1e-9):.6f}, closed form {common:.6f} rad/s")
print(f"impulse of the clutch {closing.impulses[0].size:.6f}, closed form {impulse:.6f} N m s")
assert abs(solution("w1", 1.0) - common) < 1e-9
assert abs(closing.impulses[0].size - impulse) < 1e-9
assert abs(solution("w1", 1.5) - solution("w2", 1.5)) < 1e-12

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    axes.plot(solution.t, solution["w1"], label="driven side [rad/s]")
    axes.plot(solution.t, solution["w2"], label="load side [rad/s]")
    axes.plot(solution.t, solution["tau"], label="torque of the clutch [N m]")
    axes.axvspan(1, 2, color="0.93")
    axes.set(xlabel="time [s]")
    axes.legend()
    save(figure)
