// One side of a dump, held to plans of rotations.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/diagnosis/held/held_dump.h"
#include "core/faults/rotation/near_faults.h"
#include "core/faults/rotation/plan.h"

namespace ropescope::diagnosis {

/// The part of a side that a plan has to make; the rest is as expected. Empty lists: all.
struct PlannedPart {
    std::vector<Index> rows = {}, heads = {}, tokens = {}, pairs = {};

    bool all() const { return rows.empty() && heads.empty() && tokens.empty() && pairs.empty(); }
    bool operator==(const PlannedPart&) const = default;
};

class PlannedSide {
  public:
    PlannedSide(const Held& held, std::size_t place);

    const faults::RotationPlan& right() const { return right_; }
    const RopeSpec* spec() const { return spec_ ? &*spec_ : nullptr; }

    /// Whether every number of the part is that of the plan, as far as rounding tells.
    bool is_made_by(const faults::RotationPlan& plan, const PlannedPart& part) const;

    /// The angles of all pairs at a few tokens, those that are not as expected among them.
    std::vector<faults::MeasuredAngle> measured() const;

  private:
    struct Row {
        Index b = 0, h = 0, l = 0;
        auto operator<=>(const Row&) const = default;
    };
    struct Checked;

    bool row_is_made(const Checked& checked, const Row& row) const;
    void choose_sample(const Residual& residual);

    const StatedSide& side_;
    FloatFormat after_;
    double share_ = 0.0, still_share_ = 0.0;  ///< of a pair that turns, of a channel that stays
    faults::RotationPlan right_ = {};
    std::optional<RopeSpec> spec_ = {};
    std::vector<Row> sample_ = {};
};

}  // namespace ropescope::diagnosis
