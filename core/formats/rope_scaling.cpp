#include "core/formats/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

/// What reading one object needs, so that every type's reader has the same short form.
struct Reader {
    const ConfigObject& object;
    const ScalingSurroundings& around;
    std::vector<std::string>& assumptions;

    double required(std::string_view key) const {
        const std::optional<double> value = object.number(key);
        if (!value) {
            object.fail(key, fmt::format("is missing; rope_type {} needs a number here",
                                         in_quotes(rope_type_of(object))));
        }
        return *value;
    }

    /// For keys that transformers reads as `get(key) or usual`.
    double number_or(std::string_view key, double usual) const {
        const double value = object.number(key).value_or(0.0);
        return value == 0.0 ? usual : value;
    }

    std::int64_t max_positions(std::string_view reason) const {
        if (around.max_positions == 0) {
            object.fail("max_position_embeddings", fmt::format("is missing beside it; {}", reason));
        }
        return around.max_positions;
    }

    std::int64_t original_positions() const {
        constexpr const char* kKey = "original_max_position_embeddings";
        const auto inside = object.integer(kKey, 1, kMaxSeqLen);
        if (!inside && !around.original_positions && around.usual_original > 0) {
            assumptions.push_back(fmt::format("{} is missing: {}", kKey, around.usual_original));
            return around.usual_original;
        }
        if (!inside && !around.original_positions) {
            const std::int64_t assumed =
                max_positions(fmt::format("it or {} gives the trained length", kKey));
            assumptions.push_back(
                fmt::format("{} is missing: max_position_embeddings {}", kKey, assumed));
            return assumed;
        }
        if (inside && around.original_positions && *inside != *around.original_positions) {
            object.fail(kKey, fmt::format("{} contradicts the {} beside rope_scaling; give one",
                                          *inside, *around.original_positions));
        }
        const std::int64_t original = around.original_positions.value_or(inside.value_or(0));
        if (around.max_positions > 0 && original > around.max_positions) {
            object.fail(kKey, fmt::format("{} is longer than max_position_embeddings {}; the "
                                          "trained length, at most that, is expected",
                                          original, around.max_positions));
        }
        return original;
    }

    /// A stated factor that the lengths beside it contradict: transformers warns and takes it, too.
    void note_other_factor(double factor, std::int64_t original) const {
        const double implied =
            static_cast<double>(around.max_positions) / static_cast<double>(original);
        if (around.max_positions > original && std::abs(implied - factor) > 1e-9 * factor) {
            assumptions.push_back(
                fmt::format("factor {} counts, where max_position_embeddings {} / "
                            "original_max_position_embeddings {} would be {:.6g}",
                            factor, around.max_positions, original, implied));
        }
    }

    /// YaRN and LongRoPE: how much longer the target is, where the file does not say it.
    double factor_from_lengths(std::int64_t original) const {
        return static_cast<double>(max_positions("without a factor it gives the target length")) /
               static_cast<double>(original);
    }
};

YarnScaling read_yarn(const Reader& read) {
    YarnScaling yarn;
    yarn.original_positions = read.original_positions();
    // A factor of null is worked out, a missing one is an error, as in transformers.
    yarn.factor = read.object.json().contains("factor") && !read.object.has("factor")
                      ? read.factor_from_lengths(yarn.original_positions)
                      : read.required("factor");
    read.note_other_factor(yarn.factor, yarn.original_positions);
    yarn.beta_fast = read.number_or("beta_fast", 32.0);
    yarn.beta_slow = read.number_or("beta_slow", 1.0);
    yarn.truncate = read.object.boolean("truncate").value_or(true);
    yarn.attention_factor = read.object.number("attention_factor");
    yarn.mscale = read.object.number("mscale");
    yarn.mscale_all_dim = read.object.number("mscale_all_dim");
    yarn.scales_softmax = read.around.scales_softmax;
    return yarn;
}

Llama3Scaling read_llama3(const Reader& read) {
    Llama3Scaling llama{.factor = read.required("factor"),
                        .low_freq_factor = read.required("low_freq_factor"),
                        .high_freq_factor = read.required("high_freq_factor"),
                        .original_positions = read.original_positions()};
    if (read.around.llama3_may_step && llama.low_freq_factor == llama.high_freq_factor) {
        read.assumptions.emplace_back(
            "high_freq_factor is low_freq_factor: a step between the pairs, not a ramp");
        // The narrowest ramp there is; no pair of a published model lies in it.
        llama.high_freq_factor =
            std::nextafter(llama.low_freq_factor, std::numeric_limits<double>::infinity());
    }
    return llama;
}

