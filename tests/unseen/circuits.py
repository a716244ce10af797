"""Circuits, chemistry and process stages of models/unseen, each reduced by hand to an explicit equation."""
from math import asinh, cos, exp, pi, sin, sinh, sqrt, tanh

import numpy as np
from scipy.optimize import brentq

from reduced import Explicit


def root(f, a, b):
    return brentq(f, a, b, xtol=1e-300, rtol=8.9e-16, maxiter=500)


def rectifier_bridge():
    Rs, R, C, Is, Vt, gp, U, f = 2, 200, 4.7e-4, 1e-9, 0.0259, 1e-8, 15, 50
    diode = lambda u: Is*(exp(u/Vt) - 1) + gp*u

    # By symmetry va = v/2 + w, vb = v/2 - w, with 2 w + Rs (2 Is exp(-v/(2 Vt)) sinh(w/Vt) + 2 gp w) = u.
    def half(t, v):
        u, s = U*sin(2*pi*f*t), 2*Is*exp(-v/(2*Vt))
        if u == 0:
            return 0.0, 0.0
        w = root(lambda w: w - Vt*asinh((u - 2*w*(1 + Rs*gp))/(Rs*s)), *sorted((0.0, u)))
        i = s*sinh(w/Vt) + 2*gp*w
        return w, i if abs(Rs*i) < 1e-2*abs(u) else (u - 2*w)/Rs

    def out(t, y):
        v, (w, i) = y[0], half(t, y[0])
        va, vb = v/2 + w, v/2 - w
        return {"v": v, "va": va, "vb": vb, "i": i, "i1": diode(va - v), "i2": diode(vb - v), "i3": diode(-va),
                "i4": diode(-vb)}

    def rate(t, y):
        v, w = y[0], half(t, y[0])[0]
        return [(diode(w - v/2) + diode(-w - v/2) - v/R)/C]
    return Explicit([0.0], rate, out, method="Radau", max_step=2e-5)


def rectifier_filter():
    Rs, R, C1, C2, L, Is, Vt, U, f = 5, 150, 2.2e-4, 1e-4, 0.05, 2e-8, 0.026, 10, 60

    def diode(t, v1):
        u = U*sin(2*pi*f*t)
        ud = root(lambda d: Rs*Is*(exp(d/Vt) - 1) + d + v1 - u, u - v1 - 1e-6 - abs(u - v1), min(u - v1, 1.5) + 1e-6
                  if u > v1 else u - v1 + Rs*Is + 1e-6)
        return u, ud, Is*(exp(ud/Vt) - 1)

    def rate(t, y):
        v1, v2, iL = y
        return [(diode(t, v1)[2] - iL)/C1, (iL - v2/R)/C2, (v1 - v2)/L]

    def out(t, y):
        u, ud, i = diode(t, y[0])
        return {"v1": y[0], "v2": y[1], "iL": y[2], "u": u, "ud": ud, "i": i}
    return Explicit([0.0, 0.0, 0.0], rate, out, method="Radau", max_step=2e-5)


