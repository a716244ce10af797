#include "driftless/choices/options.hpp"

#include <gmock/gmock.h>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(Options, TakesEveryKindOfParameter) {
  Options options("post:F=force,times=2,weight=0.5,beta=1/-0.5/1e-3,frozen");
  EXPECT_EQ(options.name(), "post");
  EXPECT_THAT(options.word("F"), Optional(std::string("force")));
  EXPECT_THAT(options.integer("times"), Optional(2));
  EXPECT_THAT(options.number("weight"), Optional(0.5));
  EXPECT_FALSE(options.all_used());
  EXPECT_THAT(options.numbers("beta"), Optional(ElementsAre(1.0, -0.5, 1e-3)));
  EXPECT_TRUE(options.flag("frozen"));
  EXPECT_TRUE(options.all_used());
}

TEST(Options, WhatIsNotThereIsNothing) {
  Options options("dummy");
  EXPECT_EQ(options.name(), "dummy");
  EXPECT_FALSE(options.number("gamma"));
  EXPECT_FALSE(options.flag("frozen"));
  EXPECT_TRUE(options.all_used());
}

TEST(Options, RemainWrongIfAValueHasNoMeaning) {
  const std::map<std::string, int> meanings{{"one", 1}};
  for (const char* text : {"a:x=1.5", "a:x=", "a:x=nan", "a:x=two", "a:x", "a:", "a:x=1,x=1", "a:=1", "a:x=1,"}) {
    Options options(text);
    options.integer("x");
    EXPECT_FALSE(options.all_used()) << text;
    Options chosen(text);
    chosen.choice("x", meanings);
    EXPECT_FALSE(chosen.all_used()) << text;
  }
  Options list("a:x=1//2");
  EXPECT_FALSE(list.numbers("x"));
  EXPECT_FALSE(list.all_used());
}

TEST(SplitChoices, KeepsTheParametersOfAChoiceTogether) {
  EXPECT_THAT(split_choices("dummy,baumgarte:alpha=5,beta=5,ggl,multistep:alpha=1/-1,beta=1/0"),
              ElementsAre("dummy", "baumgarte:alpha=5,beta=5", "ggl", "multistep:alpha=1/-1,beta=1/0"));
  EXPECT_THAT(split_choices("post:F=force,frozen,none", {"frozen"}), ElementsAre("post:F=force,frozen", "none"));
  EXPECT_THAT(split_choices("none,frozen", {"frozen"}), ElementsAre("none", "frozen"));
  EXPECT_THAT(split_choices(""), ElementsAre());
}

}  // namespace
}  // namespace driftless
