// Says what lies between two dumps.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "core/base/characters.h"
#include "core/diff/dump_diff.h"
#include "core/diff/order.h"

namespace ropescope::diff {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// "0 to 3, 7": runs of neighbours; beyond a few, their count.
std::string runs_text(const std::vector<Index>& numbers) {
    constexpr std::size_t kMostRuns = 4;
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        runs.push_back(last == i ? fmt::format("{}", numbers[i])
                                 : fmt::format("{} to {}", numbers[i], numbers[last]));
        i = last + 1;
    }
    return runs.size() > kMostRuns
               ? fmt::format("{} ... {} ({} of them)", runs.front(), runs.back(), numbers.size())
               : fmt::format("{}", fmt::join(runs, ", "));
}

/// [[0, 3], [7, 7]]
Json runs_json(const std::vector<Index>& numbers) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0 && numbers[i] == numbers[i - 1] + 1) {
            runs.back()[1] = numbers[i];
        } else {
            runs.push_back({numbers[i], numbers[i]});
        }
    }
    return runs;
}

std::string layer_text(const LayerDifference& layer) {
    return layer.layer ? fmt::format("layer {}", *layer.layer) : "";
}

/// Weights of a norm and scales, which belong to no token.
bool is_beside(std::string_view tensor) {
    return tensor.ends_with("_norm") || tensor.ends_with("_scale");
}

/// "layer 3, q_rot, head 2, token 5, pair 7, channel 39"
std::string place_text(const LayerDifference& layer, const TensorDifference& tensor) {
    const Spot& spot = tensor.first->spot;
    std::vector<std::string> words;
    if (layer.layer) {
        words.push_back(layer_text(layer));
    }
    words.push_back(tensor.name);
    if (stage_of(tensor.name) == Stage::positions) {
        words.push_back(fmt::format("token {}", spot.token));
        return fmt::format("{}", fmt::join(words, ", "));
    }
    if (is_beside(tensor.name)) {
        words.push_back(fmt::format("number {}", spot.channel));
        return fmt::format("{}", fmt::join(words, ", "));
    }
    if (!tensor.rows.empty() && tensor.rows.back() > 0) {
        words.push_back(fmt::format("row {}", spot.row));
    }
    if (stage_of(tensor.name) == Stage::scores) {
        words.push_back(
            fmt::format("head {}, query {}, key {}", spot.head, spot.token, spot.channel));
        return fmt::format("{}", fmt::join(words, ", "));
    }
    words.push_back(fmt::format("head {}, token {}", spot.head, spot.token));
    if (layer.pair && &tensor == &layer.different.front()) {
        words.push_back(fmt::format("pair {}", *layer.pair));
    }
    words.push_back(fmt::format("channel {}", spot.channel));
    return fmt::format("{}", fmt::join(words, ", "));
}

/// Where in a layer two dumps part.
std::string_view stage_text(Stage stage) {
    switch (stage) {
        case Stage::positions:
            return "in the positions";
        case Stage::before:
            return "before the rotation";
        case Stage::scores:
            return "in the scores";
        default:
            return "in the rotation";
    }
}

