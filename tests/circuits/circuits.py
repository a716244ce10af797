"""The circuits of models/circuits as lists of elements (netlist.py).

Each function returns the circuit, the time at its end, its first step, and what the variables of the text are, by the
potentials and currents of the nodes.
"""
from math import exp, pi, sin

import numpy as np

from netlist import Circuit, limited_exp


def sine(U, f):
    return lambda t: U*sin(2*pi*f*t)


def logistic(x):
    return 1/(1 + exp(-x)) if x > -700 else 0.0


def half_wave():
    c, Is, vt = Circuit(), 1e-9, 0.025
    c.source("s", "0", "is", sine(12, 50))
    c.resistor("s", "a", 1)
    c.diode("a", "v", Is, vt)
    c.resistor("v", "0", 100)
    c.capacitor("v", "0", 1e-3, 0.0)
    return c, 0.05, 1e-6, lambda t, x: {"vs": x["s"], "v": x["v"], "ud": x["a"] - x["v"], "i": -x["is"]}


def diode_chain():
    c, area = Circuit(), [1, 2, 0.5, 1.5, 0.8]
    c.source("s", "0", "is", sine(10, 1000))
    c.resistor("s", "1", 50)
    for k in range(5):
        c.diode("%d" % (k + 1), "%d" % (k + 2), area[k]*1e-14, 0.02585, 1e-12)
    c.resistor("6", "0", 1e4)
    c.capacitor("6", "0", 1e-6, 0.0)
    return c, 2e-3, 1e-8, lambda t, x: {**{"u[%d]" % k: x["%d" % k] for k in range(1, 7)}, "v": x["6"], "i": -x["is"]}


def voltage_doubler():
    c = Circuit()
    c.source("s", "0", "is", sine(10, 1000))
    c.resistor("s", "r", 10)
    c.capacitor("r", "a", 1e-6, 0.0)
    c.diode("0", "a", 1e-12, 0.02585)
    c.diode("a", "o", 1e-12, 0.02585)
    c.resistor("o", "0", 1e4)
    c.capacitor("o", "0", 2.2e-6, 0.0)
    return c, 3e-3, 1e-8, lambda t, x: {"v1": x["r"] - x["a"], "v2": x["o"], "a": x["a"], "i": -x["is"]}


def diode_ring():
    """The transformers: a = m + vr, b = m - vr and c = w, d = -w, with vr, m and w as nodes."""
    c, Is, vt = Circuit(), 1e-9, 0.02585
    c.source("s", "0", "is", sine(0.3, 1e4))
    c.source("k", "0", "ik", sine(2, 1e5))
    c.resistor("s", "vr", 50)
    c.resistor("k", "m", 50)
    # A diode over a sum of node potentials with signs takes the current of each node with that sign.
    for signs in ((1, 1, -1), (1, -1, 1), (-1, 1, 1), (-1, -1, -1)):
        current = lambda t, vr, m, w, g=signs: Is*(limited_exp((g[0]*vr + g[1]*m + g[2]*w)/vt) - 1)
        for node, sign in zip(("vr", "m", "w"), signs):
            c.element(node, "0", ["vr", "m", "w"], lambda t, *v, i=current, s=sign: s*i(t, *v))
    c.resistor("w", "0", 50)
    c.capacitor("w", "0", 2e-8, 0.0)
    return c, 1e-4, 1e-10, lambda t, x: {"w": x["w"], "vr": x["vr"], "m": x["m"], "js": -x["is"], "jc": -x["ik"]}


