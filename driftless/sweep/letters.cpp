#include "driftless/sweep/letters.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

namespace driftless::sweep {

void Row::archive(Archive& archive) {
  std::uint64_t number = run;
  archive(number, values, outcome, code, reached, results, message, trajectory);
  run = static_cast<std::size_t>(number);
}

void Message::archive(Archive& archive) {
  archive.section("message");
  archive(kind, text, first, count, rows);
}

void send(Processes& processes, int to, Message message) {
  Archive writer;
  message.archive(writer);
  processes.send(to, writer.bytes());
}

Message read_message(const Processes::Letter& letter) {
  Message message;
  Archive reader(letter.bytes);
  message.archive(reader);
  return message;
}

std::string identity_of(const Compiled& compiled, const Plan& plan, const Options& options) {
  std::string text = fmt::format("{:016x} {} keep", fingerprint(compiled.model()), plan.text());
  for (const std::string& name : options.keep) text += " " + name;
  for (const std::string& name : options.trajectories) text += " follow " + name;
  return text;
}

void give_up(Processes& processes, const std::string& why) {
  if (!processes.leads()) return send(processes, 0, {.kind = Message::Kind::Farewell, .text = why});
  for (int rank = 1; rank < processes.size(); ++rank) send(processes, rank, {.kind = Message::Kind::Stop});
  using Clock = std::chrono::steady_clock;
  int left = processes.size() - 1;
  for (const Clock::time_point end = Clock::now() + std::chrono::seconds(5); left > 0 && Clock::now() < end;) {
    const auto letter = processes.receive();
    if (!letter)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else if (read_message(*letter).kind == Message::Kind::Farewell)
      --left;
  }
}

}  // namespace driftless::sweep