std::string orders_text(const LayerDifference& layer) {
    std::vector<std::string> texts;
    for (const OrderFound& found : layer.orders) {
        texts.push_back(
            fmt::format("{} has {}", found.tensor, describe_order(found.order, found.noun)));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
}

bool has_order(const LayerDifference& layer, Stage stage) {
    return std::ranges::any_of(
        layer.orders, [&](const OrderFound& found) { return stage_of(found.tensor) == stage; });
}

/// What an order together with the other tensors means, in a sentence; empty without an order.
std::string meaning(const LayerDifference& layer) {
    if (layer.orders.empty()) {
        return "";
    }
    const bool before = has_order(layer, Stage::before), behind = has_order(layer, Stage::behind);
    if (layer.sameness == Sameness::equivalent) {
        return before ? "The order is the same before and behind the rotation and in q and k, so "
                        "that scores are the same."
                      : "The rotation returns q and k in the same other order, so that scores are "
                        "the same.";
    }
    const bool of_heads = layer.orders.front().noun == "heads";
    if (before && !behind) {
        return of_heads ? "Heads stand in another order before the rotation, and what comes out "
                          "is not that of A in this order."
                        : "The weights that make q and k were permuted for one layout in one of "
                          "the two, and the rotation pairs channels as for the other one.";
    }
    return of_heads ? "The heads of q do not stand as those of k, or not as before the rotation."
                    : "The channels of q do not stand as those of k, or not as before the "
                      "rotation: the products of q and k are other ones.";
}

Json first_json(const LayerDifference& layer, const TensorDifference& tensor) {
    const NumberPair& first = *tensor.first;
    const Spot& spot = first.spot;
    const bool front = &tensor == &layer.different.front();
    return {{"layer", optional_json(layer.layer)},
            {"tensor", tensor.name},
            {"row", spot.row},
            {"head", spot.head},
            {"token", spot.token},
            {"pair", front ? optional_json(layer.pair) : Json(nullptr)},
            {"channel", spot.channel},
            {"a", number_json(first.a)},
            {"b", number_json(first.b)},
            {"difference", number_json(first.difference())},
            {"allowed", number_json(first.allowed)},
            {"angle", front ? optional_json(layer.angle_rad) : Json(nullptr)}};
}

Record row_of(const LayerDifference& layer, const TensorDifference& tensor) {
    const double worst = tensor.largest->in_allowances();
    return {{"layer", layer.layer ? "layer" : "", optional_json(layer.layer),
             layer.layer ? fmt::format("{}", *layer.layer) : ""},
            {"tensor", "tensor", tensor.name, tensor.name},
            {"count", "vectors that differ", tensor.different,
             fmt::format("{} of {}", tensor.different, tensor.vectors)},
            {"of", "", tensor.vectors},
            {"first", "", first_json(layer, tensor)},
            {"worst_in_allowances", "worst, in allowances", number_json(worst),
             std::isfinite(worst) ? fmt::format("{:.3g}", worst) : "not a number, or exact"},
            {"rows", "", runs_json(tensor.rows)},
            {"heads", "heads", runs_json(tensor.heads), runs_text(tensor.heads)},
            {"tokens", "tokens", runs_json(tensor.tokens), runs_text(tensor.tokens)},
            {"channels", "channels", runs_json(tensor.channels), runs_text(tensor.channels)}};
}

Json grids_json(const DumpDifference& difference) {
    Json list = Json::array();
    for (const LayerDifference& layer : difference.layers) {
        for (const ComparedGrid& each : layer.grids) {
            list.push_back({{"layer", optional_json(layer.layer)},
                            {"tensor", each.tensor},
                            {"dump", each.of_a ? "a" : "b"},
                            {"grid", to_string(each.grid)},
                            {"scale_of", to_string(each.scale_of)}});
        }
    }
    return list;
}

/// What has 8 bits, by the first layer in which anything has; "" if nothing.
std::string grids_text(const DumpDifference& difference, bool of_a) {
    for (const LayerDifference& layer : difference.layers) {
        std::map<std::string, std::vector<std::string>> tensors;  // by their grid
        for (const ComparedGrid& each : layer.grids) {
            if (each.of_a == of_a) {
                tensors[fmt::format("{} with a scale for {}", to_string(each.grid),
                                    to_string(each.scale_of))]
                    .push_back(each.tensor);
            }
        }
        std::vector<std::string> parts;
        for (const auto& [grid, names] : tensors) {
            parts.push_back(fmt::format("{} in {}", fmt::join(names, ", "), grid));
        }
        if (!parts.empty()) {
            return fmt::format("{} has {}: each number is compared within half a step of its grid.",
                               of_a ? difference.a : difference.b, fmt::join(parts, "; "));
        }
    }
    return "";
}

Json orders_json(const DumpDifference& difference) {
    Json list = Json::array();
    for (const LayerDifference& layer : difference.layers) {
        for (const OrderFound& found : layer.orders) {
            list.push_back({{"layer", optional_json(layer.layer)},
                            {"tensor", found.tensor},
                            {"of", found.noun},
                            {"order", found.order},
                            {"text", describe_order(found.order, found.noun)}});
        }
    }
    return list;
}

const LayerDifference* first_that_is(const DumpDifference& difference, Sameness sameness) {
    const auto found = std::ranges::find(difference.layers, sameness, &LayerDifference::sameness);
    return found == difference.layers.end() ? nullptr : &*found;
}

/// The number that differs first, in numbers.
void add_numbers(const LayerDifference& layer, Record& facts) {
    const TensorDifference& tensor = layer.different.front();
    const NumberPair& first = *tensor.first;
    facts.push_back({"first", "", first_json(layer, tensor)});
    facts.push_back({"", "A", {}, fmt::format("{:.9g}", first.a)});
    facts.push_back({"", "B", {}, fmt::format("{:.9g}", first.b)});
    if (stage_of(tensor.name) != Stage::positions) {
        facts.push_back(
            {"",
             "difference",
             {},
             fmt::format("{:.3g}; rounding explains {:.3g}", first.difference(), first.allowed)});
    }
    if (layer.angle_rad) {
        facts.push_back(
            {"", "angle", {}, fmt::format("{:.6g} rad further in B", *layer.angle_rad)});
    }
}

std::string equal_text(const DumpDifference& difference) {
    std::optional<double> within;
    Index tensors = difference.same_outside;
    for (const LayerDifference& layer : difference.layers) {
        tensors += layer.tensors;
        if (layer.within) {
            within = std::max(within.value_or(0.0), *layer.within);
        }
    }
    const std::string how = within ? fmt::format(
                                         "the largest difference is {:.2g} of what "
                                         "rounding explains",
                                         *within)
                                   : "bit for bit";
    return fmt::format("{} tensor{}{}, {}", tensors, tensors == 1 ? "" : "s",
                       difference.layers.front().layer
                           ? fmt::format(" of {} layers", difference.layers.size())
                           : "",
                       how);
}

/// "they part in the rotation of layer 3: q_rot, head 2, token 5, pair 7, channel 39"
std::string parting_text(const LayerDifference& layer) {
    if (layer.different.empty()) {
        return fmt::format("{}{}{}", layer_text(layer), layer.layer ? ": " : "",
                           orders_text(layer));
    }
    const TensorDifference& first = layer.different.front();
    return fmt::format("they part {}: {}", stage_text(stage_of(first.name)),
                       place_text(layer, first));
}

std::string summary_of(const DumpDifference& difference, Sameness verdict) {
    const LayerDifference* layer = first_that_is(difference, verdict);
    switch (verdict) {
        case Sameness::equal:
            return "equal: " + equal_text(difference);
        case Sameness::equivalent:
            return "equivalent: " + parting_text(*layer);
        default:
            return "different: " + parting_text(*layer);
    }
}

/// What differs and is not judged: of the first layer where anything does, and outside of layers.
void add_unjudged(const DumpDifference& difference, DiffReport& report) {
    const auto say = [&](const std::string& text) {
        report.remarks.push_back(
            fmt::format("not judged: {}; what rounding explains of it is not known", text));
    };
    const auto layer = std::ranges::find_if(
        difference.layers, [](const LayerDifference& each) { return !each.unjudged.empty(); });
    if (layer != difference.layers.end()) {
        for (const std::string& text : layer->unjudged) {
            say(fmt::format("{}{}{}", layer_text(*layer), layer->layer ? ": " : "", text));
        }
    }
    std::ranges::for_each(difference.unjudged, say);
}

/// Where to look, by what differs first.
std::string next_step(const LayerDifference& layer, const std::string& b) {
    const Stage stage =
        layer.different.empty() ? Stage::behind : stage_of(layer.different.front().name);
    if (stage == Stage::behind) {
        return fmt::format("next: ropescope diagnose {} says what the code of B does", b);
    }
    if (stage == Stage::scores) {
        return fmt::format(
            "What is multiplied is the same: look at the factor, the mask and the heads that "
            "share keys. next: ropescope diagnose {} holds the scores of B to q_rot . k_rot",
            b);
    }
    return "The rotation is not the first that differs: look at what comes before it.";
}

void add_remarks(const DumpDifference& difference, Sameness verdict, DiffReport& report) {
    if (const LayerDifference* layer = first_that_is(difference, verdict);
        layer != nullptr && !layer->orders.empty()) {
        if (!layer->different.empty()) {
            report.remarks.push_back(orders_text(*layer) + ".");
        }
        report.remarks.push_back(meaning(*layer));
    }
    for (const bool of_a : {true, false}) {
        if (std::string text = grids_text(difference, of_a); !text.empty()) {
            report.remarks.push_back(std::move(text));
        }
    }
    for (const auto& [layers, has, lacks] :
         {std::tuple{&difference.only_a, &difference.a, &difference.b},
          std::tuple{&difference.only_b, &difference.b, &difference.a}}) {
        if (!layers->empty()) {
            report.remarks.push_back(
                fmt::format("not compared: layers {}, which {} has and {} has not",
                            runs_text(*layers), *has, *lacks));
        }
    }
    std::vector<std::string> left_out = difference.layers.front().left_out;
    left_out.insert(left_out.end(), difference.left_out.begin(), difference.left_out.end());
    if (!left_out.empty()) {
        report.remarks.push_back(
            fmt::format("not compared: {}, which one of the two alone has",
                        printable(fmt::format("{}", fmt::join(left_out, ", ")))));
    }
    add_unjudged(difference, report);
    if (verdict == Sameness::different) {
        report.remarks.push_back(next_step(*first_that_is(difference, verdict), difference.b));
    }
}

}  // namespace

