// docs/limits.md states the limits of the readers as they are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "app/gui/state/lesson_run.h"
#include "app/gui/state/preferences.h"
#include "app/pages/page.h"
#include "app/scene/axes_grid.h"
#include "app/scene/scene.h"
#include "app/scene/scene_json.h"
#include "core/base/file.h"
#include "core/formats/gguf/layers.h"
#include "core/formats/json_object.h"
#include "core/formats/safetensors_header.h"
#include "core/positions/grid_rule.h"
#include "core/positions/layout_text.h"
#include "core/positions/multimodal_ids.h"
#include "core/probe/requests.h"
#include "core/rope/rope_spec.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

TEST(Limits, StandInTheirPageAsTheyAre) {
    const std::string page =
        read_file(std::filesystem::path(test::source_dir()) / "docs/limits.md");
    const auto says = [&](std::string_view what, auto most, std::string_view unit = "") {
        const std::string row = fmt::format("| {} | {}{} |", what, most, unit);
        EXPECT_THAT(page, testing::HasSubstr(row));
    };
    says("a file that is read whole, and what comes through a pipe", kMaxFileBytes, " bytes");
    says("a JSON text", kMaxJsonBytes, " bytes");
    says("lists and objects of JSON inside each other", kMaxJsonDepth);
    says("the header of a .safetensors", kMaxHeaderBytes, " bytes");
    says("layers of a GGUF file", gguf::kMostLayers);
    says("a scene file, or the text of a link", kMostSceneBytes, " bytes");
    says("what the window remembers (`window.json`)", gui::kMostPreferenceBytes, " bytes");
    says("the progress of lessons (`lessons.json`)", gui::kMostLessonBytes, " bytes");
    says("positions, in magnitude", kMaxPosition);
    says("head_dim", kMaxHeadDim, " channels");
    says("length of a sequence that frequencies depend on", kMaxSeqLen, " tokens");
    says("tokens of a layout of text, images and videos", kMaxLayoutTokens);
    says("tokens of positions on grids of patches", kMaxTokens);
    says("tokens of a part of a layout that is written as text in a scene", kMaxTextTokens);
    says("tokens of a text in the view attention", kMostAttentionTokens);
    says("patches of the view axes", kMostPatches);
    says("questions of one probe", probe::kMostRequests);
    says("a page with a figure that moves", pages::kMostPageBytes, " bytes");
    EXPECT_THAT(page,
                testing::HasSubstr(fmt::format("in at most {} pictures", pages::kMostFrames)));
}

}  // namespace
}  // namespace ropescope
