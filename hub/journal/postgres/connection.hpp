// C++ wrapper of libpq, the only code that calls it: one session of a PostgreSQL server, used
// asynchronously in pipeline mode, with a limit on every wait. A statement that was sent is never
// cancelled: a commit whose wait for the standby is cancelled answers success. One thread at a time
// uses a connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

struct pg_conn;
struct pg_result;

namespace gamehub::journal::postgres {

// A statement failed, or the connection was lost, or could not be made.
class error : public std::runtime_error {
 public:
  error(std::string sqlstate, const std::string& text)
      : std::runtime_error(text), sqlstate_(std::move(sqlstate)) {}
  // Returns the server's code; empty: the connection is lost, and what it sent may still happen.
  const std::string& sqlstate() const { return sqlstate_; }
  bool is_lost() const { return sqlstate_.empty(); }

 private:
  std::string sqlstate_;
};

// Parameters of statements. Views are valid until send() returns.
struct bytes {
  std::string_view all;
};
using value = std::variant<std::monostate, std::int64_t, std::string_view, bytes>;
inline value number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// The values of one column of many rows, as a parameter of type bigint[] or bytea[] in binary form
// (array_recv() of PostgreSQL; its numbers are in network order).
class column {
 public:
  enum class type : std::uint32_t { bigint = 20, bytea = 17 };  // pg_type.dat
  explicit column(type);
  void add(std::int64_t);
  void add(std::string_view);
  // Valid until the next add().
  bytes all() const { return {all_}; }

 private:
  void begin_value(std::size_t size);

  std::uint32_t rows_ = 0;
  std::string all_;
};

// The rows of one statement.
class result {
 public:
  int rows() const;
  bool is_null(int row, int column) const;
  // Of a column of type bigint.
  std::int64_t number(int row, int column) const;
  std::uint64_t natural(int row, int column) const {
    return static_cast<std::uint64_t>(number(row, column));
  }
  // Of a column of type bytea or text. Valid as long as the result.
  std::string_view bytes(int row, int column) const;
  // Returns how many rows the statement changed.
  std::uint64_t changed() const;
  // Returns the name of the command that was executed: after COMMIT, "ROLLBACK" if the transaction
  // had failed.
  std::string_view command() const;

 private:
  friend class connection;
  struct clearer {
    void operator()(pg_result*) const noexcept;
  };
  std::unique_ptr<pg_result, clearer> handle_;
};

// What a pipeline answered.
struct answers {
  std::vector<result> results;  // of the statements before the one that failed
  bool failed = false;
  error why{{}, {}};
  bool warned = false;  // the server sent a warning: a commit may be on one machine only
};

class connection {
 public:
  struct limits {
    std::chrono::milliseconds connect_max{5'000};
    // Longer than a fail-over of the database takes to cut the connection.
    std::chrono::milliseconds answer_max{10'000};
  };

  // Connects to a server that accepts writes, and sets the session. `target` is a connection string
  // or URI of libpq. Throws error.
  connection(const std::string& target, const limits&);
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  // Prepares a statement, which send() then uses. Throws error. Requires: an empty pipeline.
  void prepare(const char* name, const char* text);

  // Adds a statement to the pipeline: the name of a prepared one, or its text. Throws error.
  void send(const char* name_or_text, const std::vector<value>& = {});

  // Sends the pipeline and waits for its answers. After a statement that failed the others were not
  // executed, and an open transaction was rolled back. Throws error if the connection is lost, or
  // is closed because the answer is late.
  answers finish();

  // Returns the server and the database for people, without user and password.
  std::string place() const;

  // Executes one statement. Throws error.
  result run(const char* text, const std::vector<value>& = {});

 private:
  answers collect();
  void wait(bool to_write, std::chrono::steady_clock::time_point deadline);
  void connect(std::chrono::steady_clock::time_point deadline);
  [[noreturn]] void lose(const std::string& why);

  struct closer {
    void operator()(pg_conn*) const noexcept;
  };
  std::unique_ptr<pg_conn, closer> handle_;
  const limits limits_;
  std::unordered_set<std::string> prepared_;
  bool warned_ = false;
};

}  // namespace gamehub::journal::postgres
