// The official test cases of ONNX's RotaryEmbedding operator.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/rope/layout.h"

namespace ropescope::test {

struct OnnxCase {
    std::string name;
    Layout layout = Layout::half_split;
    std::int64_t batch = 0, heads = 0, positions = 0, head_dim = 0, rotary_dim = 0;
    bool merged_heads = false;  ///< input [batch, positions, heads * head_dim], else bhld
    std::vector<float> input, cos, sin, expected;
    std::vector<std::int64_t> table_shape;
    std::vector<std::int64_t> position_ids;  ///< [batch, positions], or empty

    std::vector<std::int64_t> input_shape() const;
};

/// tests/golden/onnx_rotary_embedding/cases.json
const std::vector<OnnxCase>& onnx_cases();

/// Largest difference that rounding explains: both sides form x cos - y sin in fp32 with three
/// roundings of at most 2^-24 relative to |x cos| + |y sin| <= 2 max|x| max|table|.
double onnx_tolerance(const OnnxCase& c);

/// Largest |actual - expected| of the two.
double largest_difference(std::span<const float> actual, std::span<const float> expected);

}  // namespace ropescope::test
