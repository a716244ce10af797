"""What other codes reach, as data.

Nothing here is run again: these are constants, measured in 2026 on one other machine (Debian 12, two cores of an Intel server
processor with AVX-512, g++ 12). Every code was built with full optimisation (-O3), IDA too: Debian's own binary of it is
compiled without optimisation and is 2 to 10 times slower. Problems are written by hand in C++ or Fortran, with analytic Jacobians
where the code takes them; CPU time of one complete solve, the minimum of many. scd: -log10 of the largest relative error at
the end, over the seven angles (squeezer), the eight positions and velocities (car axis), all potentials (transistor amplifier),
the six concentrations (Akzo Nobel), the sixty coordinates (Fekete).

RADAU5, RADAU: Hairer and Wanner; MEBDFI: Cash; GAMD: Iavernaro and Mazzia; PSIDE: de Swart, Lioen, van der Veen;
DASKR: Brown, Hindmarsh, Petzold; IDA: SUNDIALS 6.4.1; HEM5: Brasey; heyoka: Biscani and Izzo.
"""
import math

# Nanoseconds of one call on that other machine; bench/yardsticks.cpp times the same functions on this one.
KERNELS = {"squeezer_residual": 135.0, "pendulum_residual": 2.7, "chain_residual": {"10": 41.0, "100": 414.0, "1000": 4160.0}}

# Digits and milliseconds: half of the time of the best code at each point (HEM5, MEBDFI, RADAU).
SQUEEZER_TARGETS = [(6.0, 0.4), (8.0, 1.1), (9.3, 1.7), (10.6, 1.9)]

# Every code on every problem: (ms, scd) at the tolerances 1e-4, 1e-6, 1e-8 (squeezer: and 1e-10), in its best form. Where a
# tolerance is missing the code failed.
CURVES = {
    "squeezer": {
        "RADAU5 index 3": [(0.90, 2.3), (1.25, 3.7), (1.83, 5.3), (3.28, 6.3)],
        "RADAU5 index 2": [(1.16, 4.0), (1.78, 5.9), (3.45, 7.8), (7.13, 9.4)],
        "RADAU index 2": [(1.16, 4.0), (1.80, 5.9), (3.57, 7.8), (3.80, 10.6)],
        "RADAU index 1": [(1.70, 4.6), (2.69, 6.8), (3.82, 9.5), (5.28, 11.2)],
        "MEBDFI index 3": [(0.45, 0.2), (0.91, 2.6), (1.40, 4.2), (2.51, 6.2)],
        "MEBDFI index 2": [(0.82, 3.5), (1.36, 6.1), (2.16, 7.1), (3.38, 9.3)],
        "MEBDFI GGL": [(0.91, 3.9), (1.46, 5.7), (2.43, 7.3), (3.94, 9.4)],
        "GAMD index 2": [(2.51, 4.0), (3.85, 5.7), (5.40, 7.1), (7.57, 9.3)],
        "PSIDE index 1": [(2.69, 4.5), (4.09, 6.2), (9.30, 8.9), (23.12, 12.7)],
        "DASKR GGL": [(0.94, 2.8), (2.24, 4.6), (3.98, 6.7), (7.57, 8.0)],
        "IDA GGL": [(0.85, 2.9), (1.74, 5.8), (3.75, 5.9), (6.48, 8.9)],
        "HEM5": [(0.84, 6.2), (2.17, 8.1), (4.75, 10.6), (12.23, 11.7)],
    },
    "car_axis": {
        "RADAU5 index 3": [(0.308, 0.2), (0.612, 1.8), (1.379, 3.7)],
        "MEBDFI index 3": [(0.422, 0.3), (0.627, 1.3), (1.278, 3.2)],
        "GAMD index 3": [(0.882, -0.3), (1.955, 1.0), (3.459, 3.9)],
        "PSIDE index 3": [(0.827, 0.0), (1.522, 2.0), (3.389, 4.3)],
        "DASKR GGL": [(0.858, 0.4), (1.958, 2.1), (4.630, 3.8)],
        "IDA GGL": [(0.748, 0.6), (1.699, 2.3), (4.580, 4.2)],
        "RADAU GGL": [(1.103, 1.9), (1.296, 3.8), (2.581, 5.5)],
    },
    "fekete": {
        "RADAU5": [(41.896, 3.9), (62.242, 5.2), (143.809, 7.0)],
        "MEBDFI": [(9.046, 4.1), (17.980, 6.3), (30.021, 8.6)],
        "GAMD": [(18.571, 4.3), (30.955, 6.3), (65.207, 8.3)],
        "PSIDE": [(111.103, 3.8), (90.805, 6.3), (167.903, 8.5)],
        "DASKR": [(10.009, 2.3), (21.234, 3.9), (41.748, 5.6)],
        "IDA": [(8.839, 2.3), (18.144, 3.9), (38.551, 5.6)],
    },
    "akzo": {
        "RADAU5": [(0.044, 3.9), (0.039, 5.3), (0.080, 6.7)],
        "MEBDFI": [(0.051, 4.3), (0.065, 5.7), (0.100, 8.1)],
        "GAMD": [(0.104, 4.1), (0.126, 6.2), (0.236, 8.0)],
        "PSIDE": [(0.163, 3.1), (0.202, 5.5), (0.265, 7.7)],
        "DASKR": [(0.045, 2.8), (0.077, 4.5), (0.198, 6.0)],
        "IDA": [(0.060, 2.8), (0.059, 4.5), (0.172, 6.3)],
    },
    "transistor_amplifier": {
        "RADAU5": [(1.686, 4.9), (3.431, 6.2), (8.888, 7.6)],
        "RADAU": [(1.803, 4.9), (3.818, 6.2), (6.310, 8.0)],
        "MEBDFI": [(1.941, 5.4), (3.962, 6.9), (5.703, 8.1)],
        "GAMD": [(5.834, 5.7), (9.491, 6.7), (13.847, 9.3)],
        "PSIDE": [(4.780, 4.0), (6.213, 4.1), (13.726, 8.7)],
        "DASKR": [(12.600, 2.7), (17.919, 4.7), (167.532, 7.4)],
        "IDA": [(8.322, 3.3), (9.030, 4.2), (243.946, 6.0)],
    },
}


