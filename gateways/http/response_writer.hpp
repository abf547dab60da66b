// Formats HTTP/1.1 responses. Plain functions and values, any thread.
#pragma once

#include "gateways/http/request.hpp"
#include "hub/base/time.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// Properties of the response that depend on the request.
struct answer_form {
  bool keep_alive = false;
  bool is_1_1 = true;
  bool head_only = false;             // HEAD: Content-Length without the body
  std::string_view date;              // from base::http_date()
  const std::string* site = nullptr;  // the other site whose pages may read it, or null
};

// Appends a complete response.
void append_response(const response&, const answer_form&, std::string& out);

// Appends a 101 response.
void append_switch(const response&, const answer_form&, std::string& out);

// Appends the head of a streamed response: chunked, or until the end of the connection for
// HTTP/1.0.
void append_stream_head(std::string_view content_type, const answer_form&, std::string& out);
// Appends one chunk, made of all parts.
void append_chunk(std::initializer_list<std::string_view> parts, const answer_form&,
                  std::string& out);
// Appends the end of a streamed response.
void append_last_chunk(const answer_form&, std::string& out);

}  // namespace gamehub::gateways::http
