// Reads which channels of an indexer's heads turn.
#include "core/models/indexer.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/limits.h"
#include "core/formats/model_family.h"
#include "core/formats/table_row.h"

namespace ropescope {
namespace {

constexpr const char* kLayoutKey = "indexer_rope_interleave";
constexpr Index kUsualHeadDim = 128;  // of every model that has an indexer so far

struct Indexer {
    std::string_view of = {};            ///< model_type of the whole
    Layout layout = Layout::half_split;  ///< if no key says it
    std::string_view source = {};
};
template <typename Visit>
void each_field(const Indexer*, Visit visit) {
    visit("of", &Indexer::of);
    visit("layout", &Indexer::layout);
    visit("source", &Indexer::source);
}

std::optional<Indexer> indexer_of(std::string_view model_type) {
    for (const Indexer& each :
         read_rows<Indexer>(family_tables(), "indexers", "of", kFamiliesFile)) {
        if (each.of == model_type) {
            return each;
        }
    }
    return std::nullopt;
}

/// The rotation of the heads that attend, on heads of the indexer's width.
RopeSpec spec_of(const ConfigObject& config, const RopeSpec& attending, Layout layout) {
    RopeSpec spec = attending;
    spec.head_dim =
        config.integer("index_head_dim", attending.rotary_dim, kMaxHeadDim).value_or(kUsualHeadDim);
    spec.layout = layout;
    validate(spec);
    return spec;
}

}  // namespace

void append_indexer(const ConfigObject& config, Model& model) {
    const auto indexer = model.text ? indexer_of(model.text->model_type) : std::nullopt;
    if (!indexer || model.parts.empty()) {
        return;
    }
    const ConfigObject text = config.object("text_config").value_or(config);
    const std::optional<bool> interleaved = text.boolean(kLayoutKey);
    const Layout layout = !interleaved   ? indexer->layout
                          : *interleaved ? Layout::interleaved
                                         : Layout::half_split;
    Part part = part_of(spec_of(text, model.text->rope, layout));
    part.kind = "indexer";
    part.reach = model.text->max_positions;
    part.q_heads = text.integer("index_n_heads", 1, kMaxCount).value_or(0);
    part.kv_heads = 1;
    model.parts.push_back(std::move(part));
}

}  // namespace ropescope
