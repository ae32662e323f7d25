// Compares the embeddings of two models.
#include "core/diff/model_diff.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/method.h"

namespace ropescope::diff {
namespace {

using Json = nlohmann::ordered_json;

/// Both spectra are computed in double from their parameters: a power and a few operations of a
/// method, each within a unit of 2^-53 or two.
constexpr double kSpectrumUnits = 16.0 * 0x1p-53;
/// Where angles are compared if neither file says how long its context is.
constexpr Index kUsualContext = 4096;

void add(std::vector<DifferingParameter>& all, const std::string& name, Json a, Json b,
         Sameness effect) {
    if (a != b) {
        all.push_back({name, std::move(a), std::move(b), effect});
    }
}

/// Null for 0, which a file does not state.
Json stated(Index count) {
    return count == 0 ? Json(nullptr) : Json(count);
}

Json or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// What scores are multiplied by; where a file says nothing, 1 / sqrt(head_dim).
double softmax_scale_of(const Part& part) {
    return part.softmax_scale.value_or(1.0 / std::sqrt(to_double(part.scheme.head_dim)));
}

/// Up to the roundings of a square root and a division.
bool is_same_scale(double a, double b) {
    constexpr double kTwoRoundings = 4 * 0x1p-53;
    return std::abs(a - b) <= kTwoRoundings * std::max(a, b);
}

/// The last position that both were trained for.
Index last_position(const Part& a, const Part& b) {
    const Index shorter =
        std::min(a.reach > 0 ? a.reach : b.reach, b.reach > 0 ? b.reach : a.reach);
    return std::max<Index>(1, (shorter > 0 ? shorter : kUsualContext) - 1);
}

std::optional<FrequencyDifference> frequencies_of(const Part& a, const Part& b) {
    const RotaryScheme &left = a.scheme, &right = b.scheme;
    const Index heads = std::min(std::ssize(left.heads), std::ssize(right.heads));
    std::optional<FrequencyDifference> first;
    Index differing = 0, all = 0;
    for (Index head = 0; head < heads; ++head) {
        const Spectrum &x = left.heads[head], &y = right.heads[head];
        const Index pairs = std::min(x.pairs(), y.pairs()), axes = std::min(x.axes, y.axes);
        all += pairs;
        for (Index pair = 0; pair < pairs; ++pair) {
            bool differs = false;
            for (Index axis = 0; axis < axes; ++axis) {
                // Directions are told apart by another parameter.
                const double p = std::abs(x.omega_rad(pair)[axis]);
                const double q = std::abs(y.omega_rad(pair)[axis]);
                if (same_speed(p, q)) {
                    continue;
                }
                differs = true;
                if (!first) {
                    first = {.head = head, .pair = pair, .axis = axis, .a_rad = p, .b_rad = q};
                }
            }
            differing += differs ? 1 : 0;
        }
    }
    if (first) {
        const double apart = std::abs(first->a_rad - first->b_rad);
        first->pairs = differing;
        first->of = all;
        first->position = last_position(a, b);
        first->angle_rad = apart * to_double(first->position);
        if (apart * to_double(kMaxPosition) >= 1.0) {
            first->radian_at = static_cast<Index>(std::ceil(1.0 / apart));
        }
    }
    return first;
}

std::vector<double> part_speeds(const Part& part, Index head, Index axis) {
    const std::vector<Spectrum>& heads = part.scheme.heads;
    const Spectrum& spectrum =
        heads[static_cast<std::size_t>(std::min<Index>(head, std::ssize(heads) - 1))];
    std::vector<double> speeds;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const auto by_axis = spectrum.omega_rad(pair);
        speeds.push_back(
            axis < std::ssize(by_axis) ? std::abs(by_axis[static_cast<std::size_t>(axis)]) : 0.0);
    }
    return speeds;
}

BothSpeeds speeds_of_both(const Part& a, const Part& b,
                          const std::optional<FrequencyDifference>& first) {
    const Index head = first ? first->head : 0, axis = first ? first->axis : 0;
    return {part_speeds(a, head, axis), part_speeds(b, head, axis), last_position(a, b)};
}

Json pairs_json(const Part& part) {
    return std::string(layout_name(part.scheme.pairs));
}

LayersDifference compare_parts(const Part& a, const Part& b, std::string name) {
    LayersDifference found{.name = std::move(name)};
    std::vector<DifferingParameter>& all = found.parameters;
    add(all, "head_dim", a.scheme.head_dim, b.scheme.head_dim, Sameness::different);
    add(all, "pairs", a.scheme.pair_count(), b.scheme.pair_count(), Sameness::different);
    add(all, "axes", a.scheme.axes, b.scheme.axes, Sameness::different);
    add(all, "sets_of_frequencies", a.scheme.heads.size(), b.scheme.heads.size(),
        Sameness::different);
    // What frequencies are made of: they are compared themselves.
    if (a.spec && b.spec) {
        add(all, "base", a.spec->base, b.spec->base, Sameness::equal);
        add(all, "scaling", scaling_json(a.spec->scaling, "type"),
            scaling_json(b.spec->scaling, "type"), Sameness::equal);
    }
    const Spectrum &x = a.scheme.heads.front(), &y = b.scheme.heads.front();
    add(all, "attention_factor", x.attention_factor, y.attention_factor, Sameness::different);
    add(all, "softmax_scale_factor", x.softmax_scale_factor, y.softmax_scale_factor,
        Sameness::different);
    if (!is_same_scale(softmax_scale_of(a), softmax_scale_of(b))) {
        add(all, "softmax_scale", or_null(a.softmax_scale), or_null(b.softmax_scale),
            Sameness::different);
    }
    if (a.scheme.pairs != b.scheme.pairs && a.scheme.pair_count() == b.scheme.pair_count()) {
        all.push_back({"layout", pairs_json(a), pairs_json(b), Sameness::equivalent});
    }
    add(all, "direction", a.backwards ? "backwards" : "forwards",
        b.backwards ? "backwards" : "forwards", Sameness::equivalent);
    add(all, "positions", describe_positions(a.scheme), describe_positions(b.scheme),
        Sameness::different);
    add(all, "context", stated(a.reach), stated(b.reach), Sameness::equal);
    found.frequencies = frequencies_of(a, b);
    found.speeds = speeds_of_both(a, b, found.frequencies);
    found.sameness = found.frequencies ? Sameness::different : Sameness::equal;
    for (const DifferingParameter& each : all) {
        found.sameness = std::max(found.sameness, each.effect);
    }
    return found;
}

/// "layers 0 to 4 and 6"
std::string layers_text(const std::vector<Index>& layers) {
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < layers.size();) {
        std::size_t last = i;
        while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) {
            ++last;
        }
        runs.push_back(last == i ? fmt::format("{}", layers[i])
                                 : fmt::format("{} to {}", layers[i], layers[last]));
        i = last + 1;
    }
    return fmt::format("layer{} {}", layers.size() == 1 ? "" : "s", fmt::join(runs, ", "));
}

