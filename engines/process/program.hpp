// A program that is an engine: it speaks the protocol of this folder on its standard input and
// output. Its text is the path of a file `NAME.engine`, `ID=COMMAND` as --engine has it, or a
// command with blanks. Plain functions, any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::engines::process {

inline constexpr std::string_view program_extension = ".engine";

// True for the path of a .engine file, and for a command such as "python3 mygame.py", with or
// without "ID=" before it.
bool is_program(std::string_view what);

// Returns the id in "ID=COMMAND"; empty for all other texts.
std::string_view id_in(std::string_view what);

// Returns the name of a program or a plugin that a process in any folder can open: "ID=COMMAND"
// itself, or the absolute path.
std::string text_of(const std::filesystem::path& plugin);

// Returns a sentence if the engine of a program has another id than "ID=COMMAND" says.
std::string id_fault(std::string_view what, std::string_view id);

// Returns the words of a command, or a sentence. Blanks separate words; quotes of both kinds keep
// them together. No shell reads it.
std::variant<std::vector<std::string>, std::string> words_of(std::string_view command);

// The most processes of one engine.
inline constexpr std::size_t processes_max = 8;

// The text of a .engine file: lines NAME = VALUE; # begins a comment.
struct engine_file {
  std::string command;
  std::size_t processes = 0;  // 0: the file does not say
  std::string wrong;          // the reason if the file can't be used
};
engine_file read_engine_file(std::string_view text);

// How a program is started.
struct program_start {
  std::vector<std::string> words;
  std::filesystem::path folder;  // absolute; empty: that of this process
  std::size_t processes = 0;     // as of an engine_file
};
// Returns the start of "ID=COMMAND", a command, or the path of a .engine file, which it reads; or a
// sentence.
std::variant<program_start, std::string> start_of(const std::string& what);

// Where a program is searched that has no slash, as PATH has it.
std::string search_path();

// The exit code of a process that could not become the program; it has said why.
inline constexpr int exit_code_not_started = 127;

// Replaces this process with the program: its channel is its standard input and output, its
// folder that of the file, and its environment PATH, LANG and PYTHONDONTWRITEBYTECODE. Returns an
// exit code if that failed.
int become_program(const std::string& what);

}  // namespace gamehub::engines::process
