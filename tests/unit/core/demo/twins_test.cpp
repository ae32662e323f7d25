// What the engine counts of the twins whose weights lie in the box, against what the script
// counted.
#include "core/demo/twins.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/demo/masked_accuracy.h"
#include "core/engine/engine.h"
#include "tests/support/paths.h"

namespace ropescope::demo {
namespace {

/// What score_twins.py takes.
constexpr double kUndecidedTwinLogits = 1e-3;

void expect_script_counts(DemoModel model, const Twin* twin, std::span<const HiddenText> texts) {
    ASSERT_NE(twin, nullptr);
    const auto engine = make_cpu_engine();
    const EncoderFiles files = demo_model(model);
    const MaskedCount found = masked_accuracy(Encoder(*engine, files.config, files.weights), texts,
                                              {}, kUndecidedTwinLogits);
    EXPECT_EQ(found.of, twin->sample.of);
    EXPECT_LE(std::abs(found.right - twin->sample.right), found.undecided);
}

TEST(Twins, OfTheBoxAreCountedAsTheScriptCounted) {
    expect_script_counts(DemoModel::no_position, find_twin("none", false, kShippedSeed),
                         hidden_texts(kTrainedLength));
    expect_script_counts(DemoModel::decoder, find_twin("none", true, kShippedSeed),
                         next_piece_texts(kTrainedLength));
}

/// The encoder's counts at the trained length are those that the view stretch compares with.
TEST(Twins, AgreeWithTheScoresOfTheDemoModel) {
    const Twin* twin = find_twin("none", false, kShippedSeed);
    ASSERT_NE(twin, nullptr);
    EXPECT_EQ(twin->at(kTrainedLength)->right, demo_scores().held_out.no_position.right);
    EXPECT_EQ(find_twin("none", false, 3), nullptr);
    EXPECT_EQ(twin->at(kTrainedLength + 1), nullptr);
}

// The tables of assets/demo-roformer/README.md.

struct Named {
    const char* id;
    const char* name;
};
constexpr std::array kColumns = {Named{"rope", "RoPE"},       Named{"partial", "partial RoPE"},
                                 Named{"alibi", "ALiBi"},     Named{"t5", "T5 bias"},
                                 Named{"learned", "learned"}, Named{"sinusoidal", "sinusoids"},
                                 Named{"none", "none"}};

/// The model in the box is no twin of itself.
std::optional<double> share_of(const char* id, bool causal, int seed, Index length) {
    if (!causal && id == std::string("rope") && seed == kShippedSeed) {
        return demo_scores().held_out.of(StretchMethod::none, length).share();
    }
    const Twin* twin = find_twin(id, causal, seed);
    const ScriptCount* count = twin == nullptr ? nullptr : twin->at(length);
    return count == nullptr ? std::nullopt : std::optional(count->share());
}

std::string cell_of(const char* id, bool causal, Index length) {
    const bool in_box =
        causal ? id == std::string("none") : id == std::string("rope") || id == std::string("none");
    std::string cell;
    for (const int seed : {1, 2}) {
        if (const auto share = share_of(id, causal, seed, length)) {
            cell += fmt::format("{}{:.1f}{}", cell.empty() ? "" : ", ", 100.0 * *share,
                                in_box && seed == kShippedSeed ? "*" : "");
        }
    }
    return cell;
}

std::string table_of(bool causal) {
    std::string header = "| tokens |", rule = "|---|";
    std::vector<Named> columns;
    for (const Named& column : kColumns) {
        if (!cell_of(column.id, causal, kTrainedLength).empty()) {
            columns.push_back(column);
            header += fmt::format(" {} |", column.name);
            rule += "---|";
        }
    }
    std::string table = header + "\n" + rule + "\n";
    for (const Index length : stretched_lengths()) {
        table += fmt::format("| {} |", length);
        for (const Named& column : columns) {
            table += fmt::format(" {} |", cell_of(column.id, causal, length));
        }
        table += "\n";
    }
    return table;
}

/// Puts the table in the place of the first one behind a heading.
std::string with_table(const std::string& page, const std::string& heading,
                       const std::string& table) {
    const std::size_t begin = page.find("\n| ", page.find(heading)) + 1;
    return page.substr(0, begin) + table + page.substr(page.find("\n\n", begin) + 1);
}

TEST(Twins, StandInTheReadmeAsTheyWereCounted) {
    const std::string path = test::source_dir() + "/assets/demo-roformer/README.md";
    const std::string page = read_file(path);
    std::string right = with_table(page, "## Other encodings", table_of(false));
    right = with_table(right, "## Decoders", table_of(true));
    if (right != page && std::getenv("ROPESCOPE_UPDATE_DOCUMENTS") != nullptr) {
        write_file_whole(path, right);
        return;
    }
    EXPECT_EQ(page, right) << "ROPESCOPE_UPDATE_DOCUMENTS=1 writes the tables";
}

}  // namespace
}  // namespace ropescope::demo
