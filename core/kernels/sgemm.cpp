// Multiplies matrices on one thread of oneDNN.
#include "core/kernels/sgemm.h"

#include <oneapi/dnnl/dnnl.h>
#include <stdexcept>

/// From the OpenMP runtime that oneDNN uses; declared here because clang comes without omp.h. Sets
/// the number of the calling thread only.
extern "C" void omp_set_num_threads(int threads);

namespace ropescope {

void sgemm(float alpha, MatrixView<const float> a, MatrixView<const float> b, Factor b_stored,
           MatrixView<float> c, Target target) {
    if (c.rows == 0 || c.columns == 0) {
        return;
    }
    // The engine splits the work over its own threads (core/base/parallel.h); a second pool would
    // compete for the same cores.
    omp_set_num_threads(1);
    const char transposed = b_stored == Factor::transposed ? 'T' : 'N';
    const dnnl_status_t status =
        dnnl_sgemm('N', transposed, c.rows, c.columns, a.columns, alpha, a.data, a.stride, b.data,
                   b.stride, target == Target::replaced ? 0.0F : 1.0F, c.data, c.stride);
    if (status != dnnl_success) {
        throw std::logic_error("sgemm: oneDNN refuses these sizes");
    }
}

}  // namespace ropescope
