// Chooses numbers and bounds their rounding.
#include "core/vectors/tolerance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ropescope::vectors {
namespace {

/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
std::uint64_t next_bits(std::uint64_t& state) {
    std::uint64_t bits = state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

}  // namespace

std::vector<double> input_numbers(const std::string& seed, Index count) {
    std::uint64_t state = 0;
    for (const char c : seed) {
        state = state * 31 + static_cast<unsigned char>(c);
    }
    std::vector<double> numbers;
    for (Index i = 0; i < count; ++i) {
        const std::uint64_t bits = next_bits(state);
        const auto size = static_cast<double>(1 + bits % 127) / 64;
        numbers.push_back((bits >> 63U) != 0 ? -size : size);
    }
    return numbers;
}

// The angle's error moves a result by at most as much times the length of the pair.
std::vector<double> tolerances(const RotationPlan& plan, std::span<const double> x,
                               const Exactness& exactness) {
    const HeadShape& shape = plan.shape;
    const Index own_heads = plan.heads_differ() ? shape.heads : 1;
    std::vector<double> result(x.size());
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index l = 0; l < shape.length; ++l) {
                for (Index h = 0; h < own_heads; ++h) {
                    const double angle = std::min(
                        2.0, planned_angle(plan, i, b, h, l).magnitude_rad * exactness.angle[i]);
                    for (Index head = h; head < shape.heads; head += own_heads) {
                        const Index row = plan.row(b, head, l);
                        const double first = x[row + plan.pairs[i].first];
                        const double second = x[row + plan.pairs[i].second];
                        // Not hypot, whose last bit depends on the processor.
                        const double length =
                            std::abs(plan.gain) * std::sqrt(first * first + second * second);
                        result[row + plan.written[i].first] = result[row + plan.written[i].second] =
                            length * (exactness.rounding + angle);
                    }
                }
            }
        }
    }
    return result;
}

bool within(std::span<const double> result, std::span<const double> wanted,
            std::span<const double> tolerance) {
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (!(std::abs(result[i] - wanted[i]) <= tolerance[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace ropescope::vectors
