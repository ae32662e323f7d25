// The list of packs.
#include "core/vectors/packs.h"

#include <array>
#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/base/suggest.h"

namespace ropescope::vectors {

std::span<const PackFacts> packs() {
    static constexpr std::array<PackFacts, 3> kPacks = {{
        {"text", "models in one axis: published ones, and every family with its usual values",
         text_pack},
        {"axes", "models in several axes: images, video, M-RoPE", axes_pack},
        {"positions", "position ids of text, images and videos", position_pack},
    }};
    return kPacks;
}

const PackFacts& pack_named(std::string_view name) {
    const auto name_of = [](const PackFacts& facts) { return std::string(facts.name); };
    return element_named(packs(), name_of, name, [&](const std::string&) {
        return fmt::format("--pack: {} is unknown; give text, axes or positions", in_quotes(name));
    });
}

}  // namespace ropescope::vectors