def ring_modulator():
    C, Cs, Cp, R, Rp, Lh, Ls1, Ls2, Ls3 = 1.6e-8, 1e-9, 1e-8, 25e3, 50, 4.45, 2e-3, 5e-4, 5e-4
    Rg1, Rg2, Rg3, Ri, Rc, gamma, delta = 36.3, 17.3, 17.3, 50, 600, 40.67286402e-9, 17.7493332

    def q(u):
        return gamma*(exp(delta*u) - 1)

    def rate(t, y):
        U1, U2, U3, U4, U5, U6, U7, I1, I2, I3, I4, I5, I6, I7, I8 = y
        Uin1, Uin2 = 0.5*sin(2000*pi*t), 2*sin(20000*pi*t)
        q1, q2 = q(U3 - U5 - U7 - Uin2), q(-U4 + U6 - U7 - Uin2)
        q3, q4 = q(U4 + U5 + U7 + Uin2), q(-U3 - U6 + U7 + Uin2)
        return [(I1 - 0.5*I3 + 0.5*I4 + I7 - U1/R)/C, (I2 - 0.5*I5 + 0.5*I6 + I8 - U2/R)/C, (I3 - q1 + q4)/Cs,
                (-I4 + q2 - q3)/Cs, (I5 + q1 - q3)/Cs, (-I6 - q2 + q4)/Cs, (-U7/Rp + q1 + q2 - q3 - q4)/Cp,
                -U1/Lh, -U2/Lh, (0.5*U1 - U3 - Rg2*I3)/Ls2, (-0.5*U1 + U4 - Rg3*I4)/Ls3,
                (0.5*U2 - U5 - Rg2*I5)/Ls2, (-0.5*U2 + U6 - Rg3*I6)/Ls3, (-U1 + Uin1 - (Ri + Rg1)*I7)/Ls1,
                (-U2 - (Rc + Rg1)*I8)/Ls1]
    names = ["U%d" % k for k in range(1, 8)] + ["I%d" % k for k in range(1, 9)]
    return Explicit([0.0]*15, rate, lambda t, y: dict(zip(names, y)), max_step=1e-8)


def inverter_chain():
    N, Vcc, Rb, Rc, C, Is, Vt, bF, bR = 4, 5, 1e4, 1e3, 1e-10, 1e-14, 0.0259, 100, 1

    def base(u, v):
        return root(lambda b: (u - b)/Rb - Is*((exp(b/Vt) - 1)/bF + (exp((b - v)/Vt) - 1)/bR), -1.0, 1.2)

    def bases(t, v):
        u = 5/(1 + exp(-(t - 1e-6)/5e-8)) - 5/(1 + exp(-(t - 3e-6)/5e-8))
        return u, [base(u if i == 0 else v[i - 1], v[i]) for i in range(N)]

    def rate(t, v):
        _, b = bases(t, v)
        result = []
        for i in range(N):
            ef, er = exp(b[i]/Vt) - 1, exp((b[i] - v[i])/Vt) - 1
            result.append(((Vcc - v[i])/Rc - Is*(ef - er*(1 + 1/bR)) - ((v[i] - b[i + 1])/Rb if i < N - 1 else 0))/C)
        return result

    def out(t, v):
        u, b = bases(t, v)
        return {"u": u, **{"v[%d]" % (i + 1): v[i] for i in range(N)}, **{"vb[%d]" % (i + 1): b[i] for i in range(N)}}
    return Explicit([5, 0.05, 5, 0.05], rate, out, method="Radau", max_step=2e-8)


def wien_oscillator():
    R, C, R1, R2, A, Vs = 1e4, 1e-7, 1e3, 2.2e3, 1000, 12
    b = R1/(R1 + R2)

    def output(vp):
        return root(lambda v: v - Vs*tanh(A*(vp - b*v)/Vs), -Vs, Vs)

    def rate(t, y):
        i = (output(y[1]) - y[0] - y[1])/R
        return [i/C, (i - y[1]/R)/C]

    def out(t, y):
        vo = output(y[1])
        return {"vc1": y[0], "vc2": y[1], "vo": vo, "vp": y[1], "vm": b*vo, "i": (vo - y[0] - y[1])/R}
    return Explicit([0.0, 0.1], rate, out)


def colpitts():
    Vcc, Vee, L, C1, C2, RL, REE, bF, Is, Vt = 5, -5, 0.0985, 54, 54, 0.035, 0.4, 200, 1e-11, 0.026

    def rate(t, y):
        vce, vbe, iL = y
        ic = Is*(exp(vbe/Vt) - 1)
        return [(iL - ic)/C1, (-(Vee + vbe)/REE - iL - ic/bF)/C2, (Vcc - vce + vbe - RL*iL)/L]

    def out(t, y):
        ic = Is*(exp(y[1]/Vt) - 1)
        return {"vce": y[0], "vbe": y[1], "iL": y[2], "ic": ic, "ib": ic/bF}
    return Explicit([5, 0.6, 5], rate, out)


