// Reads the scaling of a config.json by the descriptions of the methods, and writes it back.
#include "core/formats/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/formats/limits.h"
#include "core/rope/rope_spec.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kOriginalKey = "original_max_position_embeddings";

/// What reading one object needs; it reads a field by the type of its value.
struct Reader {
    const ConfigObject& object;
    const ScalingSurroundings& around;
    std::vector<std::string>& assumptions;

    /// No larger than a factor may be, of either sign.
    std::optional<double> number(std::string_view key) const {
        const std::optional<double> value = object.number(key);
        if (value && std::abs(*value) > kMaxFactor) {
            object.fail(key, fmt::format("{}; a number up to {} is expected", *value, kMaxFactor));
        }
        return value;
    }

    double required(std::string_view key) const {
        const std::optional<double> value = number(key);
        if (!value) {
            object.fail(key, fmt::format("is missing; rope_type {} needs a number here",
                                         in_quotes(rope_type_of(object))));
        }
        return *value;
    }

    void read(std::string_view key, Missing missing, double& value) const {
        const std::optional<double> stated =
            missing == Missing::refused ? required(key) : number(key);
        if (stated && !(missing == Missing::usual_or_zero && *stated == 0.0)) {
            value = *stated;
        }
    }
    void read(std::string_view, Missing missing, std::int64_t& positions) const {
        positions = missing == Missing::beside ? max_positions("dynamic scaling starts at it")
                                               : original_positions();
    }
    void read(std::string_view key, Missing, bool& value) const {
        value = object.boolean(key).value_or(value);
    }
    void read(std::string_view key, Missing, std::optional<double>& value) const {
        value = number(key);
    }
    void read(std::string_view key, Missing, std::vector<double>& values) const {
        const auto stated = object.numbers(key, kMaxHeadDim / 2);
        if (!stated) {
            object.fail(
                key,
                fmt::format("is missing; rope_type {} needs a list with one number for each pair",
                            in_quotes(rope_type_of(object))));
        }
        values = *stated;
    }

    std::int64_t max_positions(std::string_view reason) const {
        if (around.max_positions == 0) {
            object.fail("rope_type",
                        fmt::format("{} needs max_position_embeddings in the configuration around "
                                    "it, where it is missing; {}",
                                    in_quotes(rope_type_of(object)), reason));
        }
        return around.max_positions;
    }

    std::int64_t original_positions() const {
        const auto inside = object.integer(kOriginalKey, 1, kMaxSeqLen);
        if (!inside && !around.original_positions && around.usual_original > 0) {
            assumptions.push_back(
                fmt::format("{} is missing: {}", kOriginalKey, around.usual_original));
            return around.usual_original;
        }
        if (!inside && !around.original_positions) {
            const std::int64_t assumed =
                max_positions(fmt::format("it or {} gives the trained length", kOriginalKey));
            assumptions.push_back(
                fmt::format("{} is missing: max_position_embeddings {}", kOriginalKey, assumed));
            return assumed;
        }
        if (inside && around.original_positions && *inside != *around.original_positions) {
            object.fail(kOriginalKey,
                        fmt::format("{} contradicts the {} beside rope_scaling; give one", *inside,
                                    *around.original_positions));
        }
        const std::int64_t original = around.original_positions.value_or(inside.value_or(0));
        if (around.max_positions > 0 && original > around.max_positions) {
            assumptions.push_back(
                fmt::format("{} {} counts, though it is longer than max_position_embeddings {}",
                            kOriginalKey, original, around.max_positions));
        }
        return original;
    }

    /// A stated factor that the lengths beside it contradict: transformers warns and takes it, too.
    void note_other_factor(double factor, std::int64_t original) const {
        const double implied = to_double(around.max_positions) / to_double(original);
        if (around.max_positions > original && std::abs(implied - factor) > 1e-9 * factor) {
            assumptions.push_back(
                fmt::format("factor {} counts, where max_position_embeddings {} / "
                            "original_max_position_embeddings {} would be {:.6g}",
                            factor, around.max_positions, original, implied));
        }
    }

    /// YaRN and LongRoPE: how much longer the target is, if the file does not say it.
    double factor_from_lengths(std::int64_t original) const {
        const std::int64_t target = max_positions("without a factor it gives the target length");
        if (target < original) {
            object.fail(
                "rope_type",
                fmt::format("{} without a factor extends {} {} to max_position_embeddings "
                            "{}, which is shorter; give a factor of at least 1",
                            in_quotes(rope_type_of(object)), kOriginalKey, original, target));
        }
        return to_double(target) / to_double(original);
    }
};

// What files do with a method beyond its description: one rule a method, none for most.

