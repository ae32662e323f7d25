// Multiplies the vectors of a layer by their scales.
#include "core/diff/multiplied.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "core/diagnosis/held/changed_tensor.h"

namespace ropescope::diff {
namespace {

constexpr std::array<std::string_view, 8> kMayHaveScales = {
    "q", "k", "v", "k_cache", "q_rot", "k_rot", "v_rot", "k_cache_after"};

/// The cache has one format before and after the step.
std::string scale_name(std::string_view tensor) {
    return fmt::format("{}_scale", tensor == "k_cache_after" ? "k_cache" : tensor);
}

}  // namespace

const diagnosis::UnplacedGrid* MultipliedLayer::grid_of(const std::string& tensor) const {
    const auto found = grids.find(tensor);
    return found == grids.end() ? nullptr : &found->second;
}

const TensorBytes* MultipliedLayer::find(std::string_view tensor) const {
    const auto found = std::ranges::find(layer.tensors, tensor, &TensorBytes::name);
    return found == layer.tensors.end() ? nullptr : &*found;
}

MultipliedLayer multiplied(diagnosis::LayerTensors layer, const std::string& origin) {
    MultipliedLayer made{.layer = std::move(layer)};
    std::set<std::string> used;
    for (const std::string_view name : kMayHaveScales) {
        const TensorBytes* const tensor = made.find(name);
        if (tensor == nullptr) {
            continue;
        }
        const std::string scale = scale_name(name);
        try {
            const diagnosis::Dequantised result = diagnosis::dequantised(*tensor, made.find(scale));
            if (result.grid) {
                *std::ranges::find(made.layer.tensors, name, &TensorBytes::name) = result.tensor;
                made.layer.owner = diagnosis::both_owners(made.layer.owner, result.owner);
                made.grids.emplace(name, *result.grid);
                used.insert(scale);
            }
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: {}", origin, error.what()));
        }
    }
    std::erase_if(made.layer.tensors,
                  [&](const TensorBytes& tensor) { return used.contains(tensor.name); });
    return made;
}

}  // namespace ropescope::diff
