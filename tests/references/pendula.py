"""References of the pendula: reduced by hand to angles, all from the downward vertical."""
from dataclasses import replace

import gmpy2
from gmpy2 import mpfr

from reference import Reference
from series import Series, cos, derivative, exp, expand, sin, solve_linear, sqrt

PI = gmpy2.const_pi(200)
ENERGY = ("energy", "0.5*m*(der(x)^2 + der(y)^2) + m*g*y")


def swing(time, y):
    phi, omega = y
    x = {"x": sin(phi), "y": -cos(phi), "lambda": omega*omega + cos(phi)}
    return [omega, -sin(phi)], {**x, "vx": derivative(x["x"]), "vy": derivative(x["y"])}


def pendulum():
    return Reference("pendulum.mo", [0, "0.5", 1, 2, 3, 5, "7.5", 10], "phi'' = -sin phi, x = sin phi, y = -cos phi",
                     system=swing, start=[PI/2, -1], invariants=[ENERGY],
                     notes="Mattsson and Soderlind, case 2; amplitude 2 pi/3, period 8.626062589998573.")


def pendulum_long():
    published = {"1000": {"x": "0.90762546777300388925", "y": "0.41978090743843493490",
                          "der(x)": "0.16814213295341107089", "der(y)": "-0.36354698217562962604"}}
    return Reference("pendulum.mo", [0, 100, 250, 500, 750, 1000], pendulum().source, system=swing, start=[PI/2, -1],
                     invariants=[ENERGY], published=published, published_units=2, runge_kutta=1e-7,
                     notes="The run of Mattsson and Soderlind, Table 2: 116 periods.")


def pendulum_released():
    published = {"10": ("-0.811586446191304", "-0.584232351345396", "-0.631529149065018", "0.877288798841069"),
                 "50": ("-0.084723235173340", "-0.996404522983393", "1.406593263765146", "-0.119601155083473"),
                 "100": ("-0.999974052046356", "-0.007203834672684", "-0.000864690332979", "0.120028836768484")}
    names = ("x", "y", "der(x)", "der(y)")
    return Reference("pendulum.mo", [0, 1, 2, 5, 10, 20, 50, 100], pendulum().source, system=swing, start=[PI/2, 0],
                     overrides={"vy0": 0}, invariants=[ENERGY], runge_kutta=1e-8,
                     published={t: dict(zip(names, row)) for t, row in published.items()},
                     notes="Hairer and Wanner's drift-off experiment; period 7.416298709205488.")


def pendulum_small():
    return Reference("pendulum_small.mo", [0, "0.5", 1, 2, 3, 5, "7.5", 10], pendulum().source, system=swing,
                     start=[mpfr("0.1"), 0], invariants=[ENERGY], notes="Mattsson and Soderlind, case 1.")


def pendulum_small_long():
    phi, omega = mpfr("0.09398853982860349300"), mpfr("-0.03412220654162213416")
    published = {"1000": {"x": "%.17f" % gmpy2.sin(phi), "y": "%.17f" % -gmpy2.cos(phi),
                          "der(x)": "%.17f" % (omega*gmpy2.cos(phi))}}
    return Reference("pendulum_small.mo", [0, 100, 250, 500, 750, 1000], pendulum().source, system=swing,
                     start=[mpfr("0.1"), 0], invariants=[ENERGY], published=published, runge_kutta=1e-8,
                     notes="The run of Mattsson and Soderlind, Table 1.")


def pendulum_first_order():
    return Reference("pendulum_first_order.mo", pendulum().times, pendulum().source, system=swing, start=[PI/2, -1],
                     invariants=[("energy", "0.5*m*(vx^2 + vy^2) + m*g*y")], notes="The same motion as pendulum.json.")


def braked_pendulum():
    def system(time, y):
        phi, omega = y
        when = (time - 18)/6
        k = 10000*exp(-(when*when*when*when))
        rates = [omega, -sin(phi) - k*omega]
        return rates, {"x": sin(phi), "y": -cos(phi), "lambda": omega*omega + cos(phi), "k": k}

    return Reference("braked_pendulum.mo", [0, 5, 10, 15, 20, 25, 30, 35, 40, 50], "phi'' = -sin phi - k(t) phi'",
                     system=system, start=[PI/2, -1],
                     notes="Stiff from t = 10 to 26, where the brake holds the pendulum; free before and after.")


