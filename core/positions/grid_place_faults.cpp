// Faults of positions on grids in which tokens are counted from another place or in another unit.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "core/base/number_format.h"
#include "core/faults/codes.h"
#include "core/positions/grid_faults.h"

namespace ropescope {
namespace {

bool is_on_grid(const Coordinate& axis) {
    return axis.side == Side::row || axis.side == Side::column;
}

/// Whether the spacing makes numbers that depend on the sides of the grid, or on a scale.
bool is_scaled(const Coordinate& axis) {
    return axis.spacing == Spacing::plain ? axis.scale != 1.0 : axis.spacing != Spacing::centred;
}

template <typename Wanted>
bool any_axis(const GridRule& rule, Wanted wanted) {
    return std::ranges::any_of(rule.axes, wanted);
}

/// The positions with `change(axis)` done to the axes that are wanted.
template <typename Wanted, typename Change>
GridVariation with_changed_axes(std::string how, Wanted wanted, Change change) {
    return {std::move(how), [wanted, change](const GridPlan& plan) {
                return changed_positions(plan, [&](GridPlan& other) {
                    for (Coordinate& axis : other.rule.axes) {
                        if (wanted(axis)) {
                            change(axis);
                        }
                    }
                });
            }};
}

/// Rows and columns spaced in another way.
GridVariation with_spacing(std::string how, Spacing spacing, double scale = 1.0) {
    return with_changed_axes(std::move(how), is_on_grid, [spacing, scale](Coordinate& axis) {
        axis.spacing = spacing;
        axis.scale = scale;
        axis.offset = 0.0;
    });
}

/// Positions of patches, on the axes of rows and columns, after `edit(value, n)`, where n is the
/// number of patches of the side.
template <typename Edit>
GridVariation on_grid_axes(std::string how, Edit edit) {
    return {std::move(how), [edit](const GridPlan& plan) {
                return with_edited_patches(
                    plan, [&](Index axis, double value, const EditedToken& token) {
                        const Coordinate& along = plan.rule.axes[axis];
                        return is_on_grid(along) ? edit(value, patches_of(token.grid, along.side))
                                                 : value;
                    });
            }};
}

GridFault one_based(const GridPlan& right) {
    const auto counts = [](const Coordinate& axis) {
        return axis.side != Side::none && axis.spacing <= Spacing::by_side && axis.offset == 0.0;
    };
    const auto from_one = [](Coordinate& axis) {
        axis.offset = axis.spacing == Spacing::plain ? axis.scale : 1.0;
    };
    GridFault fault{faults::code("ids.one_based"), "any patch"};
    if (has_patches(right) && any_axis(right.rule, counts)) {
        fault.variations = {
            with_changed_axes("Rows, columns and frames count from 1.", counts, from_one)};
        if (axis_of_side(right.rule, Side::frame) >= 0) {
            fault.variations.push_back(with_changed_axes(
                "Rows and columns count from 1.",
                [counts](const Coordinate& axis) { return counts(axis) && is_on_grid(axis); },
                from_one));
        }
        fault.variations.push_back(
            {"All positions are larger by 1, those of text, too.", [](const GridPlan& plan) {
                 LayoutPositions positions = plan.positions();
                 for (double& value : positions.values) {
                     value += 1.0;
                 }
                 return positions;
             }});
    }
    return fault;
}

GridFault zero_based(const GridPlan& right) {
    const auto counts_from_one = [](const Coordinate& axis) {
        return axis.side != Side::none && axis.spacing <= Spacing::by_side && axis.offset == 1.0;
    };
    GridFault fault{faults::code("ids.zero_based"), "any patch"};
    if (has_patches(right) && any_axis(right.rule, counts_from_one)) {
        fault.variations = {
            with_changed_axes("Rows and columns count from 0, and this model counts from 1.",
                              counts_from_one, [](Coordinate& axis) { axis.offset = 0; })};
    }
    return fault;
}

GridFault centring(const GridPlan& right) {
    GridFault fault{faults::code("ids.centring"), "a grid of more than one row or column"};
    if (!has_patches(right)) {
        return fault;
    }
    if (any_axis(right.rule, [](const auto& axis) { return axis.spacing == Spacing::centred; })) {
        fault.variations = {
            with_spacing("Rows and columns count from a corner, and not from the middle.",
                         Spacing::plain),
            on_grid_axes("Rows and columns count from the middle that lies one further if their "
                         "number is odd.",
                         [](double value, Index n) { return value + to_double(n % 2); }),
            on_grid_axes("Rows and columns count from the middle between the first and the last.",
                         [](double value, Index n) {
                             return value + to_double(n - n / 2) - 0.5 * to_double(n - 1);
                         })};
    } else if (any_axis(right.rule, [](const auto& axis) {
                   return is_on_grid(axis) && axis.spacing == Spacing::plain && axis.scale == 1.0;
               })) {
        fault.variations = {with_spacing(
            "Rows and columns count from the middle, and not from a corner.", Spacing::centred)};
    }
    return fault;
}

/// What else rows and columns may be.
std::vector<GridVariation> other_spacings(const GridRule& rule) {
    const Coordinate& row = rule.axes[std::max<Index>(0, axis_of_side(rule, Side::row))];
    std::vector<GridVariation> variations;
    const auto add = [&](std::string_view what, Spacing spacing, double scale = 1.0) {
        if (spacing != row.spacing || scale != row.scale) {
            variations.push_back(
                with_spacing(fmt::format("Rows and columns are {}.", what), spacing, scale));
        }
    };
    if (is_scaled(row)) {
        add("their plain numbers, and not brought to the model's scale", Spacing::plain);
    }
    add("divided by the sides of the grid", Spacing::by_side);
    add("numbers from -1 to 1, both included", Spacing::ends);
    add("the centres of patches between -1 and 1", Spacing::centres);
    add("the centres of patches in units of half the longer side, minus 1",
        Spacing::centres_of_longer);
    add("the centres of patches in units of half the shorter side, minus 1",
        Spacing::centres_of_shorter);
    return variations;
}

GridFault normalised(const GridPlan& right) {
    GridFault fault{faults::code("ids.normalised"), "a grid of more than one row or column"};
    if (!has_patches(right) || !any_axis(right.rule, is_on_grid)) {
        return fault;
    }
    fault.variations = other_spacings(right.rule);
    if (any_axis(right.rule, [](const auto& axis) {
            return axis.spacing >= Spacing::centres && axis.spacing <= Spacing::centres_of_shorter;
        })) {
        fault.variations.push_back(
            on_grid_axes("Coordinates are those of the edges of patches, and not of their centres.",
                         [](double value, Index n) { return value - 1.0 / to_double(n); }));
    }
    if (any_axis(right.rule,
                 [](const auto& axis) { return axis.side != Side::none && axis.offset == -1.0; })) {
        fault.variations.push_back(with_changed_axes(
            "Coordinates begin at 0, and not at -1.",
            [](const Coordinate& axis) { return axis.offset == -1.0; },
            [](Coordinate& axis) { axis.offset = 0.0; }));
    }
    return fault;
}

GridFault interval_missing(const GridPlan& right) {
    const auto timed = [](const Coordinate& axis) {
        return axis.side == Side::frame && axis.spacing == Spacing::plain && axis.scale != 1.0;
    };
    GridFault fault{faults::code("ids.interval_missing"), "a video of more than one frame"};
    if (has_frames(right) && any_axis(right.rule, timed)) {
        fault.variations = {
            with_changed_axes("Frames are 1 unit of time apart, whatever their rate.", timed,
                              [](Coordinate& axis) { axis.scale = 1.0; })};
    }
    return fault;
}

GridFault image_number(const GridPlan& right) {
    GridFault fault{faults::code("ids.image_number"), "more than one image"};
    const auto numbered = [](const Coordinate& axis) { return axis.per_grid != 0.0; };
    if (has_second_grid(right) && any_axis(right.rule, numbered)) {
        fault.variations = {with_changed_axes("All images have the number of the first.", numbered,
                                              [](Coordinate& axis) { axis.per_grid = 0.0; }),
                            with_changed_axes(
                                "Images are numbered 1 apart.",
                                [](const Coordinate& axis) { return axis.per_grid != 0.0; },
                                [](Coordinate& axis) { axis.per_grid = 1.0; })};
    }
    return fault;
}

GridFault text_positions(const GridPlan& right) {
    GridFault fault{faults::code("ids.text_positions"), "an image of more than one patch"};
    if (has_patches(right)) {
        fault.variations = {
            {"Patches are counted as text: one number in all axes, that of the token in its row.",
             [](const GridPlan& plan) {
                 return with_edited_patches(plan, [](Index, double, const EditedToken& token) {
                     return to_double(token.in_row);
                 });
             }},
            {"Patches are counted as text: one number in all axes, that of the patch in its grid.",
             [](const GridPlan& plan) {
                 return with_edited_patches(plan, [](Index, double, const EditedToken& token) {
                     return to_double(token.in_segment);
                 });
             }}};
    }
    return fault;
}

/// Text counted in another way, if the rule does not count it so.
std::optional<GridVariation> text_as(const GridRule& rule, TextPositions text, std::string how) {
    if (rule.text == text) {
        return std::nullopt;
    }
    return GridVariation{std::move(how), [text](const GridPlan& plan) {
                             return changed_positions(
                                 plan, [text](GridPlan& other) { other.rule.text = text; });
                         }};
}

/// Text in front of the patches that the model has behind them, or the reverse.
GridVariation text_on_other_side() {
    return {"Text stands on the other side of the images.", [](const GridPlan& plan) {
                return changed_positions(plan, [](GridPlan& other) {
                    other.rule.text_first = !other.rule.text_first;
                    for (auto& row : other.layout.rows) {
                        std::ranges::stable_partition(row, [&](const Segment& segment) {
                            return (segment.kind == SegmentKind::text) == other.rule.text_first;
                        });
                    }
                });
            }};
}

GridFault text_place(const GridPlan& right) {
    GridFault fault{faults::code("ids.text_place"), "text beside an image"};
    if (!has_text(right) || right.rule.text == TextPositions::none) {
        return fault;
    }
    fault.variations.push_back(text_on_other_side());
    if (right.rule.text == TextPositions::still) {
        return fault;  // nothing reads what its positions are
    }
    const auto add = [&](TextPositions text, const char* how) {
        if (auto variation = text_as(right.rule, text, how)) {
            fault.variations.push_back(std::move(*variation));
        }
    };
    add(TextPositions::origin, "All text sits at 0 in all axes.");
    add(TextPositions::last, "Text is counted in the last axis alone.");
    add(TextPositions::beyond,
        "Text is counted in all axes from half of the longest side of an image on.");
    fault.variations.push_back({"Text is counted in all axes from 0 on.", [](const GridPlan& plan) {
                                    return with_edited_text(
                                        plan, [](Index, double, const EditedToken& token) {
                                            return to_double(token.in_segment);
                                        });
                                }});
    fault.variations.push_back(
        {"Text is counted in all axes from the longest side of an image on.",
         [](const GridPlan& plan) {
             Index longest = 0;
             for (const Segment& segment : plan.layout.rows.front()) {
                 longest = segment.kind == SegmentKind::text
                               ? longest
                               : std::max({longest, segment.grid.rows, segment.grid.columns});
             }
             return with_edited_text(plan, [longest](Index, double, const EditedToken& token) {
                 return to_double(longest + token.in_segment);
             });
         }});
    return fault;
}

GridFault prefix_side(const GridPlan& right) {
    GridFault fault{faults::code("ids.prefix_side"), "any patch"};
    if (right.rule.still_before != right.rule.still_after) {
        fault.variations = {{"The tokens that do not turn stand on the other side of the patches.",
                             [](const GridPlan& plan) {
                                 return changed_positions(plan, [](GridPlan& other) {
                                     std::swap(other.rule.still_before, other.rule.still_after);
                                 });
                             }}};
    }
    return fault;
}

/// The right positions as numbers of fewer bits.
GridVariation with_rounded_values(std::string how, double (*round)(double)) {
    return {std::move(how), [round](const GridPlan& plan) {
                LayoutPositions positions = plan.positions();
                std::ranges::transform(positions.values, positions.values.begin(), round);
                return positions;
            }};
}

GridFault rounded_numbers(const GridPlan& right) {
    GridFault fault{faults::code("ids.rounded"),
                    "positions beyond 256, or positions that are not whole"};
    if (has_patches(right)) {
        fault.variations = {
            with_rounded_values(
                "The positions have been rounded to the 8 bits of bfloat16.",
                [](double value) -> double { return f32_from_bf16(bf16_from_f64(value)); }),
            with_rounded_values(
                "The positions have been rounded to the 11 bits of float16.",
                [](double value) -> double { return f32_from_f16(f16_from_f64(value)); }),
            with_rounded_values("The positions have been cut to whole numbers.",
                                [](double value) { return std::trunc(value); })};
    }
    return fault;
}

}  // namespace

std::vector<GridFault> grid_place_faults(const GridPlan& right) {
    return {one_based(right),    zero_based(right),       centring(right),       normalised(right),
            image_number(right), interval_missing(right), text_positions(right), text_place(right),
            prefix_side(right),  rounded_numbers(right)};
}

}  // namespace ropescope
