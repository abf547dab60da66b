#include "hub/link/protocol.hpp"

#include "hub/base/require.hpp"

#include <utility>

namespace gamehub::link {
namespace {

ending garbage(std::string what) { return {break_cause::garbage, "garbage: " + std::move(what)}; }

ending sequence(std::string what) {
  return {break_cause::sequence, "sequence: " + std::move(what)};
}

}  // namespace

ending ending_of(fault what) { return garbage(std::string{to_string(what)}); }

hello caller::begin() {
  hello h;
  h.cluster = who_.cluster;
  h.from = who_.self;
  h.to = peer_.id;
  h.attempt = peer_.out.connect();
  h.sent = peer_.out.written();
  h.acknowledged = peer_.out.acknowledged();
  h.received = peer_.in.received();
  h.build = who_.build;
  return h;
}

std::optional<ending> caller::on_frame(const frame& what) {
  if (std::holds_alternative<ping>(what)) return std::nullopt;
  if (const auto* no = std::get_if<refused>(&what); no != nullptr && !up_)
    return ending{break_cause::refused,
                  "refused: " + std::string{no->why ? to_string(*no->why) : "a newer reason"}};
  if (const auto* answer = std::get_if<hello_answer>(&what); answer != nullptr && !up_)
    return on_answer(*answer);
  if (const auto* a = std::get_if<acknowledge>(&what); a != nullptr && up_) {
    if (peer_.out.on_acknowledge(a->received, a->window)) return std::nullopt;
    return sequence("acknowledged " + std::to_string(a->received) + ", sent " +
                    std::to_string(peer_.out.written()));
  }
  return garbage("a frame that does not belong there");
}

std::optional<ending> caller::on_answer(const hello_answer& answer) {
  if (answer.from != peer_.id)
    return garbage("an answer of member " + std::to_string(answer.from.value));
  if (common_version(answer.version, answer.version) != answer.version)
    return garbage("version " + std::to_string(answer.version));
  if (!peer_.out.on_answer(answer.received, answer.window))
    return sequence("received " + std::to_string(answer.received) + ", sent " +
                    std::to_string(peer_.out.written()));
  build_ = answer.build;
  up_ = true;
  return std::nullopt;
}

std::optional<refusal> check(const hello& h, const identity& who, const peer_state* from) {
  if (h.cluster != who.cluster) return refusal::cluster;
  if (h.from == who.self) return refusal::self;
  if (h.to != who.self || from == nullptr) return refusal::member;
  if (!common_version(h.least, h.greatest)) return refusal::version;
  if (!from->in.fits(h, from->out.written())) return refusal::numbers;
  return std::nullopt;
}

answerer::answerer(const identity& who, peer_state& peer, const hello& h, std::uint64_t window)
    : peer_(peer) {
  GAMEHUB_REQUIRE(!check(h, who, &peer));
  peer_.in.connect(h);
  answer_.from = who.self;
  answer_.version = *common_version(h.least, h.greatest);
  answer_.received = peer_.in.received();
  answer_.window = window;
  answer_.build = who.build;
}

answerer::effect answerer::on_frame(const frame& what) {
  if (std::holds_alternative<ping>(what)) return {};
  const auto* m = std::get_if<message>(&what);
  if (m == nullptr) return garbage("a frame that does not belong there");
  switch (peer_.in.take(m->number)) {
    case receiver::arrival::next: owes_ = true; return *m;
    case receiver::arrival::duplicate: owes_ = true; return {};
    case receiver::arrival::gap: break;
  }
  return sequence("message " + std::to_string(m->number) + " after " +
                  std::to_string(peer_.in.received()));
}

std::optional<acknowledge> answerer::take_acknowledgement() {
  if (!std::exchange(owes_, false)) return std::nullopt;
  return acknowledge{peer_.in.received(), answer_.window};
}

}  // namespace gamehub::link
