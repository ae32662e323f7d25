// Fills tables of cos and sin by angle addition in double.
//
// The row of position p is built by two complex multiplications in double,
//   cis(p t) = [cis(chunk t) cis(centre t)] cis(offset t),  p = chunk + centre + offset,
// (cis(a + b) = cis(a) cis(b)) from direct sines and cosines of the chunks and two short tables.
// The split depends on p alone, so a row has the same bits however many rows a call asks for and
// however many threads fill them.
//
// Error of an entry: a direct cis has the error of its angle, |m| inv_freq 2^-53 <= 1.2e-10 for
// inv_freq <= 1 (the rounding of inv_freq itself), and the angles' errors add up to that of p,
// since they share the one inv_freq. Each multiplication adds 3 units of 2^-53, and at most
// log2(kBlocksPerChunk) + log2(kHalf) + 3 = 13 of them go into an entry: 5e-15. Rounding to fp32
// adds 2^-25 = 3.0e-8 below 1. In all below 3.1e-8, times the attention factor.
#include "core/rope/rotation_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/base/error.h"
#include "core/base/multiversion.h"
#include "core/base/parallel.h"

namespace ropescope {
namespace {

constexpr Index kHalf = 16;            ///< rows on either side of a block's centre
constexpr Index kBlock = 2 * kHalf;    ///< rows -kHalf .. kHalf - 1 around the centre
constexpr Index kBlocksPerChunk = 64;  ///< blocks reached from one direct cis
constexpr Index kChunk = kBlock * kBlocksPerChunk;

Index floor_divide(Index a, Index b) {
    return (a - (a < 0 ? b - 1 : 0)) / b;
}

/// cos and sin in double, [rows, pairs].
struct CisRows {
    Index pairs;
    AlignedVector<double> cos;
    AlignedVector<double> sin;

    CisRows(Index rows, Index row_pairs)
        : pairs(row_pairs), cos(rows * row_pairs), sin(rows * row_pairs) {}

    struct Row {
        double* cos;
        double* sin;
    };
    Row row(Index index) { return {cos.data() + index * pairs, sin.data() + index * pairs}; }
    struct ConstRow {
        const double* cos;
        const double* sin;
    };
    ConstRow row(Index index) const {
        return {cos.data() + index * pairs, sin.data() + index * pairs};
    }
};

void fill_direct(const Spectrum& spectrum, Index position, CisRows::Row out) {
    for (Index i = 0; i < spectrum.pairs(); ++i) {
        const double angle_rad = reduced_angle_rad(position, spectrum.inv_freq_rad[i]);
        out.cos[i] = std::cos(angle_rad);
        out.sin[i] = std::sin(angle_rad);
    }
}

ROPESCOPE_MULTIVERSION
void multiply(CisRows::ConstRow a, CisRows::ConstRow b, Index pairs, double gain,
              CisRows::Row out) {
    ROPESCOPE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < pairs; ++i) {
        const double cos = a.cos[i] * b.cos[i] - a.sin[i] * b.sin[i];
        const double sin = a.sin[i] * b.cos[i] + a.cos[i] * b.sin[i];
        out.cos[i] = gain * cos;
        out.sin[i] = gain * sin;
    }
}

/// Rows first, first + step, ... : rows [n, 2n) are rows [0, n) turned by n steps.
CisRows progression(const Spectrum& spectrum, Index first, Index step, Index count) {
    CisRows rows(count, spectrum.pairs());
    CisRows turn(1, rows.pairs);
    const CisRows& done = rows;
    const CisRows& by = turn;
    fill_direct(spectrum, first, rows.row(0));
    for (Index n = 1; n < count; n *= 2) {
        fill_direct(spectrum, n * step, turn.row(0));
        for (Index r = n; r < std::min(2 * n, count); ++r) {
            multiply(done.row(r - n), by.row(0), rows.pairs, 1.0, rows.row(r));
        }
    }
    return rows;
}

/// centre turned by `side` (+1 or -1) times the offset.
ROPESCOPE_MULTIVERSION
void write_row(CisRows::ConstRow centre, CisRows::ConstRow offset, double side, Index pairs,
               float* cos, float* sin) {
    ROPESCOPE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < pairs; ++i) {
        const double offset_sin = side * offset.sin[i];
        cos[i] = to_float(centre.cos[i] * offset.cos[i] - centre.sin[i] * offset_sin);
        sin[i] = to_float(centre.sin[i] * offset.cos[i] + centre.cos[i] * offset_sin);
    }
}

/// The rows centre + j and centre - j for j = 1 .. kHalf - 1: the two share their four products.
/// cos and sin point at the row of the centre.
ROPESCOPE_MULTIVERSION
void write_mirrored_rows(CisRows::ConstRow centre, CisRows::ConstRow offsets, Index pairs,
                         float* cos, float* sin) {
    for (Index j = 1; j < kHalf; ++j) {
        const double* offset_cos = offsets.cos + j * pairs;
        const double* offset_sin = offsets.sin + j * pairs;
        float* cos_after = cos + j * pairs;
        float* sin_after = sin + j * pairs;
        float* cos_before = cos - j * pairs;
        float* sin_before = sin - j * pairs;
        ROPESCOPE_INDEPENDENT_ITERATIONS
        for (Index i = 0; i < pairs; ++i) {
            const double cos_cos = centre.cos[i] * offset_cos[i];
            const double sin_sin = centre.sin[i] * offset_sin[i];
            const double sin_cos = centre.sin[i] * offset_cos[i];
            const double cos_sin = centre.cos[i] * offset_sin[i];
            cos_after[i] = to_float(cos_cos - sin_sin);
            sin_after[i] = to_float(sin_cos + cos_sin);
            cos_before[i] = to_float(cos_cos + sin_sin);
            sin_before[i] = to_float(sin_cos - cos_sin);
        }
    }
}

