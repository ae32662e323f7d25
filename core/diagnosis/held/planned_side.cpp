// Compares the numbers of a side with those of a plan, row by row.
#include "core/diagnosis/held/planned_side.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {
namespace {

/// [axes, batch, length], with a row of positions for each row of the tensor.
std::vector<double> positions_of_rows(const DumpPositions& positions, Index axes, Index batch) {
    std::vector<double> values;
    for (Index a = 0; a < axes; ++a) {
        for (Index b = 0; b < batch; ++b) {
            for (Index l = 0; l < positions.length; ++l) {
                values.push_back(positions.at(a, b, l));
            }
        }
    }
    return values;
}

/// What fp32 may make of the speeds of a plan, [heads, pairs, axes], in radians for each position.
std::vector<double> speed_errors(const std::vector<double>& omega) {
    std::vector<double> size;
    for (const double speed : omega) {
        size.push_back(speed == 0.0 ? 1.0 : std::abs(speed));
    }
    std::vector<double> errors = frequency_errors(size);
    for (std::size_t i = 0; i < omega.size(); ++i) {
        errors[i] = omega[i] == 0.0 ? 0.0 : errors[i];
    }
    return errors;
}

bool contains(const std::vector<Index>& list, Index number) {
    return list.empty() || std::ranges::binary_search(list, number);
}

double angle_error(const faults::RotationPlan& plan, const std::vector<double>& speed_error,
                   Index pair, Index b, Index h, Index l) {
    double error = 0.0;
    for (Index a = 0; a < plan.axes; ++a) {
        error += speed_error[plan.omega_at(h, pair) + a] * std::abs(plan.position_of(a, b, h, l));
    }
    return std::min(error, 2.0);
}

}  // namespace

/// A plan and the part of the side that it is compared with.
struct PlannedSide::Checked {
    const faults::RotationPlan& plan;
    const PlannedPart& part;
    std::vector<double> speed_error;
    std::vector<Index> pair_of_channel;  ///< -1: a channel that stays
    /// Of the row that was looked at last: its matrices serve all heads that turn alike.
    mutable Row at = {-1, -1, -1};
    mutable std::vector<faults::PairMap> maps = {};
    mutable std::vector<double> error = {};
    mutable std::vector<double> x = {}, y = {};
    /// What the numbers of y may have been: themselves, or more if they were rounded to 8 bits.
    mutable std::vector<double> low = {}, high = {};

    bool within(Index channel, double wanted, double allowed) const {
        wanted *= plan.factor;
        allowed *= std::abs(plan.factor);
        if (!plan.rounds_still && pair_of_channel[channel] < 0) {
            return wanted - allowed <= high[channel] && low[channel] <= wanted + allowed;
        }
        return plan.after(wanted - allowed) - allowed <= high[channel] &&
               low[channel] <= plan.after(wanted + allowed) + allowed;
    }
};

PlannedSide::PlannedSide(const Held& held, std::size_t place)
    : side_(held.sides[place]),
      after_(held.rotations[place].format_behind.value_or(format_of_rotation(side_.tensors))),
      share_(pair_rounding(side_.tensors, held.rotations[place])),
      still_share_(after_.unit + held.rotations[place].norm_share) {
    const DumpTensor& tensor = side_.tensors.before;
    const ExpectedRotation& rotation = held.rotations[place];
    right_ = {.shape = {tensor.batch, tensor.heads, tensor.length, tensor.channels},
              .pairs = rotation.pairs,
              .written = rotation.written,
              .axes = rotation.axes,
              .positions = positions_of_rows(side_.positions, rotation.axes, tensor.batch),
              .gain = rotation.heads.front().gain};
    for (const HeldHead& head : rotation.heads) {
        right_.omega_rad.insert(right_.omega_rad.end(), head.omega.begin(), head.omega.end());
    }
    if (rotation.axes == 1) {
        spec_ = held.part.spec;
    }
    choose_sample(held.residuals[place]);
}