std::vector<double> required_factors(const Reader& read, std::string_view key) {
    const auto factors = read.object.numbers(key, kMaxHeadDim / 2);
    if (!factors) {
        read.object.fail(key, "is missing; rope_type 'longrope' needs a list of one number a pair");
    }
    return *factors;
}

LongRopeScaling read_longrope(const Reader& read) {
    LongRopeScaling scaling{.short_factor = required_factors(read, "short_factor"),
                            .long_factor = required_factors(read, "long_factor"),
                            .original_positions = read.original_positions()};
    const auto factor = read.object.number("factor");
    scaling.attention_factor = read.object.number("attention_factor");
    if (factor || !scaling.attention_factor || read.around.max_positions > 0) {
        scaling.factor = factor ? *factor : read.factor_from_lengths(scaling.original_positions);
    }
    if (read.around.mscale_by_length) {
        scaling.short_mscale = read.required("short_mscale");
        scaling.long_mscale = read.required("long_mscale");
    }
    return scaling;
}

Scaling read_dynamic(const Reader& read) {
    // Hunyuan's files name the method so and give the stretch of the base, whatever the length.
    if (const auto alpha = read.object.number("alpha"); alpha.value_or(0) != 0) {
        if (*alpha < 1) {
            read.object.fail("alpha",
                             fmt::format("{}; a number of at least 1 is expected", *alpha));
        }
        read.assumptions.push_back(fmt::format(
            "alpha {} stretches the base at every length, as in Hunyuan's models", *alpha));
        return NtkScaling{*alpha};
    }
    if (read.object.has("original_max_position_embeddings")) {
        read.assumptions.emplace_back(
            "original_max_position_embeddings: dynamic starts at max_position_embeddings instead");
    }
    return DynamicNtkScaling{read.required("factor"),
                             read.max_positions("dynamic scaling starts at it")};
}

/// Keys that change what the model does with its frequencies, not the frequencies.
void note_companions(const Reader& read) {
    if (read.object.has("mrope_section")) {
        read.assumptions.emplace_back(
            "mrope_section: pairs turn by time, height or width, which are one number for text");
    }
    if (read.object.has("llama_4_scaling_beta")) {
        read.assumptions.emplace_back(
            "llama_4_scaling_beta also scales the queries by their position; it is not shown");
    }
}

/// Keys that no method reads are likely slips.
void note_unknown_keys(const Reader& read) {
    static const std::vector<std::string> kKeys = {"rope_type",
                                                   "type",
                                                   "rope_theta",
                                                   "factor",
                                                   "original_max_position_embeddings",
                                                   "beta_fast",
                                                   "beta_slow",
                                                   "truncate",
                                                   "attention_factor",
                                                   "mscale",
                                                   "mscale_all_dim",
                                                   "low_freq_factor",
                                                   "high_freq_factor",
                                                   "short_factor",
                                                   "long_factor",
                                                   "short_mscale",
                                                   "long_mscale",
                                                   "partial_rotary_factor",
                                                   "alpha",
                                                   "mrope_section",
                                                   "mrope_interleaved",
                                                   "interleaved",
                                                   "llama_4_scaling_beta"};
    for (const auto& [key, value] : read.object.json().items()) {
        if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
            read.assumptions.push_back(fmt::format("{} is not known and not read{}", in_quotes(key),
                                                   did_you_mean(key, kKeys)));
        }
    }
}

ProportionalScaling read_proportional(const Reader& read) {
    const auto inside = read.object.number("partial_rotary_factor");
    return {
        .partial_rotary_factor = inside.value_or(read.around.partial_rotary_factor.value_or(1.0)),
        .factor = read.object.number("factor").value_or(1.0)};
}

/// Type names of files, and what they are called today.
std::string canonical(std::string type) {
    if (type == "su") {
        return "longrope";
    }
    // Sections of the pairs take their positions from time, height and width; the frequencies are
    // the usual ones.
    return type == "mrope" ? "default" : type;
}

void check_default(const ConfigObject& scaling) {
    const auto factor = scaling.number("factor");
    if (factor && *factor != 1.0) {
        scaling.fail("factor", fmt::format("{} contradicts rope_type 'default', which scales "
                                           "nothing; leave it out or name the method",
                                           *factor));
    }
}

}  // namespace

