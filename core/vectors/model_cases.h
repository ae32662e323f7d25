// The cases of one model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {

/// What a case says of its model.
struct CaseModel {
    std::string id = {}, title = {}, config_json = {}, part = "text";
    bool backwards = false;  ///< trained with pairs that turn the other way
    /// No case goes further, if that is 512 at least; 0: any position may come.
    std::int64_t max_positions = 0;
};

/// A model in one axis at positions of two rows, near ones and far ones.
RotationCase far_case(const CaseModel& model, const RopeSpec& spec);
/// The same at two positions of one row, with one wrong answer of a kind.
RotationCase short_case(const CaseModel& model, const RopeSpec& spec);
/// Two rows of one token each, two heads: a decode step.
RotationCase decode_case(const CaseModel& model, const RopeSpec& spec);
/// A chunk whose positions begin at 100.
RotationCase late_case(const CaseModel& model, const RopeSpec& spec);

/// A model in several axes: tokens whose positions differ in every axis, with one wrong answer of a
/// kind.
RotationCase axes_case(const CaseModel& model, const RotaryScheme& scheme);
/// Two rows of two tokens at later positions, with two heads, or those that differ.
RotationCase batched_axes_case(const CaseModel& model, const RotaryScheme& scheme);

}  // namespace ropescope::vectors