template <typename Method>
void apply_rule(const Reader&, Method&) {}

void apply_rule(const Reader& read, YarnScaling& yarn) {
    // A factor of null is worked out, a missing one is an error, as in transformers.
    yarn.factor = read.object.json().contains("factor") && !read.object.has("factor")
                      ? read.factor_from_lengths(yarn.original_positions)
                      : read.required("factor");
    read.note_other_factor(yarn.factor, yarn.original_positions);
    yarn.scales_softmax = read.around.scales_softmax;
    if (read.around.yarn_keeps_length && !yarn.attention_factor) {
        yarn.attention_factor = 1.0;
    }
}

void apply_rule(const Reader& read, Llama3Scaling& llama) {
    if (read.around.llama3_may_step && llama.low_freq_factor == llama.high_freq_factor) {
        read.assumptions.emplace_back(
            "high_freq_factor is low_freq_factor: a step between the pairs, not a ramp");
        // The narrowest ramp there is; no pair of a published model lies in it.
        llama.high_freq_factor =
            std::nextafter(llama.low_freq_factor, std::numeric_limits<double>::infinity());
    }
}

void apply_rule(const Reader& read, LongRopeScaling& longrope) {
    const auto factor = read.object.number("factor");
    if (factor || !longrope.attention_factor || read.around.max_positions > 0) {
        longrope.factor = factor ? *factor : read.factor_from_lengths(longrope.original_positions);
    }
    if (read.around.mscale_by_length) {
        longrope.short_mscale = read.required("short_mscale");
        longrope.long_mscale = read.required("long_mscale");
    }
}

void apply_rule(const Reader& read, ProportionalScaling& proportional) {
    const auto inside = read.object.number("partial_rotary_factor");
    proportional.partial_rotary_factor =
        inside.value_or(read.around.partial_rotary_factor.value_or(1.0));
}

void apply_rule(const Reader& read, NoScaling&) {
    const auto factor = read.object.number("factor");
    if (factor && *factor != 1.0) {
        read.object.fail("factor", fmt::format("{} contradicts rope_type 'default', which scales "
                                               "nothing; leave it out or name the method",
                                               *factor));
    }
}

/// Hunyuan's files say "dynamic" and give the stretch of the base, whatever the length.
std::optional<NtkScaling> stretched_by_alpha(const Reader& read) {
    const double alpha = read.object.number("alpha").value_or(0);
    if (alpha == 0) {
        return std::nullopt;
    }
    if (alpha < 1) {
        read.object.fail("alpha", fmt::format("{}; a number of at least 1 is expected", alpha));
    }
    read.assumptions.push_back(
        fmt::format("alpha {} stretches the base at every length, as in Hunyuan's models", alpha));
    return NtkScaling{alpha};
}

/// GTE's inv_freq is (base s)^(-2i/d) / s^(2/d): pair i is s^(2(i + 1)/d) times slower than without
/// scaling (vLLM: ntk_scaling_rope.py, NTKScalingRotaryEmbedding). NtkScaling is another
/// formula; a factor for each pair says the same as theirs.
Scaling gte_ntk(const Reader& read) {
    const double factor = read.required("factor");
    if (factor < 1) {
        read.object.fail("factor", fmt::format("{}; a number of at least 1 is expected", factor));
    }
    if (read.object.has("mixed_b")) {
        read.object.fail("mixed_b", "is a form of GTE's ntk that is not read; leave it out");
    }
    std::vector<double> factors;
    for (Index pair = 0; pair < read.around.gte_pairs; ++pair) {
        factors.push_back(std::pow(factor, to_double(pair + 1) / to_double(read.around.gte_pairs)));
    }
    read.assumptions.push_back(
        fmt::format("ntk is GTE's own, ({0} base)^(-2i/d) / {0}^(2/d), and not the NTK scaling of "
                    "other programs; shown as one factor for each pair",
                    factor));
    return LongRopeScaling{.short_factor = factors,
                           .long_factor = factors,
                           .original_positions = read.around.max_positions,
                           .factor = factor,
                           .attention_factor = 1.0};
}

/// No published runtime of Llama's kind reads ntk from a file, and GTE means another formula.
void note_ntk(const Reader& read) {
    read.assumptions.emplace_back(
        "ntk is read as the base times factor^(d/(d - 2)); transformers has no such type, and "
        "GTE's "
        "models and vLLM mean another formula by it");
}

void note_unread_length(const Reader& read) {
    if (read.object.has(kOriginalKey)) {
        read.assumptions.push_back(
            fmt::format("{}: dynamic starts at max_position_embeddings instead", kOriginalKey));
    }
}

