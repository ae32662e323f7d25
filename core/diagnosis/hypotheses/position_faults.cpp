// Names the difference between the positions that the angles show and those that are stated.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// Positions [rows, length] as stated and as found.
struct Compared {
    const Explanation& side;

    Index rows() const { return side.turns.rows; }
    Index length() const { return side.turns.length; }
    std::size_t at(Index row, Index token) const { return row * length() + token; }
    double found(Index row, Index token) const { return side.places.position[at(row, token)]; }
    double stated(Index row, Index token) const { return side.stated[at(row, token)]; }
    bool known(Index row, Index token) const {
        return std::isfinite(side.places.error[at(row, token)]) && !std::isnan(found(row, token));
    }
    /// Whether the token stands at this position as far as its angles tell.
    bool stands_at(Index row, Index token, double position) const {
        return !known(row, token) || std::abs(found(row, token) - position) <=
                                         2.0 * side.places.error[at(row, token)] + 1e-6;
    }
    /// Whether `expected(row, token)` is where every token stands.
    template <typename Expected>
    bool everywhere(Expected expected) const {
        for (Index row = 0; row < rows(); ++row) {
            for (Index t = 0; t < length(); ++t) {
                if (!stands_at(row, t, expected(row, t))) {
                    return false;
                }
            }
        }
        return true;
    }
    Place row_place(Index row) const {
        return side.heads_differ ? Place{.rows = {row / side.heads}, .heads = {row % side.heads}}
                                 : Place{.rows = {row}};
    }
    Place where(Index row, Index token) const {
        Place place = rows() == 1 ? Place() : row_place(row);
        place.sides = side.side;
        place.token = token;
        return place;
    }
    /// Where the token was found, as exactly as that is known.
    Measured position(Index row, Index token) const {
        return {found(row, token), side.places.error[at(row, token)]};
    }
};

/// The difference from the stated position that a row shows at its first known token: the number
/// with the smallest denominator of a few, as far as that token tells.
std::optional<double> shift_of_row(const Compared& compared, Index row) {
    for (Index t = 0; t < compared.length(); ++t) {
        if (compared.known(row, t)) {
            const double shift = compared.found(row, t) - compared.stated(row, t);
            for (const double parts : {1.0, 2.0, 4.0, 10.0, 100.0}) {
                const double simple = std::round(shift * parts) / parts;
                if (compared.stands_at(row, t, compared.stated(row, t) + simple)) {
                    return simple;
                }
            }
            return shift;
        }
    }
    return std::nullopt;
}

bool row_shifted_by(const Compared& compared, Index row, double shift) {
    for (Index t = 0; t < compared.length(); ++t) {
        if (!compared.stands_at(row, t, compared.stated(row, t) + shift)) {
            return false;
        }
    }
    return true;
}

std::optional<double> common_shift(const Compared& compared) {
    for (Index row = 0; row < compared.rows(); ++row) {
        if (const std::optional<double> shift = shift_of_row(compared, row)) {
            const bool all = compared.everywhere(
                [&](Index r, Index t) { return compared.stated(r, t) + *shift; });
            return all ? shift : std::nullopt;
        }
    }
    return 0.0;
}

std::optional<Finding> rows_unrotated(const Compared& compared) {
    std::set<Index> unrotated;
    Index turning = 0;
    for (Index row = 0; row < compared.rows(); ++row) {
        bool still = true, meant = false;
        for (Index t = 0; t < compared.length(); ++t) {
            still = still && compared.stands_at(row, t, 0.0);
            meant = meant || (compared.known(row, t) && compared.stated(row, t) != 0.0);
        }
        if (still && meant) {
            unrotated.insert(compared.side.heads_differ ? row % compared.side.heads : row);
            continue;
        }
        const std::optional<double> shift = shift_of_row(compared, row);
        if (shift && !row_shifted_by(compared, row, *shift)) {
            return std::nullopt;
        }
        ++turning;
    }
    if (unrotated.empty() || turning == 0) {
        return std::nullopt;
    }
    return unrotated_rows(compared.side, {unrotated.begin(), unrotated.end()});
}

