// Rounds once from double to each format.
#include "core/base/number_format.h"

#include "core/base/float16.h"
#include "core/base/index.h"

namespace ropescope {

double round_to(NumberFormat format, double value) {
    switch (format) {
        case NumberFormat::exact:
        case NumberFormat::fp64:
            return value;
        case NumberFormat::fp32:
            return to_float(value);
        case NumberFormat::fp16:
            return f32_from_f16(f16_from_f64(value));
        case NumberFormat::bf16:
            break;
    }
    return f32_from_bf16(bf16_from_f64(value));
}

}  // namespace ropescope