void PlannedSide::choose_sample(const Residual& residual) {
    const auto some = [](const std::vector<Index>& wrong, Index count) {
        std::set<Index> numbers = {0, count / 2, count - 1};
        if (!wrong.empty()) {
            numbers.insert({wrong.front(), wrong[wrong.size() / 2], wrong.back()});
        }
        return numbers;
    };
    const HeldPlace& worst = residual.place;
    const faults::HeadShape& shape = right_.shape;
    std::set<Row> rows;
    std::set<Index> tokens = some(residual.tokens, shape.length);
    tokens.insert({std::min<Index>(1, shape.length - 1), worst.token});
    for (const Index l : tokens) {
        rows.insert({worst.row, worst.head, l});
    }
    for (const Index l : {worst.token, shape.length - 1}) {
        for (const Index b : some(residual.rows, shape.batch)) {
            rows.insert({b, worst.head, l});
        }
        for (const Index h : some(residual.heads, shape.heads)) {
            rows.insert({worst.row, h, l});
        }
    }
    sample_.assign(rows.begin(), rows.end());
    // A wrong plan most often fails at the vector that is farthest from the expected one.
    std::ranges::stable_partition(sample_, [&](const Row& row) {
        return row == Row{worst.row, worst.head, worst.token};
    });
}

/// Channels that stay may be off by their rounding, those of a pair by the share of its length that
/// held/residual.h allows. What is rounded before the products may be tipped over by the errors of
/// fp32 in front of it.
bool PlannedSide::row_is_made(const Checked& checked, const Row& row) const {
    const faults::RotationPlan& plan = checked.plan;
    const PlannedPart& part = checked.part;
    if (!contains(part.rows, row.b) || !contains(part.heads, row.h) ||
        !contains(part.tokens, row.l)) {
        return true;
    }
    const Index channels = plan.shape.head_dim, pairs = std::ssize(plan.pairs);
    std::vector<double>&x = checked.x, &y = checked.y;
    side_.tensors.before.read(row.b, row.h, row.l, x);
    side_.tensors.after.read(row.b, row.h, row.l, y);
    if (plan.rounds_still) {
        std::ranges::transform(x, x.begin(), plan.before);
    }
    checked.low = checked.high = y;
    if (const auto& grid = side_.tensors.after.quantised) {
        for (std::size_t c = 0; c < y.size(); ++c) {
            const RoundedRange cell = grid->cell(row.b, row.h, row.l, static_cast<Index>(c), y[c]);
            checked.low[c] = cell.low;
            checked.high[c] = cell.high;
        }
    }
    const double floor = 4.0 * after_.smallest;
    const bool rests = plan.rests(row.b, row.h);
    for (Index c = 0; c < channels; ++c) {
        const Index pair = checked.pair_of_channel[c];
        const bool is_asked = part.pairs.empty() || (pair >= 0 && contains(part.pairs, pair));
        if ((rests || pair < 0) && is_asked &&
            !checked.within(c, x[c], still_share_ * std::abs(x[c]) + floor)) {
            return false;
        }
    }
    if (rests) {
        return true;
    }
    const Row at{row.b, plan.heads_differ() ? row.h : 0, row.l};
    const bool known = at == checked.at;
    for (Index p = 0; p < pairs; ++p) {
        if (!contains(part.pairs, p)) {
            continue;
        }
        if (!known) {
            checked.maps[p] = planned_map(plan, p, row.b, row.h, row.l, {});
            checked.error[p] = angle_error(plan, checked.speed_error, p, row.b, row.h, row.l);
        }
        const auto [first, second] = plan.pairs[p];
        const auto [to_first, to_second] = plan.written[p];
        const double length = std::hypot(x[first], x[second]);
        const bool rounds = !plan.rounds_still;
        const auto taken = [&](Index channel, std::size_t product) {
            return rounds ? plan.taken(x[channel], product) : x[channel];
        };
        // Products and sums round as much as they are large; what a fault makes of a number that
        // was written already has one rounding more, of a number that is no longer than the row.
        const double of_angle = length * std::abs(plan.gain) * plan.longest * checked.error[p];
        const auto within = [&](Index channel, const faults::PairMap& map, std::size_t entry) {
            const double of_x = map[entry], of_y = map[entry + 1];
            const double size = std::max(std::abs(plan.gain), std::hypot(of_x, of_y));
            return checked.within(channel,
                                  of_x * taken(first, entry) + of_y * taken(second, entry + 1),
                                  length * size * share_ + of_angle + floor);
        };
        const auto is_made = [&](const faults::PairMap& map) {
            return within(to_first, map, 0) && within(to_second, map, 2);
        };
        if (is_made(checked.maps[p])) {
            continue;
        }
        if (!plan.rounds()) {
            checked.at = {-1, -1, -1};
            return false;
        }
        const double omega = 2.0 * kUnitOfF32 + speed_errors({1.0}).front();
        const double table = 4.0 * kUnitOfF32 + checked.error[p];
        bool tipped = false;
        for (const double of_omega : {0.0, omega, -omega}) {
            for (const double of_cosine : {0.0, table, -table}) {
                for (const double of_sine : {0.0, table, -table}) {
                    tipped = tipped || is_made(planned_map(plan, p, row.b, row.h, row.l,
                                                           {of_omega, of_cosine, of_sine}));
                }
            }
        }
        if (!tipped) {
            checked.at = {-1, -1, -1};
            return false;
        }
    }
    checked.at = part.pairs.empty() ? at : Row{-1, -1, -1};
    return true;
}

