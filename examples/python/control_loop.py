"""A run as an object: a controller written in Python holds a hanging pendulum at an angle, ten times a second."""
import sys

import driftless as dl

model = dl.parse("""
    model Arm "a heavy arm, turned by a motor"
      input Real torque(start = 0);
      Real phi(start = 0, fixed = true, unit = "rad"), w(start = 0, fixed = true);
    equation
      der(phi) = w;
      der(w) = -9.81*sin(phi) - 0.5*w + torque;
      annotation(experiment(StopTime = 20));
    end Arm;""")

wanted, integral, interval = 0.5, 0.0, 0.1
run = dl.Simulation(model)
while run.time + interval <= run.stop:
    error = wanted - run["phi"]
    integral += error * interval
    run.set(torque=8.0 * error + 5.0 * integral - 2.0 * run["w"])
    run.advance_to(min(run.time + interval, run.stop))
solution = run.finish()
print(f"angle      {solution.final('phi'):.4f}, wanted {wanted}")
assert abs(solution.final("phi") - wanted) < 1e-2
if len(sys.argv) > 1:
    solution.plot("phi").figure.savefig(sys.argv[1])