def ebers_moll_amplifier():
    c = Circuit()
    c.source("cc", "0", "icc", lambda t: 12.0)
    c.source("s", "0", "is", sine(0.5, 1000))
    c.resistor("s", "g", 600)
    c.capacitor("g", "b", 1e-6, 0.0)
    c.resistor("cc", "b", 22e3)
    c.resistor("b", "0", 4.7e3)
    c.resistor("cc", "c", 1000)
    c.transistor("c", "b", "e", 1e-14, 100, 1, 0.02585)
    c.resistor("e", "0", 220)
    c.capacitor("e", "0", 4.7e-5, 0.0)
    c.capacitor("c", "o", 1e-6, 0.0)
    c.resistor("o", "0", 1e4)
    return c, 5e-3, 1e-9, lambda t, x: {"v1": x["g"] - x["b"], "v2": x["c"] - x["o"], "ve": x["e"], "vb": x["b"],
                                        "vc": x["c"], "i1": -x["is"], "i2": x["o"]/1e4}


def gummel_poon_amplifier():
    is_, bf, br, vaf, var, ikf, ikr, ise, ne = 1e-14, 200, 3, 75, 24, 0.3, 0.1, 1e-14, 1.5
    isc, nc, rb, tf, tr, cje, vje, mje, cjc, vjc, mjc, fc = 1e-13, 2, 50, 4e-10, 5e-8, 2.5e-11, 0.75, 0.33, 8e-12, 0.75, 0.33, 0.5
    vt = 0.02585
    forward = lambda v, n=1, i=is_: i*(limited_exp(v/(n*vt)) - 1)

    def base_charge(vbe, vbc):
        return 1/(1 - vbc/vaf - vbe/var)/2*(1 + np.sqrt(1 + 4*(forward(vbe)/ikf + forward(vbc)/ikr)))

    def depletion(v, c, vj, m):
        low = np.real(v) < fc*vj
        u = np.where(low, v, 0.0)
        beyond = v - fc*vj  # the capacitance at fc vj, and its slope there
        C = c*(1 - fc)**(-m)
        slope = C*m/(vj*(1 - fc))
        at = c*vj/(1 - m)*(1 - (1 - fc)**(1 - m))
        return np.where(low, c*vj/(1 - m)*(1 - (1 - u/vj)**(1 - m)), at + C*beyond + slope*beyond*beyond/2)
    c = Circuit()
    c.source("cc", "0", "icc", lambda t: 12.0)
    c.source("s", "0", "is", sine(0.3, 1e6))
    c.resistor("s", "g", 50)
    c.capacitor("g", "b", 1e-8)
    c.resistor("cc", "b", 22e3)
    c.resistor("b", "0", 4.7e3)
    c.resistor("cc", "c", 1000)
    c.resistor("b", "i", rb)
    c.resistor("e", "0", 220)
    c.capacitor("e", "0", 1e-7)
    c.capacitor("c", "o", 1e-9)
    c.resistor("o", "0", 1e4)
    c.element("i", "e", ["i", "e"], lambda t, i, e: forward(i - e)/bf + forward(i - e, ne, ise))
    c.element("i", "c", ["i", "c"], lambda t, i, k: forward(i - k)/br + forward(i - k, nc, isc))
    c.element("c", "e", ["c", "i", "e"],
              lambda t, k, i, e: (forward(i - e) - forward(i - k))/base_charge(i - e, i - k))
    c.element("i", "e", ["c", "i", "e"], None,
              lambda k, i, e: tf*forward(i - e)/base_charge(i - e, i - k) + depletion(i - e, cje, vje, mje))
    c.element("i", "c", ["i", "c"], None, lambda i, k: tr*forward(i - k) + depletion(i - k, cjc, vjc, mjc))

    def variables(t, x):
        vbe, vbc = x["i"] - x["e"], x["i"] - x["c"]
        return {"v1": x["g"] - x["b"], "v2": x["c"] - x["o"], "ve": x["e"], "vb": x["b"], "vi": x["i"], "vc": x["c"],
                "vbe": vbe, "vbc": vbc, "i1": -x["is"], "i2": x["o"]/1e4, "qb": float(base_charge(vbe, vbc)),
                "qbe": float(tf*forward(vbe)/base_charge(vbe, vbc) + depletion(vbe, cje, vje, mje)),
                "qbc": float(tr*forward(vbc) + depletion(vbc, cjc, vjc, mjc))}
    return c, 3e-6, 1e-11, variables


