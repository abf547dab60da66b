#include "gateways/http/message_reader.hpp"

#include "gateways/http/http_limits.hpp"
#include "gateways/http/request_target.hpp"
#include "hub/base/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace gamehub::gateways::http {

namespace {

namespace beast = boost::beast;
using header_field = beast::http::field;

constexpr std::string_view end_of_head = "\r\n\r\n";

// Limit of a chunk's first line, and of the trailer section.
constexpr std::size_t chunk_line_bytes_max = 4 * 1024;

std::string_view as_std(beast::string_view text) { return {text.data(), text.size()}; }

error with_status(std::string message, int status) {
  auto e = bad_request(std::move(message));
  e.status = status;
  return e;
}

error header_too_large() {
  return with_status("the request's header is over " +
                         std::to_string(limits::http_header_bytes_max / 1024) + " KiB",
                     431);
}

error body_too_large() {
  error e;
  e.code = http::error_code::body_too_large;
  e.message = "the body is over " + std::to_string(limits::http_body_bytes_max / 1024) + " KiB";
  return e;
}

// A line that begins with white space continues the field before it. Proxies read such fields in
// different ways (RFC 9112, 5.2).
bool has_folded_field(std::string_view head) {
  for (auto at = head.find('\n'); at + 1 < head.size(); at = head.find('\n', at + 1))
    if (head[at + 1] == ' ' || head[at + 1] == '\t') return true;
  return false;
}

error error_from(const boost::system::error_code& failed) {
  using beast::http::error;
  if (failed == error::body_limit) return body_too_large();
  if (failed == error::header_limit) return header_too_large();
  if (failed == error::bad_version)
    return with_status("only HTTP/1.1 and HTTP/1.0 are spoken here", 505);
  if (failed == error::bad_content_length || failed == error::multiple_content_length ||
      failed == error::bad_transfer_encoding)
    return bad_request("it is not clear how long the body is");
  if (failed == error::bad_chunk || failed == error::bad_chunk_extension)
    return bad_request("a chunk of the body is broken");
  return bad_request("that is no request of HTTP/1.1");
}

}  // namespace

// Fills a request with views of its complete header.
class message_reader::parser final : public beast::http::basic_parser<true> {
 public:
  explicit parser(parsed_request& to) : to_(to) {
    header_limit(limits::http_header_bytes_max);
    body_limit(limits::http_body_bytes_max);
  }

  // Returns an error for headers that Beast accepts and this server does not.
  std::optional<error> doubts() const {
    if (coded_ && !chunked()) return bad_request("the body can only be plain or in chunks");
    if (coded_otherwise_)
      return with_status("the body can only be plain or in chunks, without another coding", 501);
    if (hosts_ > 1 || (to_.is_1_1 && hosts_ == 0))
      return bad_request("there has to be one field Host");
    if (!target_) return bad_request("the target has to be a path that begins with /");
    return std::nullopt;
  }

  bool expects_continue() const { return expects_; }
  // True within the data of a chunk, false within its framing lines.
  bool in_chunk() const { return in_chunk_; }
  std::string body;  // data of all chunks

