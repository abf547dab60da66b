// The files that the process of an engine may read in the sandbox: the folders of its files, and
// those of the system's libraries and programs. Plain functions, any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::engines::process {

// Returns paths of files and folders; some may not exist. `what` is as of serve_engine(), or the
// target of a check.
std::vector<std::string> readable_files(const std::string& what);

// Returns the folder of a program, which is searched for in `search` (as PATH has it) if it has no
// slash; that of the first word that names a file, such as a script; and what other words name. All
// from the folder `from`. A program of a folder `bin` also has the libraries of the folder beside
// it, and a virtual environment of Python its settings.
std::vector<std::string> files_of_program(const std::vector<std::string>& words,
                                          const std::filesystem::path& from,
                                          const std::string& search);

}  // namespace gamehub::engines::process
