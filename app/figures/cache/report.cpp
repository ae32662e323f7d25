// Writes the view cache as text and as CSV.
#include <cmath>
#include <fmt/format.h>

#include "app/figures/cache/cache.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "core/demo/twins.h"

namespace ropescope::figures {

using plot::say;

plot::Text bytes_text(Index bytes) {
    constexpr Index kKiB = 1024;
    const auto in = [&](Index unit, int decimals) {
        return fixed_text(to_double(bytes) / to_double(unit), decimals);
    };
    if (bytes >= kKiB * kKiB * kKiB) {
        return say("{} GiB", in(kKiB * kKiB * kKiB, 2));
    }
    if (bytes >= kKiB * kKiB) {
        return say("{} MiB", in(kKiB * kKiB, 2));
    }
    return bytes >= kKiB ? say("{} KiB", in(kKiB, 2)) : say("{} bytes", whole_text(bytes));
}

plot::Number error_text(double error) {
    return {fmt::format("{:.2e}", error), error};
}

std::vector<plot::Facts::Fact> cache_facts(const CacheState& state) {
    const char* const turned = state.rotated ? "turned" : "as they are, turned when read";
    return {
        {"keys are stored", turned},
        {"one more token", say("{} operations turn keys", whole_text(state.turning()))},
        {"moving by a shift",
         state.shift == 0 ? plot::Text("nothing moves")
                          : say("{} operations turn stored keys back by {}",
                                whole_text(state.moving()), counted(state.shift, "position"))},
        {"a key head serves",
         say("{} of {} query heads", kCacheQueryHeads / state.key_heads, kCacheQueryHeads)},
    };
}

plot::Text cache_report(const CacheState& state) {
    plot::Text text;
    for (const plot::Facts::Fact& fact : cache_facts(state)) {
        text += fact.name + ": ";
        text += fact.text;
        text += "\n";
    }
    std::vector<std::vector<std::string>> models;
    for (const CachedModel& model : cached_models()) {
        models.push_back({std::string(model.name), whole_text(model.layers),
                          whole_text(model.numbers), whole_text(model.bytes()),
                          std::string(model.kept)});
    }
    text += "\nCaches of published models, for each token, at two bytes a number:\n" +
            text_table({"model", "layers", "numbers a layer", "bytes", "kept"}, models);
    std::vector<std::vector<std::string>> errors;
    for (const Index i : evenly_chosen(std::ssize(state.errors), 12)) {
        const ShiftError& at = state.errors[i];
        errors.push_back({whole_text(round_to_index(at.position)), error_text(at.fp32),
                          error_text(at.fp16), error_text(at.bf16), error_text(at.other_speeds)});
    }
    if (!errors.empty()) {
        text += "\nError of a stored key that moves, for arrows of unit length in each pair:\n" +
                text_table({"position", "fp32", "fp16", "bf16", "other speeds"}, errors);
    }
    std::vector<std::vector<std::string>> sinks;
    for (const demo::Twin& twin : demo::demo_twins()) {
        for (std::size_t layer = 0; layer < twin.first_token_shares.size(); ++layer) {
            std::vector<std::string> row = {twin.position, fmt::format("{}", twin.seed),
                                            fmt::format("{}", layer)};
            for (const double share : twin.first_token_shares[layer]) {
                row.push_back(fixed_text(100 * share, 1));
            }
            sinks.push_back(std::move(row));
        }
    }
    if (!sinks.empty()) {
        text +=
            say("\nPercent of the probability that trained decoders give to the first token; "
                "evenly it would be {}:\n",
                fixed_text(100 * even_first_share(), 1)) +
            text_table({"decoder", "seed", "layer", "head 0", "head 1", "head 2", "head 3"}, sinks);
    }
    return text;
}

plot::DataTable cache_data(const CacheState& state) {
    std::vector<double> position, fp32, fp16, bf16, other;
    for (const ShiftError& at : state.errors) {
        position.push_back(at.position);
        fp32.push_back(at.fp32);
        fp16.push_back(at.fp16);
        bf16.push_back(at.bf16);
        other.push_back(at.other_speeds);
    }
    return {{{"position", std::move(position)},
             {"error_fp32", std::move(fp32)},
             {"error_fp16", std::move(fp16)},
             {"error_bf16", std::move(bf16)},
             {"error_other_speeds", std::move(other)}}};
}

}  // namespace ropescope::figures
