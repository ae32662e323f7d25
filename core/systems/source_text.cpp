// Lists the texts, and cites a place in one.
#include "core/systems/source_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>

namespace ropescope {

std::span<const SourceText> source_texts() {
    static constexpr std::array kTexts = {kRoformerNotebook, kLlamaComparison,
                                          kKerasLayer,       kBlockwiseDerivation,
                                          kLlamaWalkthrough, kPublicDocuments};
    return kTexts;
}

const SourceText& source_text_of(std::string_view claim_id) {
    const auto texts = source_texts();
    const auto found = std::ranges::find_if(
        texts, [&](const SourceText& text) { return claim_id.starts_with(text.id); });
    if (found == texts.end()) {
        throw std::out_of_range(fmt::format("claim '{}' belongs to no text", claim_id));
    }
    return *found;
}

std::string cite(const SourceText& text, std::string_view place) {
    return fmt::format("{}, {}", text.name, place);
}

}  // namespace ropescope
