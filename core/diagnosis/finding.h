// What the analysis found, as values: codes with their sentences and numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/enum_names.h"

namespace ropescope::diagnosis {

enum class Verdict : std::uint8_t { valid, equivalent, invalid, undetermined };

/// What a finding means for the verdict. note: how the implementation is; equivalent: unusual, but
/// scores are those of a model that was trained this way; fault: scores are wrong.
enum class Weight : std::uint8_t { fault, equivalent, note };

/// A number or a word, as measured or as expected; nothing if there is none to give.
using Value = std::variant<std::monostate, double, std::string>;

struct Finding {
    std::string code = {};   ///< "layout.half_split"
    std::string text = {};   ///< one sentence
    std::string where = {};  ///< "q", "k", "q and k", with rows or tokens: "k, row 1"
    Value measured = {}, expected = {};
    Weight weight = Weight::fault;
};

}  // namespace ropescope::diagnosis

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<diagnosis::Verdict> = {
    "valid", "equivalent", "invalid", "undetermined"};
}  // namespace ropescope
