// The models that set no constant, with the main methods at two tolerances: a run that says success is right. The whole
// grid is `driftless bench --scoreboard --tolerances 1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9,1e-10`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/scoreboard/scoreboard.hpp"

namespace driftless::scoreboard {
namespace {

class Unseen : public ::testing::TestWithParam<std::string> {};

TEST_P(Unseen, ASuccessIsRight) {
  BoardOptions options;
  options.models = {GetParam()};
  for (const char* name : {"bdf", "radau", "explicit", "taylor", "auto"})
    options.methods.push_back(*parse_method(name));
  options.tolerances = {1e-4, 1e-8};
  options.measure_condition = false;  // that of the reference
  options.repeat_seconds = 0.0;
  const Sheet sheet = run(options).sheets.at(0);
  for (const Entry& entry : sheet.entries) {
    EXPECT_TRUE(entry.applies()) << entry.method << ": " << entry.not_applicable;
    EXPECT_TRUE(entry.succeeded()) << entry.method << " at " << entry.tolerance << ": " << entry.failure;
    EXPECT_FALSE(sheet.is_false(entry)) << entry.method << " at " << entry.tolerance << ": error " << entry.error
                                        << ", condition " << sheet.condition;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Unseen, ::testing::ValuesIn(unseen_models()),
                         [](const auto& i) { return i.param.substr(i.param.find('/') + 1); });

}  // namespace
}  // namespace driftless::scoreboard
