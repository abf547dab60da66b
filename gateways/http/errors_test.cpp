#include "gateways/http/errors.hpp"

#include "hub/core/player_name.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <set>

using namespace gamehub;
using namespace gamehub::gateways::http;

namespace {

std::string field_of(const response& r, std::string_view name) {
  for (const auto& each : r.fields)
    if (each.name == name) return each.value;
  return "none";
}

error of(error_code code) {
  error e;
  e.code = code;
  e.message = "why";
  return e;
}

}  // namespace

TEST_CASE("http errors: have the codes and statuses of the protocol") {
  const std::vector<std::pair<int, int>> wanted{{100, 400}, {101, 401}, {102, 404}, {103, 409},
                                                {104, 409}, {105, 429}, {106, 503}, {107, 413},
                                                {108, 405}, {109, 403}, {110, 409}, {111, 409}};
  std::vector<std::pair<int, int>> have;
  std::set<std::string_view> words;
  for (const auto code : error_codes) {
    have.emplace_back(static_cast<int>(code), status_of(code));
    words.insert(to_string(code));
  }
  CHECK(have == wanted);
  CHECK(words.size() == wanted.size());
}

TEST_CASE("http errors: are written as the document has them") {
  auto e = of(error_code::invalid_move);
  e.message = "not \"yours\"\n";
  CHECK(to_json(e) == R"({"error":{"code":103,"message":"not \"yours\"\n"}})");
  const auto r = to_response(e);
  CHECK(r.status == 409);
  CHECK(r.content_type == "application/json");
  CHECK(r.body == to_json(e));
  CHECK(r.fields.empty());
}

TEST_CASE("http errors: have Retry-After, Allow and WWW-Authenticate") {
  CHECK(field_of(to_response(of(error_code::too_many_requests)), "Retry-After") == "1");
  CHECK(field_of(to_response(of(error_code::hub_full)), "Retry-After") == "5");
  CHECK(to_response(logs_busy()).status == 503);
  CHECK(field_of(to_response(logs_busy()), "Retry-After") == "1");
  auto later = of(error_code::too_many_requests);
  later.retry_after = limits::seconds{17};
  CHECK(field_of(to_response(later), "Retry-After") == "17");
  later.retry_after = limits::seconds{0};
  CHECK(field_of(to_response(later), "Retry-After") == "1");
  CHECK(field_of(to_response(of(error_code::unknown_client)), "WWW-Authenticate") == "Bearer");
  auto method = of(error_code::wrong_method);
  method.allow = "POST";
  CHECK(field_of(to_response(method), "Allow") == "POST");
  CHECK(to_response(method).status == 405);
  CHECK(field_of(to_response(of(error_code::bad_request)), "Retry-After") == "none");
}

TEST_CASE("http errors: an explicit status overrides the code's") {
  auto e = bad_request("there is no such path");
  e.status = 404;
  CHECK(to_response(e).status == 404);
  CHECK(to_response(e).body.find("\"code\":100") != std::string::npos);
}

TEST_CASE("http errors: every refusal of the hub has its code and its own words") {
  std::set<std::string> messages;
  for (int i = 0; i < refusal_count; ++i) {
    const auto e = from(static_cast<refusal>(i));
    INFO(to_string(static_cast<refusal>(i)));
    CHECK(!e.message.empty());
    CHECK(messages.insert(e.message).second);
    CHECK(nlohmann::json::parse(to_json(e))["error"]["code"] == static_cast<int>(e.code));
  }
  CHECK(from(refusal::out_of_bounds).code == error_code::invalid_move);
  CHECK(from(refusal::space_not_empty).code == error_code::invalid_move);
  CHECK(from(refusal::not_your_turn).code == error_code::invalid_move);
  CHECK(from(refusal::game_over).code == error_code::invalid_move);
  CHECK(from(refusal::not_in_game).code == error_code::unknown_game);
  CHECK(from(refusal::name_unacceptable).code == error_code::name_refused);
  CHECK(from(refusal::rate_limited).code == error_code::too_many_requests);
  CHECK(from(refusal::draining).code == error_code::hub_full);
  CHECK(from(refusal::cannot_resume).code == error_code::cannot_resume);
  CHECK(from(refusal::seat_taken).code == error_code::seat_taken);
  // The engine comes back: clients should try again.
  CHECK(from(refusal::engine_restarting).code == error_code::hub_full);
  CHECK(field_of(to_response(from(refusal::engine_restarting)), "Retry-After") == "5");
  CHECK(to_response(from(refusal::engine_restarting)).status == 503);
  CHECK(from(refusal::illegal_move, "column-full").message.ends_with(": column-full"));
}

TEST_CASE("http errors: each fault of a name has a cause and its own sentence") {
  std::set<std::string> messages{from(refusal::name_taken).message};
  for (int i = 0; i < name_fault_count; ++i) {
    const auto word = to_string(static_cast<name_fault>(i));
    const auto e = from(refusal::name_unacceptable, word);
    INFO(word);
    CHECK(e.code == error_code::name_refused);
    CHECK(messages.insert(e.message).second);
    CHECK(nlohmann::json::parse(to_json(e))["error"]["cause"] == word);
  }
  CHECK(from(refusal::name_taken).cause == "name-taken");
}
