// Rotates every token in float64 and compares.
#include "core/diagnosis/held/residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <set>

#include "core/base/parallel.h"
#include "core/diagnosis/held/rotation_allowance.h"

namespace ropescope::diagnosis {
namespace {

/// cos and sin of the pairs of one token in one head, with the factor, and what they may be off by
/// as a share of the length: squared, as the comparison takes it.
struct TokenTrig {
    std::vector<double> cosine, sine, allowed2;
};

double fixed_point(const TableFormat& table, double value) {
    const double n = value * table.steps;
    const double whole = table.towards == Towards::nearest ? std::round(n)
                         : table.towards == Towards::zero  ? std::trunc(n)
                                                           : std::floor(n);
    constexpr double kLargest = 32767.0;
    return std::clamp(whole, -kLargest - 1.0, kLargest) / table.steps;
}

/// What a rounded table may have in place of `value`, which is off by `error`.
struct Rounded {
    double value = 0.0, spread = 0.0;
};
Rounded rounded(const TableFormat& table, double value, double error) {
    const auto to = [&](double exact) {
        return table.dtype ? round_to(*table.dtype, exact) : fixed_point(table, exact);
    };
    const double low = to(value - error), high = to(value + error);
    return {0.5 * (low + high), 0.5 * (high - low)};
}

/// What the fast functions are off by: each of the two, and the reduction of an angle.
constexpr double kFastSine = 0x1.6a09e667f3bcdp-21;  // 2^-20.5
constexpr double kFastReduction = 2.0 * kUnitOfF32;

class Angles {
  public:
    Angles(const DumpPositions& positions, const ExpectedRotation& rotation, double rounding,
           TableFormat table)
        : positions_(positions),
          rotation_(rotation),
          coordinate_(coordinate_errors(positions, rotation)),
          rounding_(rounding),
          table_(table) {}

    void of_token(Index row, Index token, const HeldHead& head, TokenTrig& trig) const {
        const Index pairs = std::ssize(rotation_.pairs), axes = rotation_.axes;
        for (Index p = 0; p < pairs; ++p) {
            double angle = 0.0;
            for (Index a = 0; a < axes; ++a) {
                angle += head.omega[p * axes + a] * positions_.at(a, row, token);
            }
            const double error =
                angle_error(rotation_, head, p, positions_, row, token, coordinate_);
            trig.cosine[p] = head.gain * std::cos(angle);
            trig.sine[p] = head.gain * std::sin(angle);
            double allowed = rounding_ + error + head.gain_error;
            if (table_.fast) {
                allowed += std::numbers::sqrt2 * kFastSine + kFastReduction * std::abs(angle);
            } else if (!table_.exact()) {
                // A factor is part of the numbers of a floating table, and stands beside Q15.
                const double inside = table_.dtype ? head.gain : 1.0;
                const double beside = head.gain / inside;
                const double off = std::abs(inside) * (error + 3.0 * kUnitOfF32);
                const Rounded c = rounded(table_, trig.cosine[p] / beside, off);
                const Rounded s = rounded(table_, trig.sine[p] / beside, off);
                trig.cosine[p] = beside * c.value;
                trig.sine[p] = beside * s.value;
                allowed =
                    rounding_ + head.gain_error + std::hypot(c.spread, s.spread) / std::abs(inside);
            }
            allowed *= std::abs(head.gain);
            trig.allowed2[p] = allowed * allowed;
        }
    }

  private:
    const DumpPositions& positions_;
    const ExpectedRotation& rotation_;
    std::vector<double> coordinate_;
    double rounding_;
    TableFormat table_;
};

/// What a thread has seen.
struct Seen {
    explicit Seen(const DumpTensor& tensor, Index pairs)
        : pair(pairs), token(tensor.length), row(tensor.batch), head(tensor.heads) {}

    std::vector<bool> pair, token, row, head;
    Index outside = 0, cut = 0;
    double worst2 = 0.0, worst_share2 = 0.0;
    HeldPlace place = {};
    bool still = false;

    void add(double ratio2, const HeldPlace& at) {
        if (!(ratio2 <= worst2)) {
            worst2 = std::isnan(ratio2) ? std::numeric_limits<double>::infinity() : ratio2;
            place = at;
        }
        if (!(ratio2 <= 1.0)) {
            ++outside;
            token[at.token] = row[at.row] = head[at.head] = true;
            if (at.pair >= 0) {
                pair[at.pair] = true;
            } else {
                still = true;
            }
        }
    }
};

void join(std::vector<bool>& all, const std::vector<bool>& some) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = all[i] || some[i];
    }
}

