// What a probe holds an implementation to: one part of a model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::probe {

/// Positions that requests reach if the model's file does not end them earlier.
inline constexpr Index kFarthest = 131071;

struct Subject {
    std::string name = {};  ///< of the model: "llama-3-8b", or the path of its file
    /// "text", "vision"; "full_attention" and the like if the layers of a text differ.
    std::string part = {};
    std::optional<RopeSpec> spec = {};  ///< of a text in one axis
    /// The weights were trained with pairs that turn the other way; `scheme` knows it.
    bool backwards = false;
    /// What products of queries and keys are multiplied by, if not 1 / sqrt(head_dim).
    std::optional<double> softmax_scale = {};
    RotaryScheme scheme = {};        ///< the same, or several axes
    Index max_position = kFarthest;  ///< largest position that a request may hold

    Index axes() const { return std::ssize(scheme.axes); }
    /// Whether rows of tokens grow one by one, so that decode steps and chunks make sense.
    bool decodes() const { return !std::holds_alternative<GridRule>(scheme.positions); }
};

/// Of one embedding, for callers that have no file.
Subject subject_of(const RopeSpec& spec, std::string name = "spec", bool backwards = false);
Subject subject_of(const RotaryScheme& scheme, std::string name = "scheme");

/// The parts of a published model, or of a config.json. Throws InputError if there is neither.
std::vector<Subject> read_subjects(const std::string& name_or_path);
/// The same from the text of a config.json; `origin` begins every message.
std::vector<Subject> parse_subjects(const std::string& json, const std::string& origin);

/// The part of that name; the first if the name is empty. Throws InputError that names the parts.
const Subject& subject_named(std::span<const Subject> subjects, std::string_view part);

/// The subject as `diagnose` takes it; `reach` tokens stand in the sequence, on which some
/// scalings depend.
diagnosis::Expectation expectation_of(const Subject& subject, Index reach);
/// The spectrum for a sequence of `reach` positions.
RotaryScheme scheme_at(const Subject& subject, Index reach);

}  // namespace ropescope::probe
