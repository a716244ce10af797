// The C functions of Modelica.Math.Random: the generators xorshift64*, xorshift128+ and xorshift1024* of Vigna (2016).
// For the first two the library stores the number drawn as (the last word of) the state, Vigna the words before the
// multiplication. A state is a vector of Integers, two for each word of 64 bits, the lower half first, followed for
// xorshift1024* by the place of its next word. The number is (0, 1): the word as a signed one, times 2^-64, plus 1/2.
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "driftless/language/external.hpp"

namespace driftless::language {

namespace {

using Words = std::span<std::uint64_t>;
using Generator = std::uint64_t (*)(Words words, std::uint64_t& place);

std::uint64_t xorshift64star(Words s, std::uint64_t&) {
  s[0] ^= s[0] >> 12;
  s[0] ^= s[0] << 25;
  s[0] ^= s[0] >> 27;
  return s[0] *= 2685821657736338717U;
}

std::uint64_t xorshift128plus(Words s, std::uint64_t&) {
  std::uint64_t a = s[0];
  const std::uint64_t b = s[1];
  s[0] = b;
  a ^= a << 23;
  return s[1] = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
}

std::uint64_t xorshift1024star(Words s, std::uint64_t& place) {
  std::uint64_t a = s[place % 16];
  place = (place + 1) % 16;
  std::uint64_t b = s[place];
  b ^= b << 31;
  b ^= b >> 11;
  a ^= a >> 30;
  s[place] = a ^ b;
  return s[place] * 1181783497276652981U;
}

struct Kind {
  Generator generator;
  std::size_t words;
  bool has_place;  // after the words

  std::size_t integers() const { return 2 * words + (has_place ? 1 : 0); }
};

std::uint32_t bits_of(double integer) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(integer)); }
double integer_of(std::uint64_t bits) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)); }

// Computes the next state, followed by the number.
void advance(const Kind& kind, std::span<const double> before, std::span<double> behind) {
  std::array<std::uint64_t, 16> words{};
  for (std::size_t k = 0; k < kind.words; ++k)
    words[k] = bits_of(before[2 * k]) | (static_cast<std::uint64_t>(bits_of(before[2 * k + 1])) << 32);
  std::uint64_t place = kind.has_place ? bits_of(before[2 * kind.words]) : 0;
  const std::uint64_t word = kind.generator({words.data(), kind.words}, place);
  for (std::size_t k = 0; k < kind.words; ++k) {
    behind[2 * k] = integer_of(words[k]);
    behind[2 * k + 1] = integer_of(words[k] >> 32);
  }
  if (kind.has_place) behind[2 * kind.words] = static_cast<double>(place);
  behind[kind.integers()] = static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-64 + 0.5;
}

// For a state known only during the run, as in a when clause: a foreign function of the pool.
std::vector<NodeId> advance_later(const ExternalCall& call, const Kind& kind, std::span<const NodeId> state) {
  const auto [place, fresh] = call.all().programs.try_emplace(std::string(call.name));
  if (fresh) {
    ForeignCode code{[kind](std::span<const double> before, std::span<double> behind) {
                       advance(kind, before, behind);
                       return true;
                     },
                     std::vector<bool>(kind.integers(), true)};
    const int size = static_cast<int>(kind.integers());
    place->second.function = call.pool().add_function(foreign_function(std::string(call.name), size, size + 1, code));
    place->second.valid = true;
  }
  std::vector<NodeId> results;
  for (std::size_t k = 0; k <= kind.integers(); ++k)
    results.push_back(call.pool().call(place->second.function, static_cast<int>(k), state));
  return results;
}

// (stateIn, stateOut, result)
Value random(ExternalCall& call, const Kind& kind) {
  const Value& state = call.arguments.empty() ? Value() : call.arguments[0];
  if (call.arguments.size() != 3 || state.type() != Type::Integer || state.size() != kind.integers() ||
      state.rank() != 1)
    return call.refuse("the state of this generator has another number of Integers");
  std::vector<double> before, behind(kind.integers() + 1);
  for (const NodeId element : state.elements())
    if (const auto number = known_number(call.pool(), element)) before.push_back(*number);
  std::vector<NodeId> results;
  if (before.size() == state.size()) {
    advance(kind, before, behind);
    for (const double number : behind) results.push_back(call.pool().constant(number));
  } else {
    results = advance_later(call, kind, state.elements());
  }
  call.outputs[2] = Value(Type::Real, results.back());
  results.pop_back();
  call.outputs[1] = Value(Type::Integer, state.shape(), std::move(results));
  return {Type::Boolean, call.pool().one()};
}

Value random64(ExternalCall& call) { return random(call, {xorshift64star, 1, false}); }
Value random128(ExternalCall& call) { return random(call, {xorshift128plus, 2, false}); }
Value random1024(ExternalCall& call) { return random(call, {xorshift1024star, 16, true}); }

// The hash of Partow (2002), as a signed number of 32 bits.
Value hash_string(ExternalCall& call) {
  const auto text = call.text(0);
  if (!text) return {};
  std::uint32_t hash = 0xAAAAAAAAU;
  for (std::size_t k = 0; k < text->size(); ++k) {
    const auto letter = static_cast<std::uint32_t>(static_cast<unsigned char>((*text)[k]));
    hash ^= k % 2 == 0 ? (hash << 7) ^ (letter * (hash >> 3)) : ~((hash << 11) + (letter ^ (hash >> 5)));
  }
  return {Type::Integer, call.pool().constant(integer_of(hash))};
}

// A seed from the time of day and the process, as specified by the library: different for each reading of the text.
Value automatic_seed(ExternalCall& call) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() % 3'600'000;
  return {Type::Integer, call.pool().constant(integer_of(static_cast<std::uint64_t>(milliseconds + 6007L * getpid())))};
}

// Sets the state of an impure generator: no function that may be called reads it.
Value keep_state(ExternalCall& call) { return {Type::Boolean, call.pool().one()}; }

}  // namespace

ExternalFunction find_random_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaRandom_xorshift64star", random64},
      {"ModelicaRandom_xorshift128plus", random128},
      {"ModelicaRandom_xorshift1024star", random1024},
      {"ModelicaStrings_hashString", hash_string},
      {"ModelicaRandom_automaticGlobalSeed", automatic_seed},
      {"ModelicaRandom_setInternalState_xorshift1024star", keep_state},
  };
  const auto place = functions.find(name);
  return place == functions.end() ? nullptr : place->second;
}

}  // namespace driftless::language
