// The specs and positions that the checks of the rotation go through, and the vector arithmetic
// that they share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/checks/cases.h"
#include "core/rope/spectrum.h"

namespace ropescope {

struct Rope {
    RopeSpec spec;
    Spectrum spectrum;
};

/// head_dim {2 .. 256} x base {100 .. 1e7} x both layouts x {full, partial rotary}. Partial rotates
/// about the first quarter of the channels, as GPT-NeoX does. Without those whose case_name() says
/// that they are not wanted.
std::vector<Rope> rope_sweep(const Cases& wanted);

/// The interleaved part of the sweep. half_split() gives the partner that differs only in its
/// layout.
std::vector<Rope> interleaved_sweep(const Cases& wanted);
Rope half_split(Rope rope);

/// One rope for each different spectrum of the sweep.
std::vector<Rope> spectrum_sweep(const Cases& wanted);

/// {0, 1, 40, 2000, 70000, 131071, 1048575}
std::span<const std::int64_t> sweep_positions();

/// The sweep in words: the beginning of a finding's detail.
std::string sweep_text();

/// "head_dim=128 rotary_dim=32 base=10000 layout=half_split", the beginning of a case's name
/// (cases.h).
std::string case_name(const RopeSpec& spec);

/// Head vectors one after the other.
struct Rows {
    Index head_dim = 0;
    std::vector<double> values;

    std::size_t count() const { return values.size() / static_cast<std::size_t>(head_dim); }
    std::span<const double> operator[](std::size_t row) const {
        const auto width = static_cast<std::size_t>(head_dim);
        return std::span(values).subspan(row * width, width);
    }
};

/// `count` rows of numbers from [-1, 1) that fp32 holds exactly. A seed gives the same numbers on
/// every machine.
Rows random_rows(std::size_t count, Index head_dim, std::uint64_t seed);

/// One head vector `count` times.
Rows repeat_row(std::span<const double> row, std::size_t count);

double dot(std::span<const double> a, std::span<const double> b);
double norm(std::span<const double> a);
/// |a - b| in the 2-norm.
double distance(std::span<const double> a, std::span<const double> b);

}  // namespace ropescope
