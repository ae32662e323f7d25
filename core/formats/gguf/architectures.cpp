// Reads the table of GGUF's architectures.
#include "core/formats/gguf/architectures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/json_object.h"
#include "core/formats/table_row.h"

namespace ropescope::gguf {

template <typename Visit>
static void each_field(const GgufArchitecture*, Visit visit) {
    visit("architecture", &GgufArchitecture::architecture);
    visit("rope", &GgufArchitecture::rope);
    visit("without", &GgufArchitecture::without);
    visit("alibi_layers", &GgufArchitecture::alibi_layers);
    visit("finetuned_is_switch", &GgufArchitecture::finetuned_is_switch);
    visit("weights", &GgufArchitecture::weights);
    visit("window", &GgufArchitecture::window);
    visit("period", &GgufArchitecture::period);
    visit("starts_full", &GgufArchitecture::starts_full);
    visit("sliding_base", &GgufArchitecture::sliding_base);
    visit("sliding_scaled", &GgufArchitecture::sliding_scaled);
    visit("factors_in_full_only", &GgufArchitecture::factors_in_full_only);
    visit("full_share", &GgufArchitecture::full_share);
    visit("still", &GgufArchitecture::still);
    visit("still_step", &GgufArchitecture::still_step);
    visit("leading_turn", &GgufArchitecture::leading_turn);
    visit("rotary_part_only", &GgufArchitecture::rotary_part_only);
    visit("log_multiplier_in_tenths", &GgufArchitecture::log_multiplier_in_tenths);
    visit("whole_heads", &GgufArchitecture::whole_heads);
    visit("scales_nothing", &GgufArchitecture::scales_nothing);
    visit("reads_alpha", &GgufArchitecture::reads_alpha);
    visit("beta_fast", &GgufArchitecture::beta_fast);
    visit("softmax", &GgufArchitecture::softmax);
    visit("wide_layers", &GgufArchitecture::wide_layers);
    visit("sections_make_mrope", &GgufArchitecture::sections_make_mrope);
    visit("scheme", &GgufArchitecture::scheme);
    visit("positions", &GgufArchitecture::positions);
    visit("note", &GgufArchitecture::note);
    visit("source", &GgufArchitecture::source);
}

namespace {

/// The rows, and the JSON that they point into.
struct KeptArchitectures {
    nlohmann::json json;
    std::vector<GgufArchitecture> rows;
};

const KeptArchitectures& kept_architectures() {
    return made_once([] {
        KeptArchitectures kept{
            parse_json_object(embedded_file(kArchitecturesFile).value_or("{}"), kArchitecturesFile),
            {}};
        kept.rows = read_rows<GgufArchitecture>(kept.json, "architectures", "architecture",
                                                kArchitecturesFile);
        return kept;
    });
}

}  // namespace

std::span<const GgufArchitecture> architectures() {
    return kept_architectures().rows;
}

const GgufArchitecture* find_architecture(std::string_view name) {
    const auto rows = architectures();
    const auto found = std::ranges::find(rows, name, &GgufArchitecture::architecture);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace ropescope::gguf
