#include "driftless/diagnostics/refusal.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Refusal, IsASentenceForPeopleAndAReasonForTables) {
  const RequestRefused error(Code::FormulationNotApplicable,
                             {.subject = "ggl:D=mass", .reason = "the mass matrix is singular"}, Sources());
  EXPECT_EQ(reason_of(error), "the mass matrix is singular");
  EXPECT_EQ(error.diagnostics().all().at(0).message, "ggl:D=mass does not apply: the mass matrix is singular");
  EXPECT_TRUE(error.diagnostics().has_errors());
}

// The reason is stored separately: neither its text nor the name of the subject matters.
TEST(Refusal, ReasonIsNotReadFromTheSentence) {
  const RequestRefused error(Code::FormulationNotApplicable,
                             {.subject = "a does not apply: b", .reason = "c does not apply: d"}, Sources());
  EXPECT_EQ(reason_of(error), "c does not apply: d");
}

TEST(Refusal, OfAnotherErrorTheFirstMessage) {
  Diagnostics diagnostics;
  diagnostics.warning(Code::OutsideBounds, {}, "unused");
  diagnostics.error(Code::ToleranceOutOfRange, {}, "the tolerance 2 is not between 0 and 1");
  diagnostics.error(Code::WrongStepSize, {}, "and more");
  EXPECT_EQ(reason_of(ModelError(diagnostics, Sources())), "the tolerance 2 is not between 0 and 1");
  EXPECT_EQ(code_of(ModelError(diagnostics, Sources())), Code::ToleranceOutOfRange);
}

}  // namespace
}  // namespace driftless