def transmission_line():
    N, L, C, R, G, Rs, Rl, T, w = 15, 0.0125, 5, 1e-4, 1e-5, 0.05, 0.1, 6, 1.5

    def rate(t, y):
        v, i = y[:N], y[N:]
        di = np.empty(N)
        di[0] = (5*exp(-((t - T)/w)**2) - Rs*i[0] - v[0])/L
        di[1:] = (v[:-1] - v[1:] - R*i[1:])/L
        dv = (i - np.append(i[1:], v[-1]/Rl) - G*v)/C
        return np.concatenate([dv, di])

    def out(t, y):
        return {**{"v[%d]" % (k + 1): y[k] for k in range(N)}, **{"i[%d]" % (k + 1): y[N + k] for k in range(N)},
                "io": y[N - 1]/Rl}
    return Explicit([0.0]*2*N, rate, out)


def loop_and_cutset():
    C1, C2, C3, L1, L2, L3, R1, R2, R3 = 1, 2, 0.5, 1, 0.5, 2, 1, 0.5, 0.2

    def parts(t, y):
        v1, v2, i1, i2 = y
        # C1 v1' + C3 (v1' + v2') = -i1 - v1/R3, C2 v2' + C3 (v1' + v2') = -i2
        dv = np.linalg.solve([[C1 + C3, C3], [C3, C2 + C3]], [-i1 - v1/R3, -i2])
        # i3' = -i1' - i2' with the potential vn of the node
        a, b = v1 + v2 - R1*i1, v2 - R2*i2
        vn = (a/L1 + b/L2 + sin(t)/L3)/(1/L1 + 1/L2 + 1/L3)
        return dv, [(a - vn)/L1, (b - vn)/L2], vn

    def rate(t, y):
        dv, di, _ = parts(t, y)
        return [*dv, *di]

    def out(t, y):
        dv, _, vn = parts(t, y)
        return {"v1": y[0], "v2": y[1], "v3": y[0] + y[1], "i1": y[2], "i2": y[3], "i3": -y[2] - y[3], "vn": vn,
                "j1": C1*dv[0], "j2": C2*dv[1], "j3": C3*(dv[0] + dv[1])}
    return Explicit([1, 0.5, 0, 0.2], rate, out)


def robertson():
    k1, k2, k3 = 0.04, 3e7, 1e4

    def rate(t, y):
        y3 = 1 - y[0] - y[1]
        return [-k1*y[0] + k3*y[1]*y3, k1*y[0] - k3*y[1]*y3 - k2*y[1]**2]
    return Explicit([1, 0], rate, lambda t, y: {"y1": y[0], "y2": y[1], "y3": 1 - y[0] - y[1]}, method="Radau",
                    scale=[1, 1e-5])


def hires():
    def rate(t, y):
        y1, y2, y3, y4, y5, y6, y7 = y
        r = 280*y6*(0.0057 - y7)
        return [-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007, 1.71*y1 - 8.75*y2, -10.03*y3 + 0.43*y4 + 0.035*y5,
                8.32*y2 + 1.71*y3 - 1.12*y4, -1.745*y5 + 0.43*y6 + 0.43*y7,
                -r + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7, r - 1.81*y7]
    # published: Test Set for IVP Solvers
    end = dict(y1=0.7371312573325668e-3, y2=0.1442485726316185e-3, y3=0.5888729740967575e-4, y4=0.1175651343283149e-2,
               y5=0.2386356198831331e-2, y6=0.6238968252742796e-2, y7=0.2849998395185769e-2, y8=0.2850001604814231e-2)
    return Explicit([1, 0, 0, 0, 0, 0, 0], rate, lambda t, y: {**{"y%d" % (k + 1): y[k] for k in range(7)},
                                                               "y8": 0.0057 - y[6]},
                    method="Radau", scale=[1e-2, 1e-3, 1e-3, 1e-2, 1e-2, 1e-2, 1e-3], published=end)


