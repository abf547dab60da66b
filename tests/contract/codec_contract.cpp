#include "tests/contract/codec_contract.hpp"

#include "engines/dice.hpp"
#include "hub/core/limits.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"
#include "tests/contract/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gamehub::tests {
namespace {

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string from_hex(const std::string& text) {
  std::string digits;
  bool comment = false;
  for (const char c : text) {
    comment = c != '\n' && (comment || c == '#');
    if (!comment && c > ' ') digits += c;
  }
  std::string out;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    out += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return out;
}

class contract {
 public:
  contract(const codec_subject& subject, std::uint64_t seed)
      : subject_(subject), dice_(seed), seed_(seed), report_(subject.name) {}

  std::vector<std::string> run() {
    at("samples");
    if (report_.expect(!subject_.samples.empty(), "has samples in its folder")) {
      for (const auto& each : subject_.samples) {
        check_sample(each);
        check_every_cut(each);
        check_flood(each);
      }
    }
    for (int i = 0; i < garbage_count; ++i) check_garbage(i);
    check_floods_of_one_byte();
    for (int i = 0; i < evening_count; ++i) check_events(i);
    check_farewells();
    return report_.found();
  }

 private:
  static constexpr int garbage_count = 400;
  static constexpr int evening_count = 300;
  static constexpr std::size_t flood_bytes = 3 * limits::line_bytes_max;

  void at(const std::string& place) { report_.at(place + ", seed " + std::to_string(seed_)); }

  reading read_new(std::string_view bytes, const reading_plan& plan) {
    const auto tested = subject_.make();
    auto out = read(*tested, bytes, plan);
    report_.expect(!out.endless, "says no more than its bytes can mean");
    report_.expect(!out.kept_too_much, "keeps no more than an unfinished message");
    report_.expect(!out.spoke_on, "says nothing after an error or a goodbye");
    check_written(out.written);
    if (out.ended) check_silence(*tested);
    return out;
  }

  void check_written(std::string_view bytes) {
    if (!subject_.fault_of) return;
    const auto fault = subject_.fault_of(bytes);
    report_.expect(fault.empty(), "writes what its protocol allows", fault);
  }

  // Bytes after the end are neither read nor kept.
  void check_silence(gateways::codec& ended) {
    for (const auto& each : subject_.samples) {
      ended.receive(each.bytes);
      report_.expect(!ended.next(), "says nothing after an error or a goodbye");
      ended.compact();
      report_.expect(ended.kept_bytes() == 0, "keeps nothing after an error or a goodbye");
    }
  }

  void check_sample(const codec_sample& sample) {
    at("sample " + sample.name);
    report_.expect(!read_new(sample.bytes, {}).said.empty(), "reads something in each sample");
  }

  void compare(std::string_view bytes, const reading& uncut, const reading_plan& plan) {
    const auto cut = read_new(bytes, plan);
    const auto same =
        std::mismatch(uncut.said.begin(), uncut.said.end(), cut.said.begin(), cut.said.end());
    const auto was = [](auto here, auto end) { return here == end ? std::string{"-"} : *here; };
    report_.expect(
        uncut.said == cut.said, "reads the same however its bytes are cut",
        was(same.first, uncut.said.end()) + " became " + was(same.second, cut.said.end()));
    report_.expect(uncut.written == cut.written, "writes the same however its bytes are cut");
  }

  void compare_in_all_paces(std::string_view bytes, const std::vector<std::size_t>& cuts) {
    for (const bool in_game : {false, true}) {
      const auto uncut = read_new(bytes, {{}, pace::all, in_game});
      for (const auto each : {pace::all, pace::pauses, pace::behind})
        compare(bytes, uncut, {cuts, each, in_game});
    }
  }

  void check_every_cut(const codec_sample& sample) {
    std::vector<std::size_t> everywhere;
    for (std::size_t cut = 0; cut <= sample.bytes.size(); ++cut) {
      at("sample " + sample.name + " cut at " + std::to_string(cut));
      compare_in_all_paces(sample.bytes, {cut});
      everywhere.push_back(cut);
    }
    at("sample " + sample.name + " byte by byte");
    compare_in_all_paces(sample.bytes, everywhere);
  }

  std::vector<std::size_t> any_cuts(std::size_t size) {
    std::vector<std::size_t> out;
    for (std::size_t i = dice_.below(8); i > 0; --i) out.push_back(dice_.below(size + 1));
    std::sort(out.begin(), out.end());
    return out;
  }

