#include "gateways/http/stream_position.hpp"

#include "gateways/http/routes.hpp"
#include "hub/base/random.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

std::span<const parameter_spec> specs_of_updates() {
  return std::get<found_route>(find_route("GET", "/api/updates/1")).to->parameters;
}

// The request of a reader.
struct asked {
  std::string query;
  std::string accept;
  std::string last_event_id;
};

std::variant<read_request, error> request_of(const asked& a) {
  request r;
  r.method = "GET";
  r.query = a.query;
  r.accept = a.accept;
  r.last_event_id = a.last_event_id;
  auto given = parameters::read(r, specs_of_updates());
  if (auto* wrong = std::get_if<error>(&given)) return *wrong;
  return parse_read_request(r, std::get<parameters>(given));
}

stream_position decide(const asked& a, log_end log) {
  const auto wanted = request_of(a);
  if (const auto* wrong = std::get_if<error>(&wanted)) return *wrong;
  return position_of(std::get<read_request>(wanted), log);
}

// A response as a short text.
std::string received(const stream_position& p) {
  struct answerer {
    std::string operator()(stream_from s) const { return "stream " + std::to_string(s.first); }
    std::string operator()(answer_with a) const { return "answer " + std::to_string(a.number); }
    std::string operator()(wait_for w) const {
      return "wait " + std::to_string(w.number) + " for " + std::to_string(w.at_most.count());
    }
    std::string operator()(answer_empty e) const { return "empty " + std::to_string(e.status); }
    std::string operator()(const error& e) const {
      return "error " + std::to_string(static_cast<int>(e.code));
    }
  };
  return std::visit(answerer{}, p);
}

// The games of a combined stream as "game after", or the error.
std::string followed(std::string_view text) {
  const auto all = parse_followed_games(text);
  if (const auto* wrong = std::get_if<error>(&all)) return wrong->message;
  std::string out;
  for (const auto& each : std::get<std::vector<followed_game>>(all))
    out += std::to_string(each.game.value) + " " + std::to_string(each.after) + "; ";
  return out;
}

std::string position(const asked& a, log_end log) { return received(decide(a, log)); }

const std::string events = "text/event-stream";

// Every way to state that a reader has the updates up to n.
std::vector<asked> ways_to_resume(std::uint64_t n) {
  const auto id = std::to_string(n);
  std::vector<asked> out{
      {"last_update_id=" + id, "", ""},
      {"last_update_id=" + id, "application/json, */*", "7"},
      {"last_update_id=" + id, events, ""},
      {"cursor=" + id, events, ""},
      {"", events, id},
      {"last_update_id=0", events, id},
      {"cursor=" + id, "*/*", ""},
      {"last_update_id=" + id + "&cursor=" + id, "", ""},
      {"cursor=" + id + "&wait=5", "", ""},
      {"last_update_id=" + id + "&wait=60", "", ""},
      {"last_update_id=" + id + "&wait=0", "", ""},
  };
  if (n == 0)
    for (const auto& each : {asked{"", "", ""}, asked{"", events, ""}, asked{"cursor=", "", ""},
                             asked{"wait=1", "", ""}})
      out.push_back(each);
  return out;
}

}  // namespace

TEST_CASE("http stream position: lines by default, events or a poll on request") {
  CHECK(position({"", "", ""}, {7, false}) == "stream 1");
  CHECK(position({"last_update_id=3", "", ""}, {7, false}) == "stream 4");
  CHECK(position({"last_update_id=7", "", ""}, {7, false}) == "stream 8");
  CHECK(position({"cursor=3", "", ""}, {7, false}) == "answer 4");
  CHECK(position({"cursor=", "", ""}, {7, false}) == "answer 1");
  CHECK(position({"cursor=7", "", ""}, {7, false}) == "wait 8 for 30");
  CHECK(position({"last_update_id=7&wait=2", "", ""}, {7, false}) == "wait 8 for 2");
  CHECK(position({"last_update_id=7&wait=61", "", ""}, {7, false}) == "wait 8 for 60");
  CHECK(position({"last_update_id=7&wait=0", "", ""}, {7, false}) == "empty 200");
  CHECK(position({"cursor=&wait=1", "", ""}, {0, false}) == "wait 1 for 1");
  CHECK(position({"last_update_id=3", events, "5"}, {7, false}) == "stream 6");
}