std::string rope_type_of(const ConfigObject& scaling) {
    const auto newer = scaling.text("rope_type");
    const auto older = scaling.text("type");
    if (newer && older && canonical(*newer) != canonical(*older)) {
        scaling.fail("rope_type", fmt::format("{} contradicts type {}; give one of the two",
                                              in_quotes(*newer), in_quotes(*older)));
    }
    if (newer || older) {
        return canonical(newer ? *newer : *older);
    }
    constexpr std::array kScaling = {"factor", "short_factor", "long_factor", "low_freq_factor",
                                     "beta_fast"};
    for (const char* key : kScaling) {
        if (scaling.has(key)) {
            scaling.fail("rope_type",
                         fmt::format("is missing beside {}; 'linear', 'yarn' or another method is "
                                     "expected",
                                     key));
        }
    }
    return "default";
}

Scaling read_scaling(const ConfigObject& scaling, const ScalingSurroundings& around,
                     std::vector<std::string>& assumptions) {
    const Reader read{scaling, around, assumptions};
    const std::string type = rope_type_of(scaling);
    note_companions(read);
    note_unknown_keys(read);
    if (type == "default") {
        check_default(scaling);
        return NoScaling{};
    }
    if (type == "linear") {
        return LinearScaling{read.required("factor")};
    }
    if (type == "ntk") {
        return NtkScaling{read.required("factor")};
    }
    if (type == "dynamic") {
        return read_dynamic(read);
    }
    if (type == "yarn") {
        return read_yarn(read);
    }
    if (type == "llama3") {
        return read_llama3(read);
    }
    if (type == "longrope") {
        return read_longrope(read);
    }
    if (type == "proportional") {
        return read_proportional(read);
    }
    static const std::vector<std::string> kTypes = {
        "default", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"};
    scaling.fail(scaling.has("rope_type") ? "rope_type" : "type",
                 fmt::format("{} is not known{}; {} is expected", in_quotes(type),
                             did_you_mean(type, kTypes), fmt::join(kTypes, ", ")));
}

namespace {

using Json = nlohmann::ordered_json;

void put_given(Json& json, const char* key, const std::optional<double>& value) {
    if (value) {
        json[key] = *value;
    }
}

struct PutKeys {
    Json& json;

    void operator()(const NoScaling&) const {}
    void operator()(const LinearScaling& linear) const { json["factor"] = linear.factor; }
    void operator()(const NtkScaling& ntk) const { json["factor"] = ntk.factor; }
    void operator()(const DynamicNtkScaling& ntk) const { json["factor"] = ntk.factor; }
    void operator()(const YarnScaling& yarn) const {
        json["factor"] = yarn.factor;
        json["original_max_position_embeddings"] = yarn.original_positions;
        json["beta_fast"] = yarn.beta_fast;
        json["beta_slow"] = yarn.beta_slow;
        if (!yarn.truncate) {
            json["truncate"] = false;
        }
        put_given(json, "attention_factor", yarn.attention_factor);
        put_given(json, "mscale", yarn.mscale);
        put_given(json, "mscale_all_dim", yarn.mscale_all_dim);
    }
    void operator()(const Llama3Scaling& llama) const {
        json["factor"] = llama.factor;
        json["low_freq_factor"] = llama.low_freq_factor;
        json["high_freq_factor"] = llama.high_freq_factor;
        json["original_max_position_embeddings"] = llama.original_positions;
    }
    void operator()(const LongRopeScaling& longrope) const {
        json["factor"] = longrope.factor;
        json["original_max_position_embeddings"] = longrope.original_positions;
        put_given(json, "attention_factor", longrope.attention_factor);
        put_given(json, "short_mscale", longrope.short_mscale);
        put_given(json, "long_mscale", longrope.long_mscale);
        json["short_factor"] = longrope.short_factor;
        json["long_factor"] = longrope.long_factor;
    }
    void operator()(const ProportionalScaling& proportional) const {
        json["partial_rotary_factor"] = proportional.partial_rotary_factor;
        if (proportional.factor != 1.0) {
            json["factor"] = proportional.factor;
        }
    }
};

}  // namespace

Json scaling_json(const Scaling& scaling, const char* type_key) {
    Json json;
    json[type_key] = std::string(scaling_type(scaling));
    std::visit(PutKeys{json}, scaling);
    return json;
}

}  // namespace ropescope
