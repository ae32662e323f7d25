// Generates fixed noise.
#include "core/systems/fixed_noise.h"

#include <cmath>

#include "core/base/uniform.h"

namespace ropescope::systems {

std::vector<double> fixed_noise(std::uint64_t seed, std::size_t count) {
    std::vector<double> values(count);
    std::uint64_t state = seed;
    for (double& value : values) {
        state += 0x9e3779b97f4a7c15U;
        const std::uint64_t bits = mixed(state);
        double sum = 0.0;
        for (unsigned shift = 0; shift < 64; shift += 16) {
            sum += (static_cast<double>((bits >> shift) & 0xffffU) + 0.5) / 65536.0;
        }
        value = (sum - 2.0) * std::sqrt(3.0);  // four uniforms: mean 2, variance 4/12
    }
    return values;
}

}  // namespace ropescope::systems