 private:
  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                       int version, boost::system::error_code&) override {
    to_.what.method = as_std(method);
    to_.is_1_1 = version >= 11;
    const auto parts = read_target(as_std(target));
    if (!parts) return;
    target_ = true;
    to_.what.path = parts->path;
    to_.what.query = parts->query;
  }

  void on_field_impl(header_field name, beast::string_view spelled, beast::string_view text,
                     boost::system::error_code&) override {
    if (!head_done_) take(name, as_std(spelled), as_std(text));
  }

  void take(header_field name, std::string_view spelled, std::string_view value) {
    auto& r = to_.what;
    switch (name) {
      case header_field::host:
        ++hosts_;
        r.host = value;
        break;
      case header_field::transfer_encoding:
        coded_ = true;
        if (!base::same_letters(value, "chunked")) coded_otherwise_ = true;
        break;
      case header_field::expect: expects_ = base::same_letters(value, "100-continue"); break;
      case header_field::content_type: return only(r.content_type, value, "Content-Type");
      case header_field::authorization: return only(r.authorization, value, "Authorization");
      case header_field::origin: return only(r.origin, value, "Origin");
      case header_field::upgrade: return list(r.upgrade, value, 0);
      case header_field::sec_websocket_key:
        return only(r.websocket_key, value, "Sec-WebSocket-Key");
      case header_field::sec_websocket_version: r.websocket_version = value; break;
      case header_field::via: r.via = value; break;
      case header_field::accept: return list(r.accept, value, 1);
      case header_field::forwarded: return list(r.forwarded, value, 2);
      case header_field::accept_encoding: return list(r.accept_encoding, value, 4);
      case header_field::if_none_match: return list(r.if_none_match, value, 5);
      case header_field::unknown:
        if (base::same_letters(spelled, "x-forwarded-for")) return list(r.forwarded_for, value, 3);
        if (base::same_letters(spelled, "last-event-id"))
          return only(r.last_event_id, value, "Last-Event-ID");
        break;
      default: break;
    }
  }

  void only(std::string_view& to, std::string_view value, std::string_view name) {
    if (std::exchange(seen_[index_of(name)], true)) to_.what.repeated_field = name;
    to = value;
  }

  static std::size_t index_of(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"Content-Type", "Authorization", "Origin",
                                                    "Sec-WebSocket-Key", "Last-Event-ID"};
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  // Joins the lines of one list.
  void list(std::string_view& to, std::string_view value, std::size_t which) {
    if (to.data() == nullptr) {
      to = value;
      return;
    }
    auto joined = std::string{to} + ", " + std::string{value};
    to_.joined[which] = std::move(joined);
    to = to_.joined[which];
  }

  void on_header_impl(boost::system::error_code&) override {
    head_done_ = true;
    to_.keep_alive = keep_alive();
    // Without Connection: Upgrade the field is not for this server, and HTTP/1.0 has no upgrades
    // (RFC 9110, 7.8).
    if (!upgrade() || !to_.is_1_1) to_.what.upgrade = {};
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&,
                         boost::system::error_code&) override {}
  std::size_t on_body_impl(beast::string_view text, boost::system::error_code&) override {
    return text.size();
  }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view,
                            boost::system::error_code&) override {
    in_chunk_ = size != 0;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, beast::string_view text,
                                 boost::system::error_code&) override {
    body.append(text.data(), text.size());
    in_chunk_ = left > text.size();
    return text.size();
  }
  void on_finish_impl(boost::system::error_code&) override {}
  void on_response_impl(int, beast::string_view, int, boost::system::error_code&) override {}

  parsed_request& to_;
  std::array<bool, 5> seen_{};
  int hosts_ = 0;
  bool target_ = false;
  bool coded_ = false;
  bool coded_otherwise_ = false;  // not just in chunks
  bool expects_ = false;
  bool head_done_ = false;
  bool in_chunk_ = false;
};

struct message_reader::chunks {
  std::string head;
  std::optional<parser> rest;
};

message_reader::message_reader() = default;
message_reader::~message_reader() = default;

void message_reader::receive(std::string_view bytes) {
  if (!wrong_) inbox_.receive(bytes);
}

message_reader::read_result message_reader::next() {
  drop_message();
  if (wrong_) return read_result::nothing;
  if (chunks_) return read_chunks();
  // Some old clients send an empty line between requests (RFC 9112, 2.2).
  while (inbox_.unread().starts_with("\r\n")) inbox_.skip(2);
  const auto unread = inbox_.unread();
  if (unread == "\r" || unread.size() < std::max<std::size_t>(needed_, 1))
    return read_result::nothing;
  return read_head();
}

void message_reader::drop_message() {
  if (chunks_ && chunks_->rest && chunks_->rest->is_done()) chunks_.reset();
  inbox_.skip(std::exchange(taken_, 0));
}

