// Packs of cases: models in one axis, models in several axes, and position ids. Sources:
// text_pack.cpp, axes_pack.cpp, position_pack.cpp.
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

/// text, axes, positions.
std::span<const PackFacts> packs();
/// Throws InputError that names the packs there are.
const PackFacts& pack_named(std::string_view name);

/// The cases of one model: its parts that turn, each with near and far positions, a decode step of
/// a batch, and positions that begin late. Throws
/// InputError for a model without a configuration.
Pack pack_of_model(const Model& model);

Pack text_pack();
Pack axes_pack();
Pack position_pack();

}  // namespace ropescope::vectors
