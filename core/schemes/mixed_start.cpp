// Draws the frequencies of RoPE-ViT mixed before training.
#include "core/schemes/mixed_start.h"

#include <cmath>
#include <numbers>

#include "core/base/uniform.h"
#include "core/schemes/bands.h"
#include "core/schemes/vision_towers.h"

namespace ropescope {

RotaryScheme ropevit_mixed_at_start(Index head_dim, Index heads, std::uint64_t seed, double base) {
    constexpr const char* kName = "ropevit_mixed";
    require_head_dim(head_dim, 4, kName);
    const std::vector<double> speeds_rad = inverse_powers(head_dim / 2, base, kName);
    std::vector<double> along_x, along_y;
    for (Index head = 0; head < heads; ++head) {
        const double first = 2 * std::numbers::pi * uniform(seed, head);
        for (const double direction : {first, first + std::numbers::pi / 2}) {
            for (const double speed_rad : speeds_rad) {
                along_x.push_back(speed_rad * std::cos(direction));
                along_y.push_back(speed_rad * std::sin(direction));
            }
        }
    }
    along_x.insert(along_x.end(), along_y.begin(), along_y.end());
    return ropevit_mixed(head_dim, heads, along_x);
}

}  // namespace ropescope
