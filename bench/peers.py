"""What other codes reach, as data.

Measured in 2026 on one machine (Debian 12, two cores of an Intel server processor with AVX-512, g++ 12), every code built
with full optimisation, problems written by hand in C++ or Fortran with analytic Jacobians where the code takes them; CPU
time of one complete solve, the minimum of many. scd: -log10 of the largest relative error at the end, over the seven
angles (squeezer), the eight positions and velocities (car axis), all potentials (transistor amplifier), the six
concentrations (Akzo Nobel), the sixty coordinates (Fekete).

RADAU5, RADAU: Hairer and Wanner; MEBDFI: Cash; GAMD: Iavernaro and Mazzia; PSIDE: de Swart, Lioen, van der Veen;
DASKR: Brown, Hindmarsh, Petzold; IDA: SUNDIALS 6.4.1 built with -O3; HEM5: Brasey; heyoka: Biscani and Izzo.
"""

# Nanoseconds for one call there of what bench/yardsticks.cpp times here.
KERNELS = {"squeezer_residual": 135.0, "pendulum_residual": 2.7, "chain_residual": {"10": 41.0, "100": 414.0, "1000": 4160.0}}

# Digits and milliseconds: half of the time of the best code at each point (HEM5, MEBDFI, RADAU).
SQUEEZER_TARGETS = [(6.0, 0.4), (8.0, 1.1), (9.3, 1.7), (10.6, 1.9)]

# Code, tolerance, ms, scd: the lines that no other line beats in both.
SQUEEZER = [
    ("HEM5", 1e-4, 0.84, 6.2), ("HEM5", 1e-6, 2.17, 8.1), ("MEBDFI index 2", 1e-10, 3.38, 9.3),
    ("RADAU index 2", 1e-10, 3.80, 10.6), ("RADAU index 1", 1e-10, 5.28, 11.2),
]
TEST_SET = {
    "car_axis": [(1e-6, "RADAU5 index 3", 0.612, 1.8), (1e-6, "RADAU GGL", 1.296, 3.8),
                 (1e-8, "MEBDFI index 3", 1.278, 3.2), (1e-8, "RADAU5 index 3", 1.379, 3.7), (1e-8, "RADAU GGL", 2.581, 5.5)],
    "fekete": [(1e-6, "MEBDFI", 17.98, 6.3), (1e-8, "MEBDFI", 30.02, 8.6)],
    "akzo": [(1e-6, "RADAU5", 0.039, 5.3), (1e-6, "MEBDFI", 0.065, 5.7), (1e-6, "GAMD", 0.126, 6.2),
             (1e-8, "RADAU5", 0.080, 6.7), (1e-8, "MEBDFI", 0.100, 8.1)],
    "transistor_amplifier": [(1e-6, "RADAU5", 3.431, 6.2), (1e-6, "MEBDFI", 3.962, 6.9),
                             (1e-8, "MEBDFI", 5.703, 8.1), (1e-8, "PSIDE", 13.726, 8.7), (1e-8, "GAMD", 13.847, 9.3)],
}

# Code, seconds, largest absolute error over 1000 time units.
PENDULUM = [
    ("IDA 1e-9, GGL", 0.558, 3.3e-2), ("DASKR 1e-9, GGL", 0.424, 3.3e-2), ("MEBDFI 1e-9, GGL", 0.146, 1.6e-3),
    ("RADAU5 1e-9, GGL", 0.174, 1.3e-3), ("RADAU 1e-9, GGL", 0.117, 1.3e-4), ("PSIDE 1e-9, GGL", 0.621, 4.0e-5),
    ("heyoka 1e-9, multiplier eliminated by hand, no projection", 0.0056, 7.8e-5),
    ("heyoka 1e-12, multiplier eliminated by hand, no projection", 0.0065, 1.7e-8),
    ("heyoka 1e-15, multiplier eliminated by hand, no projection", 0.0077, 2.1e-9),
]

# Where the tip of a chain of N pendulums is after so many seconds: heyoka at 1e-15.
CHAIN_TIPS = {(10, 10): (2.583677, -5.723505), (100, 10): (-90.750349, -17.976366)}