DiffReport report_of(const DumpDifference& difference) {
    DiffReport report;
    for (const LayerDifference& layer : difference.layers) {
        report.verdict = std::max(report.verdict, layer.sameness);
        report.compared.push_back(
            {.name = layer.layer ? layer_text(layer) : "dump",
             .sameness = layer.sameness,
             .text = layer.sameness == Sameness::equal ? "" : parting_text(layer)});
        for (const TensorDifference& tensor : layer.different) {
            report.rows.push_back(row_of(layer, tensor));
        }
    }
    report.summary = summary_of(difference, report.verdict);
    report.facts = {{"kind", "", "dumps"},
                    {"a", "", difference.a},
                    {"b", "", difference.b},
                    {"layers_compared", "", difference.layers.size()},
                    {"only_a", "", difference.only_a},
                    {"only_b", "", difference.only_b},
                    {"orders", "", orders_json(difference)},
                    {"grids", "", grids_json(difference)}};
    const LayerDifference* layer = first_that_is(difference, report.verdict);
    if (report.verdict == Sameness::different && !layer->different.empty()) {
        report.facts.push_back(
            {"stage", "", std::string(stage_text(stage_of(layer->different.front().name)))});
        add_numbers(*layer, report.facts);
    }
    add_remarks(difference, report.verdict, report);
    return report;
}

}  // namespace ropescope::diff
