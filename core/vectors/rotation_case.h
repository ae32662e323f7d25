// A test of somebody's rotation: what goes in, what must come out, how exact, and what comes out of
// each fault.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/faults/rotation/catalogue.h"
#include "core/formats/tensor.h"
#include "core/vectors/tolerance.h"

namespace ropescope::vectors {

struct WrongAnswer {
    std::string code = {};  ///< of the fault
    std::string text = {};  ///< what was done wrong
    /// As RotationCase::expected. NaN where the fault's own angles are so large that fp32 cannot
    /// tell what comes out.
    std::vector<double> values;
    double tolerances =
        1;  ///< how many tolerances of the right answer the fault's own rounding costs
};

/// The dtypes that results may have, in the order of RotationCase::tolerance.
inline constexpr std::array<Dtype, 4> kResultDtypes = {Dtype::f64, Dtype::f32, Dtype::f16,
                                                       Dtype::bf16};

struct RotationCase {
    std::string id = {};           ///< "llama-3.1-8b", "families/olmo"
    std::string model = {};        ///< as people call it
    std::string config_json = {};  ///< keys of the model's own file
    std::string part = {};         ///< "text" or "vision"
    Index seq_len = 0;             ///< length of the sequence, for models in one axis
    std::string layout = {};       ///< "half_split", "interleaved", ...
    std::vector<std::string> axes = {};
    std::vector<std::string> flags = {};  ///< what the case shows, each once
    faults::RotationPlan plan = {};
    std::vector<double> input = {};  ///< [batch, heads, length, head_dim]; exact in fp16 and bf16
    std::vector<double> expected = {};  ///< the same shape, in float64
    /// How far each number of a result may lie from the expected one, for each of kResultDtypes.
    std::array<std::vector<double>, kResultDtypes.size()> tolerance = {};
    std::vector<WrongAnswer> wrong = {};
};

/// Which wrong answers a case has: all, or the first of those with one code
/// and one flag.
enum class Wrongs : std::uint8_t { all, one_of_a_kind };

/// Makes a case of a model. `spec` is that of a model in one axis, else
/// null. A fault whose answer is right within three tolerances of fp32 everywhere is left out. `id`
/// also chooses the numbers of the input.
RotationCase make_case(const std::string& id, const RotaryScheme& scheme, const RopeSpec* spec,
                       faults::HeadShape shape, std::vector<double> positions,
                       Wrongs wrongs = Wrongs::all);

}  // namespace ropescope::vectors
