// A new database for a test, of the one server of its test program, and what other programs do to
// it.
#pragma once

#include "hub/journal/postgres/connection.hpp"
#include "tests/journal/postgres_server.hpp"

#include <string>

namespace gamehub::tests {

class test_database {
 public:
  static postgres_server& server() {
    static postgres_server one;
    return one;
  }

  test_database() {
    static int count = 0;
    const auto name = "t" + std::to_string(++count);
    journal::postgres::connection{server().target(), {}}.run(("CREATE DATABASE " + name).c_str());
    target_ = server().target(name);
  }

  const std::string& target() const { return target_; }
  journal::postgres::connection connect() const {
    return journal::postgres::connection{target_, {}};
  }
  // Ends all sessions but this one's own.
  void cut() const {
    connect().run(
        "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

 private:
  std::string target_;
};

}  // namespace gamehub::tests
