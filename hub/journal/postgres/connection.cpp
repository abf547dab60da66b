#include "hub/journal/postgres/connection.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <type_traits>

namespace gamehub::journal::postgres {

namespace {

using clock = std::chrono::steady_clock;

constexpr int binary = 1;
constexpr int bigint_bytes = 8;

// Commits wait for the standby, whatever the role's or the database's defaults are, and a statement
// sees what was committed before it.
constexpr const char* session_settings =
    "SET synchronous_commit = on;"
    "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;"
    "SET client_min_messages = warning;"
    "SET client_encoding = 'UTF8';"
    "SET statement_timeout = 0;"
    "SET idle_in_transaction_session_timeout = 0;";

// The message of libpq without its line ends, and without its hints, which begin with a tab.
std::string one_line(const char* text) {
  std::string line;
  for (std::string_view rest{text == nullptr ? "" : text}; !rest.empty();) {
    const auto part = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.empty() || part.front() == '\t') continue;
    line.append(line.empty() ? "" : "; ").append(part);
  }
  return line;
}

void note_warning(void* warned, const PGresult* notice) {
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity != nullptr && std::strcmp(severity, "WARNING") == 0)
    *static_cast<bool*>(warned) = true;
}

error error_of(const PGresult* r) {
  const char* state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
  return {state == nullptr ? "" : state, one_line(PQresultErrorMessage(r))};
}

template <class Integer>
std::array<char, sizeof(Integer)> network_order(Integer n) {
  std::array<char, sizeof(Integer)> out{};
  auto left = static_cast<std::uint64_t>(n);
  for (auto i = out.size(); i-- > 0; left >>= 8) out[i] = static_cast<char>(left & 0xff);
  return out;
}

template <class Integer>
void append_network_order(Integer n, std::string& out) {
  const auto bytes = network_order(n);
  out.append(bytes.data(), bytes.size());
}

// The message of libpq about a string that can't be parsed repeats parts of it, also of a password.
bool can_be_parsed(const std::string& target) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options{
      PQconninfoParse(target.c_str(), nullptr), PQconninfoFree};
  return options != nullptr;
}

// Parameters as libpq takes them.
class parameters {
 public:
  explicit parameters(const std::vector<value>& all) : numbers_(all.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) std::visit([&](auto v) { add(v, i); }, all[i]);
  }
  int count() const { return static_cast<int>(values_.size()); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  void add(std::monostate, std::size_t) { put(nullptr, 0); }
  void add(std::int64_t n, std::size_t at) {
    numbers_[at] = network_order(n);
    put(numbers_[at].data(), bigint_bytes);
  }
  // An empty text is not null.
  void add(std::string_view text, std::size_t) {
    put(text.empty() ? "" : text.data(), text.size());
  }
  void add(bytes b, std::size_t at) { add(b.all, at); }
  void put(const char* at, std::size_t size) {
    if (size > INT_MAX) throw std::logic_error{"postgres: a parameter is too long"};
    values_.push_back(at);
    lengths_.push_back(static_cast<int>(size));
    formats_.push_back(binary);
  }

  std::vector<std::array<char, bigint_bytes>> numbers_;
  std::vector<const char*> values_;
  std::vector<int> lengths_, formats_;
};

}  // namespace

column::column(type t) {
  constexpr std::uint32_t dimensions = 1, nulls = 0, first_index = 1;
  for (const auto n : {dimensions, nulls, static_cast<std::uint32_t>(t), rows_, first_index})
    append_network_order(n, all_);
}

void column::begin_value(std::size_t size) {
  constexpr std::size_t rows_at = 3 * sizeof rows_;
  const auto rows = network_order(++rows_);
  std::copy(rows.begin(), rows.end(), all_.begin() + rows_at);
  append_network_order(static_cast<std::uint32_t>(size), all_);
}

void column::add(std::int64_t n) {
  begin_value(sizeof n);
  append_network_order(n, all_);
}

void column::add(std::string_view b) {
  begin_value(b.size());
  all_.append(b);
}

void result::clearer::operator()(pg_result* r) const noexcept { PQclear(r); }
int result::rows() const { return PQntuples(handle_.get()); }
bool result::is_null(int row, int column) const {
  return PQgetisnull(handle_.get(), row, column) != 0;
}
std::string_view result::bytes(int row, int column) const {
  return {PQgetvalue(handle_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(handle_.get(), row, column))};
}
std::int64_t result::number(int row, int column) const {
  const auto all = bytes(row, column);
  if (all.size() != bigint_bytes) throw std::logic_error{"postgres: a column is no bigint"};
  std::uint64_t n = 0;
  for (const auto c : all) n = n << 8 | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(n);
}
std::uint64_t result::changed() const {
  return std::strtoull(PQcmdTuples(handle_.get()), nullptr, 10);
}
std::string_view result::command() const { return PQcmdStatus(handle_.get()); }

void connection::closer::operator()(pg_conn* c) const noexcept { PQfinish(c); }

