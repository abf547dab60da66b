// The icon of a face: a parser of the part of SVG that can only draw. What it does not know is an
// error, so that nothing reaches a browser that this parser and the browser read differently.
#include "engines/host/display_text.hpp"
#include "engines/host/face.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace gamehub::engines::host {

namespace {

constexpr std::array<std::string_view, 10> elements{
    "svg", "g", "path", "circle", "rect", "line", "polyline", "polygon", "ellipse", "title"};

constexpr std::array<std::string_view, 30> attributes{"viewBox",
                                                      "width",
                                                      "height",
                                                      "x",
                                                      "y",
                                                      "x1",
                                                      "y1",
                                                      "x2",
                                                      "y2",
                                                      "cx",
                                                      "cy",
                                                      "r",
                                                      "rx",
                                                      "ry",
                                                      "d",
                                                      "points",
                                                      "opacity",
                                                      "transform",
                                                      "fill",
                                                      "fill-opacity",
                                                      "stroke",
                                                      "fill-rule",
                                                      "stroke-width",
                                                      "stroke-linecap",
                                                      "color",
                                                      "stroke-linejoin",
                                                      "stroke-miterlimit",
                                                      "stroke-dasharray",
                                                      "stroke-dashoffset",
                                                      "stroke-opacity"};

constexpr std::string_view svg_namespace = "http://www.w3.org/2000/svg";
constexpr std::size_t depth_max = 16;

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Numbers, colours, paths and transformations. No character of an address, and no url().
bool is_value(std::string_view value) {
  const auto fits = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') ||
           std::string_view{" .,#%()+-"}.find(c) != std::string_view::npos;
  };
  if (!std::all_of(value.begin(), value.end(), fits)) return false;
  std::string lower{value};
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("url") == lower.npos;
}

std::string shown(std::string_view word) {
  constexpr std::size_t shown_max = 24;
  std::string out{word.substr(0, shown_max)};
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out;
}

class icon_reader {
 public:
  explicit icon_reader(std::string_view text) : text_(text) {}

  std::string fault() {
    blanks();
    if (!text_.starts_with("<svg")) return "that does not begin with the element svg";
    while (fault_.empty() && (!open_.empty() || count_ == 0)) step();
    if (!fault_.empty()) return fault_;
    if (!has_namespace_) return "without xmlns=\"" + std::string{svg_namespace} + '"';
    if (!has_view_box_) return "without viewBox";
    blanks();
    return text_.empty() ? "" : "with text after its end";
  }

 private:
  // Reads a tag, or the text before the next one.
  void step() {
    if (text_.empty()) return fail("that ends before its elements do");
    if (text_.starts_with("</")) return close();
    if (text_.front() == '<') return open();
    const auto text = text_.substr(0, text_.find('<'));
    text_.remove_prefix(text.size());
    if (text.find_first_not_of(" \n\t") == text.npos) return;
    if (open_.back() != "title") return fail("with text outside of the element title");
    if (text.find_first_of("&>") != text.npos || !is_display_text(text))
      return fail("with a title that is not plain text");
  }

  void open() {
    text_.remove_prefix(1);
    const auto name = word();
    if (name.empty()) return fail("with something else than elements and text");
    if (!has(elements, name)) return fail("with the element " + shown(name) + not_one_of(elements));
    if ((name == "svg") != (count_++ == 0)) return fail("with an element svg inside another one");
    if (!open_.empty() && open_.back() == "title") return fail("with an element inside of title");
    if (open_.size() == depth_max) return fail("with elements inside of each other, too many");
    std::vector<std::string_view> seen;
    while (fault_.empty()) {
      const bool apart = blanks();
      if (take("/>")) return;
      if (take(">")) return open_.push_back(name);
      if (!apart) return fail("with a tag that is not well-formed");
      attribute(name, seen);
    }
  }

  void attribute(std::string_view element, std::vector<std::string_view>& seen) {
    const auto name = word();
    if (name.empty() || !take("=\"")) return fail("with an attribute that is not well-formed");
    const auto value = text_.substr(0, text_.find('"'));
    if (value.size() == text_.size()) return fail("with an attribute that is not well-formed");
    text_.remove_prefix(value.size() + 1);
    if (has(seen, name)) return fail("with the attribute " + shown(name) + " twice");
    seen.push_back(name);
    if (name == "xmlns" && element == "svg" && value == svg_namespace) {
      has_namespace_ = true;
      return;
    }
    if (!has(attributes, name))
      return fail("with the attribute " + shown(name) + ", which is not one of geometry or paint");
    if (!is_value(value)) return fail("with a value of " + shown(name) + " that is not allowed");
    if (element == "svg" && name == "viewBox") has_view_box_ = true;
  }

  void close() {
    text_.remove_prefix(2);
    const auto name = word();
    blanks();
    if (open_.empty() || name != open_.back() || !take(">"))
      return fail("with the end of " + shown(name) + " that ends nothing");
    open_.pop_back();
  }

  std::string_view word() {
    std::size_t size = 0;
    while (size < text_.size() &&
           (is_letter(text_[size]) || text_[size] == '-' || text_[size] == ':' ||
            std::isdigit(static_cast<unsigned char>(text_[size])) != 0))
      ++size;
    const auto out = text_.substr(0, size);
    text_.remove_prefix(size);
    return out;
  }
  bool blanks() {
    const bool any = !text_.empty() && is_blank(text_.front());
    while (!text_.empty() && is_blank(text_.front())) text_.remove_prefix(1);
    return any;
  }
  bool take(std::string_view what) {
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  void fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
  }
  template <class List>
  static std::string not_one_of(const List& list) {
    std::string out = ", which is not one of ";
    for (const auto each : list) out += (each == list.front() ? "" : ", ") + std::string{each};
    return out;
  }

  std::string_view text_;
  std::vector<std::string_view> open_;
  std::size_t count_ = 0;
  bool has_namespace_ = false, has_view_box_ = false;
  std::string fault_;
};

}  // namespace

std::string icon_fault(std::string_view svg) {
  if (svg.size() > icon_bytes_max)
    return "of more than " + std::to_string(icon_bytes_max) + " bytes";
  return icon_reader{svg}.fault();
}

}  // namespace gamehub::engines::host
