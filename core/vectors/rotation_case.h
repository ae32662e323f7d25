// A test of somebody's rotation: what goes in, what must come out, how exact, and what comes out of
// each fault.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/faults/rotation/catalogue.h"
#include "core/faults/rotation/plan.h"
#include "core/formats/tensor.h"
#include "core/rope/qk_norm.h"

namespace ropescope::vectors {

// Numbers that go into a rotation, and how exactly the result can be told.

/// Numbers from -127/64 to 127/64 other than 0: at most 7 significant bits, exact in every format.
/// The same for the same seed on every machine.
std::vector<double> input_numbers(const std::string& seed, Index count);

/// Half the distance of 1 to the next number: F64, F32, F16, BF16. 0 for integers.
double unit_of(Dtype dtype);

/// How exactly an implementation computes.
struct Exactness {
    double rounding = 0;  ///< of a result, as a share of the length of its pair
    /// [pairs]: relative error of an angle before it is reduced.
    std::vector<double> angle = {};
};

/// [pairs]: the relative error of an angle that is formed in a format of that unit, 2^-24 for fp32.
/// A frequency that is exactly 1 costs only the rounding of the position, and nothing if that is
/// whole: fp32 has every whole number up to 2^24. Any other is a power whose exponent, at most
/// |ln omega|, was rounded (as many units), and 4 roundings more (power, reciprocal, product, and
/// scaling), or the product of as many factors as the pair's number says, each of which rounds and
/// carries 2 units itself (ggml).
std::vector<double> angle_errors(const faults::RotationPlan& plan, double unit);

/// fp64 throughout for F64; else angles in fp32 and the rest in the dtype of the result.
Exactness exactness_of(Dtype result, const faults::RotationPlan& plan);

/// How far each number of rotated(plan, x) may lie from the exact one. 0 for channels of no pair.
std::vector<double> tolerances(const faults::RotationPlan& plan, std::span<const double> x,
                               const Exactness& exactness);

/// Whether each number lies within the tolerance of the wanted one. NaN does not.
bool within(std::span<const double> result, std::span<const double> wanted,
            std::span<const double> tolerance);

/// How far a number may lie from a wrong answer and still be that: `tolerances` times the tolerance
/// of the right one, and at least 32 units of `unit` or of fp32, in which wrong answers are stored;
/// a pair is at most 2.9 long, and 6 units of that times an attention factor are less.
double width_of_wrong(double tolerance, double tolerances, double unit);

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
    /// What was inferred about the model, in words; empty if its family is known.
    std::string inferred = {};
    bool layout_is_assumed = false;  ///< no key says how channels pair
    std::vector<std::string> axes = {};
    std::vector<std::string> flags = {};  ///< what the case shows, each once
    faults::RotationPlan plan = {};
    /// Of a fused kernel: the norm beside the rotation, and its weights [head_dim].
    std::optional<QkNorm> norm = {};
    std::vector<double> weight = {};
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
