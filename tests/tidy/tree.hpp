// Reads the sources for the tests that check the whole checkout.
#pragma once

#include "tests/tidy/rules.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::tests::tidy {

// All text files under the root, sorted by path, without build folders and without data: samples,
// transcripts and corpora may have any bytes.
std::vector<source_file> read_tree(const std::filesystem::path& root);

// The text of one file; empty if it cannot be read.
std::string read_text(const std::filesystem::path&);

}  // namespace gamehub::tests::tidy
