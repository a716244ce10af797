#include "driftless/language/elaboration.hpp"

#include <fmt/format.h>

namespace driftless::language {

Elaboration::Elaboration(Model& model_, const Sources& sources_, Diagnostics& diagnostics, Limits limits_)
    : model(model_),
      pool(*model_.pool),
      sources(sources_),
      limits(limits_),
      derivative(pool),
      diagnostics_(diagnostics) {}

namespace {

std::string place_note(const Instance& instance) {
  constexpr std::size_t longest = 80;  // nesting depth of a class that contains itself
  if (instance.path.size() > longest)
    return fmt::format("in {}... (class {})", instance.path.substr(0, longest), instance.of->path);
  return fmt::format("in {} (class {})", instance.path, instance.of->path);
}

}  // namespace

const Class& Elaboration::class_of(const ast::Element& element, const ast::ClassDefinition& definition,
                                   const Class& around) {
  std::unique_ptr<Class>& made = redeclaring_classes_[&definition];
  if (!made) made = build_class(element, definition, around, diagnostics_);
  return *made;
}

Diagnostic& Elaboration::error(Code code, SourceRange where, std::string message) {
  if (muted) return unseen_ = {};
  if (where.known() && !reported_.emplace(where.file, where.begin, where.end).second) return unseen_ = {};
  constexpr int most_errors = 100;
  if (++errors_ > most_errors) {
    if (errors_ == most_errors + 1) {
      exhausted_ = true;
      return diagnostics_.error(Code::TooManyMistakes, {},
                                fmt::format("more than {} mistakes: the rest is not looked at", most_errors));
    }
    return unseen_ = {};
  }
  Diagnostic& diagnostic = diagnostics_.error(code, where, std::move(message));
  if (current && !current->path.empty()) diagnostic.note(place_note(*current));
  return diagnostic;
}

Diagnostic& Elaboration::warning(Code code, SourceRange where, std::string message) {
  if (muted) return unseen_ = {};
  if (where.known() && !warned_.emplace(where.file, where.begin, where.end).second) return unseen_ = {};
  Diagnostic& diagnostic = diagnostics_.warning(code, where, std::move(message));
  if (current && !current->path.empty()) diagnostic.note(place_note(*current));
  return diagnostic;
}

Diagnostic& Elaboration::not_supported(SourceRange where, std::string_view what) {
  return error(Code::NotSupported, where, fmt::format("not supported yet: {}", what));
}

bool Elaboration::spend(SourceRange where, std::int64_t steps) {
  if ((steps_ += steps) <= limits.steps) return true;
  if (!exhausted_) {
    exhausted_ = true;
    error(Code::EndlessExpansion, where, fmt::format("the model takes more than {} steps to expand", limits.steps))
        .note(
            "the loop or the function at this place does not come to its end, or has more turns than a model can hold");
  }
  return false;
}

bool Elaboration::may_compare_names(std::size_t candidates) {
  constexpr std::int64_t most = 1'000'000;
  compared_names_ += static_cast<std::int64_t>(candidates);
  return compared_names_ <= most;
}

bool Elaboration::may_nest(SourceRange where) {
  if (nesting < limits.nesting) return true;
  error(Code::NestedTooDeeply, where, "functions and expressions are nested too deeply here");
  return false;
}

bool Elaboration::fits(const Shape& shape, SourceRange where) {
  std::int64_t total = 1;
  for (const std::int64_t size : shape) {
    if (size > 0 && total > limits.elements / size) {
      error(Code::ModelTooLarge, where,
            limits.elements == Limits{}.elements ? std::string("an array with more than 10 million elements")
                                                 : fmt::format("an array with more than {} elements", limits.elements));
      return false;
    }
    total *= size;
  }
  return true;
}

std::string Elaboration::source_text(SourceRange range) const {
  if (!range.known()) return {};
  std::string text;
  bool space = false;
  for (const char c : std::string_view(sources.text(range.file)).substr(range.begin, range.end - range.begin)) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      space = !text.empty();
      continue;
    }
    if (space) text += ' ';
    space = false;
    text += c;
  }
  return text;
}

std::string Elaboration::here(std::string text) const {
  return current && !current->path.empty() ? current->path + ": " + text : text;
}

const EquationSite& Elaboration::site(SourceRange range) {
  const Instance* instance = current && !current->path.empty() ? current : nullptr;
  const auto [place, fresh] = sites_.try_emplace({instance, range.file, range.begin, range.end});
  EquationSite& found = place->second;
  if (!fresh) return found;
  const int line = sources.line_of(range), number = ++sites_on_line_[{instance, range.file, line}];
  if (instance) found.label = instance->path + ": ";
  found.label += number == 1 ? fmt::format("line {}", line) : fmt::format("line {} ({})", line, number);
  if (root && range.file != root->of->syntax->range.file) found.label += " of " + sources.name(range.file);
  found.text = source_text(range);
  found.range = range;
  return found;
}

std::string Elaboration::label(const EquationSite& from, const std::string& which) {
  std::string label = which.empty() ? from.label : from.label + " " + which;
  // A loop over {1, 1} has equal iterations.
  for (int copy = 2; !labels_.insert(label).second; ++copy)
    label = fmt::format("{} {}({})", from.label, which.empty() ? which : which + " ", copy);
  return label;
}

void Elaboration::add_equation(std::vector<Equation>& list, const EquationSite& from, const std::string& which,
                               NodeId residual) {
  if (exhausted_ || !fits({static_cast<std::int64_t>(list.size()) + 1}, from.range)) {
    exhausted_ = true;
    return;
  }
  list.push_back({residual, label(from, which), from.text, from.range});
}

Local* find_local(Locals& locals, std::string_view name) {
  for (auto local = locals.rbegin(); local != locals.rend(); ++local)
    if (local->name == name) return &*local;
  return nullptr;
}

Diagnostic& Environment::error(Code code, SourceRange where, std::string message) const {
  std::string turn;
  for (const Local& local : locals) {
    if (local.kind != Local::Kind::Iterator || !local.value.valid()) continue;
    if (const auto number = known_number(all.pool, local.value.scalar()))
      turn += fmt::format("{}{} = {}", turn.empty() ? "" : ", ", local.name, *number);
  }
  Diagnostic& diagnostic = all.error(code, where, std::move(message));
  if (!turn.empty()) diagnostic.note("for " + turn);
  return diagnostic;
}

}  // namespace driftless::language