TEST_CASE("http stream position: before the game starts every reader waits") {
  CHECK(position({"", "", ""}, {0, false}) == "stream 1");
  CHECK(position({"cursor=0", "", ""}, {0, false}) == "wait 1 for 30");
  CHECK(position({"cursor=1", "", ""}, {0, false}) == "error 100");
}

TEST_CASE("http stream position: after the end the body is empty") {
  CHECK(position({"last_update_id=7", "", ""}, {7, true}) == "empty 200");
  CHECK(position({"last_update_id=7&wait=5", "", ""}, {7, true}) == "empty 200");
  CHECK(position({"cursor=6", "", ""}, {7, true}) == "answer 7");
  CHECK(position({"", events, "7"}, {7, true}) == "empty 204");
  CHECK(position({"", events, "6"}, {7, true}) == "stream 7");
}

TEST_CASE("http stream position: after the end a poll by its cursor waits its time") {
  CHECK(position({"cursor=7", "", ""}, {7, true}) == "wait 8 for 30");
  CHECK(position({"cursor=7&wait=2", "", ""}, {7, true}) == "wait 8 for 2");
  CHECK(position({"cursor=7&wait=0", "", ""}, {7, true}) == "empty 200");
}

TEST_CASE("http stream position: after the end a stream with offers stays open") {
  CHECK(position({"last_update_id=7&offers=true", "", ""}, {7, true}) == "stream 8");
  CHECK(position({"offers=true", events, "7"}, {7, true}) == "stream 8");
  CHECK(position({"last_update_id=7&offers=false", "", ""}, {7, true}) == "empty 200");
  CHECK(position({"offers=true&wait=5", "", ""}, {7, true}) == "error 100");
  CHECK(position({"offers=true&cursor=7", "", ""}, {7, true}) == "error 100");
}

TEST_CASE("http stream position: malformed, future and contradicting numbers are errors") {
  for (const auto* query :
       {"last_update_id=8", "cursor=8", "wait=1&cursor=8", "last_update_id=-1", "cursor=-1",
        "cursor=abc", "last_update_id=1.5", "wait=x", "wait=-1", "cursor=99999999999999999999999",
        "last_update_id=1&cursor=2", "cursor=1&cursor=1"})
    CHECK(position({query, "", ""}, {7, false}) == "error 100");
  for (const auto* id : {"8", "-1", "x", "1.0", "99999999999999999999999", " 1"})
    CHECK(position({"", events, id}, {7, false}) == "error 100");
  CHECK(position({"wait=3", events, ""}, {7, false}) == "error 100");
  CHECK(position({"", "", "x"}, {7, false}) == "stream 1");
}

TEST_CASE("http stream position: every way to resume gives the missing updates") {
  for (std::uint64_t last = 0; last <= 12; ++last) {
    for (const bool ended : {false, true}) {
      for (std::uint64_t had = 0; had <= last + 2; ++had) {
        for (const auto& way : ways_to_resume(had)) {
          const auto p = decide(way, {last, ended});
          INFO(way.query << " " << way.accept << " " << way.last_event_id << " of " << last << ": "
                         << received(p));
          if (had > last) {
            REQUIRE(std::holds_alternative<error>(p));
          } else if (const auto* s = std::get_if<stream_from>(&p)) {
            REQUIRE(s->first == had + 1);
            REQUIRE((!ended || s->first <= last));
          } else if (const auto* a = std::get_if<answer_with>(&p)) {
            REQUIRE(a->number == had + 1);
            REQUIRE(a->number <= last);
          } else if (const auto* w = std::get_if<wait_for>(&p)) {
            REQUIRE(w->number == last + 1);
            REQUIRE(had == last);
            REQUIRE((!ended || way.query.find("cursor=") != std::string::npos));
          } else {
            REQUIRE(std::holds_alternative<answer_empty>(p));
            REQUIRE(had == last);
          }
        }
      }
    }
  }
}

