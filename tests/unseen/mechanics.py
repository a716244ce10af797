"""Mechanics, lines and networks of models/unseen, each reduced by hand to an explicit equation or a closed form."""
from math import atan2, cos, exp, log1p, pi, sin, sqrt, tanh

import numpy as np
from numpy.polynomial import polynomial
from scipy.optimize import brentq

from reduced import Closed, Explicit


def named(**groups):
    return {("%s[%d]" % (name, k + 1)): v for name, values in groups.items() for k, v in enumerate(values)}


def saddle(M, f, G, gamma):
    """M a + G^T l = f, G a = gamma."""
    n, m = len(f), len(gamma)
    K = np.block([[np.asarray(M, float), np.asarray(G, float).T], [np.asarray(G, float), np.zeros((m, m))]])
    x = np.linalg.solve(K, np.concatenate([f, gamma]))
    return x[:n], x[n:]


def friction_belt():
    m1, m2, k1, k2, kc, c, vb, v0, Fs, Fc, vs = 1, 1.5, 20, 30, 15, 0.1, 0.5, 0.02, 4, 2.5, 0.3

    def force(v):
        s = vb - v
        return (Fc + (Fs - Fc)*exp(-(s/vs)**2))*tanh(s/v0)

    def rate(t, y):
        x1, x2, v1, v2 = y
        return [v1, v2, (-k1*x1 - kc*(x1 - x2) - c*v1 + force(v1))/m1, (-k2*x2 - kc*(x2 - x1) - c*v2 + force(v2))/m2]

    def out(t, y):
        return {"x1": y[0], "x2": y[1], "v1": y[2], "v2": y[3], "F1": force(y[2]), "F2": force(y[3])}
    return Explicit([0, 0.1, 0.5, 0], rate, out)


def bouncing_dumbbell():
    """Polar angle a of the rod about mass 1: x2 = x1 + L cos a, y2 = y1 + L sin a."""
    m1, m2, L, g, k, d, s, mu = 1, 2, 1, 9.81, 2000, 10, 0.02, 0.2

    def floor(y, w):
        soft = log1p(exp(-y/s)) if y > 0 else -y/s + log1p(exp(y/s))
        weight = 1/(1 + exp(y/s)) if y < 5 else exp(-y/s)
        return k*s*soft - d*w*weight

    def parts(q):
        x1, y1, a, u1, w1, wa = q
        c, t = cos(a), sin(a)
        u2, w2, y2 = u1 - L*t*wa, w1 + L*c*wa, y1 + L*t
        F1, F2 = floor(y1, w1), floor(y2, w2)
        X1, Y1 = -mu*F1*tanh(u1/0.1), -m1*g + F1
        X2, Y2 = -mu*F2*tanh(u2/0.1), -m2*g + F2
        # rows: total force in x and in y, moment of mass 2 about mass 1
        M = [[m1 + m2, 0, -m2*L*t], [0, m1 + m2, m2*L*c], [-m2*L*t, m2*L*c, m2*L*L]]
        r = [X1 + X2 + m2*L*c*wa**2, Y1 + Y2 + m2*L*t*wa**2, L*(-t*X2 + c*Y2)]
        return (u2, w2, y2, F1, F2, X1), np.linalg.solve(M, r)

    def out(t, q):
        (u2, w2, y2, F1, F2, X1), acceleration = parts(q)
        c, si = cos(q[2]), sin(q[2])
        Y1 = F1 - m1*g
        along = (m1*acceleration[0] - X1)*c + (m1*acceleration[1] - Y1)*si  # lambda (r1 - r2) on mass 1
        return {"x1": q[0], "y1": q[1], "x2": q[0] + L*c, "y2": y2, "u1": q[3], "w1": q[4], "u2": u2, "w2": w2,
                "F1": F1, "F2": F2, "lambda": -along/L}
    a = atan2(0.6, sqrt(L*L - 0.36))
    start = [0, 1, a, 0.5, 0, 0.3/(L*cos(a))]
    return Explicit(start, lambda t, q: [*q[3:], *parts(q)[1]], out)


