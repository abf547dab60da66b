// One request to the admin server of a hub, and its answer. Blocks, so it is for verbs that do
// nothing else meanwhile; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace gamehub::admin {

struct admin_answer {
  int status = 0;
  std::string body;
};

// Returns the host for requests to a server that listens on this address.
std::string host_of(const std::string& listening);

// No hub answers there, or the answer is not that of an admin server. The text is a sentence.
class no_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Sends the operator's token, if it is not empty, and the body. Throws no_answer, also if the
// answer is not complete in time.
admin_answer call_admin(const std::string& host, std::uint16_t port, const std::string& method,
                        const std::string& target, std::chrono::milliseconds time,
                        const std::string& token = {}, const std::string& body = {});

// Returns the text without the line ends after it.
std::string without_line_end(std::string body);

}  // namespace gamehub::admin
