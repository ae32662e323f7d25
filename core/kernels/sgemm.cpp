#include "core/kernels/sgemm.h"

#include <oneapi/dnnl/dnnl.h>
#include <stdexcept>

/// Of the OpenMP runtime that oneDNN is built on; declared here because clang comes without omp.h.
/// The number belongs to the calling thread.
extern "C" void omp_set_num_threads(int threads);

namespace ropescope {

void sgemm(float alpha, MatrixView<const float> a, MatrixView<const float> b, Factor b_stored,
           MatrixView<float> c) {
    if (c.rows == 0 || c.columns == 0) {
        return;
    }
    // The engine splits the work over its own threads; two pools on the same cores would fight.
    omp_set_num_threads(1);
    const char transposed = b_stored == Factor::transposed ? 'T' : 'N';
    const dnnl_status_t status =
        dnnl_sgemm('N', transposed, c.rows, c.columns, a.columns, alpha, a.data, a.stride, b.data,
                   b.stride, 0.0F, c.data, c.stride);
    if (status != dnnl_success) {
        throw std::logic_error("sgemm: oneDNN refuses these sizes");
    }
}

}  // namespace ropescope