def beam():
    N, EI, rho, c = 8, 1, 1, 0.002
    h = 1/N

    def moments(w, v):
        e = np.concatenate([[0.0], w + c*v])  # with the clamped point
        m = np.empty(N)
        m[0] = 2*e[1]
        m[1:] = e[2:] - 2*e[1:-1] + e[:-2]
        return EI*m/h**2

    def rate(t, y):
        w, v = y[:N], y[N:]
        m = np.append(moments(w, v), [0.0, 0.0])
        dv = -(m[:N] - 2*m[1:N + 1] + m[2:])/(rho*h**2)
        dv[-1] = (-m[N - 1]/h**2 + 0.5*exp(-((t - 0.6)/0.2)**2)/h)/(rho/2)
        return np.concatenate([v, dv])

    def out(t, y):
        return named(w=y[:N], v=y[N:], m=moments(y[:N], y[N:]))
    return Explicit([0.0]*2*N, rate, out)


def flexible_slider_crank():
    """In a and q: sin b = -r sin a/(l + q); kinetic energy with x, y, s as functions of both (derivatives by hand)."""
    J, M, m, r, l, k, c, T0 = 0.05, 1, 0.5, 0.3, 1, 5000, 5, 2

    def geometry(a, q, wa, wq):
        p = l + q
        sb = -r*sin(a)/p
        cb = sqrt(1 - sb*sb)
        b = np.array([-r*cos(a), -sb])/(p*cb)          # db/da, db/dq from r sin a + p sin b = 0
        wb = b[0]*wa + b[1]*wq
        # second derivative of r sin a + p sin b: -r sin a wa^2 + 2 wq cb wb - p sb wb^2 + p cb b'' + ... = 0
        bb = (r*sin(a)*wa**2 - 2*wq*cb*wb + p*sb*wb**2)/(p*cb)
        s1 = np.array([-r*sin(a), cb]) - p*sb*b         # s = r cos a + p cos b
        s0 = -r*cos(a)*wa**2 - 2*wq*sb*wb - p*cb*wb**2 - p*sb*bb
        x1 = np.array([-r*sin(a), cb/2]) - p/2*sb*b     # x = r cos a + p/2 cos b
        x0 = -r*cos(a)*wa**2 - wq*sb*wb - p/2*cb*wb**2 - p/2*sb*bb
        y1 = np.array([r*cos(a)/2, 0.0])                # y = r sin a + p/2 sin b = r/2 sin a
        y0 = -r/2*sin(a)*wa**2
        return sb, cb, p, (s1, s0), (x1, x0), (y1, y0)

    def parts(z):
        a, q, wa, wq = z
        sb, cb, p, *moving = geometry(*z)
        mass = np.diag([J, 0.0])
        right = np.array([T0, -k*q - c*wq])
        for weight, (one, zero) in zip((M, m, m), moving):
            mass = mass + weight*np.outer(one, one)
            right = right - weight*zero*one
        acceleration = np.linalg.solve(mass, right)
        seconds = [one @ acceleration + zero for one, zero in moving]
        return sb, cb, p, acceleration, seconds

    def out(t, z):
        sb, cb, p, acceleration, (s2, x2, y2) = parts(z)
        a = z[0]
        Fx, Fy, f = -m*x2, -m*y2, M*s2
        N = Fy/2 - (Fx/2 - f)*sb/cb
        return {"a": a, "q": z[1], "wa": z[2], "wq": z[3], "b": atan2(sb, cb), "s": r*cos(a) + p*cb,
                "x": r*cos(a) + p/2*cb, "y": r*sin(a) + p/2*sb, "Fx": Fx, "Fy": Fy, "f": f, "N": N}
    return Explicit([0.3, 0, 5, 0], lambda t, z: [z[2], z[3], *parts(z)[3]], out)


def half_car():
    M, J, m1, m2, a, b, k1, k2, kt, d, v, h = 0.7, 1.1, 0.04, 0.035, 1.2, 1.4, 20, 22, 200, 1.5, 15, 0.05

    def parts(t, y):
        z, p, z1, z2, w, wp, w1, w2 = y
        r1 = h*exp(-((t - 0.3)*v/0.6)**2)
        r2 = h*exp(-((t - 0.3 - (a + b)/v)*v/0.6)**2)
        s1, s2 = w - a*wp*cos(p) - w1, w + b*wp*cos(p) - w2
        return (k1*(z - a*sin(p) - z1) + d*s1*(1 + 0.3*tanh(3*s1)), k2*(z + b*sin(p) - z2) + d*s2*(1 + 0.3*tanh(3*s2)),
                kt*(z1 - r1), kt*(z2 - r2))

    def rate(t, y):
        F1, F2, T1, T2 = parts(t, y)
        return [*y[4:], (-F1 - F2)/M, (a*F1 - b*F2)*cos(y[1])/J, (F1 - T1)/m1, (F2 - T2)/m2]

    def out(t, y):
        return {**dict(zip(("z", "p", "z1", "z2", "w", "wp", "w1", "w2"), y)),
                **dict(zip(("F1", "F2", "T1", "T2"), parts(t, y)))}
    return Explicit([0.0]*8, rate, out, max_step=0.02)


