#include "driftless/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

std::shared_ptr<const Model> shipped(const std::string& name, const ReadOptions& options = {}) {
  return std::make_shared<const Model>(
      read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + name + ".mo", options));
}

std::string report_of(const std::shared_ptr<const Model>& model, SimulateOptions options = {}) {
  options.dense = false;
  return html_report(model, simulate(*model, options));
}

std::string report_of_text(const std::string& text, const SimulateOptions& options = {}) {
  return report_of(std::make_shared<const Model>(read_model_text("m.mo", text)), options);
}

// What the script gets.
Json data_of(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = html.find(open) + open.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Report, OfAPendulumHasAllItsParts) {
  const std::string html = report_of(shipped("pendulum"), {.method = method::Bdf{}});
  for (const char* section : {"animation", "plots", "certificate", "states", "constraints", "structure", "model"})
    EXPECT_THAT(html, HasSubstr("<section id=\"" + std::string(section) + "\">"));
  EXPECT_THAT(html, HasSubstr("<b>3</b><span>index</span>"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#L24\">line 24</a>"));
  EXPECT_THAT(html, HasSubstr("id=\"L24\""));
  EXPECT_THAT(html, HasSubstr("<mn>2</mn><mspace width=\"0.14em\"/><mi>x</mi>"));
  const Json data = data_of(html);
  EXPECT_EQ(data["certificate"]["entries"].size(), 3u);
  EXPECT_EQ(data["structure"]["n"], 3);
  EXPECT_EQ(data["animation"]["dimension"], 2);
  EXPECT_EQ(data["series"]["drift"].size(), 3u);
  EXPECT_EQ(data["states"]["lines"].size(), 4u) << "x, y and their rates compete";
  EXPECT_THAT(html, HasSubstr("<li>1 of: x, y</li>"));
}

TEST(Report, NeedsNothingFromOutside) {
  const std::string html = report_of(shipped("pendulum"));
  EXPECT_THAT(html, Not(HasSubstr("http://")));
  EXPECT_THAT(html, Not(HasSubstr("https://")));
  EXPECT_THAT(html, Not(HasSubstr(" src=")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(Report, IsInertWhateverTheModelSays) {
  const std::string html = report_of_text(
      "model '</title><script>alert(1)</script>' \"</script><script>alert(2)</script>\"\n"
      "  Real '</script><img src=x onerror=alert(3)>'(start = 1, fixed = true, unit = \"<b>\") \"-->\\\"'<svg "
      "onload=alert(4)>\";\n"
      "  Real '<!--'(start = 0, fixed = true);\n"
      "equation\n  der('</script><img src=x onerror=alert(3)>') = '<!--';\n"
      "  der('<!--') = -'</script><img src=x onerror=alert(3)>'; // </pre><script>alert(5)</script>\n"
      "end '</title><script>alert(1)</script>';");
  EXPECT_EQ(count(html, "<script"), 2u) << "the data and our own";
  EXPECT_EQ(count(html, "</script"), 2u);
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
  EXPECT_THAT(html, Not(HasSubstr("<b>\"")));
  const Json data = data_of(html);
  EXPECT_EQ(data["series"]["columns"][0]["name"], "'</script><img src=x onerror=alert(3)>'");
}

TEST(Report, OfAFailedRunSaysWhyAndShowsWhatWasComputed) {
  const std::string html = report_of_text(
      "model M Real x(start = 1, fixed = true);\nequation\n  der(x) = -1 - sqrt(x);\nend M;", {.stop = 3.0});
  EXPECT_THAT(html, HasSubstr("<section class=\"failure bad\">"));
  EXPECT_THAT(html, HasSubstr("What was computed up to t"));
  EXPECT_THAT(html, HasSubstr("<section id=\"plots\">"));
  EXPECT_GT(data_of(html)["series"]["columns"].size(), 0u);
}

TEST(Report, WithoutAnyPointIsStillAPage) {
  const auto model =
      std::make_shared<const Model>(read_model_text("m.mo", "model M Real x;\nequation\n  x^2 = -1;\nend M;"));
  const Solution solution = simulate(*model, {});
  ASSERT_FALSE(reached_end(solution.outcome));
  const std::string html = html_report(model, solution);
  EXPECT_THAT(html, HasSubstr("No point was computed."));
  EXPECT_THAT(html, HasSubstr("<section id=\"model\">"));
  EXPECT_FALSE(data_of(html).contains("series"));
}

TEST(Report, ShowsWhatTheModelDeclares) {
  std::vector<AnimatedShape> animation;
  const auto model = shipped("slider_crank", {.animation = &animation});
  const Solution solution = simulate(*model, {.stop = 0.1, .dense = false});
  const Json shown = data_of(html_report(model, solution, {.animation = animation}))["animation"];
  EXPECT_TRUE(shown["declared"]);
  ASSERT_EQ(shown["shapes"].size(), 5u);
  EXPECT_EQ(shown["shapes"][0]["name"], "pivot");
  EXPECT_EQ(shown["shapes"][2]["kind"], "circle");
}

// Its value between two times is a polynomial whose coefficients have internal names.
TEST(Report, WhatIsGivenFromOutsideIsNoConstraint) {
  const std::string html = report_of_text(
      "model M input Real u(start = 1); Real x(start = 0, fixed = true), y; equation der(x) = u; y = 2*u; end M;",
      {.stop = 1.0});
  EXPECT_THAT(html, HasSubstr("<section id=\"constraints\">"));
  EXPECT_THAT(html, HasSubstr("1 equation without the highest derivatives"));
  EXPECT_THAT(html, Not(HasSubstr("coefficient")));
}

TEST(Report, OfEventsMarksThem) {
  const Json data = data_of(report_of(shipped("hybrid/bouncing_ball")));
  EXPECT_GT(data["happened"]["events"].size(), 10u);
  EXPECT_EQ(data["happened"]["events"][0][1], "h < 0");
}

TEST(Report, OfTenThousandEquationsStaysSmall) {
  const std::string html =
      report_of(shipped("chain", {.overrides = {{"N", "2000"}}}), {.stop = 0.02, .tolerance = 1e-3});
  EXPECT_LT(html.size(), 5'000'000u);
  const Json data = data_of(html);
  EXPECT_EQ(data["structure"]["n"], 10'000);
  EXPECT_LT(data["structure"]["cells"].size(), 5'000u);
  EXPECT_EQ(data["animation"]["shapes"].size(), 2'000u + 2'001u);
}

TEST(Report, DoesNotChangeTheRun) {
  for (const char* name : {"pendulum", "squeezer", "hybrid/pendulum_and_wall"}) {
    const auto model = shipped(name);
    const Solution alone = simulate(*shipped(name), {});
    Report report(model);
    SimulateOptions options;
    options.rows.begin = [&](const Solution& head) { report.begin(head); };
    options.rows.row = [&](double t, std::span<const double> series) { return report.row(t, series), true; };
    EXPECT_EQ(simulate(*model, options).values, alone.values) << name;
  }
}

}  // namespace
}  // namespace driftless
