"""References with closed forms, and two more that become explicit equations in a few lines."""
import gmpy2
from gmpy2 import mpfr

from reference import Reference, require
from series import cos, derivative, exp, expand, sin, sqrt

PI = gmpy2.const_pi(200)


def jay():
    def solution(time):
        return {"y1": exp(2*time), "z1": exp(2*time), "y2": exp(-time), "z2": exp(-time), "u": exp(time)}
    return Reference("jay.mo", [0, "0.1", "0.25", "0.5", "0.75", 1], "y1 = z1 = exp(2t), y2 = z2 = exp(-t), u = exp(t)",
                     closed_form=solution, invariants=[("hidden constraint y2*z1 - y1*z2", "y2*z1 - y1*z2")])


def derivative_chain():
    return Reference("derivative_chain.mo", [0, "0.5", 1, 2, 3, 4, 5], "x = sin t, y = cos t, z = -sin t",
                     closed_form=lambda time: {"x": sin(time), "y": cos(time), "z": -sin(time)})


def ms_example1():
    def solution(time):
        x2 = (13*exp(time) - 15*sin(time) - 5*cos(time) + sin(2*time) + 2*cos(2*time))/10
        x1 = -x2 - sin(time)
        return {"x1": x1, "x2": x2, "x3": sin(time) - cos(time), "x4": -x1 - sin(2*time)}
    return Reference("ms_example1.mo", [0, "0.25", "0.5", 1, "1.5", 2],
                     "x2 = 1.3 exp t - 1.5 sin t - 0.5 cos t + 0.1 sin 2t + 0.2 cos 2t, x3 = sin t - cos t",
                     closed_form=solution, notes="Errors grow like exp(t).")


def crane():
    M, Mw, m, g, end = mpfr(10), mpfr(1), mpfr(100), mpfr("9.81"), mpfr(10)

    def solution(time):
        tau = time/end
        sigma = 126*tau**5 - 420*tau**6 + 540*tau**7 - 315*tau**8 + 70*tau**9
        second = lambda a: derivative(derivative(a))
        x, z = 5*sigma, 4 - 2*sigma
        lift = g - second(z)
        s = x + z*second(x)/lift
        r = sqrt((x - s)**2 + z**2)
        T = m*r*lift/z
        return {"sigma": sigma, "x": x, "z": z, "s": s, "r": r, "T": T, "F": M*second(s) + m*second(x),
                "W": T - Mw*second(r)}

    return Reference("crane.mo", [0, 1, "2.5", 4, 5, "6.5", 8, 10],
                     "s = x + z x''/(g - z''), r^2 = (x - s)^2 + z^2, T = m r (g - z'')/z, F = M s'' + m x'',"
                     " W = T - Mw r''",
                     closed_form=solution, notes="Velocities of x, z, s, r are determined, too.")


def knife_edge():
    slope, omega = mpfr(10)*sin(mpfr("0.5")), mpfr(2)

    def solution(time):
        turned = omega*time
        speed, size = slope/omega*sin(turned), slope/(2*omega**2)
        return {"x": size*sin(turned)**2, "y": size*(turned - sin(2*turned)/2), "phi": turned,
                "vx": speed*cos(turned), "vy": speed*sin(turned), "w": omega + 0*time,
                "lambda": 2*slope*sin(turned)}
    return Reference("knife_edge.mo", [0, "0.5", 1, 2, "3.5", 5],
                     "phi = omega t, speed along the blade g sin(alpha)/omega sin(omega t)", closed_form=solution)


def steering_wheel():
    a, b, two = mpfr("1.4"), mpfr("0.7"), mpfr("1.05")

    def system(time, y):
        theta, w = y
        rate = a*cos(theta)**2 - b*sin(theta)**2 + cos(w)
        turn = -2*two*cos(2*theta)*rate/cos(w)  # d/dt of sin w = -1.05 sin 2 theta
        return [rate, turn], {"y1": cos(theta), "y2": sin(theta), "z": (w - theta)/mpfr("2.5")}

    rows = {"0.1": ("0.16522788470515", "0.98625541626693", "0.83442109680368"),
            "0.25": ("0.36284738792594", "0.93184857840495", "1.09267463450666"),
            "0.5": ("0.53057329719735", "0.84763906015540", "1.34638726393109"),
            "1": ("0.58892901832662", "0.80818476314073", "1.49617844984094")}
    return Reference("steering_wheel.mo", [0, "0.1", "0.25", "0.5", 1, 2],
                     "y = (cos theta, sin theta), w = 2.5 z + theta, sin w = -1.05 sin 2 theta,"
                     " theta' = 1.4 cos^2 theta - 0.7 sin^2 theta + cos w", system=system, start=[PI/2, PI],
                     published_units=40,
                     published={t: dict(zip(("y1", "y2", "z"), row)) for t, row in rows.items()},
                     notes="Equilibrium y = (sqrt 17, sqrt 32)/7 = (0.589015089373951, 0.808122035641769),"
                     " z = 1.49714274810756.")


