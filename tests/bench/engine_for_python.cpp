// The engine as C++ calls it, for tests/bench/python_rotation.py, which loads this library with
// ctypes.
#include <span>

#include "core/rope/axis_positions.h"
#include "core/schemes/rotary_scheme.h"

using namespace ropescope;

/// Turns x [heads, length, head_dim] in place by positions 0 .. length - 1, half-split, base
/// 500000: spectrum, table and rotation, as a program does that turns one tensor.
extern "C" void engine_rotate(float* x, Index heads, Index length, Index head_dim) {
    const RotaryScheme scheme =
        scheme_of({.head_dim = head_dim, .rotary_dim = head_dim, .base = 5e5});
    std::vector<double> positions(static_cast<std::size_t>(length));
    std::vector<Index> rows(static_cast<std::size_t>(length));
    for (Index l = 0; l < length; ++l) {
        positions[l] = to_double(l);
        rows[l] = l;
    }
    const RotationTable table = make_rotation_table(scheme, AxisPositions{positions, 1});
    rotate_in_place(bhld_view(x, 1, heads, length, head_dim), table.view(),
                    rotate_options(scheme, rows));
}
