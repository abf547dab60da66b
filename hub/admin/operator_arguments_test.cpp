#include "hub/admin/operator_arguments.hpp"

#include "tests/support/catch.hpp"

#include <map>
#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

using verb = operate_request::verb;

struct asked {
  std::map<std::string, std::string> environment;

  std::variant<operate_request, config::early_exit> operator()(
      std::vector<const char*> words) const {
    words.insert(words.begin(), "gamehub");
    const config::environment around{[this](const std::string& name) -> std::optional<std::string> {
                                       const auto at = environment.find(name);
                                       return at == environment.end() ? std::nullopt
                                                                      : std::optional{at->second};
                                     },
                                     gateways::protocols(), 2, "1.2.3"};
    return parse_operate(static_cast<int>(words.size()), words.data(), around);
  }
};

operate_request request(std::vector<const char*> words) {
  return std::get<operate_request>(asked{}(std::move(words)));
}

std::string refusal_of(std::vector<const char*> words) {
  const auto message = std::get<config::early_exit>(asked{}(std::move(words)));
  CHECK(message.exit_code == 2);
  return message.text;
}

TEST_CASE("operate: the verbs find the hub where it listens by default") {
  for (const auto& [word, what] : {std::pair{"status", verb::status},
                                   {"drain", verb::drain},
                                   {"healthcheck", verb::healthcheck}}) {
    const auto r = request({word});
    CHECK(r.what == what);
    CHECK(r.at.host == "127.0.0.1");
    CHECK(r.at.port == 9464);
    CHECK_FALSE(r.json);
    CHECK(r.wait.count() == 0);
  }
}

TEST_CASE("operate: the admin server's settings are found as serve finds them") {
  const asked in{{{"GAMEHUB_ADMIN_PORT", "9000"}, {"GAMEHUB_ADMIN_LISTEN", "0.0.0.0"}}};
  const auto r = std::get<operate_request>(in({"status", "--json"}));
  CHECK(r.at.host == "127.0.0.1");
  CHECK(r.at.port == 9000);
  CHECK(r.json);
  CHECK(std::get<operate_request>(in({"status", "--admin-port", "9001"})).at.port == 9001);
  CHECK(request({"drain", "--admin-listen", "::"}).at.host == "::1");
  CHECK(request({"drain", "--admin-listen", "10.0.0.1", "--wait", "90"}).at.host == "10.0.0.1");
  CHECK(request({"drain", "--wait", "90"}).wait == std::chrono::seconds{90});
  CHECK(request({"healthcheck", "--ready"}).ready);
}

TEST_CASE("operate: mistakes are answered by one sentence") {
  CHECK(refusal_of({"status", "--admin-port", "off"}).find("--admin-port") != std::string::npos);
  CHECK(refusal_of({"status", "--admin-port", "0"}).find("ready line") != std::string::npos);
  CHECK(refusal_of({"status", "--admin-port", "x"}).find("--admin-port") != std::string::npos);
  CHECK(refusal_of({"drain", "--wait", "soon"}).find("give seconds, 3605 at most") !=
        std::string::npos);
  CHECK(refusal_of({"drain", "--wait", "3606"}).find("--wait") != std::string::npos);
  CHECK(refusal_of({"drain", "--json"}).find("not for gamehub drain") != std::string::npos);
  CHECK(refusal_of({"status", "17"}).find("not for gamehub status") != std::string::npos);
  CHECK(refusal_of({"status", "--config", "/nowhere"}).find("can't be read") != std::string::npos);
}

TEST_CASE("operate: help has the flags and the exit codes") {
  const auto message = std::get<config::early_exit>(asked{}({"healthcheck", "--help"}));
  CHECK(message.exit_code == 0);
  CHECK(message.text.find("--ready") != std::string::npos);
  CHECK(message.text.find("Exit code") != std::string::npos);
  CHECK(message.text.find("GAMEHUB_ADMIN_PORT") != std::string::npos);
}

TEST_CASE("operate: commands become requests to the admin server") {
  const auto order = [](std::vector<const char*> words) {
    const auto r = request(std::move(words));
    CHECK(r.what == verb::order);
    return r.what_to_do;
  };
  CHECK(order({"games"}).target == "/games");
  CHECK(order({"games"}).body == "{}");
  CHECK(order({"games", "--status", "running", "--before", "17"}).body ==
        R"({"before":17,"status":"running"})");
  CHECK(order({"games", "--json"}).raw);
  CHECK(order({"end", "17", "--reason", "too late & more"}).target ==
        "/games/17/end?reason=too%20late%20%26%20more");
  CHECK(order({"ban", "--name", "eve", "--reason", "rude"}).body ==
        R"({"name":"eve","reason":"rude"})");
  CHECK(order({"unban", "--address", "192.0.2.0/24"}).body == R"({"address":"192.0.2.0/24"})");
  CHECK(order({"mute", "--name", "eve"}).target == "/mute");
  CHECK(order({"unmute", "--name", "eve"}).target == "/unmute");
  CHECK(order({"sanctions"}).table == operate_request::order::kind::sanctions);
  CHECK(order({"say", "back soon"}).body == R"({"text":"back soon"})");
  CHECK(request({"ban", "--name", "eve", "--admin-token-file", "/t"}).at.token_file == "/t");
  CHECK(request({"ban", "--name", "eve", "--admin-port", "9000"}).at.port == 9000);
}

TEST_CASE("operate: a mistake in a command is one sentence") {
  for (const auto& [words, part] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{"ban"}, "either --name NAME or --address NETWORK"},
           {{"ban", "--name", "eve", "--address", "10.0.0.1"}, "either"},
           {{"mute"}, "--name NAME"},
           {{"end", "17"}, "--reason TEXT"},
           {{"end", "x", "--reason", "y"}, "is no game"},
           {{"games", "--before", "x"}, "--before"},
           {{"say"}, "text"},
           {{"say", "back", "soon"}, "soon"}}) {
    const auto message = refusal_of(words);
    INFO(message);
    CHECK(message.find(part) != message.npos);
  }
}

}  // namespace
}  // namespace gamehub::admin
