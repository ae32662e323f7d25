// Prepares threads for oneDNN.
#include "core/kernels/onednn.h"

#include <array>
#include <cstddef>
#include <oneapi/dnnl/dnnl.h>

#include "core/base/processors.h"

/// From the OpenMP runtime that oneDNN uses; declared here because clang comes without omp.h. Sets
/// the number of the calling thread only.
extern "C" void omp_set_num_threads(int threads);

namespace ropescope {
namespace {

/// oneDNN 2.7 to 3.7 makes the code of its products once, at the first of them, and ends the
/// process if memory ends meanwhile.
struct MadeKernels {
    MadeKernels() {
        constexpr std::size_t kRoom = std::size_t{64} << 20;  // it took 22 MiB on AVX-512
        require_addresses(kRoom);
        constexpr int kSize = 8;
        const std::array<float, kSize* kSize> factor = {};
        std::array<float, kSize* kSize> product = {};
        for (const char transposed : {'N', 'T'}) {
            dnnl_sgemm('N', transposed, kSize, kSize, kSize, 1.0F, factor.data(), kSize,
                       factor.data(), kSize, 0.0F, product.data(), kSize);
        }
    }
};

}  // namespace

void prepare_onednn() {
    // The engine splits the work over its own threads (core/base/parallel.h); a second pool would
    // compete for the same cores.
    omp_set_num_threads(1);
    [[maybe_unused]] static const MadeKernels made;
}

}  // namespace ropescope
