#include "driftless/reduce/explain.hpp"
#include "driftless/reduce/sample_models.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// Mattsson & Söderlind, Example 5: the pattern promises a solution for der(x), der(y), the values do not.
Model hidden_singularity() {
  ModelBuilder m("Example5");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + m.time() * der(y) == sin(m.time()));
  m.equation(x + m.time() * y == cos(m.time()));
  return m.build();
}

TEST(HiddenSingularity, IsFoundInExampleFive) {
  const Model model = hidden_singularity();
  const structure::Structure shape = samples::structure_of(model);
  const auto hidden = find_hidden_singularity(model, shape);
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->rank, 1);
  EXPECT_THAT(shape.blocks[hidden->block].rows, SizeIs(2));
  Diagnostics diagnostics;
  explain_hidden_singularity(model, shape, *hidden, diagnostics);
  ASSERT_THAT(diagnostics.all(), SizeIs(1));
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("equation 1 and equation 2"));
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("der(x) and der(y)"));
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("rank 1 of 2"));
}

// The capacitors of the amplifier join pairs of node potentials: der(y1) - der(y2) in two equations.
TEST(HiddenSingularity, IsFoundInTheTransistorAmplifierOnly) {
  for (const std::string& name : samples::all_names()) {
    const Model model = samples::read(samples::path_of(name));
    const auto hidden = find_hidden_singularity(model, samples::structure_of(model));
    EXPECT_EQ(hidden.has_value(), name == "transistor_amplifier") << name;
  }
}

// Large blocks are factorized, not decomposed: the same verdicts.
TEST(HiddenSingularity, OfLargeBlocks) {
  for (const bool singular : {false, true}) {
    const int n = 150;
    ModelBuilder m("Ring");
    const std::vector<Expr> x = m.variables("x", n);
    // The differences around a ring add up to zero; a ring with one other coefficient does not.
    for (int i = 0; i < n; ++i)
      m.equation(der(x[i]) - (i == 0 && !singular ? 0.5 : 1.0) * der(x[(i + 1) % n]) == -x[i] * x[i]);
    const Model model = m.build();
    const auto hidden = find_hidden_singularity(model, samples::structure_of(model));
    EXPECT_EQ(hidden.has_value(), singular);
    EXPECT_LE(hidden ? hidden->rank : 0, n - 1);
  }
}

std::vector<Diagnostic> explanation(const Model& model) {
  Diagnostics diagnostics;
  const auto result = structure::analyze(signature_of(model));
  explain_singular(model, std::get<structure::Singular>(result), diagnostics);
  return diagnostics.all();
}

TEST(ExplainSingular, NamesTheOverdeterminedPartAndTheFreeVariable) {
  ModelBuilder m("Mistakes");
  const Expr a = m.variable("a"), b = m.variable("b"), c = m.variable("c"), d = m.variable("d");
  m.equation(a + b == 1.0, "sum");
  m.equation(a - b == 2.0, "difference");
  m.equation(a * b == 3.0, "product");
  m.equation(c == d + a, "free");
  const auto all = explanation(m.build());
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].message, HasSubstr("3 equations determine only 2 unknowns: a and b"));
  std::string notes;
  for (const Note& note : all[0].notes) notes += note.message + "\n";
  for (const char* label : {"sum", "difference", "product"}) EXPECT_THAT(notes, HasSubstr(label));
  EXPECT_THAT(all[1].message, HasSubstr("1 equation must determine 2 unknowns: c and d"));
}

TEST(ExplainSingular, NamesEquationsWithoutUnknownsAndUnknownsWithoutEquations) {
  ModelBuilder m("Loose");
  const Expr p = m.parameter("p", 2.0), x = m.variable("x");
  m.variable("y");
  m.equation(x == 1.0);
  m.equation(p == m.time());
  const auto all = explanation(m.build());
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].message, HasSubstr("contains no unknown"));
  EXPECT_THAT(all[1].message, HasSubstr("y occurs in no equation"));
}

}  // namespace
}  // namespace driftless
