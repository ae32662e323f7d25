// Lists the parameters of the axes view.
#include "app/scene/axes_grid.h"
#include "app/scene/parameters.h"

namespace ropescope {
namespace {

constexpr double kLast = kLongestSide - 1;

}  // namespace

std::vector<Parameter> axes_parameters() {
    return {
        {.name = "axis",
         .group = "Axes",
         .member = &Scene::axis,
         .help = "The axis of axes_model whose pairs the views spectrum, rotation and table show: "
                 "its name (t, h, w, x, y, ...), all for positions that are the same in all axes, "
                 "as those of text; or none for the encoding of the scene."},
        {.name = "axes_model",
         .group = "Axes",
         .member = &Scene::axes_model,
         .help =
             "A model that turns in several axes: a published one (qwen2-vl-7b, dinov3-vit-small, "
             "wan-2.1), ropevit-mixed-start, or the path of a config.json.",
         .label = "model"},
        {.name = "axes_other",
         .group = "Axes",
         .member = &Scene::axes_other,
         .help = "Another such model, which is drawn beside it with the difference; or none.",
         .label = "compare with"},
        {.name = "axes_part",
         .group = "Axes",
         .member = &Scene::axes_part,
         .help =
             "The part of a model that has several: the first, which is the one that a published "
             "model is listed for, the text or the vision part.",
         .label = "part"},
        {.name = "axes_head",
         .group = "Axes",
         .member = &Scene::axes_head,
         .max = 11,
         .help =
             "The head that is shown if heads turn at speeds of their own; the last one if there "
             "are fewer.",
         .accepted_max = 4095,
         .label = "head"},
        {.name = "axes_tokens",
         .group = "Patches",
         .member = &Scene::axes_tokens,
         .help = "What lies on the grid: patches, or as many tokens of text, line by line.",
         .label = "tokens"},
        {.name = "axes_grid",
         .group = "Patches",
         .member = &Scene::axes_grid,
         .help =
             "Rows and columns of the grid, like 12x18, or frames before them, like 4x12x18. Of "
             "a language model they are counted in its tokens, behind the merging of patches.",
         .label = "grid"},
        {.name = "axes_frame",
         .group = "Patches",
         .member = &Scene::axes_frame,
         .max = kLast,
         .unit = "frames",
         .help = "Frame of the map and of the chosen patch; the fixed patch lies in frame 0.",
         .label = "frame"},
        {.name = "axes_row",
         .group = "Patches",
         .member = &Scene::axes_row,
         .max = kLast,
         .unit = "patches",
         .help = "Row of the chosen patch, from 0 at the top; drag it in the map.",
         .label = "row"},
        {.name = "axes_column",
         .group = "Patches",
         .member = &Scene::axes_column,
         .max = kLast,
         .unit = "patches",
         .help = "Column of the chosen patch, from 0 at the left.",
         .label = "column"},
        {.name = "axes_fixed_row",
         .group = "Patches",
         .member = &Scene::axes_fixed_row,
         .max = kLast,
         .unit = "patches",
         .help = "Row of the fixed patch, whose score with every other the map shows.",
         .label = "row of the fixed patch"},
        {.name = "axes_fixed_column",
         .group = "Patches",
         .member = &Scene::axes_fixed_column,
         .max = kLast,
         .unit = "patches",
         .help = "Column of the fixed patch.",
         .label = "column of the fixed patch"},
    };
}

}  // namespace ropescope
