"""References of the mechanisms: M a = f + G' lambda with G a = -(d/dt G) v - d/dt g_t, in 128-bit arithmetic.

The form drifts off its constraints, but in that arithmetic by less than 1e-25.
"""
import gmpy2
from gmpy2 import mpfr

from reference import Reference
from series import cos, derivative, sin, solve_linear, sqrt


def accelerations(mass, force, jacobian, v, partial_rates=None):
    """(a, lambda) from the saddle-point system; G M^-1 G' is definite, so elimination needs no pivoting."""
    n, m = len(mass), len(jacobian)
    transposed = [[jacobian[k][i] if is_zero(jacobian[k][i]) else -jacobian[k][i] for k in range(m)] for i in range(n)]
    matrix = [list(mass[i]) + transposed[i] for i in range(n)] + [list(jacobian[k]) + [0]*m for k in range(m)]
    bend = [-sum((derivative(jacobian[k][j])*v[j] for j in range(n) if not is_zero(jacobian[k][j])), mpfr(0))
            - (derivative(partial_rates[k]) if partial_rates else 0) for k in range(m)]
    solution = solve_linear(matrix, list(force) + bend)
    return solution[:n], solution[n:]


def is_zero(entry):
    return isinstance(entry, int) and entry == 0


def diagonal(*entries):
    return [[mpfr(e) if i == j else 0 for j in range(len(entries))] for i, e in enumerate(entries)]


def slider_crank():
    r, l, g = mpfr("0.1"), mpfr("0.3"), mpfr("9.81")
    m1, m2, m3, J1, J2 = mpfr("0.6"), mpfr("0.4"), mpfr("0.5"), mpfr("0.01"), mpfr("0.003")
    one = mpfr(1)

    def system(time, y):
        q, v = y[:5], y[5:]
        alpha, beta = q[0], q[3]
        jacobian = [[r*sin(alpha), one, 0, l/2*sin(beta), 0], [-r*cos(alpha), 0, one, -l/2*cos(beta), 0],
                    [0, one, 0, -l/2*sin(beta), -one], [0, 0, one, l/2*cos(beta), 0]]
        force = [-m1*g*r/2*cos(alpha), mpfr(0), -m2*g, mpfr(0), mpfr(0)]
        a, joint = accelerations(diagonal(J1, m2, m2, J2, m3), force, jacobian, v)
        return v + a, dict(zip(("alpha", "x", "y", "beta", "s", "Fx", "Fy", "Hx", "Hy"), q + joint))

    return Reference("slider_crank.mo", [0, "0.05", "0.1", "0.2", "0.4", "0.6", "0.8", 1],
                     "saddle-point form with the accelerations, in 128-bit arithmetic", system=system,
                     start=[0, mpfr("0.25"), 0, 0, mpfr("0.4"), 20, 0, 1, -mpfr(20)/3, 0],
                     disturbance=[0, 0, 0, 0, 0, 1, 0, mpfr("0.05"), -mpfr(1)/3, 0],
                     invariants=[("energy", "0.5*J1*der(alpha)^2 + 0.5*m2*(der(x)^2 + der(y)^2) + 0.5*J2*der(beta)^2"
                                  " + 0.5*m3*der(s)^2 + m1*g*r/2*sin(alpha) + m2*g*y")])