def oregonator():
    s, q, w = 77.27, 8.375e-6, 0.161

    def rate(t, y):
        x, y, z = y
        return [s*(y + x*(1 - q*x - y)), (z - (1 + x)*y)/s, w*(x - z)]

    def out(t, y):
        r = rate(t, y)
        return {"x": y[0], "y": y[1], "z": y[2], "r1": r[0]/s, "r2": r[1]*s, "r3": r[2]/w}
    return Explicit([1, 2, 3], rate, out, method="Radau")


def smog():
    k2, k3, k4, k5, k6, M = 26.6, 1.2e4, 30, 20, 3e2, 2e1

    def oxygen(t, y):
        J = 0.5*(1 - cos(2*pi*t/120))*0.7
        return J, J*y[1]/(k3*M + k4*y[3])

    def rate(t, y):
        NO, NO2, O3, HC, RO2 = y
        J, O = oxygen(t, y)
        exchange = J*NO2 - k2*NO*O3 - k5*NO*RO2
        return [exchange, -exchange, k3*M*O - k2*NO*O3, -k4*O*HC - 0.05*J*HC,
                2*k4*O*HC + 0.05*J*HC - k5*NO*RO2 - k6*RO2**2]

    def out(t, y):
        J, O = oxygen(t, y)
        return {"NO": y[0], "NO2": y[1], "O3": y[2], "HC": y[3], "RO2": y[4], "O": O, "J": J}
    return Explicit([0.2, 0.02, 0, 0.5, 0], rate, out, method="Radau", scale=[1, 1, 0.1, 1, 1e-3])


def batch_reactor():
    k0, E, K0, H, a, U, Tc = 2e6, 6000, 5e-6, 4500, 60, 0.02, 300

    def parts(y):
        nA, nB, _, T = y
        K = K0*exp(H/T)
        p = nA + nB + 1/K  # cC^2 - p cC + nA nB = 0, the smaller root
        cC = 2*nA*nB/(p + sqrt(p*p - 4*nA*nB))
        return K, cC, k0*exp(-E/T)*cC

    def rate(t, y):
        r = parts(y)[2]
        return [-r, -r, r, a*r - U*(y[3] - Tc)]

    def out(t, y):
        K, cC, r = parts(y)
        return {"nA": y[0], "nB": y[1], "D": y[2], "T": y[3], "K": K, "cC": cC, "cA": y[0] - cC,
                "cB": y[1] - cC, "r": r}
    return Explicit([1, 1.2, 0, 310], rate, out)


def distillation():
    N, F, alpha, L, V, feed, M, MB, MD = 8, 4, 2.5, 2.4, 2.9, 1, 0.5, 5, 5

    def vapour(x):
        return [alpha*v/(1 + (alpha - 1)*v) for v in x[:-1]] + [x[-1]]

    def rate(t, x):
        y, z, result = vapour(x), 0.5 + 0.1*sin(0.5*t), []
        down = lambda i: L + feed if i <= F else L  # from stage i, counted from one
        result.append((down(2)*x[1] - V*y[0] - (L + feed - V)*x[0])/MB)
        for i in range(2, N):
            result.append((down(i + 1)*x[i] + V*y[i - 2] - V*y[i - 1] - down(i)*x[i - 1] + (feed*z if i == F else 0))/M)
        return result + [V*(y[-2] - x[-1])/MD]

    def out(t, x):
        y = vapour(x)
        return {**{"x[%d]" % (k + 1): x[k] for k in range(N)}, **{"y[%d]" % (k + 1): y[k] for k in range(N)}}
    return Explicit([0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8], rate, out)


def batch_still():
    A, B, C = [6.90565, 6.95464, 6.99891], [1211.033, 1344.8, 1474.679], [220.79, 219.482, 213.686]
    p, V = 760, 40/33

    def boil(n):
        x = [v/sum(n) for v in n]
        pressure = lambda T: [exp(2.302585092994046*(A[i] - B[i]/(T + C[i]))) for i in range(3)]
        T = root(lambda T: sum(x[i]*q for i, q in enumerate(pressure(T))) - p, 50, 200)
        return x, T, [x[i]*q/p for i, q in enumerate(pressure(T))]

    def out(t, n):
        x, T, y = boil(n)
        return {"T": T, "N": sum(n), **{"n[%d]" % (k + 1): n[k] for k in range(3)},
                **{"x[%d]" % (k + 1): x[k] for k in range(3)}, **{"y[%d]" % (k + 1): y[k] for k in range(3)}}
    return Explicit([10, 6, 4], lambda t, n: [-V*v for v in boil(n)[2]], out)


