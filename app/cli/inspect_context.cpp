// Says of an encoding and a length whether the base allows it.
#include "app/cli/inspect_context.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/figures/shared/placed_models.h"
#include "app/figures/shared/text.h"
#include "core/analysis/base_bound.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/record.h"
#include "core/rope/spectrum.h"

namespace ropescope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json distance_json(const std::optional<Index>& distance) {
    return distance ? Json(*distance) : Json(nullptr);
}

std::string stays_text(const std::optional<Index>& first, Index context) {
    return first ? fmt::format("first below zero at distance {}: not to {}", *first, context)
                 : fmt::format("at or above zero at every distance to {}", context);
}

std::string bases_text(const WorkingBases& bases) {
    if (bases.ranges.empty()) {
        return fmt::format("none of those tried, to {:g}", kLargestBase);
    }
    const std::string least = fmt::format("{:.3g}", bases.ranges.front().least);
    if (bases.ranges.size() == 1) {
        return fmt::format("from about {} on all", least);
    }
    return fmt::format(
        "from about {} on some, in {} ranges; {}", least, bases.ranges.size(),
        bases.all_from ? fmt::format("from about {:.3g} on all", *bases.all_from) : "never all");
}

/// Published models with as many pairs: over the context that each states, does the sum stay at or
/// above zero?
Record::value_type published_record(Index rotary_dim) {
    const std::vector<figures::PlacedModel> models = figures::placed_models(rotary_dim);
    Json list = Json::array();
    for (const figures::PlacedModel& model : models) {
        list.push_back({{"title", model.title},
                        {"base", model.base},
                        {"context", model.context},
                        {"first_negative", distance_json(model.first_negative)}});
    }
    const auto stay = std::ranges::count_if(
        models, [](const figures::PlacedModel& model) { return !model.first_negative; });
    return {"published", "published models", list,
            models.empty()
                ? "none with as many pairs"
                : fmt::format("of {} with as many pairs {} stay at or above zero to the end of "
                              "their own context; --format json lists them",
                              models.size(), stay)};
}

Record context_record(const RopeSpec& configured, const WorkingBases& bases) {
    const Index context = bases.length;
    RopeSpec rope = configured;
    rope.seq_len = rope.seq_len == 0 ? context : rope.seq_len;
    const Spectrum spectrum = make_spectrum(rope);
    const Index still = (rope.head_dim - rope.rotary_dim) / 2;
    const auto first = first_negative_distance(spectrum, context);
    Json ranges = Json::array();
    for (const BaseRange& range : bases.ranges) {
        ranges.push_back({range.least, range.most});
    }
    const std::string source = "Men et al. 2024, arXiv:2405.14591";
    Record record = {
        {"length", "", context},
        {"pairs", "", rope.pairs()},
        {"stays", "", !first.has_value()},
        {"first_negative", "sum of cosines", distance_json(first), stays_text(first, context)},
        {"still_pairs", "", still}};
    if (still > 0) {
        const auto whole = first_negative_distance(spectrum, context, still);
        record.push_back({"first_negative_whole_head", "with what stays", distance_json(whole),
                          fmt::format("{}; {} more for the channels that pass through",
                                      stays_text(whole, context), still)});
    }
    record.insert(
        record.end(),
        {{"least_base", "bases that allow it",
          bases.ranges.empty() ? Json(nullptr) : Json(bases.ranges.front().least),
          bases_text(bases)},
         {"all_bases_from", "", bases.all_from ? Json(*bases.all_from) : Json(nullptr)},
         {"bases", "", ranges},
         {"base_step", "tried", kBaseStep,
          fmt::format("bases at steps of {:.3g} % of {} without scaling", 100 * (kBaseStep - 1),
                      figures::counted(rope.pairs(), "pair").c_str())},
         published_record(rope.rotary_dim),
         {"source", "source", source,
          source +
              ": a bound from theory, below which long contexts failed in experiments; it says "
              "nothing of what a model was trained on"}});
    return record;
}

struct JudgedRope {
    std::string layer;  ///< "" if all layers are alike
    RopeSpec rope;
    WorkingBases bases = {};
};

/// The spectra of the parts by the names of their kinds of layers.
std::vector<JudgedRope> judged_ropes(const std::vector<Part>& parts, Index context) {
    std::vector<JudgedRope> ropes;
    for (const Part& part : parts) {
        if (const std::optional<RopeSpec>& spec = part.spec ? part.spec : part.shared) {
            ropes.push_back({part.layer_type, *spec});
        }
    }
    // Layers of one width have the same bases.
    for (JudgedRope& judged : ropes) {
        const auto same = std::ranges::find_if(ropes, [&](const JudgedRope& other) {
            return other.rope.rotary_dim == judged.rope.rotary_dim && other.bases.length > 0;
        });
        judged.bases =
            same == ropes.end() ? find_working_bases(judged.rope.rotary_dim, context) : same->bases;
    }
    return ropes;
}

}  // namespace

void validate_context(Index context) {
    if (context < 1 || context > kMaxPosition) {
        throw InputError(
            fmt::format("--context: {} positions; give 1 to {}", context, kMaxPosition));
    }
}

void add_context(Json& json, const JudgedContext& judged) {
    for (const auto& [layer, rope, bases] : judged_ropes(judged.parts, judged.context)) {
        (layer.empty() ? json : json["layer_types"][layer])["context"] =
            json_of(context_record(rope, bases));
    }
}

std::string context_text(const JudgedContext& judged) {
    std::string text;
    for (const auto& [layer, rope, bases] : judged_ropes(judged.parts, judged.context)) {
        text += fmt::format("\na context of {} positions{}\n", judged.context,
                            layer.empty() ? "" : ", " + printable(layer)) +
                text_of(context_record(rope, bases));
    }
    return text;
}

}  // namespace ropescope::cli
