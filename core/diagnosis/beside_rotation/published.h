// Computations that are no rotation, and what published models were trained with: cos and sin of
// each channel's own angle, in the order of halves, under pairs of neighbours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

struct PublishedComputation {
    std::string_view model = {};       ///< "V-JEPA 2"
    std::string_view model_type = {};  ///< of the part that sees, or of the whole model
    std::string_view source = {};      ///< file and function
    Index axes = 3;
    /// How channel c of a head of D channels turns: c' = c cos - partner sin at even c, and + at
    /// odd c, with its own angle. No speed: the channel stays.
    struct Turn {
        Index axis = 0;
        double omega = 0.0;  ///< radians per position
    };
    /// [D]; empty for a head that the model cannot have.
    std::vector<Turn> (*turns)(Index channels) = nullptr;
};

const std::vector<PublishedComputation>& published_computations();
/// That of a model of this model_type; null if it is none of them.
const PublishedComputation* published_computation(std::string_view model_type);
/// The model_type of the whole model of a config.json, or of its part that sees, if it is one of
/// them and its base the published one; else empty. Throws InputError for a text that is no object.
std::string published_type_in(std::string_view config_json);
/// The computation that is expected of a dump of so many axes. Null if none is; throws InputError
/// if nothing else is expected.
const PublishedComputation* expected_computation(const Dump& dump, const Expectation& expectation);

/// If one of these makes every number of every side: that, in place of `first`, which found no
/// rotation. Empty otherwise.
std::optional<Analysis> with_published_computation(const Dump& dump, const Analysis& first);

/// Of a model that is expected to compute this: whether the dump is that, and else what `search`
/// finds in it, with the first vector that is another one.
Analysis held_to_published(const Dump& dump, const PublishedComputation& computation,
                           const Expectation& expectation, const Analysis& search);

}  // namespace ropescope::diagnosis