def four_bar():
    l1, l2, l3, d = mpfr(1), mpfr(3), mpfr("2.5"), mpfr(3)
    m1, m2, m3, tau, g = mpfr(1), mpfr(3), mpfr("2.5"), mpfr(5), mpfr("9.81")

    def loop(q):
        (s1, c1), (s2, c2), (s3, c3) = ((sin(angle), cos(angle)) for angle in q)
        return [[-l1*s1, -l2*s2, l3*s3], [l1*c1, l2*c2, -l3*c3]]

    def system(time, y):
        q, v = y[:3], y[3:]
        couple = m2*l1*l2/2
        s, c = sin(q[0] - q[1]), cos(q[0] - q[1])
        mass = [[(m1/3 + m2)*l1*l1, couple*c, 0], [couple*c, m2/3*l2*l2, 0], [0, 0, m3/3*l3*l3]]
        force = [tau - (m1/2 + m2)*g*l1*cos(q[0]) - couple*s*v[1]*v[1],
                 couple*s*v[0]*v[0] - m2*g*l2/2*cos(q[1]), -m3*g*l3/2*cos(q[2])]
        a, joint = accelerations(mass, force, loop(q), v)
        return v + a, dict(zip(("phi1", "phi2", "phi3", "Fx", "Fy"), q + joint))

    # The crank lies along the ground: coupler and rocker are two sides of a triangle over the remaining d - l1.
    along = (l2*l2 + (d - l1)**2 - l3*l3)/(2*(d - l1))
    height = sqrt(l2*l2 - along*along)
    q = [mpfr(0), gmpy2.atan2(height, along), gmpy2.atan2(height, along - (d - l1))]
    (a1, a2, a3), (b1, b2, b3) = loop(q)
    v = [mpfr(8)] + [8*r for r in solve_linear([[a2, a3], [b2, b3]], [-a1, -b1])]
    return Reference("four_bar.mo", [0, "0.25", "0.5", "0.75", 1, "1.25", "1.5", 2],
                     "saddle-point form with the accelerations, in 128-bit arithmetic", system=system, start=q + v,
                     disturbance=[0, 0, 0] + [value/8 for value in v],
                     invariants=[("energy minus work", "0.5*(m1/3 + m2)*l1^2*der(phi1)^2 + m2/6*l2^2*der(phi2)^2"
                                  " + m3/6*l3^2*der(phi3)^2 + m2*l1*l2/2*cos(phi1 - phi2)*der(phi1)*der(phi2)"
                                  " + (m1/2 + m2)*g*l1*sin(phi1) + m2*g*l2/2*sin(phi2) + m3*g*l3/2*sin(phi3)"
                                  " - tau*phi1")])


SQUEEZER = dict(
    m1="0.04325", m2="0.00365", m3="0.02373", m4="0.00706", m5="0.07050", m6="0.00706", m7="0.05498",
    I1="2.194e-6", I2="4.410e-7", I3="5.255e-6", I4="5.667e-7", I5="1.169e-5", I6="5.667e-7", I7="1.912e-5",
    xa="-0.06934", ya="-0.00227", xb="-0.03635", yb="0.03273", xc="0.014", yc="0.072", c0="4530", l0="0.07785",
    d="0.028", da="0.0115", e="0.02", ea="0.01421", zf="0.02", fa="0.01421", rr="0.007", ra="0.00092", ss="0.035",
    sa="0.01874", sb="0.01043", sc="0.018", sd="0.02", ta="0.02308", tb="0.00916", zt="0.04", u="0.04", ua="0.01228",
    ub="0.00449", mom="0.033")
ANGLES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")


