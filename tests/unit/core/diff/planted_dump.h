// Small dumps in memory, turned by arithmetic of their own, that can be changed in one place.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/dump_file.h"
#include "core/rope/layout.h"

namespace ropescope::diff {

/// How a dump is made. Values are the same for all dumps of one seed.
struct Recipe {
    Index layers = 2, heads = 2, tokens = 5, channels = 8, first_position = 0, step = 1;
    Dtype dtype = Dtype::f32;
    Layout layout = Layout::half_split;  ///< of the rotation
    bool in_float = false;               ///< tables and products in fp32
    bool with_positions = true;
};

/// Tensors by name: "layers.1.q_rot", with their values in double.
struct MadeDump {
    struct Values {
        std::string name = {};
        std::vector<std::int64_t> shape = {};
        std::vector<double> values = {};
        Dtype dtype = Dtype::f32;
    };
    std::vector<Values> tensors = {};

    std::vector<double>& at(const std::string& name) {
        for (Values& tensor : tensors) {
            if (tensor.name == name) {
                return tensor.values;
            }
        }
        throw std::out_of_range(name);
    }

    diagnosis::DumpFile file(const std::string& origin, diagnosis::DumpOptions options = {}) const {
        auto stored = std::make_shared<std::vector<Tensor>>();
        std::vector<TensorBytes> views;
        for (const Values& tensor : tensors) {
            stored->push_back(
                make_tensor_as(tensor.dtype, tensor.name, tensor.shape, tensor.values));
        }
        for (const Tensor& tensor : *stored) {
            views.push_back(tensor.view());
        }
        return diagnosis::DumpFile::of(views, stored, origin, std::move(options));
    }
};

template <typename Real>
void turn_pair(double& first, double& second, double position, double pair, double width) {
    const auto angle =
        static_cast<Real>(position) *
        (Real(1) / std::pow(Real(10000), static_cast<Real>(2.0 * pair) / static_cast<Real>(width)));
    const Real cos = std::cos(angle), sin = std::sin(angle);
    const auto x = static_cast<Real>(first), y = static_cast<Real>(second);
    first = static_cast<double>(x * cos - y * sin);
    second = static_cast<double>(x * sin + y * cos);
}

inline MadeDump made(const Recipe& recipe, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    MadeDump dump;
    const std::vector<std::int64_t> shape = {1, recipe.heads, recipe.tokens, recipe.channels};
    for (Index layer = 0; layer < recipe.layers; ++layer) {
        for (const std::string side : {"q", "k"}) {
            std::vector<double> before(recipe.heads * recipe.tokens * recipe.channels);
            for (double& value : before) {
                value = to_float(normal(random));
                value = value < 0.0 ? value - 0.1 : value + 0.1;  // nowhere near 0
            }
            std::vector<double> after = before;
            for (Index row = 0; row < recipe.heads * recipe.tokens; ++row) {
                const Index position = recipe.first_position + recipe.step * (row % recipe.tokens);
                for (Index pair = 0; pair < recipe.channels / 2; ++pair) {
                    const auto [i, j] = pair_channels(recipe.layout, recipe.channels, pair);
                    double* const vector = after.data() + row * recipe.channels;
                    const auto turn = recipe.in_float ? turn_pair<float> : turn_pair<double>;
                    turn(vector[i], vector[j], to_double(position), to_double(pair),
                         to_double(recipe.channels));
                }
            }
            const std::string name = "layers." + std::to_string(layer) + "." + side;
            dump.tensors.push_back({name, shape, before, recipe.dtype});
            dump.tensors.push_back({name + "_rot", shape, after, recipe.dtype});
        }
    }
    if (recipe.with_positions) {
        std::vector<double> positions;
        for (Index token = 0; token < recipe.tokens; ++token) {
            positions.push_back(to_double(recipe.first_position + recipe.step * token));
        }
        dump.tensors.push_back({"positions", {recipe.tokens}, positions, Dtype::f64});
    }
    return dump;
}

}  // namespace ropescope::diff
