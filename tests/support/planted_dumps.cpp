// Makes a dump of a kind from a seed.
#include "tests/support/planted_dumps.h"

#include <algorithm>
#include <fmt/format.h>

#include "tests/support/planted_kinds.h"

namespace ropescope::test {
namespace {

/// The same on every machine.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0;
    for (const char letter : text) {
        hash = mixed(hash + static_cast<unsigned char>(letter) + 1);
    }
    return hash;
}

const std::vector<Kind>& all_kinds() {
    static const std::vector<Kind> kAll = [] {
        std::vector<Kind> all;
        for (const auto part : {right_kinds, equivalent_kinds, spectrum_faults, position_faults,
                                side_faults, axes_kinds, head_kinds, undetermined_kinds}) {
            for (Kind& kind : part()) {
                all.push_back(std::move(kind));
            }
        }
        return all;
    }();
    return kAll;
}

}  // namespace

const std::vector<std::string>& planted_kinds() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        std::ranges::transform(all_kinds(), std::back_inserter(names), &Kind::name);
        return names;
    }();
    return kNames;
}

PlantedDump plant(const std::string& name, std::uint64_t seed) {
    const Kind& kind = *std::ranges::find(all_kinds(), name, &Kind::name);
    Dice dice(mixed(seed) ^ hash_of(name));
    Implementation made = usual(dice);
    kind.change(made, dice);
    PlantedDump planted{.kind = name,
                        .description = {},
                        .dump = dump_of(made, dice),
                        .verdict = kind.verdict,
                        .codes = kind.codes,
                        .allowed = kind.allowed};
    planted.description =
        fmt::format("{} seed {}: batch {}, heads {} and {}, length {}, {}, {}{}", name, seed,
                    made.batch, made.heads, made.key_heads, made.length, describe(made.spec),
                    to_string(made.dtype), made.state_positions ? ", positions stated" : "");
    return planted;
}

}  // namespace ropescope::test
