// Faults of models that number the images of a sequence (HunYuan-VL).
#include <algorithm>

#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {
namespace {

/// The axes of HunYuan-VL: number of the token, column, row, number of the image.
constexpr Index kColumn = 1, kRow = 2, kImage = 3;

bool has_numbered_images(const IdPlan& plan) {
    return plan.rule.family == MultimodalFamily::hunyuan_vl && has_blocks(plan);
}

/// Blocks after change(ids, segment, number of the token in the block).
template <typename Change>
std::optional<MultimodalIds> edited(const IdPlan& right, Change change) {
    if (!has_numbered_images(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) {
        plan.block = [&](const Segment& segment, Index start) {
            BlockIds block = block_ids(right.rule, right.version, segment, start);
            for (Index i = 0; i < std::ssize(block.tokens); ++i) {
                change(block.tokens[i], segment, i);
            }
            return block;
        };
    });
}

/// Images of the rows of the batch before the one that an image of that number lies in.
Index images_before(const IdPlan& plan, Index number) {
    Index before = 0;
    for (const std::vector<Segment>& row : plan.layout.rows) {
        const Index images = std::ranges::count(row, SegmentKind::image, &Segment::kind);
        if (number < before + images) {
            break;
        }
        before += images;
    }
    return before;
}

std::optional<MultimodalIds> numbered_in_each_row(const IdPlan& right) {
    return edited(right, [&](AxisIds& ids, const Segment& segment, Index) {
        ids[kImage] = segment.number - images_before(right, segment.number);
    });
}

IdFault image_numbers() {
    return {faults::code("ids.image_number"),
            "a second image",
            has_numbered_images,
            {{"Each row of the batch numbers its images from 0, as vLLM does it; transformers "
              "numbers those of all rows.",
              numbered_in_each_row},
             {"Images are numbered from 1.",
              [](const IdPlan& right) {
                  return edited(right, [](AxisIds& ids, const Segment&, Index) { ++ids[kImage]; });
              }},
             {"All images have the number 0.", [](const IdPlan& right) {
                  return edited(right,
                                [](AxisIds& ids, const Segment&, Index) { ids[kImage] = 0; });
              }}}};
}

/// The tokens of a row without the one at its end, over all tokens of the image.
std::optional<MultimodalIds> without_row_ends(const IdPlan& right) {
    return edited(right, [&](AxisIds& ids, const Segment& segment, Index token) {
        const Index columns = merged_grid(right.rule, segment).columns - 1;
        ids[kColumn] = token % columns;
        ids[kRow] = token / columns;
    });
}

/// Each token at the end of a row counts as text in the axes of the image.
std::optional<MultimodalIds> row_ends_as_text(const IdPlan& right) {
    return edited(right, [&](AxisIds& ids, const Segment& segment, Index) {
        if (ids[kColumn] == merged_grid(right.rule, segment).columns - 1) {
            ids[kColumn] = ids[kRow] = ids[kImage] = ids[0];
        }
    });
}

IdFault row_ends() {
    return {faults::code("ids.row_end"),
            "an image of more than one row",
            has_numbered_images,
            {{"Rows and columns are counted as if no token stood at the end of a row.",
              without_row_ends},
             {"The token at the end of a row counts as text, and not as a column more.",
              row_ends_as_text}}};
}

}  // namespace

std::vector<IdFault> image_number_faults() {
    return {image_numbers(), row_ends()};
}

}  // namespace ropescope