FEKETE_REST = """
-0.407026338033 0.346375877282 0.845194245002   0.077529347525 -0.262866271995 0.961712287184
0.710057783334 0.121294805559 0.693617700517    0.234826774456 0.744927797694 0.624450928594
-0.434111473877 0.878543044227 0.199272044422   -0.951505960031 0.220350876280 0.214666949827
-0.638519164362 -0.431083325937 0.637542502773  -0.146417508793 -0.938087163522 0.313933729877
0.566697406506 -0.673922188507 0.474007313548   0.984325953844 -0.169699535783 -0.048005042905
0.146417508793 0.938087163522 -0.313933729877   -0.709275754997 0.526406263714 -0.468854293887
-0.866573181929 -0.481387805975 -0.131592935297 -0.234789777871 -0.859434040802 -0.454144128794
0.553097694007 -0.767437026563 -0.324227314002  0.771105096990 0.635704181657 0.035736855196
0.710395120938 0.240357043126 -0.661488672591   -0.030382087387 0.450192329362 -0.892414587145
-0.577299615811 -0.176676341498 -0.797189202097 0.241448176697 -0.341645681840 -0.908284650344""".split()


def fekete():
    n, pi = 20, mpfr("3.14159265358979323846")  # as in the text

    def system(time, y):
        p, v = [y[i*n:(i + 1)*n] for i in range(3)], [y[(3 + i)*n:(4 + i)*n] for i in range(3)]
        distance2 = {(i, i): 1 + 0*time for i in range(n)}
        push = [[[] for _ in range(n)] for _ in range(3)]
        for i in range(n):
            for j in range(i):
                gap = [q[i] - q[j] for q in p]
                distance2[i, j] = distance2[j, i] = sum(d*d for d in gap)
                for axis in range(3):
                    force = gap[axis]/distance2[i, j]
                    push[axis][i].append(force)
                    push[axis][j].append(-force)
        # On the constraints p_i . (p_i - p_j)/|p_i - p_j|^2 = 1/2, which gives the multipliers at once.
        lam = [-mpfr(n - 1)/4 - sum(v[axis][i]*v[axis][i] for axis in range(3))/2 for i in range(n)]
        rates = [sum(push[axis][i]) - v[axis][i]/2 + 2*lam[i]*p[axis][i] for axis in range(3) for i in range(n)]
        named = zip(("x", "y", "z", "u", "v", "w", "lam"), p + v + [lam])
        quantities = {"%s[%d]" % (name, i + 1): values[i] for name, values in named for i in range(n)}
        quantities.update(("r[%d,%d]" % (i + 1, j + 1), value) for (i, j), value in distance2.items())
        return sum(v, []) + rates, quantities

    angles = [(2*pi*i/3 + pi/13, 3*pi/8) if i <= 3 else (2*pi*(i - 3)/7 + pi/29, pi/8) if i <= 10 else
              (2*pi*(i - 10)/6 + pi/7, -2*pi/15) if i <= 16 else (2*pi*(i - 17)/4 + pi/17, -3*pi/10)
              for i in range(1, n + 1)]
    start = [cos(a)*cos(b) for a, b in angles] + [sin(a)*cos(b) for a, b in angles] + [sin(b) for a, b in angles]
    rows = {1: "-0.351163782609 0.343666367342 0.870963504254 -0.000189104146 -0.005230456447 0.001987598138",
            2: "0.087090942477 -0.313159000028 0.945699005202 -0.010662785336 0.014799797705 0.005882761686",
            4: "0.252068516847 0.788138644541 0.561514861598 0.000143123152 -0.010438413460 0.014587040797",
            11: "0.110045437364 0.948049729753 -0.298482347269 0.009889113976 -0.004851815288 -0.011764549334",
            20: "0.161182504088 -0.328617388191 -0.930607765148 -0.030069760085 0.006112147565 -0.007366451747"}
    published = {"%s[%d]" % (name, i): value for i, row in rows.items()
                 for name, value in zip("xyzuvw", row.split())}
    rest = {"%s[%d]" % ("xyz"[k % 3], k//3 + 1): value for k, value in enumerate(FEKETE_REST)}
    rest.update({"%s[%d]" % (name, i): "-4.75" if name == "lam" else "0" for name in ("u", "v", "w", "lam")
                 for i in range(1, n + 1)})
    motion, _ = expand(system, 1000, [FEKETE_REST[3*i + axis] for axis in range(3) for i in range(n)] + [0]*(3*n))
    require(all(abs(series[1]) < 2e-11 for series in motion), "not at rest")
    return Reference("fekete.mo", [0, 1, 2, 5, 10],
                     "explicit equations with the multipliers in closed form, in 128-bit arithmetic; t = 1000 from the "
                     "literature, 11 digits, checked to be at rest", system=system, start=start + [0]*(3*n),
                     published={"10": published}, literal={"1000": rest}, runge_kutta=0,
                     written=lambda name: not name.startswith("r["),
                     notes="lam[i] = -(N-1)/4 - |velocity|^2/2 always. The sum over pairs of log distance is "
                     "53.9781214858 at t = 5, 54.0078706843 at t = 10, 54.0111299745842 at rest.")