def wheelset():
    m, I, f11, f22, a, lam, r0, V = 1.2, 0.76, 9430, 10250, 0.75, 0.05, 0.45, 20
    ky, kp, kf, gap, sf = 50, 30, 10, 0.007, 0.0008

    def parts(y):
        return (lam*y[0]/r0 + a*y[3]/V, y[1]/V - y[2], kf*(exp((y[0] - gap)/sf) - exp(-(y[0] + gap)/sf)))

    def rate(t, y):
        xi1, xi2, F = parts(y)
        return [y[1], (-2*f22*xi2 - ky*y[0] - F)/m, y[3], (-2*f11*a*xi1 - kp*y[2])/I]

    def out(t, y):
        return {**dict(zip(("y", "vy", "psi", "wp"), y)), **dict(zip(("xi1", "xi2", "F"), parts(y)))}
    return Explicit([0.004, 0, 0, 0], rate, out, scale=[0.01, 0.1, 0.01, 0.1])


def gear_train():
    J1, J2, J3, J4, n1, n2, k, c, d = 0.02, 0.05, 0.3, 2, 3, 2.5, 150, 0.8, 0.3
    n = n1*n2

    def parts(t, y):
        p3, p4, w3, w4 = y
        T = 4*(1 - exp(-5*t)) - 0.02*n*w3
        ts = k*(p3 - p4) + c*(w3 - w4)
        load = d*w4 + 3*tanh(w4)
        a3 = (n*T - ts)/(J3 + n2**2*J2 + n**2*J1)
        return T, ts, load, a3

    def rate(t, y):
        T, ts, load, a3 = parts(t, y)
        return [y[2], y[3], a3, (ts - load)/J4]

    def out(t, y):
        T, ts, load, a3 = parts(t, y)
        p3, p4, w3, w4 = y
        t12 = T - J1*n*a3
        return {"p1": n*p3, "p2": n2*p3, "p3": p3, "p4": p4, "w1": n*w3, "w2": n2*w3, "w3": w3, "w4": w4, "T": T,
                "ts": ts, "load": load, "t12": t12, "t23": n1*t12 - J2*n2*a3}
    return Explicit([0.0]*4, rate, out)


def elastic_pendulum():
    m, k, l0, g = 1, 40, 0.75, 10

    def rate(t, y):
        F = k*(1 - l0/sqrt(y[0]**2 + y[1]**2 + y[2]**2))
        return [y[3], y[4], y[5], -F*y[0]/m, -F*y[1]/m, -F*y[2]/m - g]

    def out(t, y):
        l = sqrt(y[0]**2 + y[1]**2 + y[2]**2)
        return {**dict(zip("xyzuvw", y)), "l": l, "F": k*(1 - l0/l)}
    return Explicit([0.1, 0, -1.1, 0, 0.05, 0], rate, out)


