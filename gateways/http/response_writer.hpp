// Writes answers as HTTP/1.1 has them. Plain functions and values, any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "gateways/http/request.hpp"
#include "hub/core/time.hpp"

namespace gamehub::gateways::http::server {

// What an answer owes to the request that it is for.
struct answer_form {
  bool keep_alive = false;
  bool is_1_1 = true;
  bool head_only = false;             // the body is counted and left out
  std::string_view date;              // as http_date() has it
  const std::string* site = nullptr;  // whose pages may read it, where it is another one
};

void append_response(const response&, const answer_form&, std::string& out);

// 101: what follows is another protocol.
void append_switch(const response&, const answer_form&, std::string& out);

// The head of an answer whose body comes in pieces: as chunks, or until the connection ends where
// the client knows no chunks.
void append_stream_head(std::string_view content_type, const answer_form&, std::string& out);
// The parts together are one piece.
void append_chunk(std::initializer_list<std::string_view> parts, const answer_form&,
                  std::string& out);
void append_last_chunk(const answer_form&, std::string& out);

// Sun, 06 Nov 1994 08:49:37 GMT
std::string http_date(wall_time);

}  // namespace gamehub::gateways::http::server
