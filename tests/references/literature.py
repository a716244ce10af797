"""References of the models that `driftless reproduce` runs: closed forms, and the pendulum in its angle."""
from gmpy2 import mpfr

from reference import Reference
from series import cos, exp, sin, sqrt

TIMES = [0, "0.1", "0.25", "0.5", "0.75", 1]


def first_order(number):
    def solution(time):
        return {"x1": exp(time), "x2": exp(time), "y": -exp(time)/(2 - time)}
    return Reference("ascher_petzold_%d.mo" % number, TIMES, "x1 = x2 = exp(t), y = -exp(t)/(2 - t)",
                     closed_form=solution)


def ascher_petzold_1():
    return first_order(1)


def ascher_petzold_2():
    return first_order(2)


def motion(time):
    return {"p1": exp(time), "p2": exp(time), "v1": exp(time), "v2": exp(time), "lambda": exp(time)/(2 - time)}


def ascher_petzold_3():
    nu, kappa = mpfr(100), mpfr(1)

    def solution(time):
        M11 = (nu**2 + (nu - 1)**2)/(2 - time)/((2 + time)*nu**2)
        M12 = -(2*nu - 1)/((2 + time)*nu)
        M22 = 2*(2 - time)/(2 + time)
        E22 = kappa/((2 + time)*nu)
        return {**motion(time), "M11": M11, "M12": M12, "M22": M22, "E22": E22,
                "q1": exp(time)*(M11 + M12 + 1/(2 - time)), "q2": exp(time)*(M12 + M22 - E22 - 1)}
    return Reference("ascher_petzold_3.mo", TIMES, "p1 = p2 = v1 = v2 = exp(t), lambda = exp(t)/(2 - t)",
                     closed_form=solution)


def ascher_petzold_4():
    return Reference("ascher_petzold_4.mo", TIMES, "p1 = p2 = v1 = v2 = exp(t), lambda = exp(t)/(2 - t)",
                     closed_form=motion)


def quadratic(time):
    x = 1 + sin(time)
    return {"x": x, "y": 200*x*x}


def index1_quadratic():
    return Reference("index1_quadratic.mo", [0, 1, 5, 10, 20, 30], "x = 1 + sin t, y = a x^2", closed_form=quadratic)


def pendulum_angle():
    def system(time, y):
        phi, omega = y
        return [omega, -sin(phi)], {"phi": phi, "omega": omega}
    return Reference("pendulum_angle.mo", [0, 1, 2, 5, 10], "phi'' = -sin phi", system=system,
                     start=[mpfr("1.5707963267948966"), -1],
                     invariants=[("energy", "omega^2/2 - cos(phi)")])


def lecture_10_1_decoupled():
    def solution(time):
        return {"u": sin(time), "v": -cos(time), "y1": sin(time) + time*cos(time), "y2": -cos(time)}
    return Reference("lecture_10_1_decoupled.mo", TIMES, "y1 = q + eta t q', y2 = -q' with q = sin t",
                     closed_form=solution)


def perturbed_kepler(file):
    c = mpfr("0.005")

    def system(time, y):
        q1, q2, p1, p2 = y
        r = sqrt(q1*q1 + q2*q2)
        pull = 1/r**3 + 3*c/r**5
        return [p1, p2, -q1*pull, -q2*pull], {"q1": q1, "q2": q2, "p1": p1, "p2": p2, "r": r}
    return Reference(file, [0, 1, 2, 5, 10], "explicit equations in 128-bit arithmetic", system=system,
                     start=[mpfr(1) - mpfr("0.6"), 0, 0, 2],
                     invariants=[("energy", "(p1^2 + p2^2)/2 - 1/r - 0.005/r^3"), ("momentum", "q1*p2 - q2*p1")])


def kepler():
    return perturbed_kepler("kepler.mo")


def kepler_energy():
    return perturbed_kepler("kepler_energy.mo")
