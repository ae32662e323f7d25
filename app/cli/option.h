// An option of a command as a value: its names, its texts, and where its value goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ropescope::cli {

/// Where the parser writes the value; the type says what is accepted. A bool is true if the option
/// is there and takes no value. An optional stays empty if the option is not there.
using OptionTarget =
    std::variant<bool*, double*, std::int64_t*, std::string*, std::vector<std::string>*,
                 std::optional<double>*, std::optional<int>*, std::optional<std::int64_t>*,
                 std::optional<std::uint64_t>*, std::optional<std::string>*>;

struct Option {
    std::string names;      ///< "-o,--output"; without a dash an argument that needs no name
    OptionTarget target;    ///< must live until the command has run
    std::string type = {};  ///< the form of the value, for people: "FILE.npy"
    std::string text = {};  ///< what it is for; empty for an option that --help does not show
    bool required = false;
    std::vector<std::string> choices = {};  ///< if not empty, the value is one of them
    bool* given = nullptr;                  ///< set to true if the option is there
    bool rest = false;  ///< of an argument without a name: takes all words that are left

    bool shown() const { return !text.empty(); }
    bool takes_value() const { return !std::holds_alternative<bool*>(target); }
    bool named() const { return names.starts_with('-'); }
    /// "-o" and "--output"; empty for an argument without a name.
    std::vector<std::string> name_list() const;
};

}  // namespace ropescope::cli