def spherical_pendulum():
    g = mpfr("9.81")

    def system(time, y):
        theta, phi, dtheta, dphi = y
        s, c = sin(theta), cos(theta)
        rates = [dtheta, dphi, s*c*dphi*dphi - g*s, -2*c*dtheta*dphi/s]
        speed2 = dtheta*dtheta + s*s*dphi*dphi
        return rates, {"x": s*cos(phi), "y": s*sin(phi), "z": -c, "lambda": speed2 + g*c}

    return Reference("spherical_pendulum.mo", [0, "0.25", "0.5", 1, 2, 3, 4, 5],
                     "theta'' = sin theta cos theta phi'^2 - g sin theta, sin^2 theta phi' constant",
                     system=system, start=[PI/2, 0, 0, mpfr("1.5")],
                     invariants=[("energy", "0.5*m*(der(x)^2 + der(y)^2 + der(z)^2) + m*g*z"),
                                 ("angular momentum", "m*(x*der(y) - y*der(x))")],
                     notes="Integrable: errors grow linearly.")


def double_pendulum():
    g = mpfr("9.81")

    def system(time, y):
        a, b, da, db = y
        s, c = sin(a - b), cos(a - b)
        dda, ddb = solve_linear([[mpfr(2), c], [c, mpfr(1)]], [-s*db*db - 2*g*sin(a), s*da*da - g*sin(b)])
        x1, y1, dx, dy = sin(a), -cos(a), sin(b), -cos(b)
        x2, y2 = x1 + dx, y1 + dy
        second = lambda series: derivative(derivative(series))
        lambda2 = -(dx*second(x2) + dy*(second(y2) + g))
        lambda1 = lambda2*(dx*x1 + dy*y1) - x1*second(x1) - y1*(second(y1) + g)
        return [da, db, dda, ddb], {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "lambda1": lambda1, "lambda2": lambda2}

    angle = gmpy2.asin(mpfr("0.6"))
    return Reference("double_pendulum.mo", [0, "0.5", 1, 2, 3, 5, "7.5", 10],
                     "Lagrange's equations in the two angles", system=system, start=[angle, angle, 0, 0],
                     invariants=[("energy", "0.5*m1*(der(x1)^2 + der(y1)^2) + 0.5*m2*(der(x2)^2 + der(y2)^2)"
                                  " + m1*g*y1 + m2*g*y2")])


def stiff_spring_pendulum():
    g, k, c = mpfr("9.81"), 1000000, 2000

    def system(time, y):
        a, x2, y2, da, dx2, dy2 = y
        x1, y1 = sin(a), -cos(a)
        dx, dy, ddx, ddy = x2 - x1, y2 - y1, dx2 - da*cos(a), dy2 - da*sin(a)
        s = sqrt(dx*dx + dy*dy)
        force = (k*(s - 1) + c*(dx*ddx + dy*ddy)/s)/s
        rates = [da, dx2, dy2, force*(dx*cos(a) + dy*sin(a)) - g*sin(a), -(force*dx), -(force*dy) - g]
        return rates, {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "s": s, "F": force,
                       "lambda": da*da + force*(dx*x1 + dy*y1) - g*y1}

    return Reference("stiff_spring_pendulum.mo", [0, "0.25", "0.5", 1, 2, 3, 4, 5],
                     "the angle of the rod and the lower mass in Cartesian coordinates",
                     system=system, start=[gmpy2.asin(mpfr("0.6")), mpfr("1.2"), mpfr("-1.6"), 0, 0, 0],
                     notes="Stiff: the spring relaxes at 1000 1/s. Its damper takes energy out of the swing.")


def chain():
    n, g = 10, mpfr("9.81")

    def system(time, y):
        x, h, vx, vh = (y[k*n:(k + 1)*n] for k in range(4))
        rods = lambda z: [z[0]] + [z[i] - z[i - 1] for i in range(1, n)]
        dx, dy, dvx, dvy = rods(x), rods(h), rods(vx), rods(vh)
        # d_i . (a_i - a_{i-1}) + |d_i'|^2 = 0 with m = L = 1: a tridiagonal system for the forces in the rods.
        matrix = [[0]*n for _ in range(n)]
        for i in range(n):
            matrix[i][i] = mpfr(2 if i else 1)
            if i:
                matrix[i][i - 1] = matrix[i - 1][i] = -(dx[i]*dx[i - 1] + dy[i]*dy[i - 1])
        speed2 = [dvx[i]*dvx[i] + dvy[i]*dvy[i] for i in range(n)]
        force = solve_linear(matrix, [speed2[0] - g*dy[0]] + speed2[1:])
        pull = lambda d: [(force[i + 1]*d[i + 1] if i + 1 < n else 0) - force[i]*d[i] for i in range(n)]
        names = {"x": x, "y": h, "dx": dx, "dy": dy, "lambda": force}
        quantities = {"%s[%d]" % (name, i + 1): value[i] for name, value in names.items() for i in range(n)}
        return vx + vh + pull(dx) + [a - g for a in pull(dy)], quantities

    kinetic = "0.5*m*sum(der(x[i])^2 + der(y[i])^2 for i in 1:N)"
    return Reference("chain.mo", [0, "0.5", 1, 2, 3, 4, 5],
                     "accelerations, with a tridiagonal system for the forces, in 128-bit arithmetic",
                     system=system, start=list(range(1, n + 1)) + [0]*(3*n),
                     disturbance=[0]*(3*n) + [1, -1, 1, 1, -1, -1, 1, -1, 1, 1],
                     invariants=[("energy", kinetic + " + m*g*sum(y[i] for i in 1:N)")])