std::optional<Finding> wrong_axis(const Compared& compared) {
    // One step of two sequences may stand at 0 and 1 by chance.
    if (compared.rows() < (compared.length() < 2 ? 3 : 2)) {
        return std::nullopt;
    }
    const Index heads = compared.side.heads;
    const bool by_head = compared.side.heads_differ && compared.everywhere([&](Index row, Index) {
        return to_double(row % heads);
    });
    const bool by_row =
        !by_head && compared.rows() > heads &&
        compared.everywhere([&](Index row, Index) { return to_double(row / heads); });
    if (!by_head && !by_row) {
        return std::nullopt;
    }
    return Finding{faults::code("positions.wrong_axis"),
                   {say::kByNumber, {compared.side.side, by_head ? say::kHead : say::kBatchRow}},
                   {compared.side.side},
                   by_head ? "head" : "batch",
                   "position"};
}

std::optional<Finding> low_precision(const Compared& compared) {
    for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
        if (!compared.everywhere(
                [&](Index row, Index t) { return round_to(dtype, compared.stated(row, t)); })) {
            continue;
        }
        for (Index row = 0; row < compared.rows(); ++row) {
            for (Index t = 0; t < compared.length(); ++t) {
                const double stated = compared.stated(row, t), rounded = round_to(dtype, stated);
                if (compared.known(row, t) && rounded != stated) {
                    return Finding{faults::code("positions.low_precision"),
                                   {say::kCoarsePositions,
                                    {std::string(numpy_name(dtype)), t, rounded, stated}},
                                   compared.where(row, t),
                                   rounded,
                                   stated};
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<Finding> clamped(const Compared& compared) {
    double largest = 0.0, reach = 0.0;
    for (Index row = 0; row < compared.rows(); ++row) {
        for (Index t = 0; t < compared.length(); ++t) {
            if (compared.known(row, t)) {
                largest = std::max(largest, std::round(compared.found(row, t)));
                reach = std::max(reach, compared.stated(row, t));
            }
        }
    }
    if (reach <= largest || !compared.everywhere([&](Index row, Index t) {
            return std::min(compared.stated(row, t), largest);
        })) {
        return std::nullopt;
    }
    return Finding{faults::code("positions.clamped"),
                   {say::kClamped, {largest, largest + 1.0}},
                   {compared.side.side},
                   largest + 1.0,
                   reach};
}

/// Tokens at which a row stops turning on as stated, and goes back.
std::optional<Finding> restart(const Compared& compared) {
    Index first_row = -1, first_token = -1, restarts = 0;
    bool stated_restarts = false;
    for (Index row = 0; row < compared.rows(); ++row) {
        std::optional<double> shift = shift_of_row(compared, row);
        for (Index t = 1; shift && t < compared.length(); ++t) {
            if (compared.stands_at(row, t, compared.stated(row, t) + *shift)) {
                continue;
            }
            const double found = compared.found(row, t), before = compared.found(row, t - 1);
            const double start = compared.found(row, 0);
            const bool back =
                found < before && (std::abs(found - start) < 0.5 || std::abs(found) < 0.5);
            const bool on = std::abs(found - before - 1.0) < 0.5 &&
                            compared.stated(row, t) < compared.stated(row, t - 1);
            if (!back && !on) {
                return std::nullopt;
            }
            stated_restarts = stated_restarts || on;
            shift = std::round(found - compared.stated(row, t));
            ++restarts;
            if (first_row < 0) {
                first_row = row;
                first_token = t;
            }
        }
    }
    if (restarts == 0) {
        return std::nullopt;
    }
    const Side side = compared.side.side;
    const double found = std::round(compared.found(first_row, first_token));
    const double stated = compared.stated(first_row, first_token);
    Words words(say::kBeginsAgain, {first_token, side, found, stated});
    if (restarts == 1 && first_token == compared.length() - 1 && found == 0.0) {
        words = {say::kLastAtZero, {side, stated}};
    } else if (stated_restarts) {
        words = {say::kCountsOn, {first_token, side, found}};
    }
    return Finding{faults::code("positions.restart"), std::move(words),
                   compared.where(first_row, first_token), found, stated};
}

std::optional<Finding> per_row(const Compared& compared) {
    for (Index row = 0; row < compared.rows(); ++row) {
        const std::optional<double> shift = shift_of_row(compared, row);
        if (shift && !row_shifted_by(compared, row, *shift)) {
            return std::nullopt;
        }
    }
    for (Index row = 0; row < compared.rows(); ++row) {
        const double shift = shift_of_row(compared, row).value_or(0.0);
        if (shift != 0.0) {
            Place place = compared.row_place(row);
            const Words words(say::kRowsShifted, {place, compared.side.side, shift});
            place.sides = compared.side.side;
            return Finding{faults::code("positions.per_row"), words, place, shift, 0.0};
        }
    }
    return std::nullopt;
}

/// Whatever else differs: the first token.
std::optional<Finding> other_positions(const Compared& compared) {
    const bool slots = compared.everywhere([](Index, Index t) { return to_double(t); });
    for (Index row = 0; row < compared.rows(); ++row) {
        for (Index t = 0; t < compared.length(); ++t) {
            const double stated = compared.stated(row, t);
            if (!compared.stands_at(row, t, stated)) {
                const Measured found = compared.position(row, t);
                const Side side = compared.side.side;
                return Finding{faults::code("positions.per_row"),
                               slots ? Words(say::kBySlot, {side, t, found, stated})
                                     : Words(say::kElsewhere, {t, side, found, stated}),
                               compared.where(row, t), found.value, stated};
            }
        }
    }
    return std::nullopt;
}

/// Positions that follow no rule of the stated ones leave a factor on all speeds open: it belongs
/// to the positions then, and not to the spectrum.
void move_factor_to_positions(Explanation& side) {
    if (!side.model || side.model->fitted_factor == 1.0 || !side.model->base) {
        return;
    }
    const double factor = side.model->fitted_factor;
    for (double& omega : side.model->omega) {
        omega /= factor;
    }
    for (std::size_t at = 0; at < side.places.position.size(); ++at) {
        side.places.position[at] *= factor;
        side.places.error[at] *= factor;
    }
    side.model->code = faults::code("spectrum.default");
    side.model->scaling = NoScaling();
    side.model->right = true;
    side.model->factor = side.model->fitted_factor = 1.0;
    side.model->words = {say::kBase, {Measured{*side.model->base, side.model->base_error}}};
}

}  // namespace

std::optional<double> constant_offset(const Explanation& side) {
    return common_shift(Compared{side});
}

Finding unrotated_rows(const Explanation& side, const std::vector<Index>& rows) {
    const Numbers numbers{side.heads_differ ? "head" : "row", rows};
    Place place{.sides = side.side};
    (side.heads_differ ? place.heads : place.rows) = rows;
    return {faults::code("rows.unrotated"), {say::kStillRows, {numbers, side.side}}, place};
}

void find_position_faults(Explanation& side) {
    const Compared compared{side};
    side.offset = common_shift(compared);
    if (side.offset) {
        return;
    }
    for (const auto rule : {wrong_axis, rows_unrotated, low_precision, clamped, restart, per_row}) {
        if (std::optional<Finding> finding = rule(compared)) {
            side.findings.push_back(std::move(*finding));
            return;
        }
    }
    if (side.places.unexplained > 0) {
        return;  // a position that follows no rule is no finding beside tokens that have none
    }
    move_factor_to_positions(side);
    if (std::optional<Finding> finding = other_positions(compared)) {
        side.findings.push_back(std::move(*finding));
    }
}

}  // namespace ropescope::diagnosis