std::vector<Index> numbers_of(const std::vector<bool>& marked) {
    std::vector<Index> numbers;
    for (std::size_t i = 0; i < marked.size(); ++i) {
        if (marked[i]) {
            numbers.push_back(static_cast<Index>(i));
        }
    }
    return numbers;
}

/// Channels of `rotation` that stay, of a tensor with so many: where they are read and written.
std::vector<ChannelPair> still_channels(const ExpectedRotation& rotation, Index channels) {
    const bool moved = !rotation.still_at.empty();
    std::set<Index> turning;
    const auto turn = [&](const std::vector<ChannelPair>& pairs) {
        for (const ChannelPair& pair : pairs) {
            turning.insert({pair.first, pair.second});
        }
    };
    turn(rotation.pairs);
    if (!moved) {
        turn(rotation.written);
    }
    std::vector<ChannelPair> still;
    for (Index c = 0; c < channels; ++c) {
        if (!turning.contains(c)) {
            still.push_back({c, moved ? rotation.still_at[c] : c});
        }
    }
    return still;
}

/// Compares the rows of a side.
class Comparer {
  public:
    Comparer(const DumpSide& side, const ExpectedRotation& rotation)
        : rotation_(rotation),
          allowance_(side, rotation),
          still_(still_channels(rotation, side.before.channels)),
          floor2_(std::max(std::pow(allowance_.floor(), 2), 1e-300)) {
        if (side.after.quantised) {
            cut_from_ = share_cut_from(side.after.quantised->grid) + allowance_.rounding();
        }
    }

    double rounding() const { return allowance_.rounding(); }
    Index vectors_of_head() const { return std::ssize(rotation_.pairs) + std::ssize(still_); }

    /// `cells` are what the numbers of `y` may have been, if they were rounded to 8 bits.
    void compare(const TokenTrig& trig, std::span<const double> x, std::span<const double> y,
                 std::span<const RoundedRange> cells, const HeldPlace& at,
                 std::vector<double>& ratios, Seen& seen) const {
        const auto off = [&](Index c, double wanted, double allowed) {
            if (cells.empty()) {
                return y[c] - wanted;
            }
            const RoundedRange& cell = cells[c];
            const bool open = std::isinf(cell.low) || std::isinf(cell.high);
            seen.cut += open && std::abs(wanted) - allowed > cut_from_ * std::abs(y[c]) ? 1 : 0;
            return std::clamp(wanted, cell.low, cell.high) - wanted;
        };
        const Index pairs = std::ssize(rotation_.pairs);
        double worst = 0.0;
        bool finite = true;
        for (Index p = 0; p < pairs; ++p) {
            const auto [a, b] = rotation_.pairs[p];
            const auto [to_a, to_b] = rotation_.written[p];
            const double c = trig.cosine[p], s = trig.sine[p];
            double first = x[a] * c - x[b] * s, second = x[a] * s + x[b] * c;
            if (!rotation_.behind.empty()) {
                const PairMatrix& m = rotation_.behind[p];
                const double kept = first;
                first = m[0] * kept + m[1] * second;
                second = m[2] * kept + m[3] * second;
            }
            const double length2 = x[a] * x[a] + x[b] * x[b];
            const double allowed = cells.empty() ? 0.0 : std::sqrt(length2 * trig.allowed2[p]);
            const double off_a = off(to_a, first, allowed), off_b = off(to_b, second, allowed);
            const double off2 = off_a * off_a + off_b * off_b;
            ratios[p] = off2 / (length2 * trig.allowed2[p] + floor2_);
            seen.worst_share2 =
                length2 > 0.0 ? std::max(seen.worst_share2, off2 / length2) : seen.worst_share2;
            worst = std::max(worst, ratios[p]);
            finite = finite && ratios[p] <= std::numeric_limits<double>::max();
        }
        if (worst > seen.worst2 || worst > 1.0 || !finite) {
            for (Index p = 0; p < pairs; ++p) {
                HeldPlace place = at;
                place.pair = p;
                place.channel = rotation_.written[p].first;
                seen.add(ratios[p], place);
            }
        }
        for (const auto& [from, to] : still_) {
            const double allowed = allowance_.still() * std::abs(x[from]),
                         apart = off(to, x[from], allowed);
            if (!(apart * apart <= allowed * allowed)) {
                HeldPlace place = at;
                place.channel = to;
                seen.add(apart * apart / (allowed * allowed + floor2_), place);
            }
        }
    }