/// What every block needs, shared by the threads.
struct Offsets {
    CisRows centres;  ///< of the blocks of a chunk
    CisRows offsets;  ///< 0 .. kHalf

    explicit Offsets(const Spectrum& spectrum)
        : centres(progression(spectrum, kHalf, kBlock, kBlocksPerChunk)),
          offsets(progression(spectrum, 0, 1, kHalf + 1)) {}
};

/// Walks over blocks and keeps what successive ones share.
class BlockWriter {
  public:
    BlockWriter(const Spectrum& spectrum, const Offsets& offsets)
        : spectrum_(spectrum),
          offsets_(offsets),
          pairs_(spectrum.pairs()),
          chunk_(1, pairs_),
          centre_(1, pairs_) {}

    void write_one(Index position, float* cos, float* sin) {
        go_to(floor_divide(position, kBlock));
        write_offset(position - block_ * kBlock - kHalf, cos, sin);
    }

    /// All rows of the block; cos and sin point at its first row.
    void write_block(Index block, float* cos, float* sin) {
        go_to(block);
        write_offset(-kHalf, cos, sin);
        write_offset(0, cos + row(kHalf), sin + row(kHalf));
        write_mirrored_rows(std::as_const(centre_).row(0), offsets_.offsets.row(0), pairs_,
                            cos + row(kHalf), sin + row(kHalf));
    }

  private:
    Index row(Index index) const { return index * pairs_; }

    void write_offset(Index offset, float* cos, float* sin) {
        write_row(std::as_const(centre_).row(0), offsets_.offsets.row(std::abs(offset)),
                  offset < 0 ? -1.0 : 1.0, pairs_, cos, sin);
    }

    void go_to(Index block) {
        if (block == block_) {
            return;
        }
        const Index chunk = floor_divide(block, kBlocksPerChunk);
        if (chunk != chunk_index_) {
            fill_direct(spectrum_, chunk * kChunk, chunk_.row(0));
            chunk_index_ = chunk;
        }
        multiply(std::as_const(chunk_).row(0),
                 offsets_.centres.row(block - chunk * kBlocksPerChunk), pairs_,
                 spectrum_.attention_factor, centre_.row(0));
        block_ = block;
    }

    static constexpr Index kNone = std::numeric_limits<Index>::min();
    const Spectrum& spectrum_;
    const Offsets& offsets_;
    Index pairs_;
    Index block_ = kNone;
    Index chunk_index_ = kNone;
    CisRows chunk_;
    CisRows centre_;
};

/// Sizes the table; memory that is already there is kept, and never copied.
void resize(RotationTable& table, Index rows, Index pairs) {
    const Index size = rows * pairs;
    for (AlignedVector<float>* values : {&table.cos, &table.sin}) {
        if (std::ssize(*values) != size) {
            values->clear();
            values->resize(size);
        }
    }
    table.rows = rows;
    table.pairs = pairs;
}

}  // namespace

void validate_positions(Index first_position, Index count) {
    validate_position(first_position, "first position");
    if (count < 0 || count > kMaxPosition - first_position + 1) {
        throw InputError(fmt::format(
            "table rows: {} positions from {} on are not within -{} .. {}; give 0 to {}", count,
            first_position, kMaxPosition, kMaxPosition, kMaxPosition - first_position + 1));
    }
}

RotationTable make_rotation_table(const Spectrum& spectrum, std::span<const Index> positions,
                                  int threads) {
    require_one_axis(spectrum);
    for (const Index position : positions) {
        validate_position(position);
    }
    RotationTable table;
    resize(table, std::ssize(positions), spectrum.pairs());
    const Offsets offsets(spectrum);
    parallel_for(table.rows, kChunk, threads, [&](Index begin, Index end) {
        BlockWriter writer(spectrum, offsets);
        for (Index r = begin; r < end; ++r) {
            const Index at = r * table.pairs;
            writer.write_one(positions[r], table.cos.data() + at, table.sin.data() + at);
        }
    });
    return table;
}

RotationTable make_rotation_table(const Spectrum& spectrum, Index first_position, Index count,
                                  int threads) {
    RotationTable table;
    fill_rotation_table(spectrum, first_position, count, threads, table);
    return table;
}

void fill_rotation_table(const Spectrum& spectrum, Index first_position, Index count, int threads,
                         RotationTable& table) {
    require_one_axis(spectrum);
    validate_positions(first_position, count);
    resize(table, count, spectrum.pairs());
    const Offsets offsets(spectrum);
    parallel_for(count, kChunk, threads, [&](Index begin, Index end) {
        BlockWriter writer(spectrum, offsets);
        const Index last = first_position + end;
        for (Index position = first_position + begin; position < last;) {
            const Index at = (position - first_position) * table.pairs;
            float* cos = table.cos.data() + at;
            float* sin = table.sin.data() + at;
            const Index block = floor_divide(position, kBlock);
            if (block * kBlock == position && position + kBlock <= last) {
                writer.write_block(block, cos, sin);
                position += kBlock;
            } else {
                writer.write_one(position, cos, sin);
                ++position;
            }
        }
    });
}

}  // namespace ropescope
