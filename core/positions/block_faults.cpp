// Faults of blocks of patches: where they begin, in which order their axes count, and where the
// text behind them goes on.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {
namespace {

BlockIds right_block(const IdPlan& plan, const Segment& segment, Index start) {
    return block_ids(plan.rule, plan.version, segment, start);
}

/// Blocks as they are, behind which text goes on at next(plan, segment, block, start).
template <typename Next>
std::optional<MultimodalIds> with_next(const IdPlan& right, Next next) {
    if (!has_blocks(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            BlockIds block = right_block(right, segment, start);
            block.next = next(right, segment, block, start);
            return block;
        };
    });
}

/// Text goes on so many positions later.
std::optional<MultimodalIds> moved_text(const IdPlan& right, Index by) {
    return with_next(right, [by](const IdPlan&, const Segment&, const BlockIds& block, Index) {
        return block.next + by;
    });
}

/// Decode steps, if the layout has them, so many positions later.
std::optional<MultimodalIds> moved_decode(const IdPlan& right, Index by) {
    if (right.layout.decode_steps == 0) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        const bool padded = right.layout.packed || right.version == PositionVersion::transformers_4;
        plan.decode = [padded, by](Index length, Index own, Index delta) {
            return decode_id(padded ? length : own, by, delta);
        };
    });
}

/// Ids whose axes are those of the right ids in another order.
std::optional<MultimodalIds> with_axes(const IdPlan& right, const std::vector<Index>& order) {
    if (std::ssize(order) != right.rule.axes()) {
        return std::nullopt;
    }
    const MultimodalIds ids = layout_ids(right);
    MultimodalIds other{ids.batch, ids.length, {}, ids.deltas, ids.axes};
    for (const Index axis : order) {
        const auto begin = ids.ids.begin() + axis * ids.batch * ids.length;
        other.ids.insert(other.ids.end(), begin, begin + ids.batch * ids.length);
    }
    return other;
}

/// Whether each row has as many tokens in both.
bool have_equal_rows(const IdPlan& a, const IdPlan& b) {
    for (Index row = 0; row < std::ssize(a.layout.rows); ++row) {
        if (own_tokens(a, row) != own_tokens(b, row)) {
            return false;
        }
    }
    return true;
}

std::optional<MultimodalIds> swapped_grids(const IdPlan& right) {
    IdPlan other = right;
    for (auto& row : other.layout.rows) {
        for (Segment& segment : row) {
            std::swap(segment.grid.rows, segment.grid.columns);
        }
    }
    if (!have_equal_rows(other, right)) {  // a token ends each row of an image
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) { plan.layout.rows = other.layout.rows; });
}

/// Whether the blocks are grids alone, token by token.
bool has_plain_blocks(const IdPlan& plan) {
    return has_blocks(plan) &&
           !any_segment(plan.layout, [](const Segment& segment) { return segment.sound > 0; });
}

/// Whether text behind a block goes on behind its sides, and not behind its tokens.
bool has_side_counted_blocks(const IdPlan& plan) {
    return has_blocks(plan) && plan.rule.family != MultimodalFamily::hunyuan_vl;
}

/// Patches of a frame come column by column.
std::optional<MultimodalIds> by_columns(const IdPlan& right) {
    if (!has_plain_blocks(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            const BlockIds block = right_block(right, segment, start);
            const PatchGrid grid = merged_grid(right.rule, segment);
            BlockIds turned{{}, block.next};
            for (Index frame = 0; frame < grid.frames; ++frame) {
                for (Index column = 0; column < grid.columns; ++column) {
                    for (Index row = 0; row < grid.rows; ++row) {
                        turned.tokens.push_back(
                            block.tokens[(frame * grid.rows + row) * grid.columns + column]);
                    }
                }
            }
            return turned;
        };
    });
}

std::optional<MultimodalIds> as_text(const IdPlan& right) {
    if (!has_blocks(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        for (auto& row : plan.layout.rows) {
            for (Segment& segment : row) {
                segment = {.kind = SegmentKind::text, .text = token_count(right.rule, segment)};
            }
        }
    });
}

std::optional<MultimodalIds> blocks_at_zero(const IdPlan& right) {
    if (!has_blocks(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            BlockIds block = right_block(right, segment, 0);
            block.next += start;
            return block;
        };
    });
}

/// Rows and columns count patches before they are merged.
std::optional<MultimodalIds> unmerged_sides(const IdPlan& right) {
    if (!has_plain_blocks(right) || right.rule.axes() != 3 ||
        right.rule.family == MultimodalFamily::videorope) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            BlockIds block = right_block(right, segment, start);
            for (AxisIds& ids : block.tokens) {
                ids[1] = start + right.rule.merge * (ids[1] - start);
                ids[2] = start + right.rule.merge * (ids[2] - start);
            }
            block.next = start + std::max(segment.grid.rows, segment.grid.columns);
            return block;
        };
    });
}

std::optional<MultimodalIds> of_version(const IdPlan& right) {
    return changed_ids(right, [](IdPlan& plan) {
        plan.version = plan.version == PositionVersion::transformers_4
                           ? PositionVersion::transformers_5
                           : PositionVersion::transformers_4;
    });
}