  private:
    const ExpectedRotation& rotation_;
    RotationAllowance allowance_;
    std::vector<ChannelPair> still_;
    double floor2_ = 0.0;
    double cut_from_ = 1.0;  ///< times the end of the grid: larger numbers were cut to it
};

/// Calls visit(row, token, trig of a head) for every token, head by head, in several threads.
/// `start` makes what a thread keeps, and `finish` is called with it, one at a time.
template <typename Start, typename Visit, typename Finish>
void for_tokens(const DumpTensor& tensor, const DumpPositions& positions,
                const ExpectedRotation& rotation, const Angles& angles, Start start, Visit visit,
                Finish finish) {
    std::mutex mutex;
    const Index pairs = std::ssize(rotation.pairs), kinds = std::ssize(rotation.heads);
    parallel_for(
        positions.batch * tensor.length, 8, default_threads(), [&](Index begin, Index end) {
            auto kept = start();
            const TokenTrig empty{std::vector<double>(pairs), std::vector<double>(pairs),
                                  std::vector<double>(pairs)};
            std::vector<TokenTrig> trig(kinds, empty);
            for (Index at = begin; at < end; ++at) {
                const Index row = at / tensor.length, token = at % tensor.length;
                for (Index k = 0; k < kinds; ++k) {
                    angles.of_token(row, token, rotation.heads[k], trig[k]);
                }
                const bool shared = positions.batch == 1;
                for (Index b = shared ? 0 : row; b < (shared ? tensor.batch : row + 1); ++b) {
                    for (Index h = 0; h < tensor.heads; ++h) {
                        visit(b, h, token, trig[std::min(h, kinds - 1)], kept);
                    }
                }
            }
            const std::scoped_lock lock(mutex);
            finish(kept);
        });
}

/// Sums of products of what should come out of a pair and what does.
struct PairProducts {
    double aa = 0.0, ab = 0.0, ba = 0.0, bb = 0.0;
};

/// Of the exchanges and signs, those under which what should come out is most like what does.
PairMatrix nearest_matrix(const PairProducts& m) {
    constexpr std::array<PairMatrix, 8> kAll = {{{1.0, 0.0, 0.0, 1.0},
                                                 {-1.0, 0.0, 0.0, -1.0},
                                                 {0.0, -1.0, 1.0, 0.0},
                                                 {0.0, 1.0, -1.0, 0.0},
                                                 {-1.0, 0.0, 0.0, 1.0},
                                                 {1.0, 0.0, 0.0, -1.0},
                                                 {0.0, 1.0, 1.0, 0.0},
                                                 {0.0, -1.0, -1.0, 0.0}}};
    return *std::ranges::max_element(kAll, {}, [&](const PairMatrix& each) {
        return each[0] * m.aa + each[1] * m.ab + each[2] * m.ba + each[3] * m.bb;
    });
}

}  // namespace

std::vector<TableFormat> known_tables() {
    std::vector<TableFormat> tables = {{.dtype = Dtype::f16}, {.dtype = Dtype::bf16}};
    for (const double steps : {32768.0, 32767.0}) {
        for (const Towards towards : {Towards::nearest, Towards::zero, Towards::below}) {
            tables.push_back({.steps = steps, .towards = towards});
        }
    }
    tables.push_back({.fast = true});
    return tables;
}

double unit_of(const TableFormat& table) {
    if (table.fast) {
        return kFastSine;
    }
    if (table.fixed_point()) {
        return (table.towards == Towards::nearest ? 0.5 : 1.0) / table.steps;
    }
    return table.dtype ? format_of(*table.dtype).unit : 0.0;
}

double pair_rounding(const DumpSide& side, const ExpectedRotation& rotation) {
    return RotationAllowance(side, rotation).rounding();
}

