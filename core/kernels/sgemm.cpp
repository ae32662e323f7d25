// Multiplies matrices on one thread of oneDNN.
#include "core/kernels/sgemm.h"

#include <new>
#include <oneapi/dnnl/dnnl.h>
#include <stdexcept>

#include "core/kernels/onednn.h"

namespace ropescope {

void sgemm(float alpha, MatrixView<const float> a, MatrixView<const float> b, Factor b_stored,
           MatrixView<float> c, Target target) {
    if (c.rows == 0 || c.columns == 0) {
        return;
    }
    prepare_onednn();
    const char transposed = b_stored == Factor::transposed ? 'T' : 'N';
    const dnnl_status_t status =
        dnnl_sgemm('N', transposed, c.rows, c.columns, a.columns, alpha, a.data, a.stride, b.data,
                   b.stride, target == Target::replaced ? 0.0F : 1.0F, c.data, c.stride);
    if (status == dnnl_out_of_memory) {
        throw std::bad_alloc();
    }
    if (status != dnnl_success) {
        throw std::logic_error("sgemm: oneDNN refuses these sizes");
    }
}

}  // namespace ropescope
