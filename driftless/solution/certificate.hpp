// The certificate: how well every constraint, differentiated ones included, was kept at the points that a run
// delivered. Its verdict decides whether a run that reached its end is a success, and with that the exit status of the
// program.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace driftless {

class Archive;

struct CertificateEntry {
  std::string constraint;  // the label of the user's equation
  int line = 0;            // 0 if it has none
  int level = 0;           // 0 = as written, k = differentiated k times
  std::string text = {};   // the equation, readable
  double max_residual = 0.0;
  double at_time = 0.0;
  double max_relative = 0.0;  // the largest residual relative to the size of the terms of the equation
  bool imposed = true;        // is it among the equations that the formulation solves?
  void archive(Archive& archive);
  bool kept(double bound) const { return max_relative <= bound; }  // NaN is not
};

using Certificate = std::vector<CertificateEntry>;

// Are all constraints, hidden ones included, satisfied at all delivered points within the bound?
enum class Verdict { Kept, NotKept };
const char* to_string(Verdict verdict);  // "kept", "not kept"
Verdict verdict(const Certificate& certificate, double bound);

// Records a delivered point: the residual of each entry, and the same relative to the size of its terms. The entries
// keep the largest; NaN counts as larger than any number. drift[level] becomes the largest residual of the point on
// each level.
void record(Certificate& certificate, double t, std::span<const double> residuals, std::span<const double> relative,
            std::span<double> drift);

// Merges the same constraint of another part of the run: the larger residuals stay.
void include(CertificateEntry& entry, const CertificateEntry& other);

// One more than the highest level; 0 without entries.
std::size_t levels(const Certificate& certificate);

// 0 if there is no entry, NaN if any residual is.
double largest_residual(const Certificate& certificate);

// "... : rod (differentiated 2 times) is off by 3e-4 of its terms". Precondition: the verdict is NotKept.
std::string why_not_kept(const Certificate& certificate, double bound);

}  // namespace driftless