def tank_cascade():
    A1, A2, A3, A4, a, g, Kp, Ti = 1, 0.5, 0.8, 1.2, 0.2, 9.81, 0.6, 8

    def parts(t, y):
        h1, h, h4, e = y
        r = 0.6 + 0.2*tanh((t - 10)/2)
        q0 = 0.6 + Kp*((r - h4) + e/Ti)
        q1, q2, q3 = (a*sqrt(2*g*v) for v in (h1, h, h4))
        dh = (q1 - q2)/(A2 + A3)
        return r, q0, q1, q2, q3, dh, A3*dh + q2/2

    def rate(t, y):
        r, q0, q1, q2, q3, dh, _ = parts(t, y)
        return [(q0 - q1)/A1, dh, (q2 - q3)/A4, r - y[2]]

    def out(t, y):
        r, q0, q1, q2, q3, _, qj = parts(t, y)
        return {"h1": y[0], "h2": y[1], "h3": y[1], "h4": y[2], "e": y[3], "q0": q0, "q1": q1, "q2": q2, "q3": q3,
                "qj": qj, "r": r}
    return Explicit([1, 0.8, 0.5, 0], rate, out)


def pipe_network():
    L, R, q0 = np.array([1, 0.8, 1.2, 0.5, 0.9]), np.array([2, 3, 2.5, 4, 1.5]), 0.05
    G = np.array([[1., -1, -1, 0, 0], [0, 1, 0, -1, -1], [0, 0, 1, 1, 0]])  # balances of the nodes

    def flows(t, y):  # from q1 and q2
        d = 0.1*(1 + tanh(t - 5)) + 0.25
        q3 = y[0] - y[1]
        return np.array([y[0], y[1], q3, d - q3, y[1] - d + q3])

    def parts(t, y):
        q = flows(t, y)
        force = -R*q*np.sqrt(q**2 + q0**2)
        force[0] += 2 + 0.5*sin(t)
        dd = np.array([0, 0, 0.1/np.cosh(t - 5)**2])
        p = np.linalg.solve(G @ np.diag(1/L) @ G.T, G @ (force/L) - dd)  # L q' = force - G^T p, G q' = dd
        return q, p, (force - G.T @ p)/L

    def out(t, y):
        q, p, _ = parts(t, y)
        return {**{"q[%d]" % (k + 1): q[k] for k in range(5)}, **{"p[%d]" % (k + 1): p[k] for k in range(3)}}
    return Explicit([0.5, 0.3], lambda t, y: parts(t, y)[2][:2], out)


def heat_exchanger():
    N, mh, mc, Ch, Cc, Cw, U, b = 8, 2, 1.5, 1, 1.2, 0.3, 1.5, 0.01

    def parts(t, y):
        Th, Tc, Tw = y[:N], y[N:2*N], y[2*N:]
        return Th, Tc, Tw, U*(1 + b*(Th - 20))*(Th - Tw), U*(1 + b*(Tc - 20))*(Tw - Tc)

    def rate(t, y):
        Th, Tc, Tw, qh, qc = parts(t, y)
        Tin = 70 + 10*tanh(2*(t - 3))
        return np.concatenate([(mh*(np.insert(Th[:-1], 0, Tin) - Th) - qh)/Ch,
                               (mc*(np.append(Tc[1:], 15) - Tc) + qc)/Cc, (qh - qc)/Cw])

    def out(t, y):
        names = dict(zip(("Th", "Tc", "Tw", "qh", "qc"), parts(t, y)))
        return {"%s[%d]" % (name, k + 1): values[k] for name, values in names.items() for k in range(N)}
    return Explicit([60]*N + [20]*N + [40]*N, rate, out)
