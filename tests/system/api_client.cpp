#include "tests/system/api_client.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace gamehub::tests::system {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

int api_answer::code() const {
  const auto said = json();
  return said.is_object() && said.contains("error") ? said["error"]["code"].get<int>() : 0;
}

api_answer api_client::get(const std::string& target, const std::string& more) {
  return request("GET", target, more, {});
}

api_answer api_client::post(const std::string& target, const std::string& form,
                            const std::string& more) {
  return request("POST", target, more + "Content-Type: application/x-www-form-urlencoded\r\n",
                 form);
}

api_answer api_client::request(const std::string& method, const std::string& target,
                               const std::string& more, const std::string& body) {
  auto text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more;
  if (!body.empty() || method == "POST")
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  socket_.send(text + "\r\n" + body);
  auto got = answer(method == "HEAD");
  if (!got)
    throw std::runtime_error{"no answer to " + method + " " + target + ": " + socket_.state_text()};
  return *std::move(got);
}

std::optional<std::string> api_client::read_line() {
  auto line = socket_.read_line();
  if (!line) return line;
  everything_ += *line + "\n";
  if (line->ends_with('\r')) line->pop_back();
  return line;
}

std::optional<std::string> api_client::read(std::size_t bytes) {
  auto text = socket_.read(bytes);
  if (text) everything_ += *text;
  return text;
}

std::optional<api_answer> api_client::head() {
  const auto status = read_line();
  if (!status || !status->starts_with("HTTP/1.1 ")) return std::nullopt;
  api_answer out;
  out.status = std::stoi(status->substr(9));
  for (auto line = read_line(); line; line = read_line()) {
    if (line->empty()) return out;
    const auto colon = line->find(": ");
    if (colon == line->npos) return std::nullopt;
    out.fields[lower(line->substr(0, colon))] = line->substr(colon + 2);
  }
  return std::nullopt;
}

std::optional<api_answer> api_client::answer(bool to_head) {
  auto out = head();
  if (!out || to_head || out->status == 204 || out->status == 100) return out;
  if (out->fields.contains("transfer-encoding")) {
    while (read_chunk(out->body)) continue;
  } else if (out->fields.contains("content-length")) {
    auto body = read(std::stoul(out->fields["content-length"]));
    if (!body) return std::nullopt;
    out->body = *std::move(body);
  }
  return out;
}

bool api_client::read_chunk(std::string& to) {
  const auto size = read_line();
  if (!size || size->empty()) return false;
  const auto bytes = std::stoul(*size, nullptr, 16);
  const auto text = read(bytes + 2);
  if (!text || !text->ends_with("\r\n")) throw std::runtime_error{"a chunk is broken"};
  to += text->substr(0, bytes);
  return bytes != 0;
}

api_answer api_client::follow(const std::string& target, const std::string& more) {
  socket_.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n");
  auto out = head();
  if (!out) throw std::runtime_error{"no answer to GET " + target};
  in_chunks_ = out->fields.contains("transfer-encoding");
  chunks_.clear();
  if (!in_chunks_ && out->fields.contains("content-length"))
    out->body = read(std::stoul(out->fields["content-length"])).value_or("");
  return *out;
}

std::optional<std::string> api_client::line() {
  for (;;) {
    if (const auto end = chunks_.find('\n'); end != chunks_.npos) {
      auto out = chunks_.substr(0, end);
      chunks_.erase(0, end + 1);
      return out;
    }
    if (!in_chunks_ || !read_chunk(chunks_)) return in_chunks_ = false, std::nullopt;
  }
}

nlohmann::json api_client::update() {
  for (auto text = line(); text; text = line())
    if (text->starts_with('{')) return nlohmann::json::parse(*text);
  return nullptr;
}

api_player::api_player(std::uint16_t port, const std::string& name) : http(port) {
  const auto got = http.post("/api/connect", "name=" + name).json();
  if (!got.contains("client_id")) throw std::runtime_error{name + " can't connect: " + got.dump()};
  id = got["client_id"].get<std::string>();
}

nlohmann::json api_player::play(const std::string& more) { return post("/api/play", more).json(); }

api_answer api_player::move(int position) {
  return post("/api/move", "&position=" + std::to_string(position));
}

api_answer api_player::post(const std::string& path, const std::string& more) {
  return http.post(path, "client_id=" + id + more);
}

}  // namespace gamehub::tests::system
