// Says how far two tensors are apart.
#include "core/diff/unjudged.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/characters.h"

namespace ropescope::diff {
namespace {

/// Numbers of a tensor that are in memory at a time.
constexpr Index kPiece = 1 << 16;

TensorBytes piece_of(const TensorBytes& tensor, Index first, Index count) {
    const Index size = static_cast<Index>(dtype_size(tensor.dtype));
    TensorBytes piece = tensor;
    piece.shape = {count};
    piece.bytes = tensor.bytes.subspan(static_cast<std::size_t>(first * size),
                                       static_cast<std::size_t>(count * size));
    return piece;
}

struct Apart {
    Index first = 0;
    double a = 0.0, b = 0.0, most = 0.0;
};

/// Empty if the numbers are the same.
std::optional<Apart> apart(const Matched& tensor) {
    std::optional<Apart> found;
    const Index count = tensor.a->count();
    for (Index at = 0; at < count; at += kPiece) {
        const Index size = std::min<Index>(kPiece, count - at);
        const std::vector<double> x = to_f64(piece_of(*tensor.a, at, size));
        const std::vector<double> y = to_f64(piece_of(*tensor.b, at, size));
        for (Index i = 0; i < size; ++i) {
            if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) {
                continue;
            }
            if (!found) {
                found = Apart{.first = at + i, .a = x[i], .b = y[i]};
            }
            const double distance = std::abs(x[i] - y[i]);
            found->most =
                std::max(found->most,
                         std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance);
        }
    }
    return found;
}

/// Where a number stands: [0, 3, 2].
std::string index_text(Index number, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> place(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] = number % shape[axis];
        number /= static_cast<Index>(shape[axis]);
    }
    return shape_text(place);
}

}  // namespace

std::string describe_unjudged(const std::string& name, const Matched& tensor) {
    const TensorBytes &a = *tensor.a, &b = *tensor.b;
    if (a.shape != b.shape) {
        return fmt::format("{} has the shapes {} and {}", printable(name), shape_text(a.shape),
                           shape_text(b.shape));
    }
    if (!is_readable(a.dtype) || !is_readable(b.dtype)) {
        return fmt::format("{} has other bytes, of {} and {}", printable(name), to_string(a.dtype),
                           to_string(b.dtype));
    }
    const std::optional<Apart> found = apart(tensor);
    return found ? fmt::format("{} differs by up to {:.3g}, first at {}: {:.9g} and {:.9g}",
                               printable(name), found->most, index_text(found->first, a.shape),
                               found->a, found->b)
                 : fmt::format("{} has the same numbers, as {} and {}", printable(name),
                               to_string(a.dtype), to_string(b.dtype));
}

}  // namespace ropescope::diff
