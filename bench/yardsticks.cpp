// Hand-written code, as fast as the compiler makes it: the units of the times in bench/run.
//
//   squeezer   M(q) a - f(q, v) + G(q)ᵀλ and g(q) of Andrews' mechanism, with q' - v and v' - a: 27 values
//   pendulum   GGL form, 6 values
//   chain      N pendulums in GGL form, node by node: 6 N values, and the 36 N - 18 entries of its Jacobian
//
//   q' = v - Gᵀμ,   M v' = f - Gᵀλ,   0 = G v,   0 = g(q)                               (Gear, Gupta, Leimkuhler 1985)
//
// Prints one JSON object: nanoseconds per call, the shortest of many batches. The squeezer is compared with the shipped
// model first: an oracle is code, too.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "driftless/clock/processor_time.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reproduce/shipped_model.hpp"

namespace {

double nanoseconds() { return 1e9 * driftless::processor_seconds(); }

void keep(const void* pointer) { asm volatile("" : : "g"(pointer) : "memory"); }

// In nanoseconds: the shortest of many batches of about a millisecond each.
template <class F>
double time_of(F call) {
  constexpr double batch = 1e6, budget = 3e8;
  long calls = 1;
  double shortest = 1e300;
  const double begin = nanoseconds();
  while (nanoseconds() - begin < budget) {
    const double start = nanoseconds();
    for (long k = 0; k < calls; ++k) call();
    const double taken = nanoseconds() - start;
    if (taken < batch / 2)
      calls *= 2;
    else
      shortest = std::min(shortest, taken / static_cast<double>(calls));
  }
  return shortest;
}

struct Squeezer {
  static constexpr int bodies = 7, loops = 6;
  // beta, Theta, gamma, Phi, delta, Omega, epsilon; the same for velocities and accelerations; forces
  std::array<double, bodies> q{}, v{}, a{};
  std::array<double, loops> lambda{};
  std::array<double, bodies> dq{}, dv{};  // the derivatives that an integrator proposes
};

void residual(const Squeezer& s, double* out) {
  constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
  constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                   I7 = 1.912e-5;
  constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, zf = 0.02, fa = 0.01421, rr = 0.007, ra = 0.00092;
  constexpr double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916;
  constexpr double zt = 0.04, u = 0.04, ua = 0.01228, ub = 0.00449, c0 = 4530, l0 = 0.07785, mom = 0.033;
  constexpr double w = e - ea, z = zf - fa;
  const auto [beta, theta, gamma, phi, delta, omega, epsilon] = s.q;
  const auto [v1, v2, v3, v4, v5, v6, v7] = s.v;
  const auto [a1, a2, a3, a4, a5, a6, a7] = s.a;
  const auto [l1, l2, l3, l4, l5, l6] = s.lambda;

  const double sbe = std::sin(beta), cbe = std::cos(beta), sth = std::sin(theta), cth = std::cos(theta);
  const double sga = std::sin(gamma), cga = std::cos(gamma), sph = std::sin(phi), cph = std::cos(phi);
  const double sde = std::sin(delta), cde = std::cos(delta), som = std::sin(omega), com = std::cos(omega);
  const double sep = std::sin(epsilon), cep = std::cos(epsilon);
  const double sbt = sbe * cth + cbe * sth, cbt = cbe * cth - sbe * sth;  // of beta + Theta, and so on
  const double spd = sph * cde + cph * sde, cpd = cph * cde - sph * sde;
  const double soe = som * cep + com * sep, coe = com * cep - som * sep;

  const double x = sd * cga + sc * sga + xb, y = sd * sga - sc * cga + yb;
  const double length = std::sqrt((x - xc) * (x - xc) + (y - yc) * (y - yc));
  const double force = -c0 * (length - l0) / length;

  const double m12 = m2 * (da * da - da * rr * cth) + I2;
  const double m45 = m4 * (w * w + zt * w * sph) + I4;
  const double m67 = m6 * (z * z - u * z * som) + I6;
  const double lx = l1 + l3 + l5, ly = l2 + l4 + l6;

  for (int i = 0; i < Squeezer::bodies; ++i) {
    out[i] = s.dq[i] - s.v[i];
    out[7 + i] = s.dv[i] - s.a[i];
  }
  out[14] = (m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cth + da * da) + I1 + I2) * a1 + m12 * a2 -
            (mom - m2 * da * rr * v2 * (v2 + 2 * v1) * sth - lx * (d * sbt - rr * sbe) - ly * (rr * cbe - d * cbt));
  out[15] = m12 * a1 + (m2 * da * da + I2) * a2 - (m2 * da * rr * v1 * v1 * sth - lx * d * sbt + ly * d * cbt);
  out[16] =
      (m3 * (sa * sa + sb * sb) + I3) * a3 -
      (force * ((x - xc) * (sc * cga - sd * sga) + (y - yc) * (sd * cga + sc * sga)) + ss * (l1 * cga + l2 * sga));
  out[17] = (m4 * w * w + I4) * a4 + m45 * a5 - (m4 * zt * w * v5 * v5 * cph + e * (l3 * cpd + l4 * spd));
  out[18] = m45 * a4 + (m4 * (zt * zt + 2 * zt * w * sph + w * w) + m5 * (ta * ta + tb * tb) + I4 + I5) * a5 -
            (-m4 * zt * w * v4 * (v4 + 2 * v5) * cph + l3 * (e * cpd - zt * sde) + l4 * (e * spd + zt * cde));
  out[19] = (m6 * z * z + I6) * a6 + m67 * a7 - (-m6 * u * z * v7 * v7 * com - zf * (l5 * soe - l6 * coe));
  out[20] = m67 * a6 + (m6 * (z * z - 2 * u * z * som + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7) * a7 -
            (m6 * u * z * v6 * (v6 + 2 * v7) * com - l5 * (zf * soe - u * cep) + l6 * (zf * coe + u * sep));
  const double px = rr * cbe - d * cbt, py = rr * sbe - d * sbt;
  out[21] = px - ss * sga - xb;
  out[22] = py + ss * cga - yb;
  out[23] = px - e * spd - zt * cde - xa;
  out[24] = py + e * cpd - zt * sde - ya;
  out[25] = px - zf * coe - u * sep - xa;
  out[26] = py - zf * soe + u * cep - ya;
}

Squeezer some_point() {
  Squeezer s;
  for (int i = 0; i < Squeezer::bodies; ++i) {
    s.q[i] = 0.4 + 0.3 * i;
    s.v[i] = 10.0 - 3.0 * i;
    s.a[i] = 100.0 * std::cos(i);
    s.dq[i] = s.v[i] + 0.5;
    s.dv[i] = s.a[i] - 0.5;
  }
  for (int i = 0; i < Squeezer::loops; ++i) s.lambda[i] = 20.0 - 7.0 * i;
  return s;
}

// Does it agree with the equations of models/squeezer.mo?
bool agrees_with_model(const Squeezer& s) {
  using namespace driftless;
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  const auto model =
      read_model_text("squeezer.mo", std::string(*reproduce::shipped_model("squeezer")), {}, sources, diagnostics);
  if (!model) return false;

  constexpr int orders = 3;  // x, x', x''
  const int parameters = static_cast<int>(model->parameters.size());
  const int variables = static_cast<int>(model->variables.size());
  std::vector<double> inputs(static_cast<std::size_t>(1 + parameters + orders * variables), 0.0);
  const auto place = [&](VarId id, int order) { return 1 + parameters + orders * index(id) + order; };
  for (int k = 0; k < parameters; ++k) inputs[1 + k] = model->parameters[k].value;
  const char* const angles[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  const auto set = [&](const std::string& name, int order, double value) {
    const auto found = std::ranges::find(model->variables, name, &Variable::name);
    inputs[place(VarId{static_cast<int>(found - model->variables.begin())}, order)] = value;
  };
  for (int i = 0; i < Squeezer::bodies; ++i)
    set(angles[i], 0, s.q[i]), set(angles[i], 1, s.v[i]), set(angles[i], 2, s.a[i]);
  for (int i = 0; i < Squeezer::loops; ++i) set("lambda" + std::to_string(i + 1), 0, s.lambda[i]);

  KernelSource source{"equations", {}};
  for (const Equation& equation : model->equations) source.outputs.push_back(equation.residual);
  const InputLayout layout{.parameters = parameters, .inputs = static_cast<int>(inputs.size()), .variable = place};
  const CompiledKernels compiled = compile(model->pool, std::vector{source}, layout, Backend::Interpreter);
  const Kernel& kernel = *compiled.kernels.front();
  std::vector<double> values(kernel.outputs()), work(kernel.work_size());
  // The first four equations define X, Y, L, F, each by earlier ones: left - right, so right = -residual.
  for (const char* const name : {"X", "Y", "L", "F"}) {
    const std::size_t equation = std::string("XYLF").find(name[0]);
    kernel(inputs.data(), values.data(), work.data());
    set(name, 0, -values[equation]);
  }
  kernel(inputs.data(), values.data(), work.data());
  std::array<double, 27> ours{};
  residual(s, ours.data());
  for (int k = 0; k < 13; ++k)
    if (!(std::abs(values[4 + k] - ours[14 + k]) <= 1e-13 * (1.0 + std::abs(ours[14 + k])))) return false;
  return true;
}

// [x y u v λ μ] and the derivatives of x, y, u, v
void pendulum(const double* y, const double* yp, double* out) {
  out[0] = yp[0] - y[2] + y[0] * y[5];
  out[1] = yp[1] - y[3] + y[1] * y[5];
  out[2] = yp[2] + y[0] * y[4];
  out[3] = yp[3] + y[1] * y[4] + 9.81;
  out[4] = y[0] * y[2] + y[1] * y[3];
  out[5] = y[0] * y[0] + y[1] * y[1] - 1.0;
}

// Node by node [x y u v λ μ]; rod i leads from node i - 1 to node i.
void chain(int n, const double* y, const double* yp, double* out) {
  double rx = y[0], ry = y[1], ru = y[2], rv = y[3];
  for (int i = 0; i < n; ++i) {
    const double *node = y + 6 * i, *rate = yp + 6 * i;
    double* o = out + 6 * i;
    o[4] = rx * ru + ry * rv;
    o[5] = 0.5 * (rx * rx + ry * ry - 1.0);
    double fx = node[4] * rx, fy = node[4] * ry, px = node[5] * rx, py = node[5] * ry;
    if (i + 1 < n) {
      const double* next = node + 6;
      rx = next[0] - node[0], ry = next[1] - node[1], ru = next[2] - node[2], rv = next[3] - node[3];
      fx -= next[4] * rx, fy -= next[4] * ry, px -= next[5] * rx, py -= next[5] * ry;
    }
    o[0] = rate[0] - node[2] + px;
    o[1] = rate[1] - node[3] + py;
    o[2] = rate[2] + fx;
    o[3] = rate[3] + fy + 9.81;
  }
}

// The entries of one node's six rows of ∂/∂y + alpha ∂/∂y', in the order in which they are computed.
template <bool first, bool last>
double* node_entries(const double* __restrict node, double alpha, double* __restrict out) {
  const double rx = first ? node[0] : node[0] - node[-6], ry = first ? node[1] : node[1] - node[-5];
  const double ru = first ? node[2] : node[2] - node[-4], rv = first ? node[3] : node[3] - node[-3];
  const double lambda = node[4], mu = node[5];
  const double next_lambda = last ? 0.0 : node[10], next_mu = last ? 0.0 : node[11];
  const double sx = last ? 0.0 : node[6] - node[0], sy = last ? 0.0 : node[7] - node[1];
  const auto level = [&](double diagonal, double force, double next_force, double r, double next_r, double rate) {
    if constexpr (!first) *out++ = -force;
    *out++ = diagonal + force + next_force;
    if constexpr (!last) *out++ = -next_force;
    *out++ = rate;
    *out++ = r;
    if constexpr (!last) *out++ = -next_r;
  };
  level(alpha, mu, next_mu, rx, sx, -1.0);
  level(alpha, mu, next_mu, ry, sy, -1.0);
  level(0.0, lambda, next_lambda, rx, sx, alpha);
  level(0.0, lambda, next_lambda, ry, sy, alpha);
  for (const double value : {ru, rv, rx, ry, rx, ry}) {
    if constexpr (!first) *out++ = -value;
    *out++ = value;
  }
  return out;
}

// Returns the number of entries.
long chain_jacobian(int n, const double* y, double alpha, double* const begin) {
  double* out = node_entries<true, false>(y, alpha, begin);
  for (int i = 1; i + 1 < n; ++i) out = node_entries<false, false>(y + 6 * i, alpha, out);
  return node_entries<false, true>(y + 6 * (n - 1), alpha, out) - begin;
}

}  // namespace

int main() {
  Squeezer squeezer = some_point();
  if (!agrees_with_model(squeezer)) {
    std::fputs("the squeezer by hand differs from models/squeezer.mo\n", stderr);
    return 1;
  }
  std::array<double, 27> values{};
  std::printf("{\n  \"squeezer_residual\": %.2f,\n", time_of([&] {
                keep(&squeezer);
                residual(squeezer, values.data());
                keep(values.data());
              }));
  std::array<double, 6> y{0.6, -0.8, 0.8, 0.6, 3.0, 0.0}, yp{0.8, 0.6, -1.8, -7.4, 0.0, 0.0}, out{};
  std::printf("  \"pendulum_residual\": %.3f,\n", time_of([&] {
                keep(y.data());
                pendulum(y.data(), yp.data(), out.data());
                keep(out.data());
              }));
  std::string residuals, jacobians;
  for (const int n : {10, 100, 1000, 10000}) {
    std::vector<double> point(6 * n), rates(6 * n), rows(6 * n), entries(36 * n);
    for (int k = 0; k < 6 * n; ++k) point[k] = std::sin(0.1 + k), rates[k] = std::cos(0.1 + k);
    const std::string comma = n == 10 ? "" : ", ", name = comma + "\"" + std::to_string(n) + "\": ";
    residuals += name + std::to_string(time_of([&] {
                   keep(point.data());
                   chain(n, point.data(), rates.data(), rows.data());
                   keep(rows.data());
                 }));
    long count = 0;
    jacobians += name + std::to_string(time_of([&] {
                   keep(point.data());
                   count = chain_jacobian(n, point.data(), 100.0, entries.data());
                   keep(entries.data());
                 }));
    if (count != 36L * n - 18) return 1;
  }
  std::printf("  \"chain_residual\": {%s},\n  \"chain_jacobian\": {%s}\n}\n", residuals.c_str(), jacobians.c_str());
}