def squeezer():
    k = {name: mpfr(value) for name, value in SQUEEZER.items()}
    m1, m2, m3, m4, m5, m6, m7, I1, I2, I3, I4, I5, I6, I7 = (k[a + b] for a, b in (
        *(("m", str(i)) for i in range(1, 8)), *(("I", str(i)) for i in range(1, 8))))
    d, da, e, zf, rr, ss, sc, sd, zt, u = (k[n] for n in ("d", "da", "e", "zf", "rr", "ss", "sc", "sd", "zt", "u"))
    w, z = k["e"] - k["ea"], k["zf"] - k["fa"]
    fixed = (m1*k["ra"]**2 + m2*(rr**2 + da**2) + I1 + I2, m3*(k["sa"]**2 + k["sb"]**2) + I3,
             m4*(zt**2 + w**2) + m5*(k["ta"]**2 + k["tb"]**2) + I4 + I5,
             m6*(z**2 + u**2) + m7*(k["ua"]**2 + k["ub"]**2) + I6 + I7)

    def system(time, y):
        q, v = y[:7], y[7:]
        be, th, ga, ph, de, om, ep = q
        dbe, dth, dga, dph, dde, dom, dep = v
        crank, arm4, arm6 = m2*da*rr*cos(th), m4*zt*w*sin(ph), m6*u*z*sin(om)
        M = [[0]*7 for _ in range(7)]
        M[0][0], M[1][1] = fixed[0] - 2*crank, m2*da**2 + I2
        M[0][1] = M[1][0] = m2*da**2 + I2 - crank
        M[2][2] = fixed[1]
        M[3][3], M[4][4] = m4*w**2 + I4, fixed[2] + 2*arm4
        M[3][4] = M[4][3] = m4*w**2 + I4 + arm4
        M[5][5], M[6][6] = m6*z**2 + I6, fixed[3] - 2*arm6
        M[5][6] = M[6][5] = m6*z**2 + I6 - arm6
        X, Y = sd*cos(ga) + sc*sin(ga) + k["xb"], sd*sin(ga) - sc*cos(ga) + k["yb"]
        L = sqrt((X - k["xc"])**2 + (Y - k["yc"])**2)
        F = -k["c0"]*(L - k["l0"])/L
        f = [k["mom"] - m2*da*rr*dth*(dth + 2*dbe)*sin(th), m2*da*rr*dbe*dbe*sin(th),
             F*(X - k["xc"])*(sc*cos(ga) - sd*sin(ga)) + F*(Y - k["yc"])*(sd*cos(ga) + sc*sin(ga)),
             m4*zt*w*dde*dde*cos(ph), -m4*zt*w*dph*(dph + 2*dde)*cos(ph),
             -m6*u*z*dep*dep*cos(om), m6*u*z*dom*(dom + 2*dep)*cos(om)]
        s0, c0 = d*sin(be + th), d*cos(be + th)
        sx, cx = e*sin(ph + de), e*cos(ph + de)
        sy, cy = zf*sin(om + ep), zf*cos(om + ep)
        odd, even = [s0 - rr*sin(be), s0], [rr*cos(be) - c0, -c0]
        G = [odd + [-ss*cos(ga), 0, 0, 0, 0], even + [-ss*sin(ga), 0, 0, 0, 0],
             odd + [0, -cx, zt*sin(de) - cx, 0, 0], even + [0, -sx, -sx - zt*cos(de), 0, 0],
             odd + [0, 0, 0, sy, sy - u*cos(ep)], even + [0, 0, 0, -cy, -cy - u*sin(ep)]]
        a, minus_lambda = accelerations(M, f, G, v)
        quantities = dict(zip(ANGLES, q), X=X, Y=Y, L=L, F=F)
        quantities.update(("lambda%d" % (i + 1), -value) for i, value in enumerate(minus_lambda))
        return v + a, quantities

    start = ["-0.0617138900142764496358948458", "0", "0.455279819163070380255912382", "0.222668390165885884674473186",
             "0.487364979543842550225598954", "-0.222668390165885884674473186", "1.23054744454982119249735016"]
    names = ANGLES + tuple("der(%s)" % a for a in ANGLES) + tuple("lambda%d" % i for i in range(1, 7))
    rows = {"0.005": "0.211076385903266679 -0.201587170934080118 0.449115190011514392 0.210250797930014472"
            " 0.488743765461935190 -0.210250797930014472 1.225866794034907254 151.010701269234346 -110.467333114368609"
            " -6.68265988091235869 -13.4271258049322929 1.47852776983968982 13.4271258049322929 -5.04497934504251823"
            " 89.9711007379062664 3.24243162965584135 -1.83316569503124317 1.50842309357465187 -2.74337516038740922"
            " -3.96463898560735570",
            "0.01": "2.160113131531526506 -1.883364231107044319 0.158516758001226693 -0.328641075174670307"
            " 0.525154774797729461 0.328641075174670307 1.068427204632401149 711.923152831103979 -786.770080859939757"
            " -136.438191378119698 -240.293029267864551 4.79154822537105424 240.293029267864551 -41.1405669616104883"
            " 57.0252904375025831 2.96790424624948325 3.21886038500893871 -18.1792698679403569 5.15950271803235082"
            " 34.2401172916066084",
            "0.02": "8.184905889661675544 -7.890505363730449510 0.209536913384697558 -0.238325596595851248"
            " 0.522536917155996372 0.238325596595851248 1.086275108599873242 726.558342609127709 -748.632420632329115"
            " -145.739237584404713 -259.500799476775039 9.79050185516307000 259.500799476775039 -57.7574717427460144"
            " 48.4932569817494257 9.30037734573435964 2.30323313128706561 -15.7738898079683017 2.94225325451755031"
            " 22.9880324192279260",
            "0.03": "15.8107711951537070971 -15.7563710584118394697 0.0408222401196458048583 -0.534730116342079593770"
            " 0.524409965879954069372 0.534730116342079593770 1.04808074104193787307 1139.92030225910606420"
            " -1424.37929517754007320 11.0329119106185937453 19.2933741050320408316 0.573569914829502453818"
            " -19.2933741050320408316 0.323179149249130874991 199.175348104538628186 -29.7553099749717633244"
            " 23.0665436116221511286 31.4527252757711370754 22.6424947863943785777 11.6173923526112559068"}
    published = {t: dict(zip(names, row.split())) for t, row in rows.items()}
    published["0"] = {"lambda1": "98.5668703962410896057654982", "lambda2": "-6.12268834425566265503114393"}
    return Reference("squeezer.mo", [0, "0.005", "0.01", "0.015", "0.02", "0.025", "0.03"],
                     "saddle-point form with the accelerations, in 128-bit arithmetic", system=system,
                     start=polished(start) + [mpfr(0)]*7,
                     disturbance=[0]*7 + [1, "-0.75"] + [0]*5, published=published, runge_kutta=0,
                     notes="The 16-digit list that circulates with the Test Set is displaced by 1e-12 s. Velocities "
                     "differ by four orders of magnitude: measure them relative to max|v| = 1424.",
                     invariants=[("sum of Omega and Phi", "Omega + Phi"), ("energy", SQUEEZER_ENERGY)])