message_reader::read_result message_reader::read_head() {
  const auto unread = inbox_.unread();
  const auto end = unread.find(end_of_head, searched_);
  if (end == unread.npos) {
    if (unread.size() >= limits::http_header_bytes_max) return fail(header_too_large());
    // Detects other protocols before the request timeout.
    if (const auto line = unread.find('\n');
        line != unread.npos && !unread.substr(0, line).ends_with('\r'))
      return fail(error_from(beast::http::error::bad_line_ending));
    if (static_cast<unsigned char>(unread.front()) <= ' ')
      return fail(error_from(beast::http::error::bad_method));
    searched_ = unread.size() < end_of_head.size() ? 0 : unread.size() - end_of_head.size() + 1;
    return read_result::nothing;
  }
  const auto head = unread.substr(0, end + end_of_head.size());
  if (head.size() > limits::http_header_bytes_max) return fail(header_too_large());
  if (has_folded_field(head))
    return fail(bad_request("a field of the header goes over several lines"));
  here_ = {};
  parser p{here_};
  boost::system::error_code failed;
  p.put(boost::asio::buffer(head), failed);
  if (failed) return fail(error_from(failed));
  if (auto doubt = p.doubts()) return fail(*std::move(doubt));
  if (p.expects_continue() && !p.is_done() && !std::exchange(expectation_seen_, true))
    expected_ = true;
  if (!p.chunked()) return read_body(head, p.content_length().value_or(0));
  chunks_ = std::make_unique<chunks>();
  chunks_->head = head;
  here_ = {};
  chunks_->rest.emplace(here_);
  chunks_->rest->put(boost::asio::buffer(chunks_->head), failed);
  inbox_.skip(head.size());
  searched_ = 0;
  return read_chunks();
}

message_reader::read_result message_reader::read_body(std::string_view head, std::uint64_t length) {
  const auto unread = inbox_.unread();
  needed_ = head.size() + static_cast<std::size_t>(length);
  if (unread.size() < needed_) {
    searched_ = head.size() - end_of_head.size();
    return read_result::nothing;
  }
  here_.what.body = unread.substr(head.size(), static_cast<std::size_t>(length));
  taken_ = std::exchange(needed_, 0);
  searched_ = 0;
  expected_ = expectation_seen_ = false;
  return read_result::request;
}

message_reader::read_result message_reader::read_chunks() {
  auto& p = *chunks_->rest;
  boost::system::error_code failed;
  // Beast 1.81 reports an error if a last chunk arrives in pieces that are shorter than any last
  // chunk (boostorg/beast pull request 2861 corrects it).
  constexpr std::string_view last_chunk = "0\r\n\r\n";
  const auto begins_last_chunk = [&] {
    const auto unread = inbox_.unread();
    return !p.in_chunk() && unread.front() == last_chunk.front() &&
           unread.size() < last_chunk.size();
  };
  while (!p.is_done() && !inbox_.unread().empty() && !begins_last_chunk()) {
    inbox_.skip(p.put(boost::asio::buffer(inbox_.unread()), failed));
    if (failed == beast::http::error::need_more) break;
    if (failed) return fail(error_from(failed));
  }
  if (!p.is_done()) {
    if (inbox_.unread().size() > chunk_line_bytes_max)
      return fail(error_from(beast::http::error::bad_chunk));
    return read_result::nothing;
  }
  here_.what.body = p.body;
  expected_ = expectation_seen_ = false;
  return read_result::request;
}

message_reader::read_result message_reader::fail(error what) {
  mistake_ = std::move(what);
  wrong_ = true;
  chunks_.reset();
  inbox_.skip(inbox_.unread().size());
  needed_ = searched_ = 0;
  return read_result::wrong;
}

void message_reader::keep_rest() {
  drop_message();
  inbox_.keep_rest();
}

std::size_t message_reader::kept_bytes() const {
  return inbox_.kept_bytes() + (chunks_ ? chunks_->head.size() + chunks_->rest->body.size() : 0);
}

bool message_reader::midway() const {
  return !wrong_ && ((chunks_ && !chunks_->rest->is_done()) || inbox_.unread().size() > taken_);
}

}  // namespace gamehub::gateways::http
