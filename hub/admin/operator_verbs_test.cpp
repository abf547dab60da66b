#include "hub/admin/operator_verbs.hpp"

#include "tests/support/verb_line.hpp"

#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

using operator_verb = operate_request::verb;
using tests::words;

const tests::verb_line<operate_request> operator_line{add_operator_verbs};

operate_request request(const words& of) { return operator_line.request(of); }
std::string refusal_of(const words& of) { return operator_line.mistake(of); }

TEST_CASE("operate: the verbs find the hub where it listens by default") {
  for (const auto& [word, what] : {std::pair{"status", operator_verb::status},
                                   {"drain", operator_verb::drain},
                                   {"healthcheck", operator_verb::healthcheck}}) {
    const auto r = request({word});
    CHECK(r.what == what);
    CHECK(r.at.host == "127.0.0.1");
    CHECK(r.at.port == 9464);
    CHECK_FALSE(r.json);
    CHECK(r.wait.count() == 0);
  }
}

TEST_CASE("operate: the admin server's settings are found as serve finds them") {
  const tests::verb_line<operate_request> in{
      add_operator_verbs, {{"GAMEHUB_ADMIN_PORT", "9000"}, {"GAMEHUB_ADMIN_LISTEN", "0.0.0.0"}}};
  const auto members = in.request({"cluster", "status", "--json"});
  CHECK(members.what == operator_verb::cluster_status);
  CHECK(members.json);
  const auto r = in.request({"status", "--json"});
  CHECK(r.at.host == "127.0.0.1");
  CHECK(r.at.port == 9000);
  CHECK(r.json);
  CHECK(in.request({"status", "--admin-port", "9001"}).at.port == 9001);
  CHECK(request({"drain", "--admin-listen", "::"}).at.host == "::1");
  CHECK(request({"drain", "--admin-listen", "10.0.0.1", "--wait", "90"}).at.host == "10.0.0.1");
  CHECK(request({"drain", "--wait", "90"}).wait == std::chrono::seconds{90});
  CHECK(request({"healthcheck", "--ready"}).ready);
}

TEST_CASE("operate: mistakes are answered by one sentence") {
  CHECK(refusal_of({"status", "--admin-port", "off"}).find("--admin-port") != std::string::npos);
  CHECK(refusal_of({"status", "--admin-port", "0"}).find("ready line") != std::string::npos);
  CHECK(refusal_of({"status", "--admin-port", "x"}).find("--admin-port") != std::string::npos);
  CHECK(refusal_of({"drain", "--wait", "soon"})
            .find("give a whole number of seconds from 0 to 3605") != std::string::npos);
  CHECK(refusal_of({"drain", "--wait", "3606"}).find("--wait") != std::string::npos);
  CHECK(refusal_of({"drain", "--json"}).find("not for gamehub drain") != std::string::npos);
  CHECK(refusal_of({"status", "17"}).find("not for gamehub status") != std::string::npos);
  CHECK(refusal_of({"status", "--config", "/nowhere"}).find("can't be read") != std::string::npos);
}

TEST_CASE("operate: help has the flags and the exit codes") {
  const auto help = operator_line.help({"healthcheck", "--help"});
  CHECK(help.find("--ready") != std::string::npos);
  CHECK(help.find("Exit code") != std::string::npos);
  CHECK(help.find("GAMEHUB_ADMIN_PORT") != std::string::npos);
}

TEST_CASE("operate: commands become requests to the admin server") {
  const auto order = [](const words& of) {
    const auto r = request(of);
    CHECK(r.what == operator_verb::order);
    return r.what_to_do;
  };
  CHECK(order({"games"}).target == "/games");
  CHECK(order({"games"}).body == "{}");
  CHECK(order({"games", "--status", "running", "--before", "17"}).body ==
        R"({"before":17,"status":"running"})");
  CHECK(order({"games", "--json"}).raw);
  CHECK(order({"orders"}).target == "/orders");
  CHECK(order({"orders"}).table == operate_request::order::kind::orders);
  CHECK(order({"end", "17", "--reason", "too late & more"}).target ==
        "/games/17/end?reason=too%20late%20%26%20more");
  CHECK(order({"ban", "--name", "eve", "--reason", "rude"}).body ==
        R"({"name":"eve","reason":"rude"})");
  CHECK(order({"unban", "--address", "192.0.2.0/24"}).body == R"({"address":"192.0.2.0/24"})");
  CHECK(order({"mute", "--name", "eve"}).target == "/mute");
  CHECK(order({"unmute", "--name", "eve"}).target == "/unmute");
  CHECK(order({"sanctions"}).table == operate_request::order::kind::sanctions);
  CHECK(order({"say", "back soon"}).body == R"({"text":"back soon"})");
  // A word that is also a verb.
  CHECK(order({"say", "status"}).body == R"({"text":"status"})");
  CHECK(request({"ban", "--name", "eve", "--admin-token-file", "/t"}).at.token_file == "/t");
  CHECK(request({"ban", "--name", "eve", "--admin-port", "9000"}).at.port == 9000);
}

TEST_CASE("operate: a mistake in a command is one sentence") {
  for (const auto& [of, part] : std::vector<std::pair<words, const char*>>{
           {{"ban"}, "either --name NAME or --address NETWORK"},
           {{"ban", "--name", "eve", "--address", "10.0.0.1"}, "either"},
           {{"mute"}, "--name NAME"},
           {{"end", "17"}, "--reason is missing: give a reason for the log"},
           {{"end", "17", "--reason", ""}, "--reason is \"\": give a reason for the log"},
           {{"end", "x", "--reason", "y"},
            "GAME is \"x\": give the number of the game, from gamehub"},
           {{"games", "--before", "x"}, "--before"},
           {{"say"}, "TEXT is missing: give one line of text"},
           {{"say", "back", "soon"}, "soon"}}) {
    const auto message = refusal_of(of);
    INFO(message);
    CHECK(message.find(part) != message.npos);
  }
}

}  // namespace
}  // namespace gamehub::admin