def double_four_bar():
    """In the six coordinates, with the accelerations from the saddle-point system; the lengths are its invariants."""
    m, g, l1, l2, l3, d, b1, b2 = 1, 9.81, 1, 1.1, 1.25, 1.2, 1.1, 1.2

    def jacobian(q):
        x1, y1, x2, y2, x3, y3 = q
        return 2*np.array([[x1, y1, 0, 0, 0, 0], [0, 0, x2 - d, y2, 0, 0], [0, 0, 0, 0, x3 - 2*d, y3],
                           [x1 - x2, y1 - y2, x2 - x1, y2 - y1, 0, 0], [0, 0, x2 - x3, y2 - y3, x3 - x2, y3 - y2]])

    def lengths(q):
        x1, y1, x2, y2, x3, y3 = q
        return np.array([x1**2 + y1**2 - l1**2, (x2 - d)**2 + y2**2 - l2**2, (x3 - 2*d)**2 + y3**2 - l3**2,
                         (x2 - x1)**2 + (y2 - y1)**2 - b1**2, (x3 - x2)**2 + (y3 - y2)**2 - b2**2])

    def parts(y):
        q, v = y[:6], y[6:]
        gamma = -2*np.array([v[0]**2 + v[1]**2, v[2]**2 + v[3]**2, v[4]**2 + v[5]**2,
                             (v[2] - v[0])**2 + (v[3] - v[1])**2, (v[4] - v[2])**2 + (v[5] - v[3])**2])
        return saddle(m*np.eye(6), m*g*np.array([0, -1, 0, -1, 0, -1]), jacobian(q), gamma)

    def out(t, y):
        _, mu = parts(y)
        return {**dict(zip(("x1", "y1", "x2", "y2", "x3", "y3"), y)),
                **dict(zip(("F1", "F2", "F3", "G1", "G2"), 2*mu))}
    q = np.array([0.3, 0.95, 1.45, 1.07, 2.65, 1.22])
    for _ in range(30):  # with x1 as given
        q[1:] -= np.linalg.solve(jacobian(q)[:, 1:], lengths(q))
    G = jacobian(q)
    v = np.concatenate([[1.0], np.linalg.solve(G[:, 1:], -G[:, 0])])
    return Explicit(np.concatenate([q, v]), lambda t, y: np.concatenate([y[6:], parts(y)[0]]), out)


def planar_platform():
    m, J, g = 4, 0.5, 9.81
    B, a = np.array([-1, 0.4, 1]), np.array([-0.4, -0.4, 0.5])

    def out(t):
        x, y, th = 0.1*sin(2*t), 1 + 0.1*cos(3*t), 0.15*sin(2.5*t)
        c, s = cos(th), sin(th)
        px, py = x + a*c - B, y + a*s
        L = np.sqrt(px**2 + py**2)
        right = [-4*m*x, -9*m*0.1*cos(3*t) + m*g, -6.25*J*th]
        F = np.linalg.solve([px/L, py/L, a*(c*py - s*px)/L], right)
        return {"x": x, "y": y, "theta": th, "c": c, "s": s, **named(px=px, py=py, L=L, F=F)}
    return Closed(out)


def robot_inverse():
    l1, l2, m1, m2, g = 1, 0.8, 3, 2, 9.81

    def out(t):
        p = np.array([0.9 + 0.3*cos(2*t), 0.9 + 0.2*sin(2*t)])
        dp, ddp = np.array([-0.6*sin(2*t), 0.4*cos(2*t)]), np.array([-1.2*cos(2*t), -0.8*sin(2*t)])
        c2 = (p @ p - l1**2 - l2**2)/(2*l1*l2)
        s2 = sqrt(1 - c2*c2)
        q2 = atan2(s2, c2)
        q1 = atan2(p[1], p[0]) - atan2(l2*s2, l1 + l2*c2)
        e1, e2 = np.array([-sin(q1), cos(q1)]), np.array([-sin(q1 + q2), cos(q1 + q2)])
        jac = np.column_stack([l1*e1 + l2*e2, l2*e2])
        w1, w2 = np.linalg.solve(jac, dp)
        r1, r2 = np.array([cos(q1), sin(q1)]), np.array([cos(q1 + q2), sin(q1 + q2)])
        a1, a2 = np.linalg.solve(jac, ddp + l1*r1*w1**2 + l2*r2*(w1 + w2)**2)
        tau1 = ((m1*l1**2/3 + m2*(l1**2 + l2**2/3 + l1*l2*c2))*a1 + m2*(l2**2/3 + l1*l2*c2/2)*a2
                - m2*l1*l2*s2*(w1*w2 + w2**2/2) + g*((m1/2 + m2)*l1*r1[0] + m2*l2/2*r2[0]))
        tau2 = m2*(l2**2/3 + l1*l2*c2/2)*a1 + m2*l2**2/3*a2 + m2*l1*l2*s2/2*w1**2 + g*m2*l2/2*r2[0]
        return {"q1": q1, "q2": q2, "w1": w1, "w2": w2, "c2": c2, "s2": s2, "tau1": tau1, "tau2": tau2}
    return Closed(out)


