// Says what an implementation of rotary position embedding does, from tensors before and after it.
// A pure function of plain values; the command `diagnose` prints its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {

/// What the implementation should do: a model's embedding, or those of its types of layers. A dump
/// that does not say which layer it is of may be any of them.
struct Expectation {
    std::string name = {};  ///< "config.json"
    std::vector<RopeSpec> specs = {};
    std::vector<std::string> layer_types = {};  ///< of each of `specs`, if there are several
    /// The place in `specs` of each layer's embedding; empty if the model does not say.
    std::vector<std::size_t> spec_of_layer = {};
    std::vector<RotaryScheme> schemes = {};  ///< of parts that turn in several axes
    /// The weights were trained with pairs of `specs` that turn the other way.
    bool backwards = false;
    std::vector<Index> layers_without = {};  ///< numbers of layers that should not turn, from 0
    /// What products of queries and keys are multiplied by, if not 1 / sqrt(head_dim).
    std::optional<double> softmax_scale = {};
};

/// What the layer with this number should do.
Expectation expectation_of_layer(const Expectation& expectation, Index layer);

/// What differs from the expectation.
struct Mismatch {
    std::string what = {};  ///< "base", "layout", "attention factor"
    Value expected = {}, found = {};
    std::string text = {};  ///< one sentence
};

/// What the heads of one kind do, if heads do not turn alike; members as in Diagnosis.
struct HeadPart {
    std::vector<Index> q_heads = {}, k_heads = {};
    std::string layout = {};
    std::optional<Index> rotary_dim = {};
    std::optional<double> base = {};
    std::optional<Scaling> scaling = {};
    std::optional<int> sign = {};
    std::optional<double> gain = {};
    std::vector<double> inv_freq_rad = {};
    std::vector<std::string> axis_names = {};
    std::vector<std::vector<double>> omega_rad = {};
};

struct Diagnosis {
    Verdict verdict = Verdict::undetermined;
    std::string summary = {};            ///< one line
    std::vector<std::string> next = {};  ///< what to do or to dump next, a sentence each

    // What was recovered; empty if the data do not tell.
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
    /// If positions have several axes: their names, and [pairs][axes] in place of inv_freq_rad.
    std::vector<std::string> axis_names = {};
    std::vector<std::vector<double>> omega_rad = {};
    /// [rows][tokens] of q, or of k if there is no q; one row if all are alike. Empty if they are
    /// the stated ones.
    std::vector<std::vector<double>> positions = {};
    /// The kinds of heads; empty if all heads turn alike. What the kinds do not share is then empty
    /// above.
    std::vector<HeadPart> heads = {};
    std::string tensor_axes = {}, axes_reason = {};  ///< "bhld", and how that was found

    std::string matches = {};            ///< the system of the five texts with the same numbers
    std::vector<Finding> findings = {};  ///< faults first
    std::optional<Expectation> expected = {};
    std::vector<Mismatch> mismatches = {};
};

/// Explains the dump. `expectation` may be null. Throws InputError for a dump without a side.
Diagnosis diagnose(const Dump& dump, const Expectation* expectation = nullptr);

/// Whether a check of the implementation passes: scores are right, and if something was expected,
/// the dump tells enough to see that it is met.
bool passes(const Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
