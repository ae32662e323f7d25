// Compares entries with the rounding of exact ones.
#include "core/diagnosis/tables/table_entries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnosis/held/expected_rotation.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

constexpr double kFastSine = 0x1.6a09e667f3bcdp-21;  // 2^-20.5

/// Half a step of the format at numbers as large as this one.
double half_step(const FloatFormat& format, double value) {
    const double size = std::max(std::abs(value), format.smallest / format.unit);
    return format.unit * std::exp2(std::floor(std::log2(size)));
}

/// Where the rounding to 16 bits may come too early.
enum class Early { nothing, frequency, position, angle };

struct Making {
    Early rounds = Early::nothing;
    Dtype dtype = Dtype::bf16;  ///< to which it is rounded

    double angle(double omega, double position) const {
        switch (rounds) {
            case Early::frequency:
                return round_to(dtype, omega) * position;
            case Early::position:
                return omega * round_to(dtype, position);
            case Early::angle:
                return round_to(dtype, omega * position);
            default:
                return omega * position;
        }
    }
};

/// The first entry that is off, and how many are.
struct Off {
    Index count = 0, row = 0, pair = 0;
    double found = 0.0, wanted = 0.0;
};

class Entries {
  public:
    Entries(const RopeTable& table, const HeldHead& head, double offset)
        : table_(table), head_(head), offset_(offset) {}

    Off off(const Making& making) const {
        Off off;
        for (Index row = 0; row < table_.rows; ++row) {
            const double position = table_.positions[row] + offset_;
            for (Index pair = 0; pair < table_.pairs; ++pair) {
                const double angle = making.angle(head_.omega[pair], position);
                const double error = error_of(making, pair, position, angle);
                const std::size_t at = static_cast<std::size_t>(row * table_.pairs + pair);
                const double cosine = head_.gain * std::cos(angle);
                const double sine = head_.gain * std::sin(angle);
                for (const auto& [found, wanted] :
                     {std::pair(table_.cos[at], cosine), std::pair(table_.sin[at], sine)}) {
                    if (std::abs(found - wanted) <= allowed(found, wanted, error)) {
                        continue;
                    }
                    if (off.count++ == 0) {
                        off = {1, row, pair, found, wanted};
                    }
                }
            }
        }
        return off;
    }

  private:
    /// Of cos and sin, before they are rounded to the format of the table.
    double error_of(const Making& making, Index pair, double position, double angle) const {
        double of_angle = head_.error[pair] * std::abs(position);
        if (making.rounds != Early::nothing) {
            // A float32 number at the middle between two of the format may be rounded the other
            // way.
            of_angle += making.rounds == Early::position
                            ? 0.0
                            : doubtful(making, pair, position) * std::abs(angle);
        }
        const double fast = kFastSine + 2.0 * kUnitOfF32 * std::abs(angle);
        return std::abs(head_.gain) * (of_angle + std::max(4.0 * kUnitOfF32, fast));
    }

    /// A whole step, if the number that is rounded stands so near the middle that its error
    /// decides.
    double doubtful(const Making& making, Index pair, double position) const {
        const double number =
            making.rounds == Early::frequency ? head_.omega[pair] : head_.omega[pair] * position;
        const double error = making.rounds == Early::frequency
                                 ? head_.error[pair]
                                 : head_.error[pair] * std::abs(position);
        const bool decides =
            round_to(making.dtype, number - error) != round_to(making.dtype, number + error);
        return decides ? 2.0 * format_of(making.dtype).unit : 0.0;
    }

    double allowed(double found, double wanted, double error) const {
        const double step = half_step(table_.format, std::max(std::abs(found), std::abs(wanted)));
        return error + (head_.gain == 1.0 ? step : 2.0 * step) + table_.format.smallest;
    }

    const RopeTable& table_;
    const HeldHead& head_;
    double offset_;
};

constexpr std::array<std::pair<Early, std::string_view>, 3> kEarly = {
    {{Early::frequency, "frequency"}, {Early::position, "position"}, {Early::angle, "product"}}};

std::optional<Finding> coarse_angles_of(const Entries& entries) {
    for (const auto& [early, name] : kEarly) {
        for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
            if (entries.off({early, dtype}).count == 0) {
                return Finding{.code = early == Early::position
                                           ? faults::code("positions.low_precision")
                                           : faults::code("spectrum.low_precision"),
                               .words = {say::kTableOfCoarseAngles,
                                         {std::string(name), std::string(numpy_name(dtype))}}};
            }
        }
    }
    return std::nullopt;
}

WrongEntries wrong_of(const RopeTable& table, const Entries& entries, const Off& off) {
    Finding mismatch{.code = "table",
                     .words = {say::kTableEntries,
                               {off.count, 2 * table.rows * table.pairs,
                                std::string(numpy_name(table.format.dtype)),
                                table.positions[off.row], off.pair, off.found, off.wanted}}};
    mismatch.measured = off.found;
    mismatch.expected = off.wanted;
    return {std::move(mismatch), coarse_angles_of(entries)};
}

}  // namespace

std::optional<WrongEntries> wrong_entries(const RopeTable& table, const Expectation& expectation,
                                          Index head_dim, double offset) {
    if (table.form != TableForm::cos_sin ||
        (table.format.dtype != Dtype::f16 && table.format.dtype != Dtype::bf16)) {
        return std::nullopt;
    }
    const DumpPositions positions{.length = table.rows, .values = table.positions};
    const auto reach = static_cast<Index>(std::ranges::max(table.positions) + 1.0);
    std::optional<WrongEntries> least;
    Index fewest = 0;
    for (const ExpectedPart& part :
         expected_parts(expectation, std::clamp<Index>(reach, 1, kMaxSeqLen))) {
        const auto rotation = rotation_of(part, head_dim, positions);
        if (!rotation || rotation->axes != 1 || rotation->heads.size() != 1 ||
            std::ssize(rotation->pairs) != table.pairs) {
            continue;
        }
        const Entries entries(table, rotation->heads.front(), offset);
        const Off off = entries.off({});
        if (off.count == 0) {
            return std::nullopt;
        }
        if (!least || off.count < fewest) {
            fewest = off.count;
            least = wrong_of(table, entries, off);
        }
    }
    return least;
}

}  // namespace ropescope::diagnosis
