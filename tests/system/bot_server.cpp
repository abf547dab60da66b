#include "tests/system/bot_server.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gamehub::tests::system {

namespace {

invocation python_with(std::vector<std::string> flags) {
  invocation out;
  out.words = {"python3", std::string{GAMEHUB_SOURCE_DIR} + "/tests/system/bots.py"};
  out.words.insert(out.words.end(), flags.begin(), flags.end());
  out.hears = true;
  return out;
}

}  // namespace

std::vector<std::string> with_bots(std::vector<std::string> more) {
  std::vector<std::string> out{"--open-registration", "--bot-allow", "127.0.0.0/8"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::string error_of(const nlohmann::json& answer) {
  return answer["error"].is_null() ? "" : answer["error"];
}

bot_server::bot_server(std::vector<std::string> flags) : process_(python_with(std::move(flags))) {
  const auto line = process_.read_line();
  if (!line.starts_with("port ")) throw std::runtime_error{"no bots: " + line + process_.errors()};
  port_ = static_cast<std::uint16_t>(std::stoul(line.substr(5)));
}

std::string bot_server::url(const std::string& kind, const std::string& name) const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/" + kind +
         (name.empty() ? "" : "/" + name);
}

nlohmann::json bot_server::enter(std::uint16_t hub, const std::string& kind,
                                 const std::string& name, const nlohmann::json& more) {
  nlohmann::json params{{"token", "token"},
                        {"botname", name},
                        {"botversion", "1.0"},
                        {"game", "TICTACTOE"},
                        {"rpcendpoint", url(kind, name)},
                        {"programminglanguage", "Python"}};
  if (!more.is_null()) params.update(more);
  const nlohmann::json request{{"jsonrpc", "2.0"},
                               {"method", "RegistrationService.Register"},
                               {"params", params},
                               {"id", 1}};
  process_.say("register http://127.0.0.1:" + std::to_string(hub) + "/rpc " + request.dump());
  const auto answer = await("the answer to a registration",
                            [](const auto& each) { return each.contains("status"); });
  return nlohmann::json::parse(answer["body"].get<std::string>());
}

nlohmann::json bot_server::await(const std::string& what,
                                 const std::function<bool(const nlohmann::json&)>& is_so) {
  const auto at = std::find_if(heard_.begin(), heard_.end(), is_so);
  if (at != heard_.end()) {
    auto out = std::move(*at);
    heard_.erase(at);
    return out;
  }
  while (true) {
    auto next = read();
    if (next.is_null()) throw std::runtime_error{"never came: " + what + process_.errors()};
    if (is_so(next)) return next;
    heard_.push_back(std::move(next));
  }
}

nlohmann::json bot_server::await_call(const std::string& name, const std::string& method) {
  return await(method + " for " + name, [&](const auto& each) {
    return each.value("name", "") == name && each.value("method", "").ends_with(method);
  });
}

nlohmann::json bot_server::read() {
  const auto line = process_.read_line();
  if (line.empty()) return nullptr;
  auto out = nlohmann::json::parse(line);
  if (out.contains("violation")) violations_ += line + "\n";
  return out;
}

std::string bot_server::violations() const { return violations_; }

}  // namespace gamehub::tests::system