connection::connection(const std::string& target, const limits& l) : limits_(l) {
  const auto deadline = clock::now() + limits_.connect_max;
  if (!can_be_parsed(target)) throw error{{}, "the connection string can't be parsed"};
  // Later words override those of the string.
  constexpr const char* words[] = {
      "dbname",           "target_session_attrs",      "keepalives",
      "keepalives_idle",  "keepalives_interval",       "keepalives_count",
      "tcp_user_timeout", "fallback_application_name", nullptr};
  const char* values[] = {target.c_str(), "read-write", "1",    "1", "1", "2",
                          "2000",         "gamehub",    nullptr};
  handle_.reset(PQconnectStartParams(words, values, 1));
  if (!handle_) throw error{{}, "out of memory"};
  connect(deadline);
  if (PQsetnonblocking(handle_.get(), 1) != 0 || PQenterPipelineMode(handle_.get()) != 1)
    lose(one_line(PQerrorMessage(handle_.get())));
  PQsetNoticeReceiver(handle_.get(), note_warning, &warned_);
}

connection::~connection() = default;

void connection::connect(clock::time_point deadline) {
  for (auto state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;
       state = PQconnectPoll(handle_.get())) {
    if (state == PGRES_POLLING_FAILED || PQstatus(handle_.get()) == CONNECTION_BAD)
      lose(one_line(PQerrorMessage(handle_.get())));
    wait(state == PGRES_POLLING_WRITING, deadline);
  }
  // Several statements in one text are possible before pipeline mode only.
  if (PQsendQuery(handle_.get(), session_settings) != 1)
    lose(one_line(PQerrorMessage(handle_.get())));
  for (;;) {
    while (PQisBusy(handle_.get()) != 0) {
      wait(false, deadline);
      if (PQconsumeInput(handle_.get()) != 1) lose(one_line(PQerrorMessage(handle_.get())));
    }
    result r;
    r.handle_.reset(PQgetResult(handle_.get()));
    if (!r.handle_) return;
    if (PQresultStatus(r.handle_.get()) == PGRES_FATAL_ERROR) throw error_of(r.handle_.get());
  }
}

void connection::lose(const std::string& why) {
  handle_.reset();
  throw error{{}, why};
}

void connection::wait(bool to_write, clock::time_point deadline) {
  ::pollfd socket{PQsocket(handle_.get()), static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN),
                  0};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count();
    if (left <= 0) lose("the database did not answer in time");
    const auto ready = ::poll(&socket, 1, static_cast<int>(left));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) lose(std::strerror(errno));
  }
}

void connection::prepare(const char* name, const char* text) {
  if (!handle_) throw error{{}, "the connection is lost"};
  if (PQsendPrepare(handle_.get(), name, text, 0, nullptr) != 1)
    lose(one_line(PQerrorMessage(handle_.get())));
  auto all = finish();
  if (all.failed) throw error{all.why};
  prepared_.insert(name);
}

void connection::send(const char* statement, const std::vector<value>& all) {
  if (!handle_) throw error{{}, "the connection is lost"};
  const parameters p{all};
  const auto sent = prepared_.contains(statement)
                        ? PQsendQueryPrepared(handle_.get(), statement, p.count(), p.values(),
                                              p.lengths(), p.formats(), binary)
                        : PQsendQueryParams(handle_.get(), statement, p.count(), nullptr,
                                            p.values(), p.lengths(), p.formats(), binary);
  if (sent != 1) lose(one_line(PQerrorMessage(handle_.get())));
}

answers connection::finish() {
  auto all = collect();
  if (!all.failed || PQtransactionStatus(handle_.get()) == PQTRANS_IDLE) return all;
  send("ROLLBACK");
  collect();
  return all;
}

answers connection::collect() {
  if (!handle_) throw error{{}, "the connection is lost"};
  const auto deadline = clock::now() + limits_.answer_max;
  answers all;
  warned_ = false;
  if (PQpipelineSync(handle_.get()) != 1) lose(one_line(PQerrorMessage(handle_.get())));
  for (;;) {
    // A server that answers much reads no more until its answers are read.
    const auto unsent = PQflush(handle_.get());
    if (unsent < 0) lose(one_line(PQerrorMessage(handle_.get())));
    if (PQisBusy(handle_.get()) != 0) {
      wait(unsent == 1, deadline);
      if (PQconsumeInput(handle_.get()) != 1) lose(one_line(PQerrorMessage(handle_.get())));
      continue;
    }
    result r;
    r.handle_.reset(PQgetResult(handle_.get()));
    if (!r.handle_) {
      if (PQstatus(handle_.get()) == CONNECTION_BAD) lose(one_line(PQerrorMessage(handle_.get())));
      continue;  // the end of one statement
    }
    switch (PQresultStatus(r.handle_.get())) {
      case PGRES_PIPELINE_SYNC: all.warned = warned_; return all;
      case PGRES_PIPELINE_ABORTED: break;
      case PGRES_COMMAND_OK:
      case PGRES_TUPLES_OK: all.results.push_back(std::move(r)); break;
      default:
        if (PQstatus(handle_.get()) == CONNECTION_BAD)
          lose(one_line(PQerrorMessage(handle_.get())));
        if (!all.failed) all.why = error_of(r.handle_.get());
        all.failed = true;
    }
  }
}

std::string connection::place() const {
  if (!handle_) return {};
  const std::string host = PQhost(handle_.get());
  return "PostgreSQL at " + host +
         (host.starts_with('/') ? "" : std::string{" port "} + PQport(handle_.get())) +
         ", database " + PQdb(handle_.get());
}

result connection::run(const char* text, const std::vector<value>& all) {
  send(text, all);
  auto done = finish();
  if (done.failed) throw error{done.why};
  return std::move(done.results.at(0));
}

}  // namespace gamehub::journal::postgres
