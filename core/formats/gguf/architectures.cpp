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
static void each_field(const Architecture*, Visit visit) {
    visit("architecture", &Architecture::architecture);
    visit("rope", &Architecture::rope);
    visit("without", &Architecture::without);
    visit("alibi_layers", &Architecture::alibi_layers);
    visit("finetuned_is_switch", &Architecture::finetuned_is_switch);
    visit("weights", &Architecture::weights);
    visit("window", &Architecture::window);
    visit("period", &Architecture::period);
    visit("starts_full", &Architecture::starts_full);
    visit("sliding_base", &Architecture::sliding_base);
    visit("sliding_scaled", &Architecture::sliding_scaled);
    visit("factors_in_full_only", &Architecture::factors_in_full_only);
    visit("full_share", &Architecture::full_share);
    visit("still", &Architecture::still);
    visit("still_step", &Architecture::still_step);
    visit("leading_turn", &Architecture::leading_turn);
    visit("rotary_part_only", &Architecture::rotary_part_only);
    visit("log_multiplier_in_tenths", &Architecture::log_multiplier_in_tenths);
    visit("beta_fast", &Architecture::beta_fast);
    visit("softmax", &Architecture::softmax);
    visit("wide_layers", &Architecture::wide_layers);
    visit("sections_make_mrope", &Architecture::sections_make_mrope);
    visit("scheme", &Architecture::scheme);
    visit("positions", &Architecture::positions);
    visit("note", &Architecture::note);
    visit("source", &Architecture::source);
}

namespace {

/// The rows, and the JSON that they point into.
struct KeptArchitectures {
    nlohmann::json json;
    std::vector<Architecture> rows;
};

const KeptArchitectures& kept_architectures() {
    return made_once([] {
        KeptArchitectures kept{
            parse_json_object(embedded_file(kArchitecturesFile).value_or("{}"), kArchitecturesFile),
            {}};
        kept.rows =
            read_rows<Architecture>(kept.json, "architectures", "architecture", kArchitecturesFile);
        return kept;
    });
}

}  // namespace

std::span<const Architecture> architectures() {
    return kept_architectures().rows;
}

const Architecture* find_architecture(std::string_view name) {
    const auto rows = architectures();
    const auto found = std::ranges::find(rows, name, &Architecture::architecture);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace ropescope::gguf
