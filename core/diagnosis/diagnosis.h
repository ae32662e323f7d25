// Says what an implementation of rotary position embedding does, from tensors before and after it.
// A pure function of plain values; the command `diagnose` prints its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/measure/not_finite.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {

/// What the implementation should do: a model's embedding, or those of its types of layers. A dump
/// that does not say which layer it is of may be any of them.
struct Expectation {
    std::string name = {};  ///< "config.json"
    /// What was inferred from the names of keys, in words; empty if the model's family is known.
    std::string inferred = {};
    /// No key says how channels pair: `specs` has every embedding in both layouts, in its second
    /// half in the other one.
    bool any_layout = false;
    /// No key states the base, or how many channels turn: the value in `specs` is a usual one.
    bool any_base = false, any_width = false;
    std::vector<RopeSpec> specs = {};
    std::vector<std::string> layer_types = {};  ///< of each of `specs`, if there are several
    /// The place in `specs` of each layer's embedding; empty if the model does not say.
    std::vector<std::size_t> spec_of_layer = {};
    std::vector<RotaryScheme> schemes = {};  ///< of parts that turn in several axes
    /// The weights were trained with pairs of `specs` that turn the other way.
    bool backwards = false;
    std::vector<Index> layers_without = {};  ///< numbers of layers that should not turn, from 0
    bool without_rotation = false;           ///< of a layer that is one of them
    std::string unread_text = {};    ///< why the language model is not among them, if there is one
    std::string unread_vision = {};  ///< why the part that sees is not among them, if there is one
    /// What products of queries and keys are multiplied by, if not 1 / sqrt(head_dim).
    std::optional<double> softmax_scale = {};
    /// The model_type whose part that sees is no rotation (beside_rotation/published.h), or empty.
    std::string computation = {};
};

/// What the layer with this number should do.
Expectation expectation_of_layer(const Expectation& expectation, Index layer);

/// What was recovered of a rotation; empty if the data do not tell.
struct Recovered {
    std::string layout = {};  ///< "half_split", "interleaved", "half_split_per_block", "other"
    std::optional<Index> rotary_dim = {};
    std::optional<double> base = {};
    std::optional<Scaling> scaling = {};
    std::optional<int> sign = {};                ///< -1: turned the other way
    std::optional<double> position_offset = {};  ///< the same at every token, of q and of k
    std::optional<double> gain = {};             ///< on the lengths of the turned channels
    std::optional<Dtype> table_dtype = {};
    std::optional<double> residual_rad = {};  ///< largest distance of an angle from the explanation
    std::vector<double> inv_freq_rad = {};    ///< [pairs] radians per position
    /// [rows][tokens] of q, or of k if there is no q; one row if all are alike. Empty if they are
    /// the stated ones.
    std::vector<std::vector<double>> positions = {};
    /// If positions have several axes: their names, and [pairs][axes] in place of inv_freq_rad.
    std::vector<std::string> axis_names = {};
    std::vector<std::vector<double>> omega_rad = {};

    /// How a member is called in JSON and in text, and how text shows it; no label: not at all.
    struct Field {
        std::string_view key, label = {}, format = "{}";
        bool by_head = true;  ///< kinds of heads may differ in it
    };
    /// Calls visit(field, member) for all members.
    template <typename Visit>
    static void fields(Visit visit) {
        visit(Field{"layout", "layout"}, &Recovered::layout);
        visit(Field{"rotary_dim", "rotary_dim"}, &Recovered::rotary_dim);
        visit(Field{"base", "base", "{:.10g}"}, &Recovered::base);
        visit(Field{"scaling", "scaling"}, &Recovered::scaling);
        visit(Field{"sign"}, &Recovered::sign);
        visit(Field{"position_offset", "offset", "{:g} positions", false},
              &Recovered::position_offset);
        visit(Field{"gain", "gain", "{:.6g}"}, &Recovered::gain);
        visit(Field{"table_dtype", "table", "{}", false}, &Recovered::table_dtype);
        visit(Field{"residual", "residual", "{:.2g} rad at most", false}, &Recovered::residual_rad);
        visit(Field{"inv_freq"}, &Recovered::inv_freq_rad);
        visit(Field{"positions", "", "", false}, &Recovered::positions);
        visit(Field{"axes"}, &Recovered::axis_names);
        visit(Field{"omega"}, &Recovered::omega_rad);
    }
};

/// What the heads of one kind do, if heads do not turn alike.
struct HeadPart : Recovered {
    std::vector<Index> q_heads = {}, k_heads = {};
};

struct Diagnosis : Recovered {
    Verdict verdict = Verdict::undetermined;
    Words gist = {};               ///< the main reason for the verdict
    std::vector<Words> next = {};  ///< what to do or to dump next, a sentence each
    /// The kinds of heads; empty if all heads turn alike. What the kinds do not share is then empty
    /// above.
    std::vector<HeadPart> heads = {};
    std::string tensor_axes = {}, axes_reason = {};  ///< "bhld", and how that was found

    std::string matches = {};            ///< the system of the five texts with the same numbers
    std::vector<Finding> findings = {};  ///< faults first
    std::optional<Expectation> expected = {};
    std::vector<Finding> mismatches = {};  ///< what differs from the expectation
    /// What differs from facts of the expectation that no key states, if nothing else does.
    std::vector<Finding> inferred_differences = {};
    /// What is not as expected, or else not as found, of each side; empty if all is.
    std::vector<Residual> unexplained = {};
    std::vector<NotFinite> not_finite = {};  ///< where numbers are NaN or infinite
    std::vector<Words> not_shown = {};       ///< what this dump cannot tell, and which tokens would

    std::string summary() const;  ///< the verdict and its reason, one line
    /// The gist if the dump is right by itself, and not as expected.
    Words not_as_expected() const;
};

/// Explains the dump. `expectation` may be null. Throws InputError for a dump without a side.
Diagnosis diagnose(const Dump& dump, const Expectation* expectation = nullptr);

/// Whether a check of the implementation passes: scores are right, and if something was expected,
/// the dump tells enough to see that it is met.
bool passes(const Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