bool PlannedSide::is_made_by(const faults::RotationPlan& plan, const PlannedPart& part) const {
    const faults::HeadShape& shape = plan.shape;
    Checked checked{.plan = plan,
                    .part = part,
                    .speed_error = speed_errors(plan.omega_rad),
                    .pair_of_channel = std::vector<Index>(shape.head_dim, -1)};
    for (Index p = 0; p < std::ssize(plan.pairs); ++p) {
        for (const Index c : {plan.pairs[p].first, plan.pairs[p].second, plan.written[p].first,
                              plan.written[p].second}) {
            if (c < 0 || c >= shape.head_dim) {
                return false;  // a fault of the whole head, and the tensor is a slice of it
            }
            checked.pair_of_channel[c] = p;
        }
    }
    checked.maps.resize(plan.pairs.size());
    checked.error.resize(plan.pairs.size());
    checked.x.resize(static_cast<std::size_t>(shape.head_dim));
    checked.y.resize(static_cast<std::size_t>(shape.head_dim));
    for (const Row& row : sample_) {
        if (!row_is_made(checked, row)) {
            return false;
        }
    }
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index l = 0; l < shape.length; ++l) {
            for (Index h = 0; h < shape.heads; ++h) {
                if (!row_is_made(checked, {b, h, l})) {
                    return false;
                }
            }
        }
    }
    return true;
}

std::vector<faults::MeasuredAngle> PlannedSide::measured() const {
    std::vector<faults::MeasuredAngle> angles;
    if (side_.tensors.after.quantised) {
        return angles;  // 8 bits fit nothing
    }
    std::vector<double> x(static_cast<std::size_t>(right_.shape.head_dim)), y(x.size());
    const std::vector<double> speed_error = speed_errors(right_.omega_rad);
    for (const Row& row : sample_) {
        side_.tensors.before.read(row.b, row.h, row.l, x);
        side_.tensors.after.read(row.b, row.h, row.l, y);
        for (Index p = 0; p < std::ssize(right_.pairs); ++p) {
            const auto [first, second] = right_.pairs[p];
            const auto [to_first, to_second] = right_.written[p];
            const double before = std::hypot(x[first], x[second]);
            const double after = std::hypot(y[to_first], y[to_second]);
            if (!(before > 64.0 * after_.smallest) || !(after > 64.0 * after_.smallest)) {
                continue;
            }
            const double turned =
                std::atan2(y[to_second], y[to_first]) - std::atan2(x[second], x[first]);
            // The other parameters may make the frequencies larger, and their errors with them.
            const double error = 2.0 * share_ +
                                 4.0 * angle_error(right_, speed_error, p, row.b, row.h, row.l) +
                                 8.0 * after_.smallest / std::min(before, after);
            angles.push_back({p, row.b, row.h, row.l, turned, error, after / before, x[first],
                              x[second], y[to_first], y[to_second]});
        }
    }
    return angles;
}

}  // namespace ropescope::diagnosis