Residual residual_of(const DumpSide& side, Side name, const DumpPositions& positions,
                     const ExpectedRotation& rotation, TableFormat table) {
    const DumpTensor& before = side.before;
    const Index pairs = std::ssize(rotation.pairs);
    const Comparer comparer(side, rotation);
    const Angles angles(positions, rotation, comparer.rounding(), table);
    Residual residual{.side = name};
    residual.compared = before.batch * before.heads * before.length * comparer.vectors_of_head();
    struct Kept {
        Seen seen;
        std::vector<double> x, y, ratios;
        std::vector<RoundedRange> cells;
    };
    Seen all(before, pairs);
    for_tokens(
        before, positions, rotation, angles,
        [&] {
            return Kept{Seen(before, pairs),
                        std::vector<double>(before.channels),
                        std::vector<double>(before.channels),
                        std::vector<double>(pairs),
                        {}};
        },
        [&](Index b, Index h, Index token, const TokenTrig& trig, Kept& kept) {
            before.read(b, h, token, kept.x);
            side.after.read(b, h, token, kept.y);
            side.after.cells(b, h, token, kept.y, kept.cells);
            comparer.compare(trig, kept.x, kept.y, kept.cells, {b, h, token}, kept.ratios,
                             kept.seen);
        },
        [&](const Kept& kept) {
            if (kept.seen.worst2 > all.worst2) {
                all.worst2 = kept.seen.worst2;
                all.place = kept.seen.place;
            }
            all.worst_share2 = std::max(all.worst_share2, kept.seen.worst_share2);
            all.outside += kept.seen.outside;
            all.cut += kept.seen.cut;
            all.still = all.still || kept.seen.still;
            join(all.pair, kept.seen.pair);
            join(all.token, kept.seen.token);
            join(all.row, kept.seen.row);
            join(all.head, kept.seen.head);
        });
    residual.outside = all.outside;
    residual.cut = all.cut;
    residual.worst = std::sqrt(all.worst2);
    residual.worst_rad = std::sqrt(all.worst_share2);
    residual.place = all.place;
    residual.still_channels = all.still;
    residual.pairs = numbers_of(all.pair);
    residual.tokens = numbers_of(all.token);
    residual.rows = numbers_of(all.row);
    residual.heads = numbers_of(all.head);
    return residual;
}

std::vector<PairMatrix> matrices_behind(const std::vector<DumpSide>& sides,
                                        const std::vector<DumpPositions>& positions,
                                        const std::vector<ExpectedRotation>& rotations) {
    const std::size_t pairs = rotations.front().pairs.size();
    std::vector<PairProducts> all(pairs);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const ExpectedRotation& rotation = rotations[i];
        if (rotation.pairs.size() != pairs) {
            return {};
        }
        const DumpTensor& before = sides[i].before;
        const Angles angles(positions[i], rotation, 0.0, {});
        struct Kept {
            std::vector<PairProducts> sums;
            std::vector<double> x, y;
        };
        for_tokens(
            before, positions[i], rotation, angles,
            [&] {
                return Kept{std::vector<PairProducts>(pairs), std::vector<double>(before.channels),
                            std::vector<double>(before.channels)};
            },
            [&](Index b, Index h, Index token, const TokenTrig& trig, Kept& kept) {
                before.read(b, h, token, kept.x);
                sides[i].after.read(b, h, token, kept.y);
                for (std::size_t p = 0; p < pairs; ++p) {
                    const auto [a, c] = rotation.pairs[p];
                    const auto [to_a, to_c] = rotation.written[p];
                    const double first = kept.x[a] * trig.cosine[p] - kept.x[c] * trig.sine[p];
                    const double second = kept.x[a] * trig.sine[p] + kept.x[c] * trig.cosine[p];
                    PairProducts& sums = kept.sums[p];
                    sums.aa += kept.y[to_a] * first;
                    sums.ab += kept.y[to_a] * second;
                    sums.ba += kept.y[to_c] * first;
                    sums.bb += kept.y[to_c] * second;
                }
            },
            [&](const Kept& kept) {
                for (std::size_t p = 0; p < pairs; ++p) {
                    all[p].aa += kept.sums[p].aa;
                    all[p].ab += kept.sums[p].ab;
                    all[p].ba += kept.sums[p].ba;
                    all[p].bb += kept.sums[p].bb;
                }
            });
    }
    std::vector<PairMatrix> matrices;
    for (const PairProducts& products : all) {
        matrices.push_back(nearest_matrix(products));
    }
    return matrices;
}

}  // namespace ropescope::diagnosis