/// The embeddings of the layers of a model's text.
class LayerParts {
  public:
    LayerParts(const Model& model, Index context) : model_(&model) {
        for (const Part& part : model.parts) {
            if (part.kind == "text") {
                parts_.push_back(context > 0 ? part.at_length(context) : part);
            }
        }
    }

    bool empty() const { return parts_.empty(); }
    Index layers() const { return model_->text ? Index{model_->text->n_layers} : Index{0}; }
    const Part& first() const { return parts_.front(); }
    bool all_alike() const {
        return parts_.size() == 1 && (!model_->text || model_->text->layers_without.empty());
    }

    /// The place of the layer's embedding; -1 for a layer that does not turn.
    Index place(Index layer) const {
        if (!model_->text) {
            return 0;
        }
        const ModelConfig& text = *model_->text;
        if (std::ranges::find(text.layers_without, layer) != text.layers_without.end()) {
            return -1;
        }
        if (layer < std::ssize(text.layer_types)) {
            const auto part = std::ranges::find(parts_, text.layer_types[layer], &Part::layer_type);
            return part == parts_.end() ? 0 : part - parts_.begin();
        }
        return 0;
    }
    const Part& at(Index place) const { return parts_[place]; }

  private:
    const Model* model_;
    std::vector<Part> parts_;
};