SQUEEZER_ENERGY = (
    "0.5*(m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(Theta) + da^2) + I1 + I2)*der(beta)^2"
    " + (m2*(da^2 - da*rr*cos(Theta)) + I2)*der(beta)*der(Theta) + 0.5*(m2*da^2 + I2)*der(Theta)^2"
    " + 0.5*(m3*(sa^2 + sb^2) + I3)*der(gamma)^2 + 0.5*(m4*w^2 + I4)*der(Phi)^2"
    " + (m4*(w^2 + zt*w*sin(Phi)) + I4)*der(Phi)*der(delta)"
    " + 0.5*(m4*(zt^2 + 2*zt*w*sin(Phi) + w^2) + m5*(ta^2 + tb^2) + I4 + I5)*der(delta)^2"
    " + 0.5*(m6*z^2 + I6)*der(Omega)^2 + (m6*(z^2 - u*z*sin(Omega)) + I6)*der(Omega)*der(epsilon)"
    " + 0.5*(m6*(z^2 - 2*u*z*sin(Omega) + u^2) + m7*(ua^2 + ub^2) + I6 + I7)*der(epsilon)^2"
    " + 0.5*c0*(L - l0)^2 - mom*beta")


def polished(angles):
    """The printed angles of the squeezer at Theta = 0, closed to full precision loop by loop: two rigid links meet."""
    k = {name: mpfr(value) for name, value in SQUEEZER.items()}
    angles = [mpfr(a) for a in angles]
    gap = k["rr"] - k["d"]
    beta, _, gamma, phi, delta, omega, epsilon = range(7)
    for _ in range(6):
        be, ga = angles[beta], angles[gamma]
        residual = [gap*cos(be) - k["ss"]*sin(ga) - k["xb"], gap*sin(be) + k["ss"]*cos(ga) - k["yb"]]
        update(angles, (beta, gamma), [[-gap*sin(be), -k["ss"]*cos(ga)], [gap*cos(be), -k["ss"]*sin(ga)]], residual)
        A, B = gap*cos(angles[beta]) - k["xa"], gap*sin(angles[beta]) - k["ya"]
        sum_, de = angles[phi] + angles[delta], angles[delta]
        residual = [A - k["e"]*sin(sum_) - k["zt"]*cos(de), B + k["e"]*cos(sum_) - k["zt"]*sin(de)]
        update(angles, (phi, delta), [[-k["e"]*cos(sum_), -k["e"]*cos(sum_) + k["zt"]*sin(de)],
                                      [-k["e"]*sin(sum_), -k["e"]*sin(sum_) - k["zt"]*cos(de)]], residual)
        sum_, ep = angles[omega] + angles[epsilon], angles[epsilon]
        residual = [A - k["zf"]*cos(sum_) - k["u"]*sin(ep), B - k["zf"]*sin(sum_) + k["u"]*cos(ep)]
        update(angles, (omega, epsilon), [[k["zf"]*sin(sum_), k["zf"]*sin(sum_) - k["u"]*cos(ep)],
                                          [-k["zf"]*cos(sum_), -k["zf"]*cos(sum_) - k["u"]*sin(ep)]], residual)
    return angles


