// docs/limits.md states the limits of the readers as they are, and nothing else.
#include "core/formats/limits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "app/cli/adapter.h"
#include "app/cli/adapter_answer.h"
#include "app/cli/adapter_process.h"
#include "app/gui/state/history.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/state/preferences.h"
#include "app/headless/screenshot.h"
#include "app/pages/page.h"
#include "app/pages/recording.h"
#include "app/plot/render_figure.h"
#include "app/scene/axes_grid.h"
#include "app/scene/scene.h"
#include "app/scene/scene_json.h"
#include "app/web/link.h"
#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/tables/rope_table.h"
#include "core/formats/json_object.h"
#include "core/formats/safetensors_header.h"
#include "core/positions/grid_rule.h"
#include "core/positions/layout_text.h"
#include "core/positions/multimodal_ids.h"
#include "core/probe/requests.h"
#include "core/rope/rope_spec.h"
#include "core/schemes/bands.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

/// What stands in the two first columns of the page's tables.
std::vector<std::string> rows_of_page() {
    const std::string page =
        read_file(std::filesystem::path(test::source_dir()) / "docs/limits.md");
    std::vector<std::string> rows;
    for (std::size_t at = 0; (at = page.find("\n| ", at)) != std::string::npos; ++at) {
        const std::size_t middle = page.find(" | ", at + 1);
        rows.push_back(page.substr(at + 3, page.find(" |", middle + 3) - at - 3));
    }
    std::erase(rows, "what | at most");
    return rows;
}

std::string row(std::string_view what, auto most, std::string_view unit = "") {
    return fmt::format("{} | {}{}", what, most, unit);
}

std::vector<std::string> rows_of_files() {
    return {
        row("a file that is read whole, and what comes through a pipe", kMaxFileBytes, " bytes"),
        row("a JSON text", kMaxJsonBytes, " bytes"),
        row("lists and objects of JSON inside each other", kMaxJsonDepth),
        row("the header of a .safetensors", kMaxHeaderBytes, " bytes"),
        row("the header of a .npy", kMaxNpyHeaderBytes, " bytes"),
        row("axes of a tensor in a .npy, .npz or .safetensors", kMaxTensorAxes),
        row("bytes that one compressed byte of a .npz may claim", kMaxDeflateRatio),
        row("bytes of a name in a GGUF file", gguf::kMostKeyBytes),
        row("axes of a tensor in a GGUF file", gguf::kMostAxes),
        row("lists inside lists in a GGUF file", gguf::kDeepestList),
        row("values of a list that are kept from a GGUF file", gguf::kMostListed),
        row("bytes of a text that is kept from a GGUF file", gguf::kMostTextBytes),
        row("files of a GGUF model", gguf::kMostParts),
        row("a vocabulary", kMaxVocabularyBytes, " bytes"),
        row("a word of a text", kLongestWord, " characters"),
        row("a scene file, or the text of a link", kMostSceneBytes, " bytes"),
        row("words of a link", web::kMostLinkWords),
        row("what the window remembers (`window.json`)", gui::kMostPreferenceBytes, " bytes"),
        row("the progress of lessons (`lessons.json`)", gui::kMostLessonBytes, " bytes")};
}

std::vector<std::string> rows_of_models() {
    return {row("head_dim", kMaxHeadDim, " channels"),
            row("hidden_size, or the width of a tower", kMaxWidth, " channels"),
            row("channels of all heads that turn as one", kMaxSharedWidth),
            row("layers, heads, and lists with one entry for each", kMaxCount),
            row("rope_theta, under each of its names", kMaxBase),
            row("factors of a scaling, of positions and of scores", kMaxFactor),
            row("a side of an image, a patch or a window of a tower", kMaxPixels, " pixels"),
            row("length of a sequence that frequencies depend on", kMaxSeqLen, " tokens")};
}

std::vector<std::string> rows_of_tokens() {
    return {
        row("positions, in magnitude", kMaxPosition),
        row("tokens of a layout of text, images and videos", kMaxLayoutTokens),
        row("tokens of positions on grids of patches", kMaxTokens),
        row("tokens of a part of a layout that is written as text in a scene", kMaxTextTokens),
        row("ranks that share the tokens of a layout", kMaxRanks),
        row("tokens of a text in the view attention", kMostAttentionTokens),
        row("patches of the view axes", kMostPatches),
        row("heads side by side in the last axis of a dump's tensor", diagnosis::kMostHeadsInRow),
        row("tokens, heads or rows of a dump's tensor", diagnosis::kLongestAxis),
        row("numbers of a table of cos and sin", diagnosis::kMostTableNumbers)};
}

std::vector<std::string> rows_of_adapters() {
    return {row("questions of one probe", probe::kMostRequests),
            row("a line of an adapter's answer", cli::kLongestLine, " bytes"),
            row("a file of an adapter's answer, beside 16 bytes for each number that was sent or "
                "asked for",
                cli::kAnswerHeaders, " bytes"),
            row("time for an answer, unless `--timeout` says otherwise", cli::kUsualTimeout, " s"),
            row("`--timeout`", cli::kLongestTimeout, " s")};
}

std::vector<std::string> rows_of_what_is_made() {
    return {row("values of `--vary` in a recording", pages::kMostRecorded),
            row("values of `--vary` in a page", pages::kMostFrames),
            row("a page with a figure that moves", pages::kMostPageBytes, " bytes"),
            row("a side of a picture, times its scale", plot::kLargestSide, " pixels"),
            row("points of the smallest letters of a picture", plot::kLargestFont),
            row("the scale of a picture of the window", headless::kMostWindowScale),
            row("steps of undo in the window", gui::History::kMostSteps),
            row("threads", kMaxThreads)};
}

TEST(Limits, StandInTheirPageAsTheyAre) {
    std::vector<std::string> rows;
    for (const auto& some : {rows_of_files(), rows_of_models(), rows_of_tokens(),
                             rows_of_adapters(), rows_of_what_is_made()}) {
        rows.insert(rows.end(), some.begin(), some.end());
    }
    EXPECT_THAT(rows_of_page(), testing::UnorderedElementsAreArray(rows));
}

TEST(Limits, OfPicturesStandInTheirPageWithTheLeast) {
    const std::string page =
        read_file(std::filesystem::path(test::source_dir()) / "docs/limits.md");
    for (const double least : {plot::kLeastSide, plot::kLeastFont, headless::kLeastWindowScale}) {
        EXPECT_THAT(page, testing::HasSubstr(fmt::format("and at least {}", least)));
    }
}

}  // namespace
}  // namespace ropescope
