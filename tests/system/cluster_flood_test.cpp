// A hub of a cluster that asks more of another one than it may: it is refused, and others are
// served.
#include "tests/support/catch.hpp"
#include "tests/system/http_table.hpp"
#include "tests/system/linked_hubs.hpp"
#include "tests/system/peer_hub.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace gamehub::tests::system {
namespace {

// Of one hub with one loop (request_relay::answers_max).
constexpr std::uint64_t open_max = 4'096;

// What another hub has said to the peer's requests over HTTP.
struct heard_answers {
  void hear(peer_hub& peer, journal::member_id from, relay::message& m) {
    const std::lock_guard lock{mutex};
    if (const auto* const s = std::get_if<relay::web_stream>(&m)) streams.insert(s->number);
    if (const auto* const a = std::get_if<relay::web_answer>(&m)) {
      ++answers;
      if (a->status == 503) refusal = *a;
    }
    // It says that it has each game, and answers all requests as it was answered.
    if (const auto* const f = std::get_if<relay::find_game>(&m))
      peer.send(from, relay::answer{f->question, true});
    if (const auto* const r = std::get_if<relay::web_request>(&m)) {
      asked = r->number;
      if (refusal) refusal->number = r->number, peer.send(from, *refusal);
    }
    if (std::holds_alternative<relay::web_gone>(m)) ++gone;
    changed.notify_all();
  }
  std::size_t open() {
    const std::lock_guard lock{mutex};
    return streams.size();
  }
  void await(std::size_t open, std::uint64_t others) {
    std::unique_lock lock{mutex};
    const auto done = changed.wait_for(lock, std::chrono::seconds{60},
                                       [&] { return streams.size() == open && answers == others; });
    CAPTURE(streams.size(), answers);
    REQUIRE(done);
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::uint64_t> streams;
  std::uint64_t answers = 0, gone = 0;
  std::optional<std::uint64_t> asked;
  std::optional<relay::web_answer> refusal;
};

TEST_CASE("cluster flood: requests of a hub beyond its bound get 503, and others are served") {
  linked_hubs h{2, {"--loops", "1"}};
  heard_answers heard;
  peer_hub peer{h.server.target(), [&](auto& by, auto from, auto& m) { heard.hear(by, from, m); }};
  for (auto& each : h.hubs) linked_hubs::await_links(*each, 2);
  http_table t{h[0]};
  t.begin();
  const journal::member_id attacked{1};
  const auto ask = [&](std::uint64_t number) {
    relay::web_request r;
    r.number = number;
    r.method = "GET";
    r.path = t.path;
    return peer.send(attacked, r);
  };
  constexpr std::uint64_t refused = 1'000;
  for (std::uint64_t i = 1; i <= open_max + refused; ++i)
    h[0].await("takes the next request", [&] { return ask(i); });
  // Meanwhile each one plays, at this hub and through another one.
  api_client far{h[1].http()};
  t.play(0, 3);
  const auto by_far = [&](const std::string& id, int cell) {
    return far.post("/api/move", "client_id=" + id + "&position=" + std::to_string(cell)).status;
  };
  CHECK(by_far(t.o.id, moves[3]) == 200);
  heard.await(open_max, refused);
  for (const auto* kind : {"request", "question", "intent", "order"})
    CHECK(h[0].count("gamehub_relay_refused_total", {{"kind", kind}}) ==
          (kind == std::string{"request"} ? refused : 0));
  // The client of a hub that is refused reads it so.
  const auto said = api_client{h[1].http()}.get("/api/games/77");
  CHECK(said.status == 503);
  CHECK(said.code() == 106);
  CHECK(said.fields.at("retry-after") == "1");
  // What has ended makes room.
  for (std::uint64_t i = 1; i <= open_max; ++i)
    h[0].await("takes the next message", [&] { return peer.send(attacked, relay::web_gone{i}); });
  auto next = open_max + refused;
  h[0].await("has room for requests again", [&] {
    ask(++next);
    return heard.open() > open_max;
  });
  CHECK(by_far(t.x.id, moves[4]) == 200);
}

TEST_CASE("cluster flood: a response of a hub that does not end is given up") {
  linked_hubs h{1};
  heard_answers heard;
  peer_hub peer{h.server.target(), [&](auto& by, auto from, auto& m) { heard.hear(by, from, m); }};
  linked_hubs::await_links(h[0], 1);
  const auto is = [&](auto what) {
    const std::lock_guard lock{heard.mutex};
    return what();
  };
  const bool streams = GENERATE(false, true);
  tcp_options small;
  small.receive_buffer_bytes = 4'096;
  api_client client{h[0].http(), small};
  client.send("GET /api/games/77 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  h[0].await("asks the peer", [&] { return is([&] { return heard.asked.has_value(); }); });
  const auto number = *heard.asked;
  const journal::member_id to{1};
  if (streams) REQUIRE(peer.send(to, relay::web_stream{number, "application/json", 0}));
  const relay::web_part part{number, std::string(16 * 1024, 'x')};
  const auto gone = [&] { return is([&] { return heard.gone > 0; }); };
  h[0].await("gives it up", [&] {
    while (!gone() && peer.send(to, part)) continue;
    return gone();
  });
  if (!streams) {
    const auto said = client.answer();
    REQUIRE(said);
    CHECK(said->status == 503);
    CHECK(said->code() == 106);
  }
  CHECK(h[0].get("/healthz").status == 200);
}

}  // namespace
}  // namespace gamehub::tests::system
