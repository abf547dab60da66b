// A client of the HTTP wire over its own socket, written from the protocol's document alone:
// requests and their answers, and streams line by line. Everything that it reads it keeps, so that
// a test can look through all of it. One thread.
#pragma once

#include "tests/system/tcp_client.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tests::system {

struct api_answer {
  int status = 0;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;

  // Null if it is none.
  nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
  // The code of an error, or 0.
  int code() const;
};

class api_client {
 public:
  explicit api_client(std::uint16_t port, tcp_options options = {}) : socket_(port, options) {}

  // Throw std::runtime_error if there is no whole answer. `more` is whole lines of the header.
  api_answer get(const std::string& target, const std::string& more = {});
  api_answer post(const std::string& target, const std::string& form, const std::string& more = {});
  api_answer request(const std::string& method, const std::string& target, const std::string& more,
                     const std::string& body);

  // Sends bytes as they are; what comes is read by answer(), which is nothing at the end.
  void send(std::string_view bytes) { socket_.send(bytes); }
  std::optional<api_answer> answer(bool to_head = false);

  // Asks for a stream, and returns the head of its answer; whole if it is no stream.
  api_answer follow(const std::string& target, const std::string& more = {});
  // The next line of a stream, without its end; nothing at the end of the stream.
  std::optional<std::string> line();
  // The same as JSON, heartbeats left out; null at the end.
  nlohmann::json update();

  // All that was ever read.
  const std::string& everything() const { return everything_; }
  tcp_client& socket() { return socket_; }

 private:
  std::optional<api_answer> head();
  std::optional<std::string> read_line();
  std::optional<std::string> read(std::size_t bytes);
  // False at the last one.
  bool read_chunk(std::string& to);

  tcp_client socket_;
  std::string everything_;
  std::string chunks_;
  bool in_chunks_ = false;
};

// A player over the wire: its connection, and what identifies it.
struct api_player {
  api_player(std::uint16_t port, const std::string& name);

  // The answer to play, with these parameters beside.
  nlohmann::json play(const std::string& more = {});
  api_answer move(int position);
  api_answer post(const std::string& path, const std::string& more = {});

  api_client http;
  std::string id;
};

}  // namespace gamehub::tests::system