def ecl_gate():
    c, p = Circuit(), (1e-16, 100, 1, 0.02585)
    c.source("u", "0", "iu", lambda t: -1.75 + 0.85*(logistic((t - 5e-9)/3e-10) - logistic((t - 1.2e-8)/3e-10)))
    c.source("bb", "0", "ibb", lambda t: -1.29)
    c.source("ee", "0", "iee", lambda t: -5.2)
    c.transistor("c1", "u", "e", *p)
    c.transistor("c2", "bb", "e", *p)
    c.transistor("0", "c1", "vn", *p)
    c.transistor("0", "c2", "vo", *p)
    c.resistor("e", "ee", 779)
    c.resistor("c1", "0", 220)
    c.resistor("c2", "0", 245)
    c.resistor("vn", "ee", 2000)
    c.resistor("vo", "ee", 2000)
    for node, C in (("c1", 1e-12), ("c2", 1e-12), ("vn", 5e-12), ("vo", 5e-12)):
        c.capacitor(node, "0", C, 0.0)
    return c, 2e-8, 1e-14, lambda t, x: {k: x[k] for k in ("u", "e", "c1", "c2", "vn", "vo")}


def ttl_gate():
    c, p = Circuit(), (1e-15, 50, 0.1, 0.02585)
    c.source("cc", "0", "icc", lambda t: 5.0)
    c.source("ua", "0", "ia", lambda t: 0.2 + 3.3*(logistic((t - 2e-8)/2e-9) - logistic((t - 6e-8)/2e-9)))
    c.source("ub", "0", "ib", lambda t: 0.2 + 3.3*logistic((t - 1e-8)/2e-9))
    c.resistor("cc", "b1", 4000)
    c.transistor("b2", "b1", "ua", *p)
    c.transistor("b2", "b1", "ub", *p)
    c.resistor("cc", "c2", 1600)
    c.transistor("c2", "b2", "b4", *p)
    c.resistor("b4", "0", 1000)
    c.resistor("cc", "c3", 130)
    c.transistor("c3", "c2", "e3", *p)
    c.diode("e3", "out", 1e-15, 0.02585)
    c.transistor("out", "b4", "0", *p)
    c.resistor("out", "cc", 4000)
    c.capacitor("out", "0", 1.5e-11, 3.5)
    return c, 1e-7, 1e-13, lambda t, x: {k: x[k] for k in ("ua", "ub", "b1", "b2", "c2", "b4", "c3", "e3", "out")}


def cmos_inverters():
    c, Vth, n, vt = Circuit(), 0.45, 1.3, 0.02585

    def part(vg, v):  # log(1 + exp(a))^2
        a = ((vg - Vth)/n - v)/(2*vt)
        return np.where(np.real(a) > 0, a + np.log(1 + np.exp(-np.where(np.real(a) > 0, a, 0))),
                        np.log(1 + np.exp(np.where(np.real(a) > 0, 0, a))))**2
    c.source("dd", "0", "idd", lambda t: 1.8)
    c.source("v0", "0", "iu", lambda t: 1.8*(logistic((t - 1e-9)/5e-11) - logistic((t - 3e-9)/5e-11)))
    for k in range(1, 4):
        g, d = "v%d" % (k - 1), "v%d" % k
        c.element(d, "0", [g, d], lambda t, vg, v: 1e-6*(part(vg, 0*vg) - part(vg, v)))
        c.element("dd", d, [g, d, "dd"], lambda t, vg, v, dd: 4e-7*(part(dd - vg, 0*vg) - part(dd - vg, dd - v)))
        c.capacitor(d, "0", 1e-14, 0.0)
    return c, 5e-9, 1e-15, lambda t, x: {"u": x["v0"], **{"v[%d]" % k: x["v%d" % k] for k in range(1, 4)}}
