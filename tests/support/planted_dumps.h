// Dumps of implementations with a fault that we planted, and what should be said about them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/dump.h"

namespace ropescope::test {

/// A dump in memory, and the answer.
struct PlantedDump {
    std::string kind;         ///< "default", "clamped", ...
    std::string description;  ///< sizes, base, dtype: enough to find it again
    diagnosis::Dump dump;
    diagnosis::Verdict verdict = diagnosis::Verdict::valid;
    /// Codes that must be found.
    std::set<std::string> codes;
    /// Codes that may be found, beside layout.* and matches.*.
    std::set<std::string> allowed;
};

/// The names of all kinds, the right ones first.
const std::vector<std::string>& planted_kinds();

/// A dump of this kind with sizes, base, layout and dtype from the seed.
PlantedDump plant(const std::string& kind, std::uint64_t seed);

}  // namespace ropescope::test