TEST_CASE("http stream position: a reader that reconnects often gets each update once, in order") {
  constexpr std::uint64_t whole = 30;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    base::seeded_entropy random{seed};
    log_end log;
    std::uint64_t had = 0;
    for (int round = 0; round < 1'000 && had < whole; ++round) {
      INFO("seed " << seed << ", had " << had << " of " << log.last);
      const auto ways = ways_to_resume(had);
      const auto p = decide(ways[random.below(ways.size())], log);
      REQUIRE(!std::holds_alternative<error>(p));
      log.last = std::min(whole, log.last + random.below(3));
      log.ended = log.last == whole;
      if (const auto* s = std::get_if<stream_from>(&p)) {
        // The connection breaks at this update.
        REQUIRE(s->first == had + 1);
        had += random.below(log.last - had + 1);
      } else if (const auto* a = std::get_if<answer_with>(&p)) {
        REQUIRE(a->number == ++had);
      } else if (const auto* w = std::get_if<wait_for>(&p)) {
        if (log.last >= w->number) REQUIRE(w->number == ++had);
      }
    }
    CHECK(had == whole);
  }
}

TEST_CASE("http stream position: errors are delayed only for readers with a cursor") {
  CHECK(error_pause("cursor=1") == limits::http_error_pause);
  CHECK(error_pause("a=b&cursor") == limits::http_error_pause);
  CHECK(error_pause("cursor=%") == limits::http_error_pause);
  CHECK(error_pause("") == limits::seconds{0});
  CHECK(error_pause("last_update_id=1&wait=3") == limits::seconds{0});
  CHECK(error_pause("xcursor=1&cursors=1") == limits::seconds{0});
}

TEST_CASE("stream_position: the games of a combined stream, each with what its reader has") {
  CHECK(followed("12") == "12 0; ");
  CHECK(followed("12,15.40, 7.0") == "12 0; 15 40; 7 0; ");
  const auto malformed =
      "games has to be a list like 12,15.40: the ids of games, and after a dot the number of the "
      "last update that is there";
  for (const auto* text : {"x", "12,,13", "12.x", "12.-1", "-1", ".4"})
    CHECK(followed(text) == malformed);
  CHECK(followed("12,12.3") == "games has game 12 twice");
  CHECK(followed("") == "games has to have 1 to 32 ids");
  std::string many = "1";
  for (int i = 2; i <= 32; ++i) many += "," + std::to_string(i);
  CHECK(followed(many).ends_with("32 0; "));
  CHECK(followed(many + ",33") == "games has to have 1 to 32 ids");
}

TEST_CASE("stream_position: a combined stream has games, or notices (M12)") {
  const auto request_of = [](std::string_view query) {
    request r;
    r.method = "GET";
    r.query = query;
    const auto found = find_route("GET", "/api/updates");
    const auto given = parameters::read(r, std::get<found_route>(found).to->parameters);
    return parse_follow_request(std::get<parameters>(given));
  };
  const auto games = std::get<follow_request>(request_of("games=12&offers=true"));
  CHECK(games.games.size() == 1);
  CHECK(games.offers);
  CHECK_FALSE(games.notices);
  const auto both = std::get<follow_request>(request_of("games=12,13&notices=true"));
  CHECK(both.games.size() == 2);
  CHECK(both.notices);
  const auto alone = std::get<follow_request>(request_of("notices=true"));
  CHECK(alone.games.empty());
  CHECK(alone.notices);
  for (const auto* wrong : {"", "notices=false", "games=x&notices=true"})
    CHECK(std::get<error>(request_of(wrong)).code == error_code::bad_request);
}

TEST_CASE("http stream position: events require text/event-stream in Accept") {
  for (const auto* accept : {"text/event-stream", "Text/Event-Stream",
                             "text/html, text/event-stream", "text/event-stream;q=0.5",
                             "*/*, text/event-stream ; q=1", "text/event-stream;charset=utf-8"})
    CHECK(accepts_events(accept));
  for (const auto* accept :
       {"", "*/*", "text/*", "text/event-streams", "application/json", "text/event-stream;q=0",
        "text/event-stream; q=0.000", ",;,", "text/html;x=text/event-stream"})
    CHECK(!accepts_events(accept));
}
