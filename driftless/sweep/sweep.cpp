#include "driftless/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"

namespace driftless::sweep {
namespace {

constexpr std::size_t most_unnamed = 100;  // variables that are kept although nobody named them
constexpr std::size_t most_ahead = 4096;   // runs that may wait for the one whose turn it is

[[noreturn]] void refuse(const Model& model, std::string message, Code code = Code::UnknownName) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message));
  throw ModelError(diagnostics, *model.sources);
}

std::vector<std::string> names_of_results(const Model& model) {
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const InvariantOfModel& invariant : model.invariants) names.push_back(invariant.name);
  return names;
}

bool wraps(const std::string& text, const char* function) {
  return text.starts_with(function) && text.ends_with(')') && text[std::char_traits<char>::length(function)] == '(';
}

std::string within(const std::string& text) {
  const std::size_t open = text.find('(');
  return text.substr(open + 1, text.size() - open - 2);
}

// The message of a diagnostic or a failure as one line.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class Workers {
 public:
  Workers(const Compiled& compiled, const Plan& plan, const Options& options,
          const std::function<bool(const Row&)>& take)
      : compiled_(compiled), plan_(plan), options_(options), take_(take), kept_(kept(compiled.model(), options.keep)) {
    next_ = turn_ = options.first;
    const std::vector<Parameter>& parameters = compiled.model().parameters;
    for (const Variation& variation : plan.variations()) {
      is_parameter_.push_back(std::ranges::any_of(parameters, [&](const Parameter& parameter) {
        return parameter.role == Parameter::Role::Given && parameter.name == variation.name;
      }));
      if (!is_parameter_.back()) check_variable(variation.name);
    }
  }

  std::size_t run() {
    std::vector<std::thread> threads;
    const std::size_t left = plan_.runs() > options_.first ? plan_.runs() - options_.first : 0;
    const auto count = static_cast<unsigned>(std::min<std::size_t>(std::max(options_.threads, 1U), left));
    active_ = count;
    for (unsigned k = 0; k < count; ++k) threads.emplace_back([this] { work(); });
    {
      using Clock = std::chrono::steady_clock;
      constexpr auto interval = std::chrono::milliseconds(100);
      Clock::time_point next = Clock::now() + interval;
      std::unique_lock lock(mutex_);
      while (active_ > 0) {
        changed_.wait_until(lock, next);
        if (Clock::now() < next) continue;
        next = Clock::now() + interval;
        if (!options_.goes_on || stops_) continue;
        lock.unlock();
        const bool goes_on = options_.goes_on();
        lock.lock();
        if (!goes_on) stops_ = true, changed_.notify_all();
      }
    }
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return turn_ - options_.first;
  }

 private:
  void check_variable(const std::string& name) const {
    const std::vector<Variable>& variables = compiled_.model().variables;
    if (std::ranges::find(variables, name, &Variable::name) != variables.end()) return;
    const auto& discrete = compiled_.model().discrete.variables;
    if (std::ranges::find(discrete, name, &DiscreteVariable::name) != discrete.end()) return;
    std::vector<std::string_view> known;
    for (const Parameter& parameter : compiled_.model().parameters)
      if (parameter.role == Parameter::Role::Given) known.push_back(parameter.name);
    for (const Variable& variable : variables) known.push_back(variable.name);
    refuse(compiled_.model(), fmt::format("{} has neither a parameter nor a variable '{}' that could vary{}",
                                          compiled_.model().name, name, did_you_mean(name, known)));
  }

  void work() {
    try {
      for (;;) {
        const std::size_t run = next_.fetch_add(1);
        if (run >= plan_.runs()) break;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] { return stops_ || run < turn_ + most_ahead; });
        }
        if (stops_) break;
        Row row = result_of(run);
        if (stops_ && row.outcome == to_code(Outcome::Interrupted)) break;
        hand_over(std::move(row));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stops_ = true;
    }
    const std::lock_guard lock(mutex_);
    --active_;
    changed_.notify_all();
  }

  // A row whose turn has not come waits for those before it.
  void hand_over(Row row) {
    const std::lock_guard lock(mutex_);
    const std::size_t run = row.run;
    waiting_.emplace(run, std::move(row));
    while (!stops_ && !waiting_.empty() && waiting_.begin()->first == turn_) {
      const auto first = waiting_.extract(waiting_.begin());
      if (!take_(first.mapped())) stops_ = true;
      ++turn_;
    }
    changed_.notify_all();
  }

  Row result_of(std::size_t run) const {
    Row row;
    row.run = run;
    row.values = plan_.values(run);
    row.results.assign(kept_.size(), std::numeric_limits<double>::quiet_NaN());
    RunInputs inputs = options_.inputs;
    for (std::size_t k = 0; k < row.values.size(); ++k)
      (is_parameter_[k] ? inputs.parameters : inputs.starts).emplace_back(plan_.variations()[k].name, row.values[k]);
    inputs.dense = false;
    inputs.rows = {};
    inputs.progress = [this](double) { return !stops_; };
    try {
      const Solution solution = simulate(compiled_, inputs);
      row.outcome = to_code(solution.outcome);
      row.code = solution.code ? to_string(*solution.code) : "";
      row.reached = solution.reached;
      row.message = one_line(solution.message);
      if (row.succeeded()) keep(solution, row);
    } catch (const ModelError& error) {
      row.outcome = "refused";
      const auto& all = error.diagnostics().all();
      if (!all.empty()) {
        row.code = to_string(all.front().code);
        row.message = one_line(all.front().message);
      }
    }
    return row;
  }

  void keep(const Solution& solution, Row& row) const {
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (!solution.find(kept_[k].name))
        refuse(compiled_.model(), fmt::format("{} has no result '{}'", solution.model, kept_[k].name));
      if (kept_[k].what == Kept::What::Final) {
        row.results[k] = solution.final(kept_[k].name);
        continue;
      }
      const std::vector<double> column = solution.column(kept_[k].name);
      if (column.empty()) continue;
      row.results[k] =
          kept_[k].what == Kept::What::Smallest ? *std::ranges::min_element(column) : *std::ranges::max_element(column);
    }
  }

  const Compiled& compiled_;
  const Plan& plan_;
  const Options& options_;
  const std::function<bool(const Row&)>& take_;
  const std::vector<Kept> kept_;
  std::vector<bool> is_parameter_;
  std::atomic<std::size_t> next_ = 0;  // the first run that nobody has taken: whoever is free takes it
  std::atomic<bool> stops_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;  // the run whose row is handed over next
  std::map<std::size_t, Row> waiting_;
  unsigned active_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<Kept> kept(const Model& model, const std::vector<std::string>& texts) {
  const std::vector<std::string> names = names_of_results(model);
  std::vector<Kept> list;
  if (texts.empty()) {
    if (names.size() > most_unnamed)
      refuse(model, fmt::format("{} has {} variables: name those to be kept", model.name, names.size()),
             Code::WrongOptionValue);
    for (const std::string& name : names) list.push_back({.text = name, .name = name});
    return list;
  }
  for (const std::string& text : texts) {
    Kept one;
    one.text = one.name = text;
    if (wraps(text, "max"))
      one.what = Kept::What::Largest, one.name = within(text);
    else if (wraps(text, "min"))
      one.what = Kept::What::Smallest, one.name = within(text);
    std::string variable = one.name;
    while (wraps(variable, "der")) variable = within(variable);
    if (std::ranges::find(names, variable) == names.end()) {
      const std::vector<std::string_view> known(names.begin(), names.end());
      refuse(model, fmt::format("{} has no variable '{}' that could be kept{}", model.name, variable,
                                did_you_mean(variable, known)));
    }
    list.push_back(std::move(one));
  }
  return list;
}

std::size_t run(const Compiled& compiled, const Plan& plan, const Options& options,
                const std::function<bool(const Row& row)>& take) {
  return Workers(compiled, plan, options, take).run();
}

}  // namespace driftless::sweep
