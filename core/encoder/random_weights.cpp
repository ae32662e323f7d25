// Draws weights for a config, the same for the same seed on every machine.
#include <cmath>
#include <cstring>

#include "core/base/parallel.h"
#include "core/encoder/tensor_names.h"
#include "core/encoder/weights.h"

namespace ropescope {
namespace {

using WeightKind = ExpectedTensor::Kind;

/// A number of 64 well-mixed bits for every counter (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
std::uint64_t mixed_counter(std::uint64_t counter) {
    std::uint64_t z = counter * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// Uniform in (-1, 1), exact in fp32.
float uniform_bits(std::uint64_t bits) {
    return (static_cast<float>(bits >> 41U) + 0.5F) * 0x1p-22F - 1.0F;
}

/// Four uniform numbers of 16 bits, variance 1/12 each, summed and scaled to variance 1.
float bell(std::uint64_t bits) {
    constexpr float kScale = 1.7320508F * 0x1p-16F;
    std::uint64_t sum = 0;
    for (int part = 0; part < 4; ++part) {
        sum += (bits >> (16 * part)) & 0xffffU;
    }
    return (static_cast<float>(sum) + 2.0F - 0x1p17F) * kScale;
}

/// Value number `i` of a tensor whose own seed is `seed`.
float value(const ExpectedTensor& tensor, std::uint64_t seed, Index i) {
    switch (tensor.kind) {
        case WeightKind::embedding:
            return bell(mixed_counter(seed + i));
        case WeightKind::linear:
            return uniform_bits(mixed_counter(seed + i)) /
                   std::sqrt(to_float(to_double(tensor.inputs)));
        case WeightKind::norm_weight:
            return 1.0F;
        case WeightKind::norm_bias:
        case WeightKind::table:
            break;
    }
    return 0.0F;
}

Tensor random_tensor(const ExpectedTensor& expected, std::uint64_t seed, int threads) {
    constexpr Index kGrain = 1 << 14;
    Tensor tensor{expected.name, Dtype::f32, expected.shape, {}};
    tensor.bytes.resize(expected.count() * sizeof(float));
    parallel_for(expected.count(), kGrain, threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const float drawn = value(expected, seed, i);
            std::memcpy(tensor.bytes.data() + i * sizeof(float), &drawn, sizeof(float));
        }
    });
    return tensor;
}

}  // namespace

Weights random_weights(const EncoderConfig& config, std::uint64_t seed, int threads) {
    std::vector<Tensor> tensors;
    std::uint64_t stream = mixed_counter(seed + 1);
    for (const ExpectedTensor& expected : expected_tensors(config)) {
        if (!expected.optional) {
            tensors.push_back(random_tensor(expected, stream, threads));
        }
        stream = mixed_counter(stream);
    }
    return Weights::from_tensors(std::move(tensors), "random weights");
}

}  // namespace ropescope
