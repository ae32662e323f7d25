// Two tensors of one shape, number by number: where they part first, and where most.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diff/allowance.h"

namespace ropescope::diff {

/// A number of a tensor [batch, heads, length, channels]; the first one is that of the first token.
struct Spot {
    Index row = 0, token = 0, head = 0, channel = 0;
    auto operator<=>(const Spot&) const = default;
};

/// Two numbers that stand at one place.
struct NumberPair {
    Spot spot = {};
    double a = 0.0, b = 0.0, allowed = 0.0;

    /// Infinite if one of the two is no number.
    double difference() const;
    double in_allowances() const;
    bool same() const;
};

struct TensorDifference {
    std::string name = {};
    bool bit_for_bit = true;
    Index vectors = 0, different = 0;        ///< of the channels of a head at a token
    std::optional<NumberPair> first = {};    ///< beyond the allowance
    std::optional<NumberPair> largest = {};  ///< in allowances; empty if bit for bit the same
    /// Those with any number beyond the allowance.
    std::vector<Index> rows = {}, tokens = {}, heads = {}, channels = {};

    bool same() const { return different == 0; }
};

/// Whether the bytes of both are the same; false for two dtypes.
bool same_bytes(const TensorBytes& a, const TensorBytes& b);

/// Both must have one shape. Two NaN, and two infinities of one sign, are the same.
TensorDifference compare(const diagnosis::DumpTensor& a, const diagnosis::DumpTensor& b,
                         const Allowance& allowance);

}  // namespace ropescope::diff
