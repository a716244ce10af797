// The Oregonator of the Belousov-Zhabotinskii reaction, scaled: x is the autocatalyst, which jumps by five orders of
// magnitude, and y and z relax.
//
// Index 1 (rates r1 to r5 as variables), three states. Source: R. J. Field and R. M. Noyes, J. Chem. Phys. 60 (1974)
// 1877-1884; constants as in Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.1.
model Oregonator "Oscillating reaction"
  parameter Real s = 77.27, q = 8.375e-6, w = 0.161;
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 3, fixed = true), r1, r2, r3;
equation
  r1 = y + x*(1 - q*x - y);
  r2 = z - (1 + x)*y;
  r3 = x - z;
  der(x) = s*r1;
  der(y) = r2/s;
  der(z) = w*r3;
  annotation(experiment(StopTime = 30, Tolerance = 1e-6));
end Oregonator;
