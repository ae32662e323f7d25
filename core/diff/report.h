// What lies between two things that should do the same, as a value, and its text and JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/record.h"

namespace ropescope::diff {

/// equivalent: other numbers, and the same scores for weights that go with them.
enum class Sameness : std::uint8_t { equal, equivalent, different };

}  // namespace ropescope::diff

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<diff::Sameness> = {
    "equal", "equivalent", "different"};
}  // namespace ropescope

namespace ropescope::diff {

/// One of what was compared: a layer of a dump, a part of a model, a table.
struct Compared {
    std::string name = {};
    Sameness sameness = Sameness::equal;
    std::string text = {};  ///< what is different; empty if nothing is
};

struct DiffReport {
    Sameness verdict = Sameness::equal;
    std::string summary = {};  ///< the verdict and its reason, one line
    Record facts = {};
    std::vector<std::string> remarks = {};  ///< what it means, and what was not compared
    Records rows = {};                      ///< `differences` in JSON
    std::vector<Compared> compared = {};
};

/// The summary, the facts, the remarks, and what differs as a table.
std::string report_text(const DiffReport& report);
/// The keys are listed in docs/command-line.md. Ends in a line break.
std::string report_json(const DiffReport& report);

}  // namespace ropescope::diff