def update(angles, pair, matrix, residual):
    (a, b), (c, d) = matrix
    determinant = a*d - b*c
    angles[pair[0]] -= (d*residual[0] - b*residual[1])/determinant
    angles[pair[1]] -= (a*residual[1] - c*residual[0])/determinant


def car_axis():
    half, h, k = mpfr("0.5"), mpfr("0.1"), mpfr("0.0005")

    def system(time, y):
        q, v = y[:4], y[4:]
        xl, yl, xr, yr = q
        yb = h*sin(10*time)
        xb = sqrt(1 - yb*yb)
        Ll, Lr = sqrt(xl*xl + yl*yl), sqrt((xr - xb)*(xr - xb) + (yr - yb)*(yr - yb))
        force = [(half - Ll)*xl/Ll, (half - Ll)*yl/Ll - k, (half - Lr)*(xr - xb)/Lr, (half - Lr)*(yr - yb)/Lr - k]
        jacobian = [[xb, yb, 0, 0], [2*(xl - xr), 2*(yl - yr), 2*(xr - xl), 2*(yr - yl)]]
        a, lam = accelerations(diagonal(k, k, k, k), force, jacobian, v,
                               [xl*derivative(xb) + yl*derivative(yb), xl*0])
        names = ("xl", "yl", "xr", "yr", "vxl", "vyl", "vxr", "vyr", "lam1", "lam2", "xb", "yb", "Ll", "Lr")
        return v + a, dict(zip(names, q + v + lam + [xb, yb, Ll, Lr]))

    names = ("xl", "yl", "xr", "yr", "vxl", "vyl", "vxr", "vyr", "lam1", "lam2")
    rows = {"1": "0.0271820954401135 0.498911552629265 1.02454879597038 0.426388006981168 0.419164414754795"
            " -0.0242900498572145 0.297172685763110 -1.70195882830876 -3.83712098271208e-3 -1.22879846195054e-3",
            "2": "-0.0456044836428595 0.497445343218971 0.951740760592788 0.570263361597238 -0.203218758499375"
            " -0.0255718244482449 -0.225931716144986 0.285514096246589 4.96889259650663e-3 1.31746215450798e-3",
            "3": "0.0493455784275241 0.496989460230008 1.04174252488543 0.373911027265366 -0.0770583684035921"
            " 7.44686659206842e-3 0.0175568157535417 0.770341043779601 -4.73688659085333e-3 -1.10468033125957e-3"}
    return Reference("car_axis.mo", [0, "0.25", "0.5", 1, "1.5", 2, "2.5", 3],
                     "saddle-point form with the accelerations, in 128-bit arithmetic", system=system,
                     start=[0, half, 1, half, -half, 0, -half, 0], runge_kutta=1e-8, published_units=2,
                     disturbance=[0, 0, 0, 0, 0, 1, 0, 1],
                     published={t: dict(zip(names, row.split())) for t, row in rows.items()},
                     notes="The Test Set's own end values hold 12 digits in position and 7 in the multipliers.")