def chain_long():
    return replace(chain(), times=[0, 5, 6, 8, 10], runge_kutta=0,
                   published={"10": {"x[10]": "2.583677", "y[10]": "-5.723505"}},
                   notes="Chaotic from about t = 6 on: see error_amplification before choosing a tolerance.")


def cascade(positions):
    """Pendula in cascade: angle a_i, length r_1 = 1, r_{i+1} = 1 + c force_i. Starts at rest with given positions."""
    G, c = mpfr("9.8"), mpfr("0.1")
    names = [("x", "y", "vx", "vy", "lam"), ("u", "v", "vu", "vv", "mu"), ("p", "q", "vp", "vq", "nu"),
             ("r", "s", "vr", "vs", "xi")]

    def system(time, y):
        rates, quantities, force = [], {}, None
        for (a, w), name in zip(zip(y[::2], y[1::2]), names):
            length = Series([mpfr(1)]) if force is None else 1 + c*force
            rates += [w, -(2*derivative(length)*w + G*sin(a))/length]
            force = w*w + (G*cos(a) - derivative(derivative(length)))/length
            across, down = length*sin(a), length*cos(a)
            quantities.update(zip(name, (across, down, derivative(across), derivative(down), force)))
        return rates, quantities

    state, length = [], mpfr(1)
    for position, name in zip(positions, names):
        state += [gmpy2.asin(mpfr(position)/length), mpfr(0)]
        length = 1 + c*expand(system, 0, state)[1][name[-1]][0]
    return dict(system=system, start=state)


CASCADE = "polar coordinates of each pendulum, the lengths and their derivatives from the previous rod force"
FIRST_ENERGY = ("energy of the first pendulum", "0.5*(vx^2 + vy^2) - G*y")


def two_pendula():
    columns = ("x", "y", "lam", "u", "v", "mu")
    rows = {"1": ("-0.597860970871460", "0.801599812567739", "7.88703448949154", "-0.613435375337576",
                  "1.68022530291835", "2.75052431868727"),
            "5": ("-0.546081386530486", "0.837732128597765", "8.94932458077429", "-0.478683311805059",
                  "1.83347519963448", "5.06386704721951"),
            "10": ("0.382300286793708", "0.924038143540324", "11.4867214200855", "-1.23722238701955",
                   "1.75672215757110", "5.05021677577821")}
    published = {t: dict(zip(columns, row)) for t, row in rows.items()}
    published["10"].update({"vx": "1.44077300714216", "vy": "-0.596087875468793", "vu": "0.209396831588230",
                            "vv": "-1.99603217217359"})
    published["0"] = {"mu": "-1.41946188340807"}
    return Reference("two_pendula.mo", [0, 1, 2, 3, 5, "7.5", 10], CASCADE, **cascade(["0.6", "1.0704"]),
                     published=published, invariants=[FIRST_ENERGY], notes="mu is the worst component.")


def three_pendula():
    published = {"0": {"lam": "9.408", "mu": "3.68360428689200", "nu": "3.54958981576209"},
                 "5": {"x": "-0.277556000869", "u": "-0.010006422976", "p": "0.351130919446", "y": "0.960709459921",
                       "v": "1.942860044013", "q": "1.396567017356", "vx": "-0.113288032902", "vu": "-1.343527463868",
                       "vp": "-0.378013394358", "vy": "-0.032729742623", "vv": "-0.103146365731",
                       "vq": "-0.073107883036", "lam": "9.428858121676", "mu": "4.400320678919",
                       "nu": "4.684645569681"}}
    return Reference("three_pendula.mo", [0, "0.5", 1, 2, 3, 4, 5], CASCADE, published=published,
                     **cascade(["0.28", "-0.543424", "0.38314092003297612"]), invariants=[FIRST_ENERGY])


def four_pendula():
    return Reference("four_pendula.mo", [0, "0.5", 1, 2, 3, 4, 5], CASCADE,
                     **cascade(["0.1", "-0.2", "0.15", "-0.15"]), invariants=[FIRST_ENERGY])
