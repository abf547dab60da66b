#include "tests/system/program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace gamehub::tests::system {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view line{*each};
    const std::string name{line.substr(0, line.find('='))};
    if (!line.starts_with("GAMEHUB_") && more.count(name) == 0) out.emplace_back(line);
  }
  for (const auto& [name, value] : more) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& each : texts) out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

program::program(const invocation& what) : time_(what.time) {
  auto words = what.words;
  auto variables = environment_with(what.variables);
  const auto argv = pointers(words);
  const auto envp = pointers(variables);
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  output_end_ = pipe_ends[0];
  std::array<int, 2> input_ends{-1, -1};
  if (what.hears && pipe2(input_ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  input_end_ = input_ends[1];
  errors_ = memfd_create("errors", MFD_CLOEXEC);
  if (errors_ < 0) fail("memfd_create");
  id_ = fork();
  if (id_ < 0) fail("fork");
  if (id_ == 0) {
    // Goes with the test, however that ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(what.hears ? input_ends[0] : open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(pipe_ends[1], STDOUT_FILENO);
    dup2(errors_, STDERR_FILENO);
    if (what.folder.empty() || chdir(what.folder.c_str()) == 0)
      execvpe(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  if (what.hears) close(input_ends[0]);
}

void program::say(const std::string& line) const {
  const auto text = line + '\n';
  if (write(input_end_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail("write");
}

program::~program() {
  if (!ended_) {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  close(output_end_);
  if (input_end_ >= 0) close(input_end_);
  close(errors_);
}

bool program::read_more(const deadline& until) {
  while (!output_ended_) {
    pollfd readable{output_end_, POLLIN, 0};
    const int ready = poll(&readable, 1, until.poll_milliseconds());
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 4096> bytes{};
    const auto size = ::read(output_end_, bytes.data(), bytes.size());
    if (size > 0) {
      output_.append(bytes.data(), static_cast<std::size_t>(size));
      return true;
    }
    output_ended_ = true;
  }
  return false;
}

std::string program::read_line(std::chrono::milliseconds time) {
  const deadline until{time};
  auto end = output_.find('\n', taken_);
  while (end == output_.npos && read_more(until)) end = output_.find('\n', taken_);
  auto line = output_.substr(taken_, end == output_.npos ? end : end - taken_);
  taken_ = end == output_.npos ? output_.size() : end + 1;
  return line;
}

void program::signal(int number) const {
  if (!ended_) kill(id_, number);
}

std::vector<pid_t> program::children() const {
  std::vector<pid_t> out;
  for (const auto& each : std::filesystem::directory_iterator{"/proc"}) {
    std::ifstream status{each.path() / "status"};
    for (std::string line; std::getline(status, line);)
      if (line == "PPid:\t" + std::to_string(id_))
        out.push_back(std::stoi(each.path().filename().string()));
  }
  return out;
}

int program::wait() {
  if (ended_) return exit_code_;
  // The output ends with the process, and unlike that can be waited for with a deadline.
  const deadline until{time_};
  while (read_more(until)) continue;
  if (!output_ended_) return -1;
  int status = 0;
  if (waitpid(id_, &status, 0) != id_) fail("waitpid");
  ended_ = true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

std::string program::errors() const {
  std::string out;
  std::array<char, 4096> bytes{};
  for (ssize_t size = 0;
       (size = pread(errors_, bytes.data(), bytes.size(), static_cast<off_t>(out.size()))) > 0;)
    out.append(bytes.data(), static_cast<std::size_t>(size));
  return out;
}

run_result run(const invocation& what) {
  program p{what};
  const auto code = p.wait();
  return {code, p.output(), p.errors()};
}

std::string hub_program() { return GAMEHUB_PROGRAM; }
std::string tools_program() { return GAMEHUB_TOOLS_PROGRAM; }

temporary_folder::temporary_folder() {
  auto name = (std::filesystem::temp_directory_path() / "gamehub-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("mkdtemp " + name);
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string temporary_folder::write(const std::string& name, const std::string& text) const {
  const auto path = path_ + "/" + name;
  std::ofstream{path, std::ios::binary} << text;
  return path;
}

}  // namespace gamehub::tests::system
