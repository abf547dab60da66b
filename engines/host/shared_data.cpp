#include "engines/host/shared_data.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <optional>
#include <span>
#include <string_view>

namespace gamehub::engines::host {

namespace {

using header = ElfW(Ehdr);
using section = ElfW(Shdr);
using symbol = ElfW(Sym);

// The bytes of a file. Every offset in it is validated.
class image {
 public:
  explicit image(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    bytes_.assign(std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{});
  }

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    T out;
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof out) return std::nullopt;
    std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }

  std::string_view piece(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
    return std::string_view{bytes_}.substr(offset, size);
  }

 private:
  std::string bytes_;
};

std::optional<section> section_at(const image& in, const header& of, std::size_t number) {
  if (number >= of.e_shnum) return std::nullopt;
  return in.at<section>(of.e_shoff + number * sizeof(section));
}

// The variables, guards and constants of namespace std: _ZNSt…, _ZZNKSt…, _ZGVNSt…
bool is_of_the_standard_library(std::string_view name) {
  constexpr std::array<std::string_view, 6> heads{"_Z", "Z", "GV", "GR", "N", "K"};
  for (const auto head : heads)
    while (name.starts_with(head)) name.remove_prefix(head.size());
  return name.starts_with("St") || name.starts_with("Ss") || name.starts_with("Sa") ||
         name.starts_with("9__gnu_cxx");
}

std::string_view text_at(std::string_view texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const auto rest = texts.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::vector<std::string> shared_data_of(const std::filesystem::path& file) {
  const image in{file};
  const auto head = in.at<header>(0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_shentsize != sizeof(section))
    return {};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < head->e_shnum; ++i) {
    const auto table = section_at(in, *head, i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto names = section_at(in, *head, table->sh_link);
    if (!names) continue;
    const auto texts = in.piece(names->sh_offset, names->sh_size);
    const auto count = in.piece(table->sh_offset, table->sh_size).size() / sizeof(symbol);
    for (std::size_t s = 0; s < count; ++s) {
      const auto each = in.at<symbol>(table->sh_offset + s * sizeof(symbol));
      if (!each || each->st_info >> 4 != STB_GNU_UNIQUE || each->st_shndx == SHN_UNDEF) continue;
      const auto name = text_at(texts, each->st_name);
      if (!name.empty() && !is_of_the_standard_library(name)) out.emplace_back(name);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace gamehub::engines::host