  // Some are noise; most are samples with a few bytes changed, removed or duplicated.
  std::string any_garbage() {
    std::string out;
    if (subject_.samples.empty() || dice_.below(4) == 0) {
      for (std::size_t i = dice_.below(200); i > 0; --i) out += any_byte();
      return out;
    }
    out = dice_.one_of(subject_.samples).bytes;
    for (std::size_t i = dice_.below(4) + 1; i > 0 && !out.empty(); --i) {
      const auto where = dice_.below(out.size());
      switch (dice_.below(4)) {
        case 0: out[where] = any_byte(); break;
        case 1: out.erase(where, dice_.below(8)); break;
        case 2: out.insert(where, 1, any_byte()); break;
        default: out.insert(where, out.substr(dice_.below(out.size()), dice_.below(40))); break;
      }
    }
    return out;
  }

  char any_byte() { return static_cast<char>(dice_.below(256)); }

  void check_garbage(int number) {
    at("garbage " + std::to_string(number));
    const auto bytes = any_garbage();
    compare_in_all_paces(bytes, any_cuts(bytes.size()));
  }

  void check_kept_of(std::string_view bytes) {
    reading_plan plan;
    for (auto cut = limits::read_bytes_max; cut < bytes.size(); cut += limits::read_bytes_max)
      plan.cuts.push_back(cut);
    read_new(bytes, plan);
  }

  // A message that never ends, of any kind.
  void check_flood(const codec_sample& sample) {
    at("flood after a part of sample " + sample.name);
    for (int i = 0; i < 8; ++i)
      check_kept_of(sample.bytes.substr(0, dice_.below(sample.bytes.size() + 1)) +
                    std::string(flood_bytes, 'a'));
  }

  void check_floods_of_one_byte() {
    for (int byte = 0; byte < 256; ++byte) {
      at("flood of byte " + std::to_string(byte));
      check_kept_of(std::string(flood_bytes, static_cast<char>(byte)));
    }
  }

  // Sends to two codecs, to the second with a buffer that is not empty. Both must append the same.
  template <class Send>
  void send_twice(gateways::codec& one, gateways::codec& other, Send send) {
    std::string plain, behind = "before";
    send(one, plain);
    send(other, behind);
    report_.expect(behind == "before" + plain, "only appends, and the same each time");
    report_.expect(plain.size() < limits::outbox_bytes_max, "writes less than an outbox holds");
    check_written(plain);
  }

  void check_events(int number) {
    at("events " + std::to_string(number));
    const auto one = subject_.make(), other = subject_.make();
    for (int i = 0; i < 40; ++i) {
      const auto e = any_event(dice_);
      send_twice(*one, *other, [&](gateways::codec& to, std::string& out) { to.send(e, out); });
    }
    farewell_to(*one, *other, static_cast<close_reason>(dice_.below(close_reason_count)));
    report_.expect(!one->next(), "says nothing that no client said");
  }

  void farewell_to(gateways::codec& one, gateways::codec& other, close_reason why) {
    send_twice(one, other, [&](gateways::codec& to, std::string& out) { to.farewell(why, out); });
  }

  void check_farewells() {
    for (int i = 0; i < close_reason_count; ++i) {
      const auto why = static_cast<close_reason>(i);
      at("farewell " + std::string{to_string(why)});
      auto one = subject_.make(), other = subject_.make();
      farewell_to(*one, *other, why);
      for (const auto& sample : subject_.samples) {
        one = subject_.make(), other = subject_.make();
        for (auto* each : {one.get(), other.get()}) read(*each, sample.bytes, {{}, {}, true});
        farewell_to(*one, *other, why);
      }
    }
  }

  const codec_subject& subject_;
  engines::rng dice_;
  std::uint64_t seed_;
  report report_;
};

}  // namespace

codec_subject subject_of(const gateways::protocol_info& protocol) {
  codec_subject out;
  out.name = protocol.name;
  out.make = [&protocol] { return protocol.make_codec(tictactoe_traits()); };
  const auto folder = std::filesystem::path{GAMEHUB_SOURCE_DIR} / "gateways" / out.name / "samples";
  std::error_code none_there;
  for (const auto& each : std::filesystem::directory_iterator{folder, none_there}) {
    const auto bytes = whole_file(each.path());
    const bool hex = each.path().extension() == ".hex";
    out.samples.push_back({each.path().filename().string(), hex ? from_hex(bytes) : bytes});
  }
  std::sort(out.samples.begin(), out.samples.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

const gateways::protocol_info& protocol_named(std::string_view name) {
  for (const auto* each : gateways::protocols())
    if (each->name == name) return *each;
  throw std::out_of_range{"no protocol " + std::string{name}};
}

std::uint64_t codec_seed_of_this_run() {
  const char* const given = std::getenv("GAMEHUB_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

std::vector<std::string> violations(const codec_subject& subject, std::uint64_t seed) {
  return contract{subject, seed}.run();
}

}  // namespace gamehub::tests