/// Nothing if the other family does not merge frames and so has more tokens.
std::optional<MultimodalIds> of_family(const IdPlan& right) {
    IdPlan other = right;
    other.rule.family = right.rule.family == MultimodalFamily::videorope
                            ? MultimodalFamily::qwen2_vl
                            : MultimodalFamily::videorope;
    if (!has_plain_blocks(right) || right.rule.axes() != 3 || !have_equal_rows(other, right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) { plan.rule = other.rule; });
}

std::vector<IdFault> axis_faults() {
    return {{faults::code("ids.axes_swapped"),
             "a grid with unlike numbers of rows and columns",
             has_blocks,
             {{"Height and width have changed places.",
               [](const IdPlan& right) {
                   return with_axes(right, right.rule.axes() == 4 ? std::vector<Index>{0, 2, 1, 3}
                                                                  : std::vector<Index>{0, 2, 1});
               }},
              {"The grid has its columns for rows and its rows for columns.", swapped_grids}}},
            {faults::code("ids.axes_order"),
             "an image of more than one token",
             has_blocks,
             {{"The axes come as height, time, width.",
               [](const IdPlan& right) {
                   return with_axes(right, {1, 0, 2});
               }},
              {"The axes come as height, width, time.",
               [](const IdPlan& right) {
                   return with_axes(right, {1, 2, 0});
               }},
              {"The axes come as width, time, height.",
               [](const IdPlan& right) {
                   return with_axes(right, {2, 0, 1});
               }},
              {"The axes come as width, height, time.",
               [](const IdPlan& right) {
                   return with_axes(right, {2, 1, 0});
               }},
              {"The axes come as number of the image, height, width, position.",
               [](const IdPlan& right) {
                   return with_axes(right, {3, 2, 1, 0});
               }},
              {"The axes come as position, number of the image, height, width.",
               [](const IdPlan& right) {
                   return with_axes(right, {0, 3, 2, 1});
               }},
              {"The axes come as width, height, number of the image, position.",
               [](const IdPlan& right) {
                   return with_axes(right, {1, 2, 3, 0});
               }}}},
            {faults::code("ids.column_order"),
             "a grid with more than one row and more than one column",
             has_plain_blocks,
             {{"The tokens of a frame are counted column by column, and they come row by row.",
               by_columns}}}};
}

}  // namespace

std::vector<IdFault> block_faults() {
    std::vector<IdFault> faults = axis_faults();
    const std::vector<IdFault> others = {
        {faults::code("ids.text_positions"),
         "an image of more than one token",
         has_blocks,
         {{"Time, height and width are equal throughout: images are counted as text, a position "
           "for "
           "each token.",
           as_text}}},
        {faults::code("ids.block_at_zero"),
         "an image behind text",
         has_blocks,
         {{"The blocks of patches count from 0, and not from the text before them.",
           blocks_at_zero}}},
        {faults::code("ids.merge_missing"),
         "text behind an image",
         has_blocks,
         {{"Text goes on behind the sides of the grid before its patches are merged.",
           [](const IdPlan& right) {
               return with_next(
                   right, [](const IdPlan&, const Segment& segment, const BlockIds&, Index start) {
                       return start + std::max(segment.grid.rows, segment.grid.columns);
                   });
           }},
          {"Rows and columns count patches before they are merged.", unmerged_sides}}},
        {faults::code("ids.counted_by_tokens"),
         "text behind an image of more than one row and more than one column",
         has_side_counted_blocks,
         {{"Text goes on as if the block took a position for each of its tokens.",
           [](const IdPlan& right) {
               return with_next(
                   right, [](const IdPlan&, const Segment&, const BlockIds& block, Index start) {
                       return start + std::ssize(block.tokens);
                   });
           }}}},
        {faults::code("ids.next_by_time"),
         "text behind an image of more than one token",
         has_side_counted_blocks,
         {{"Text goes on behind the last time of the block, whatever its sides.",
           [](const IdPlan& right) {
               return with_next(right, [](const IdPlan&, const Segment&, const BlockIds& block,
                                          Index) { return block.tokens.back()[0] + 1; });
           }}}},
        {faults::code("ids.off_by_one"),
         "text behind an image, or a decode step",
         [](const IdPlan& plan) { return has_blocks(plan) || plan.layout.decode_steps > 0; },
         {{"Text behind a block goes on one position too late.",
           [](const IdPlan& right) { return moved_text(right, 1); }},
          {"Text behind a block goes on one position too early.",
           [](const IdPlan& right) { return moved_text(right, -1); }},
          {"Decode steps go on one position too late.",
           [](const IdPlan& right) { return moved_decode(right, 1); }},
          {"Decode steps go on one position too early.",
           [](const IdPlan& right) { return moved_decode(right, -1); }}}},
        {faults::code("ids.other_version"),
         "text behind a video with more steps of time than merged rows and columns",
         has_side_counted_blocks,
         {{"The ids are those of the other version: transformers-4 goes on behind the largest "
           "position of a block, transformers-5 behind the longer of its sides.",
           of_version}}},
        {faults::code("ids.other_family"),
         "a block of more than one row, column or frame",
         has_side_counted_blocks,
         {{"The ids are those of another family of models: VideoRoPE counts from the middle of a "
           "frame along the diagonal, the others from its corner.",
           of_family}}}};
    faults.insert(faults.end(), others.begin(), others.end());
    return faults;
}

}  // namespace ropescope