LayersDifference compare_places(const LayerParts& a, Index place_a, const LayerParts& b,
                                Index place_b, const std::vector<Index>& layers) {
    LayersDifference found;
    if (place_a >= 0 && place_b >= 0) {
        found = compare_parts(a.at(place_a), b.at(place_b), layers_text(layers));
    } else {
        found.name = layers_text(layers);
        add(found.parameters, "turns", place_a >= 0, place_b >= 0, Sameness::different);
        found.sameness = place_a == place_b ? Sameness::equal : Sameness::different;
    }
    found.layers = layers;
    return found;
}

void compare_text(const LayerParts& a, const LayerParts& b, ModelDifference& difference) {
    if (a.empty() || b.empty()) {
        return;
    }
    const Index layers = std::min(a.layers(), b.layers());
    if ((a.all_alike() && b.all_alike()) || layers == 0) {
        difference.layers.push_back(compare_parts(a.first(), b.first(), "text"));
        if (!a.all_alike() || !b.all_alike()) {
            difference.remarks.emplace_back(
                "Layers are of several types, and one of the two does not say how many it has: the "
                "type that comes first is compared.");
        }
        return;
    }
    std::map<std::pair<Index, Index>, std::vector<Index>> kinds;
    for (Index layer = 0; layer < layers; ++layer) {
        kinds[{a.place(layer), b.place(layer)}].push_back(layer);
    }
    for (const auto& [places, numbers] : kinds) {
        difference.layers.push_back(compare_places(a, places.first, b, places.second, numbers));
    }
    std::ranges::sort(difference.layers, {},
                      [](const LayersDifference& each) { return each.layers.front(); });
}

const Part* vision_of(const Model& model) {
    const auto found = std::ranges::find(model.parts, "vision", &Part::kind);
    return found == model.parts.end() ? nullptr : &*found;
}

void note_length(const Model& model, Index context, ModelDifference& difference) {
    const bool depends = std::ranges::any_of(model.parts, [](const Part& part) {
        return part.spec && depends_on_seq_len(part.spec->scaling);
    });
    if (depends && context == 0) {
        difference.remarks.push_back(
            fmt::format("The frequencies of {} depend on the length of the sequence; these are "
                        "those of a short "
                        "one, and --context N takes another.",
                        printable(model.name)));
    }
}

void compare_sizes(const Model& a, const Model& b, ModelDifference& difference) {
    if (!a.text || !b.text) {
        return;
    }
    const ModelConfig &x = *a.text, &y = *b.text;
    std::vector<DifferingParameter>& all = difference.sizes;
    add(all, "model_type", x.model_type, y.model_type, Sameness::equal);
    add(all, "layers", stated(x.n_layers), stated(y.n_layers), Sameness::equal);
    add(all, "heads", stated(x.n_heads), stated(y.n_heads), Sameness::equal);
    add(all, "kv_heads", stated(x.n_kv_heads), stated(y.n_kv_heads), Sameness::equal);
}

}  // namespace

bool same_speed(double a_rad, double b_rad) {
    return std::abs(a_rad - b_rad) <= kSpectrumUnits * std::max(a_rad, b_rad);
}

ModelDifference compare_models(const Model& a, const Model& b, Index context) {
    ModelDifference difference{.a = a.name, .b = b.name};
    compare_sizes(a, b, difference);
    compare_text(LayerParts(a, context), LayerParts(b, context), difference);
    const Part *left = vision_of(a), *right = vision_of(b);
    if (left != nullptr && right != nullptr) {
        difference.layers.push_back(compare_parts(*left, *right, "vision"));
    } else if (left != right) {
        difference.remarks.push_back(fmt::format(
            "not compared: the part that sees, which {} has and {} has not",
            printable((left != nullptr ? a : b).name), printable((left != nullptr ? b : a).name)));
    }
    if (difference.layers.empty()) {
        throw InputError(
            fmt::format("{} and {} have no part in common: one is of text, and one sees",
                        printable(a.name), printable(b.name)));
    }
    note_length(a, context, difference);
    note_length(b, context, difference);
    return difference;
}

}  // namespace ropescope::diff
