// Two models side by side: the parameters that differ, and the frequencies by layer.
// Sources: model_diff.cpp, model_words.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diff/report.h"
#include "core/models/model.h"

namespace ropescope::diff {

/// What two models say about one thing, in words and as JSON.
struct DifferingParameter {
    std::string name = {};
    nlohmann::ordered_json a = {}, b = {};
    /// What it means for the rotation: nothing (a size), other channels for weights in another
    /// order, or other scores.
    Sameness effect = Sameness::different;
};

/// The first frequency that differs.
struct FrequencyDifference {
    Index head = 0, pair = 0, axis = 0;
    double a_rad = 0.0, b_rad = 0.0;  ///< radians per position
    Index pairs = 0, of = 0;          ///< pairs that differ, and all
    /// The last position of the shorter context, and the difference of the angles there.
    Index position = 0;
    double angle_rad = 0.0;
    /// The first position at which the angles differ by a radian; empty beyond kMaxPosition.
    std::optional<Index> radian_at = {};
};

/// Whether two frequencies are one within the rounding of the formulas that they come from.
bool same_speed(double a_rad, double b_rad);

/// How fast pairs turn, of the head and the axis that differ first, or of the first ones.
struct BothSpeeds {
    std::vector<double> a = {}, b = {};  ///< [pairs], radians per position, both 0 or above
    Index position = 0;                  ///< the last one of the shorter context
};

/// Layers of A and B that turn by the same two embeddings.
struct LayersDifference {
    std::string name = {};           ///< "layers 0 to 3", "text", "vision"
    std::vector<Index> layers = {};  ///< empty for a part
    Sameness sameness = Sameness::equal;
    std::vector<DifferingParameter> parameters = {};
    std::optional<FrequencyDifference> frequencies = {};
    BothSpeeds speeds = {};  ///< empty if one of both does not turn
};

struct ModelDifference {
    std::string a = {}, b = {};
    std::vector<DifferingParameter> sizes = {};  ///< of the whole model
    std::vector<LayersDifference> layers = {};
    std::vector<std::string> remarks = {};
};

/// `context` is the length in positions by which a scaling that depends on it is chosen; 0: a short
/// sequence. Throws InputError if the two have no kind of part in common.
ModelDifference compare_models(const Model& a, const Model& b, Index context = 0);

DiffReport report_of(const ModelDifference& difference);

}  // namespace ropescope::diff
