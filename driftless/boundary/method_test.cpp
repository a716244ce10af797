#include "driftless/boundary/method.hpp"

#include <gtest/gtest.h>

namespace driftless::boundary {
namespace {

TEST(CollocationMethod, NamesAreReadAsTheyAreWritten) {
  EXPECT_EQ(collocation_method_names().size(), 6u);
  for (const std::string& name : collocation_method_names()) {
    const auto method = parse_collocation_method(name);
    ASSERT_TRUE(method) << name;
    EXPECT_EQ(to_string(*method), name);
  }
  EXPECT_EQ(parse_collocation_method("radau3"), (CollocationMethod{CollocationMethod::Points::Radau, 3}));
  EXPECT_EQ(parse_collocation_method("gauss2"), (CollocationMethod{CollocationMethod::Points::Gauss, 2}));
  for (const char* other : {"", "radau", "radau1", "gauss5", "Gauss2", "bdf"})
    EXPECT_FALSE(parse_collocation_method(other)) << other;
}

}  // namespace
}  // namespace driftless::boundary