template <typename Method>
void read_fields(const Reader& read, Method& method) {
    for_each_field(method, [&](const auto& field, auto& value) {
        if (field.missing != Missing::by_rule) {
            read.read(field.key, field.missing, value);
        }
    });
    apply_rule(read, method);
}

/// Whether the field has a key inside the object.
template <typename Method>
bool stands_inside(const Field<Method>& field) {
    return !field.key.empty() && field.missing != Missing::beside;
}

/// Every key that a method reads, and those that stand beside them.
std::vector<std::string> known_keys() {
    std::vector<std::string> keys = {"rope_type",         "type",
                                     "rope_theta",        "alpha",
                                     "mixed_b",           "mrope_section",
                                     "mrope_interleaved", "xdrope_section",
                                     "interleaved",       "llama_4_scaling_beta"};
    const auto add = [&](const auto& field, const auto&) {
        if (stands_inside(field) && std::ranges::find(keys, field.key) == keys.end()) {
            keys.emplace_back(field.key);
        }
    };
    for (const Scaling& scaling : scaling_methods()) {
        std::visit([&](const auto& method) { for_each_field(method, add); }, scaling);
    }
    return keys;
}

/// Keys that change what the model does with its frequencies, not the frequencies.
void note_companions(const Reader& read) {
    if (read.object.has("mrope_section")) {
        read.assumptions.emplace_back(
            "mrope_section: pairs turn by time, height or width, which are one number for text");
    }
    if (read.object.has("xdrope_section")) {
        read.assumptions.emplace_back(
            "xdrope_section: pairs turn along several axes, which are one number for text");
    }
    if (read.object.has("llama_4_scaling_beta")) {
        read.assumptions.emplace_back(
            "llama_4_scaling_beta also scales the queries by their position; it is not shown");
    }
}

/// Keys that no method reads are likely slips.
void note_unknown_keys(const Reader& read) {
    const std::vector<std::string>& known = made_once([] { return known_keys(); });
    for (const auto& [key, value] : read.object.json().items()) {
        if (std::ranges::find(known, key) == known.end()) {
            read.assumptions.push_back(fmt::format("{} is not known and not read{}", in_quotes(key),
                                                   did_you_mean(key, known)));
        }
    }
}

/// A type's name in files as it is called today.
std::string canonical(std::string type) {
    if (type == "xdrope") {  // HunYuan-VL: its stretch of the base beside sections of four axes
        return "dynamic";
    }
    for (const Scaling& method : scaling_methods()) {
        if (type == facts(method).older_type) {
            return std::string(scaling_type(method));
        }
    }
    return type;
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
    std::optional<Scaling> result = scaling_of_type(type);
    if (!result) {
        scaling.fail(
            scaling.has("rope_type") ? "rope_type" : "type",
            fmt::format("{} is not known{}; {} is expected", in_quotes(type),
                        did_you_mean(type, scaling_types()), fmt::join(scaling_types(), ", ")));
    }
    if (std::holds_alternative<NtkScaling>(*result)) {
        if (around.gte_pairs > 0) {
            return gte_ntk(read);
        }
        note_ntk(read);
    }
    if (std::holds_alternative<DynamicNtkScaling>(*result)) {
        if (const auto stretched = stretched_by_alpha(read)) {
            return *stretched;
        }
        note_unread_length(read);
    }
    std::visit([&](auto& method) { read_fields(read, method); }, *result);
    return *result;
}

namespace {

template <typename Value>
void put(OrderedJson& json, std::string_view key, const Value& value) {
    json[std::string(key)] = value;
}

void put(OrderedJson& json, std::string_view key, const std::optional<double>& value) {
    if (value) {
        json[std::string(key)] = *value;
    }
}

/// Leaves out what a missing key stands for. `usual` is a Method{} from elsewhere: of a local one
/// GCC 12 believes that the pointers to members of other methods may be used on it, and warns.
template <typename Method>
void put_fields(OrderedJson& json, const Method& method, const Method& usual) {
    for (const Field<Method>& field : Method::description().fields) {
        std::visit(
            [&](auto member) {
                const bool is_usual = method.*member == usual.*member;
                if (stands_inside(field) && !(field.missing == Missing::usual && is_usual)) {
                    put(json, field.key, method.*member);
                }
            },
            field.member);
    }
}

}  // namespace

OrderedJson scaling_json(const Scaling& scaling, const char* type_key) {
    OrderedJson json;
    json[type_key] = std::string(scaling_type(scaling));
    const Scaling usual = scaling_of_type(scaling_type(scaling)).value();
    std::visit(
        [&](const auto& method) {
            put_fields(json, method, std::get<std::decay_t<decltype(method)>>(usual));
        },
        scaling);
    return json;
}

}  // namespace ropescope