def milliseconds(curve, digits):
    """Of a code for so many digits: between two of its tolerances interpolated, in logarithms; below the crudest what that
    costs; nothing beyond the sharpest."""
    good = [ms for ms, reached in curve if reached >= digits]
    best = min(good, default=None)
    for (a, low), (b, high) in zip(curve, curve[1:]):
        if low < digits < high:
            part = (digits - low) / (high - low)
            between = math.exp((1 - part) * math.log(a) + part * math.log(b))
            best = between if best is None else min(best, between)
    return best


def best_code(problem, digits):
    """The fastest other code for so many digits, and its milliseconds there; nothing if none reaches them."""
    found = [(milliseconds(curve, digits), code) for code, curve in CURVES[problem].items()]
    return min(((ms, code) for ms, code in found if ms is not None), default=None)


# Code, seconds, largest absolute error over 1000 time units.
PENDULUM = [
    ("IDA 1e-9, GGL", 0.558, 3.3e-2), ("DASKR 1e-9, GGL", 0.424, 3.3e-2), ("MEBDFI 1e-9, GGL", 0.146, 1.6e-3),
    ("RADAU5 1e-9, GGL", 0.174, 1.3e-3), ("RADAU 1e-9, GGL", 0.117, 1.3e-4), ("PSIDE 1e-9, GGL", 0.621, 4.0e-5),
    ("heyoka 1e-9, multiplier eliminated by hand, no projection", 0.0056, 7.8e-5),
    ("heyoka 1e-12, multiplier eliminated by hand, no projection", 0.0065, 1.7e-8),
    ("heyoka 1e-15, multiplier eliminated by hand, no projection", 0.0077, 2.1e-9),
]

# Position of the tip of a chain of N pendulums after the given seconds, computed by heyoka at 1e-15.
CHAIN_TIPS = {(10, 10): (2.583677, -5.723505), (100, 10): (-90.750349, -17.976366)}
