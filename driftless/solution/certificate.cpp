#include "driftless/solution/certificate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/archive/archive.hpp"

namespace driftless {
namespace {

bool exceeds(double value, double largest) { return value > largest || std::isnan(value); }

}  // namespace

void CertificateEntry::archive(Archive& archive) {
  archive(constraint, line, level, text, max_residual, at_time, max_relative, imposed);
}

const char* to_string(Verdict verdict) { return verdict == Verdict::Kept ? "kept" : "not kept"; }

Verdict verdict(const Certificate& certificate, double bound) {
  const auto kept = [bound](const CertificateEntry& entry) { return entry.kept(bound); };
  return std::ranges::all_of(certificate, kept) ? Verdict::Kept : Verdict::NotKept;
}

void record(Certificate& certificate, double t, std::span<const double> residuals, std::span<const double> relative,
            std::span<double> drift) {
  std::ranges::fill(drift, 0.0);
  for (std::size_t k = 0; k < certificate.size(); ++k) {
    CertificateEntry& entry = certificate[k];
    const double size = std::abs(residuals[k]);
    if (exceeds(size, entry.max_residual)) entry.max_residual = size, entry.at_time = t;
    if (exceeds(relative[k], entry.max_relative)) entry.max_relative = relative[k];
    double& of_level = drift[static_cast<std::size_t>(entry.level)];
    if (exceeds(size, of_level)) of_level = size;
  }
}

void include(CertificateEntry& entry, const CertificateEntry& other) {
  if (exceeds(other.max_residual, entry.max_residual))
    entry.max_residual = other.max_residual, entry.at_time = other.at_time;
  if (exceeds(other.max_relative, entry.max_relative)) entry.max_relative = other.max_relative;
}

std::size_t levels(const Certificate& certificate) {
  std::size_t number = 0;
  for (const CertificateEntry& entry : certificate)
    number = std::max(number, static_cast<std::size_t>(entry.level) + 1);
  return number;
}

double largest_residual(const Certificate& certificate) {
  double largest = 0.0;
  for (const CertificateEntry& entry : certificate) {
    if (std::isnan(entry.max_residual)) return entry.max_residual;
    largest = std::max(largest, entry.max_residual);
  }
  return largest;
}

std::string why_not_kept(const Certificate& certificate, double bound) {
  const auto worst = std::ranges::max_element(certificate, {}, &CertificateEntry::max_relative);
  return fmt::format(
      "the end was reached, but the constraints are not kept within {:g}: {}{} is off by {:.2g} of its terms", bound,
      worst->constraint, worst->level == 0 ? "" : fmt::format(" (differentiated {} times)", worst->level),
      worst->max_relative);
}

}  // namespace driftless