def elastic_joint_inverse():
    """Power series of the path to order 4, then everything by arithmetic on series."""
    J, I, m, l, g, k, k3 = 0.1, 1, 5, 0.4, 9.81, 100, 50
    mul = lambda a, b: polynomial.polymul(a, b)[:5]

    def compose(value, derivatives, x):  # f(x0 + u) by Taylor's formula, u without a constant term
        u = np.concatenate([[0], x[1:]])
        result, power, factorial = np.zeros(5), np.array([1.0, 0, 0, 0, 0]), 1
        for n, f in enumerate([value, *derivatives]):
            factorial *= max(n, 1)
            result = result + f/factorial*power
            power = mul(power, u)
        return result

    def out(t):
        theta = np.zeros(5)
        for amplitude, w, phase in ((0.6, 1.3, 0.0), (0.2, 2.1, pi/2)):
            theta += [amplitude*w**n*sin(w*t + phase + n*pi/2)/f for n, f in enumerate((1, 1, 2, 6, 24))]
        c, s = cos(theta[0]), sin(theta[0])
        cosine = compose(c, [-s, -c, s, c], theta)
        T = np.zeros(3)
        for n in range(3):
            T[n] = I*(n + 1)*(n + 2)*theta[n + 2] + m*g*l*cosine[n]
        s0 = brentq(lambda v: k*v + k3*v**3 - T[0], -10, 10, xtol=1e-16, rtol=8.9e-16)
        for _ in range(3):
            s0 -= (k*s0 + k3*s0**3 - T[0])/(k + 3*k3*s0**2)
        slope = k + 3*k3*s0**2
        s1 = T[1]/slope
        s2 = (T[2] - 3*k3*s0*s1**2)/slope  # coefficient of t^2
        return {"theta": theta[0], "s": s0, "phi": theta[0] + s0, "T": T[0], "tau": T[0] + J*2*(theta[2] + s2)}
    return Closed(out)


def figure_eight():
    x0, y0, u0, w0 = 0.97000436, -0.24308753, 0.93240737, 0.86473146

    def pull(r):
        a12, a23, a31 = (1/np.sum((r[i] - r[j])**2)**1.5 for i, j in ((0, 1), (1, 2), (2, 0)))
        return (a12, a23, a31), np.array([a12*(r[1] - r[0]) + a31*(r[2] - r[0]), a23*(r[2] - r[1]) + a12*(r[0] - r[1]),
                                          a31*(r[0] - r[2]) + a23*(r[1] - r[2])])

    def rate(t, y):
        return np.concatenate([y[6:], pull(y[:6].reshape(3, 2))[1].ravel()])

    def out(t, y):
        r, v = y[:6].reshape(3, 2), y[6:].reshape(3, 2)
        return {**named(x=r[:, 0], y=r[:, 1], u=v[:, 0], w=v[:, 1]), **dict(zip(("a12", "a23", "a31"), pull(r)[0]))}
    return Explicit([x0, y0, -x0, -y0, 0, 0, u0/2, w0/2, u0/2, w0/2, -u0, -w0], rate, out)


def restricted_three_body():
    mu = 0.012277471
    nu = 1 - mu

    def rate(t, q):
        x, y, u, w = q
        r1, r2 = ((x + mu)**2 + y*y)**1.5, ((x - nu)**2 + y*y)**1.5
        return [u, w, x + 2*w - nu*(x + mu)/r1 - mu*(x - nu)/r2, y - 2*u - nu*y/r1 - mu*y/r2]

    def out(t, q):
        return {**dict(zip("xyuw", q)), "r1": sqrt((q[0] + mu)**2 + q[1]**2), "r2": sqrt((q[0] - nu)**2 + q[1]**2)}
    return Explicit([0.994, 0, 0, -2.00158510637908252240537862224], rate, out)


