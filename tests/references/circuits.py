"""References of the circuits and of the chemical reactor."""
from gmpy2 import mpfr

from reference import Reference
from series import cos, derivative, exp, sin, sqrt

PI = mpfr("3.14159265358979323846")  # as in the texts


def capacitor_loop():
    C1, C2, R, U, w = mpfr("1e-6"), mpfr("3e-6"), mpfr(1000), mpfr(10), 200*PI

    def solution(time):
        u, tau = U*sin(w*time), R*(C1 + C2)
        v2 = C1/(C1 + C2)*U*w*tau/(1 + (w*tau)**2)*(cos(w*time) + w*tau*sin(w*time) - exp(time*(-1/tau)))
        v1 = u - v2
        return {"u": u, "v1": v1, "v2": v2, "i1": C1*derivative(v1), "i2": C2*derivative(v2), "iR": v2/R}

    return Reference("capacitor_loop.mo", [0, "0.001", "0.002", "0.005", "0.01", "0.015", "0.02"],
                     "v2 = k U w T/(1 + w^2 T^2) (cos wt + w T sin wt - exp(-t/T)), T = R (C1 + C2), k = C1/(C1 + C2)",
                     closed_form=solution)


def opamp_differentiator():
    C, R, U, f = mpfr("1e-6"), mpfr(10000), mpfr("0.5"), mpfr(50)

    def solution(time):
        u = U*(sin(2*PI*f*time) + sin(6*PI*f*time)/9)
        return {"u": u, "vm": 0*time, "vC": u, "i": C*derivative(u), "vo": -R*C*derivative(u)}

    return Reference("opamp_differentiator.mo", [0, "0.001", "0.005", "0.01", "0.02", "0.03", "0.04"], "vo = -R C u'",
                     closed_form=solution)


def transistor_amplifier():
    Ub, UF, alpha, beta, R0, R = mpfr(6), mpfr("0.026"), mpfr("0.99"), mpfr("1e-6"), mpfr(1000), mpfr(9000)
    C1, C2, C3, C4, C5 = (mpfr(k)/10**6 for k in range(1, 6))

    def system(time, y):
        y1, y2, y3, y4, y5, y6, y7, y8 = y
        Ue = sin(200*PI*time)/10
        e1, e2 = exp((y2 - y3)/UF), exp((y5 - y6)/UF)
        g1, g2 = beta*(e1 - 1), beta*(e2 - 1)
        s1, s2 = beta/UF*e1, beta/UF*e2  # slopes of the transistor law
        # A capacitor's current gives the difference of the two rates, the differentiated sum of the node equations the
        # rates themselves.
        i1, i3, i5 = (y1 - Ue)/R0, (y4 - Ub)/R + alpha*g1, (y7 - Ub)/R + alpha*g2
        d3, d6 = (g1 - y3/R)/C2, (g2 - y6/R)/C4
        d2 = (derivative(Ue)/R0 + i1/(C1*R0) + (1 - alpha)*s1*d3)/(1/R0 + 2/R + (1 - alpha)*s1)
        d1 = d2 - i1/C1
        d5 = (i3/(C3*R) - alpha*s1*(d2 - d3) + (1 - alpha)*s2*d6)/(3/R + (1 - alpha)*s2)
        d4 = d5 - i3/C3
        d8 = (i5/C5 - R*alpha*s2*(d5 - d6))/2
        d7 = d8 - i5/C5
        quantities = dict(zip(("y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"), y), Ue=Ue, g1=g1, g2=g2)
        return [d1, d2, d3, d4, d5, d6, d7, d8], quantities

    rows = {"0.05": "-5.5619380964993e-3 3.0065215300573 2.8499578317321 3.4672884627437 2.4341844774837"
            " 2.4949640523730 5.5353553778349 0.4726943459112",
            "0.1": "-5.5621449868678e-3 3.0065224717874 2.8499587884907 3.0740785427785 2.6307900442666"
            " 2.6889811390427 5.1361521922896 0.8718074765720",
            "0.2": "-5.5621450122627e-3 3.0065224719030 2.8499587886081 2.9264225362062 2.7046178650106"
            " 2.7618377783931 4.7709276316168 1.2369958680915"}
    names = ["y%d" % i for i in range(1, 9)]
    return Reference("transistor_amplifier.mo", [0, "0.01", "0.025", "0.05", "0.1", "0.15", "0.2"],
                     "all eight potentials as states, three node sums differentiated by hand, in 128-bit arithmetic",
                     system=system, start=[0, 3, 3, 6, 3, 3, 6, 0], disturbance=[0, 0, 0, 0, 0, 0, -1, 1],
                     runge_kutta=0, rank_defect=3, published_units=6,
                     true_degrees_of_freedom=5, published={t: dict(zip(names, row.split())) for t, row in rows.items()},
                     notes="The structure says eight states; the system Jacobian has rank defect 3: five are true.")


def akzo():
    k1, k2, k3, k4, K = map(mpfr, ("18.7", "0.58", "0.09", "0.42", "34.4"))
    klA, Ks, p, H = map(mpfr, ("3.3", "115.83", "0.9", "737"))

    def system(time, y):
        y1, y2, y3, y4, y5 = y
        y6 = Ks*y1*y4
        root = sqrt(y2)
        r1, r2, r3, r4, r5 = k1*y1**4*root, k2*y3*y4, k2/K*y1*y5, k3*y1*y4*y4, k4*y6*y6*root
        F = klA*(p/H - y2)
        rates = [r2 - 2*r1 - r3 - r4, F - r1/2 - r4 - r5/2, r1 - r2 + r3, r3 - r2 - 2*r4, r2 - r3 + r5]
        names = ("y1", "y2", "y3", "y4", "y5", "y6", "r1", "r2", "r3", "r4", "r5", "Fin")
        return rates, dict(zip(names, y + [y6, r1, r2, r3, r4, r5, F]))

    rows = {"1": "0.427172800636557 1.15961350078060e-4 8.40407953811567e-3 6.97904961407290e-3 6.71431959250207e-4"
            " 0.345319365424498",
            "30": "0.223794538492050 9.84713335756534e-4 0.107977174117749 2.72438375982266e-3 1.39604911563146e-2"
            " 7.06218065446960e-2",
            "180": "0.115079492066170 1.20383147156772e-3 0.161156288740797 3.65615642124928e-4 1.70801088526440e-2"
            " 4.87353131030746e-3"}
    names = ["y%d" % i for i in range(1, 7)]
    return Reference("akzo.mo", [0, 1, 5, 10, 30, 60, 120, 180], 
                     "y6 substituted, explicit rates, in 128-bit arithmetic", system=system,
                     start=["0.444", "0.00123", "0", "0.007", "0"], disturbance=["0.444", 0, 0, "0.007", 0],
                     runge_kutta=1e-8,
                     published={t: dict(zip(names, row.split())) for t, row in rows.items()},
                     notes="y2 and y4 are of order 1e-3 and below: an absolute tolerance of 1e-4 leaves them no digit.")
