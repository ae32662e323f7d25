// Packs of cases: models in one axis, models in several axes, position ids, and fused norms.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/model.h"
#include "core/positions/multimodal_ids.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {

/// Ids of a layout that come out of a fault.
struct WrongIds {
    std::string code = {}, text = {};
    MultimodalIds ids = {};
};

/// A test of somebody's position ids.
struct PositionCase {
    std::string id = {};       ///< "qwen2-vl-7b/two images"
    std::string model = {};    ///< "qwen2-vl-7b"
    std::string runtime = {};  ///< "transformers-5"
    std::string layout_json = {};
    std::vector<std::string> flags = {};
    MultimodalIds expected = {};
    std::vector<WrongIds> wrong = {};
};

struct Pack {
    std::string name = {};  ///< "text"
    std::vector<RotationCase> rotations = {};
    std::vector<PositionCase> positions = {};
};

struct PackFacts {
    std::string_view name;
    std::string_view text;  ///< what it holds, one line
    Pack (*make)();
};

/// text, axes, positions, fused.
std::span<const PackFacts> packs();
/// Throws InputError that names the packs there are.
const PackFacts& pack_named(std::string_view name);

/// The cases of one model: its parts that turn, each with near and far positions, a decode step of
/// a batch, and positions that begin late. Throws InputError for a model without a configuration
/// that is no file of frequencies and channels of one's own.
Pack pack_of_model(const Model& model);

Pack text_pack();
Pack axes_pack();
Pack position_pack();
Pack fused_pack();

// The cases of one model: named after it, with its title and its configuration.

/// A part in one axis at positions of two rows, near ones and far ones. No case goes further than
/// its reach, if that is 512 at least; with none any position may come.
RotationCase far_case(const Model& model, const Part& part);
/// The same at two positions of one row, with one wrong answer of a kind.
RotationCase short_case(const Model& model, const Part& part);
/// Two rows of one token each, two heads: a decode step.
RotationCase decode_case(const Model& model, const Part& part);
/// A chunk whose positions begin at 100.
RotationCase late_case(const Model& model, const Part& part);

/// A part in several axes: tokens whose positions differ in every axis, with one wrong answer of a
/// kind.
RotationCase axes_case(const Model& model, const Part& part);
/// Two rows of two tokens at later positions, with two heads, or those that differ.
RotationCase batched_axes_case(const Model& model, const Part& part);

}  // namespace ropescope::vectors
