// What the scaling methods share: how each describes itself, what it starts from and returns, the
// checks of its parameters, and how to ask the method that a Scaling holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/index.h"
#include "core/scaling/scaling.h"

namespace ropescope {

// How a scaling method describes itself: its name, and the names of its parameters in files and on
// the screen. The reader and the writer of config.json, the scene's parameters, the views' lists
// and the checks are made from these descriptions.

struct MethodFacts {
    std::string_view type;             ///< Hugging Face's rope_type: "llama3"
    std::string_view name = {};        ///< what people call it: "Llama 3"; empty: as its type
    std::string_view older_type = {};  ///< what older files call it: "su"
    std::string_view title = {};       ///< a few words
    std::string_view source = {};      ///< paper, section, function
    std::string_view statement = {};   ///< what it does to the pairs, in one sentence
    bool extends = true;               ///< it carries the trained length further, by its factor
    /// It keeps the speed of the fast pairs, slows the slow ones by the whole factor, and blends
    /// the two between them.
    bool blends = false;
    bool depends_on_seq_len = false;  ///< its frequencies change with the length of the sequence
    bool suggested = false;  ///< a calculator proposes it while people have chosen no method
    bool searched = false;  ///< its numbers are searched for each model, so there are no usual ones
};

/// What it means that a config.json does not have the key.
enum class Missing : std::uint8_t {
    refused,        ///< an error
    usual,          ///< the usual value; a writer leaves it out
    usual_or_zero,  ///< the usual value, which 0 stands for, too (transformers: `get(key) or 32`)
    from_lengths,   ///< max_position_embeddings, which is then the trained length
    beside,         ///< the key stands beside rope_scaling, not in it
    by_rule,        ///< see the rule in core/formats/rope_scaling.cpp
};

/// A parameter as people set it: its name in a scene, the slider, and what is accepted beyond that.
struct Setting {
    std::string_view name = {};    ///< empty if people cannot set it
    std::string_view label = {};   ///< a few words; empty for the settings that methods share
    std::string_view zero = {};    ///< what 0 means: "not given"
    std::string_view beside = {};  ///< a setting without which (0) this one is not read
    std::string_view help = {};    ///< one sentence; empty for the settings that methods share
    std::string_view unit = {};
    double min = 0.0, max = 0.0;  ///< of the slider
    bool logarithmic = false;
    double lowest = 0.0, highest = 1e6;  ///< accepted
};

// The settings that several methods read. app/scene/scene_scaling.cpp describes them.
inline constexpr Setting kScalingFactor{.name = "scaling_factor"};
inline constexpr Setting kOriginalLength{.name = "original_length"};
inline constexpr Setting kAttentionFactor{.name = "attention_factor"};

/// One parameter of a method. Its usual value is that of a `Method{}`.
template <typename Method>
struct Field {
    /// A number, a length in positions, a switch, a number that the method works out if it is not
    /// given, or a list with one number a pair.
    using Member = std::variant<double Method::*, std::int64_t Method::*, bool Method::*,
                                std::optional<double> Method::*, std::vector<double> Method::*>;
    std::string_view key;  ///< in a config.json; empty if the model's family decides, not a key
    Member member;
    Missing missing = Missing::usual;
    Setting setting = {};
};

// What a method starts from, and what it returns.

/// The unscaled encoding, and the length of the sequence.
struct FrequencyInput {
    Index head_dim = 0;
    Index rotary_dim = 0;
    double base = 10000.0;
    std::int64_t seq_len = 0;  ///< positions; 0 if not known yet (when a model is loaded)

    Index pairs() const { return rotary_dim / 2; }
};

struct Frequencies {
    std::vector<double> inv_freq_rad;   ///< [pairs], radians per position
    double attention_factor = 1.0;      ///< multiplies cos and sin of the table
    double softmax_scale_factor = 1.0;  ///< multiplies 1 / sqrt(head_dim), apart from the table
};

template <typename Method>
struct Description {
    MethodFacts facts;
    /// Throws InputError, which names the key.
    void (*validate)(const Method& method, const FrequencyInput& input) = nullptr;
    /// Of parameters that validate() accepts.
    Frequencies (*frequencies)(const Method& method, const FrequencyInput& input) = nullptr;
    /// What its own arithmetic in fp32 adds to the error of a pair's frequency, in units of 2^-24
    /// of the frequency without it, whose logarithm is at most `log` by its size.
    double (*fp32_units)(const Method& method, const FrequencyInput& input, Index pair,
                         double log) = nullptr;
    std::vector<Field<Method>> fields = {};  ///< in the order in which a config.json is written
};

/// Calls visit(field, value) for each field of the method; `value` refers to the method's own.
template <typename Method, typename Visit>
void for_each_field(Method& method, Visit visit) {
    for (const auto& field : std::remove_const_t<Method>::description().fields) {
        std::visit([&](auto member) { visit(field, method.*member); }, field.member);
    }
}

/// inv_freq[i] = base^(-2i / rotary_dim), i = 0 .. rotary_dim/2 - 1 (RoFormer, section 3.2.2). In
/// long double, rounded once: the relative error is below 1.02 units of 2^-53.
std::vector<double> default_inv_freq(Index rotary_dim, double base);

// Checks of parameters, whose messages start with the key of rope_scaling.

/// Finite and at least 1.
void require_factor(std::string_view key, double value);
/// Finite and above 0.
void require_positive(std::string_view key, double value);
/// A length of at least 1 position.
void require_length(std::string_view key, std::int64_t positions);

// Asks the method that a Scaling holds for what all have in common.

/// One of each method, with its usual values, in the order of the list.
const std::vector<Scaling>& scaling_methods();
/// Their names: default, linear, ntk, ... ("ntk" is ours: transformers has no static NTK.)
const std::vector<std::string>& scaling_types();
/// The method of that name with its usual values; empty if no method has it.
std::optional<Scaling> scaling_of_type(std::string_view type);

const MethodFacts& facts(const Scaling& scaling);
/// Hugging Face's name of the method.
std::string_view scaling_type(const Scaling& scaling);

/// Whether the frequencies change with the length of the sequence.
bool depends_on_seq_len(const Scaling& scaling);

/// Throws InputError "where.key: ..." naming the key, its value and the expected form.
void validate(const Scaling& scaling, const FrequencyInput& input,
              std::string_view where = "rope_scaling");

/// Assumes validated input.
Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input);

/// What a method's own arithmetic in fp32 adds to the error of a pair's frequency
/// (Description::fp32_units).
double fp32_units(const Scaling& scaling, const FrequencyInput& input, Index pair, double log);

/// What people call the method.
std::string_view scaling_name(const Scaling& scaling);

/// The length before the extension, in positions; empty if the method has no such parameter.
std::optional<std::int64_t> original_positions(const Scaling& scaling);
/// By how much the method extends; 1 without scaling.
double extension_factor(const Scaling& scaling);

}  // namespace ropescope