def swing():
    H, D, P = np.array([5, 4, 3]), np.array([0.02, 0.015, 0.01]), np.array([0.6, 0.5, 0.4])
    E, X, PL, QL, w0 = np.array([1.1, 1.08, 1.05]), np.array([0.2, 0.25, 0.3]), 1.5, 0.3, 314.159265358979

    def network(t, delta):
        G = 3*exp(-((t - 0.3)/0.06)**4)
        V = 1 + 0j
        # Current into the load: i = sum((E e^{j delta} - V)/(j X)) - G V; V conj(i) = PL + j QL: a quadratic in |V|^2.
        source = np.sum(E*np.exp(1j*delta)/(1j*X))
        Y = np.sum(1/(1j*X)) + G
        S = PL + 1j*QL
        # conj(Y) |V|^2 + S = V conj(source): |conj(Y) u + S|^2 = u |source|^2 with u = |V|^2, the larger root
        a, b, c = abs(Y)**2, 2*(Y*S).real - abs(source)**2, abs(S)**2
        u = (-b + sqrt(b*b - 4*a*c))/(2*a)
        V = (np.conj(Y)*u + S)/np.conj(source)
        i = source - Y*V
        return V, i, E/X*(V.real*np.sin(delta) - V.imag*np.cos(delta))

    def rate(t, y):
        Pe = network(t, y[:3])[2]
        return np.concatenate([y[3:], w0/(2*H)*(P - Pe - D*y[3:])])

    def out(t, y):
        V, i, Pe = network(t, y[:3])
        return {**named(delta=y[:3], omega=y[3:], Pe=Pe), "e": V.real, "f": V.imag, "ir": i.real, "ii": i.imag}
    return Explicit([0.15]*3 + [0.0]*3, rate, out, max_step=0.02)


def heat_rod():
    N, k0, b, eps = 12, 1, 0.3, 0.8
    h = 1/N

    def parts(t, T):
        q0 = 2*(1 - exp(-5*t))
        left = brentq(lambda s: -k0*(1 + b*(s + T[0])/2)*(T[0] - s)/(h/2) - q0, 0.0, 20.0, xtol=1e-15, rtol=8.9e-16)
        flux = lambda s: -k0*(1 + b*(T[-1] + s)/2)*(s - T[-1])/(h/2)
        right = brentq(lambda s: flux(s) - eps*(s**4 - 0.5), 0.0, 20.0, xtol=1e-15, rtol=8.9e-16)
        inner = -k0*(1 + b*(T[:-1] + T[1:])/2)*(T[1:] - T[:-1])/h
        return left, right, np.concatenate([[q0], inner, [eps*(right**4 - 0.5)]])

    def rate(t, T):
        q = parts(t, T)[2]
        return (q[:-1] - q[1:])/h

    def out(t, T):
        left, right, q = parts(t, T)
        return {**named(T=T, q=q), "TL": left, "TR": right}
    return Explicit([1.0]*N, rate, out)


def wave_string():
    N, c2, b, rho = 12, 1, 2, 1
    h = 1/N
    n = N - 1

    def led(t):  # the led end and two derivatives: p(t) sin 3t with p = 0.05 t^3/(1 + t^2) = 0.05 (t - t/(1 + t^2))
        d = 1 + t*t
        p = [0.05*(t - t/d), 0.05*(1 - (1 - t*t)/d**2), -0.05*(-2*t*(3 - t*t)/d**3)]
        s = [sin(3*t), 3*cos(3*t), -9*sin(3*t)]
        return p[0]*s[0], p[1]*s[0] + p[0]*s[1], p[2]*s[0] + 2*p[1]*s[1] + p[0]*s[2]

    def parts(t, y):
        end = led(t)
        u = np.concatenate([[0.0], y[:n], [end[0]]])
        return end, u, c2 + b*np.sum(np.diff(u)**2)/h

    def rate(t, y):
        _, u, tension = parts(t, y)
        return np.concatenate([y[n:], tension*(u[2:] - 2*u[1:-1] + u[:-2])/(rho*h**2)])

    def out(t, y):
        end, u, tension = parts(t, y)
        return {**named(u=u[1:], v=[*y[n:], end[1]]), "tension": tension,
                "F": rho*h/2*end[2] + tension*(u[-1] - u[-2])/h}
    start = [0.1*sin(pi*i/N)*(1 - i/N) for i in range(1, N)] + [0.0]*n
    return Explicit(start, rate, out)


def brusselator():
    N, A, B, alpha = 10, 1, 3, 0.02

    def rate(t, y):
        u, v = y[:N], y[N:]
        uu, vv = np.concatenate([[1], u, [1]]), np.concatenate([[3], v, [3]])
        D = alpha*(N + 1)**2
        return np.concatenate([A + u*u*v - (B + 1)*u + D*(uu[:-2] - 2*u + uu[2:]),
                               B*u - u*u*v + D*(vv[:-2] - 2*v + vv[2:])])
    start = [1 + sin(2*pi*i/(N + 1)) for i in range(1, N + 1)] + [3]*N
    return Explicit(start, rate, lambda t, y: named(u=y[:N], v=y[N:]))
