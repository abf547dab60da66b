// A PostgreSQL server for tests: Debian's programs, a temporary folder, a Unix socket, and a user
// that is not root. It ends with this object, and with this program. One test program owns one.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace gamehub::tests {

class postgres_server {
 public:
  // Throws if the programs are not installed or the server does not start.
  explicit postgres_server(const std::vector<std::string>& options = {}) {
    const auto programs = find_programs();
    auto name = (std::filesystem::temp_directory_path() / "gamehub-postgres-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
    folder_ = name;
    if (const auto* user = server_user();
        user != nullptr && ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0)
      throw std::runtime_error{"the folder of the database can't be given to its user"};
    const auto data = folder_ / "data";
    const auto made = start({programs / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E",
                             "UTF8", "--no-locale", "--no-sync"});
    const auto output = read_until(made, {});
    if (ended(made) != 0) throw std::runtime_error{"initdb failed: " + output};
    command_ = {programs / "postgres",
                "-D",
                data,
                "-k",
                folder_,
                "-c",
                "listen_addresses=",
                "-c",
                "fsync=off",
                "-c",
                "logging_collector=off"};
    for (const auto& o : options) command_.insert(command_.end(), {"-c", o});
    start_again();
  }
  postgres_server(const postgres_server&) = delete;
  postgres_server& operator=(const postgres_server&) = delete;
  ~postgres_server() {
    stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Ends the server, as a crash does, without waiting for connections, which tests may have left.
  void stop() {
    if (server_.pid > 0) ::kill(server_.pid, SIGQUIT);
    ended(server_);
    server_ = {};
  }
  // Requires: it was stopped.
  void start_again() {
    server_ = start(command_);
    const auto log = read_until(server_, "ready to accept connections");
    if (log.find("ready to accept connections") == log.npos)
      throw std::runtime_error{"the database did not start: " + log};
  }

  // Returns the connection string of a database.
  std::string target(const std::string& database = "postgres") const {
    return "host=" + folder_.string() + " user=postgres dbname=" + database;
  }

 private:
  struct process {
    ::pid_t pid = -1;
    int output = -1;
  };

  static std::filesystem::path find_programs() {
    std::vector<std::filesystem::path> found;
    std::error_code none;
    for (const auto& version : std::filesystem::directory_iterator{"/usr/lib/postgresql", none})
      if (std::filesystem::exists(version.path() / "bin/initdb"))
        found.push_back(version.path() / "bin");
    if (found.empty())
      throw std::runtime_error{"PostgreSQL is not installed: run ./dev install test"};
    return *std::max_element(found.begin(), found.end());
  }

  // Null: this program does not run as root, and the server runs as its user.
  static const ::passwd* server_user() {
    if (::geteuid() != 0) return nullptr;
    const auto* user = ::getpwnam("postgres");
    return user != nullptr ? user : ::getpwnam("daemon");
  }

  process start(std::vector<std::string> command) const {
    // The server ends with this program, however that ends.
    std::vector<std::string> all{"setpriv", "--pdeathsig", "QUIT"};
    if (const auto* user = server_user())
      all.insert(all.end(), {"--reuid", std::to_string(user->pw_uid), "--regid",
                             std::to_string(user->pw_gid), "--clear-groups"});
    all.insert(all.end(), command.begin(), command.end());
    std::vector<char*> arguments;
    for (auto& a : all) arguments.push_back(a.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
    process started{::fork(), ends[0]};
    if (started.pid == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      if (::chdir(folder_.c_str()) == 0) ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    if (started.pid < 0) throw std::runtime_error{"no process for the database"};
    return started;
  }

  // Returns what the process wrote until this text, or all of it.
  static std::string read_until(const process& p, const std::string& text) {
    std::string all;
    char part[512];
    for (;;) {
      const auto n = ::read(p.output, part, sizeof part);
      if (n <= 0) return all;
      all.append(part, static_cast<std::size_t>(n));
      if (!text.empty() && all.find(text) != all.npos) return all;
    }
  }

  static int ended(const process& p) {
    if (p.pid <= 0) return -1;
    ::close(p.output);
    int status = 0;
    ::waitpid(p.pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::filesystem::path folder_;
  std::vector<std::string> command_;
  process server_;
};

}  // namespace gamehub::tests
