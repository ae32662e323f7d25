// Garbage among scores is found by `diagnose` and `probe`, with its place and exit code 1.
#include <cmath>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr std::int64_t kScoreBatch = 2, kHeads = 2, kScoreTokens = 16, kScoreChannels = 32;

/// What becomes of the score of query `row` (of all heads of all batch rows) and a key.
using ScoreOf = std::function<double(std::int64_t row, std::int64_t key, double score)>;

class Scores : public testing::Test {
  protected:
    /// Right q, k and scores but for `score_of`.
    std::string dump(const ScoreOf& score_of) {
        const RopeSpec spec{.head_dim = kScoreChannels, .rotary_dim = kScoreChannels};
        std::vector<Tensor> tensors;
        std::vector<std::vector<double>> turned;
        for (const std::string name : {"q", "k"}) {
            std::vector<double> before, after;
            for (std::int64_t row = 0; row < kScoreBatch * kHeads * kScoreTokens; ++row) {
                std::vector<double> x(kScoreChannels);
                for (std::size_t c = 0; c < x.size(); ++c) {
                    const double phase = name == "q" ? 0.3 : 1.9;
                    x[c] = to_float(
                        std::sin(phase + 5.0 * to_double(row) + static_cast<double>(c * c)));
                }
                for (const double y : rotate_by_elements(spec, x, row % kScoreTokens)) {
                    after.push_back(to_float(y));
                }
                before.insert(before.end(), x.begin(), x.end());
            }
            const std::vector<std::int64_t> shape = {kScoreBatch, kHeads, kScoreTokens,
                                                     kScoreChannels};
            tensors.push_back(make_tensor_as(Dtype::f32, name, shape, before));
            tensors.push_back(make_tensor_as(Dtype::f32, name + "_rot", shape, after));
            turned.push_back(after);
        }
        std::vector<double> scores;
        for (std::int64_t row = 0; row < kScoreBatch * kHeads * kScoreTokens; ++row) {
            for (std::int64_t key = 0; key < kScoreTokens; ++key) {
                const auto* q = turned[0].data() + row * kScoreChannels;
                const auto* k =
                    turned[1].data() + (row / kScoreTokens * kScoreTokens + key) * kScoreChannels;
                double sum = 0.0;
                for (std::int64_t c = 0; c < kScoreChannels; ++c) {
                    sum += q[c] * k[c];
                }
                scores.push_back(score_of(row, key, sum / std::sqrt(to_double(kScoreChannels))));
            }
        }
        tensors.push_back(make_tensor_as(
            Dtype::f32, "scores", {kScoreBatch, kHeads, kScoreTokens, kScoreTokens}, scores));
        const std::string path = folder_ / "dump.safetensors";
        write_safetensors(path, tensors);
        return path;
    }

    void expect_found(const ScoreOf& score_of, const std::string& code, const std::string& text) {
        const RunResult run = run_ropescope({"diagnose", dump(score_of)});
        EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
        EXPECT_THAT(run.out, testing::StartsWith("invalid: "));
        EXPECT_THAT(run.out, HasSubstr(code + " (scores"));
        EXPECT_THAT(run.out, HasSubstr(text));
    }

    /// Asks the NumPy adapter with scores that are made by a line of Python from right ones.
    RunResult probe(const std::string& line) {
        const auto folder = std::filesystem::path(source_dir()) / "docs/verify/adapters";
        std::string code = read_file(folder / "numpy_adapter.py");
        const std::string before = "    np.savez(";
        code.insert(
            code.find(before),
            "    q, k = answer[\"q_rot\"], answer[\"k_rot\"]\n"
            "    k = np.repeat(k, q.shape[1] // k.shape[1], axis=1)\n"
            "    scores = np.einsum(\"bhld,bhnd->bhln\", q.astype(\"f4\"), k.astype(\"f4\"))\n"
            "    scores /= np.sqrt(q.shape[-1])\n"
            "    " +
                line + "\n    answer[\"scores\"] = scores\n");
        write_file_whole(folder_ / "adapter.py", code);
        return run_ropescope({"probe", "--config", "llama-2-7b", "--", "/usr/bin/python3",
                              folder_ / "adapter.py", "10000"});
    }

    TempFolder folder_;
};

TEST_F(Scores, RightOnesAreValidMaskedOrNot) {
    for (const bool masked : {false, true}) {
        const RunResult run =
            run_ropescope({"diagnose", dump([=](std::int64_t row, std::int64_t key, double score) {
                               return masked && key > row % kScoreTokens
                                          ? -std::numeric_limits<double>::infinity()
                                          : score;
                           })});
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
        EXPECT_THAT(run.out, testing::StartsWith("valid: "));
    }
}

TEST_F(Scores, GarbageIsInvalid) {
    const auto all = [](double value) {
        return [=](std::int64_t, std::int64_t, double) { return value; };
    };
    const double infinity = std::numeric_limits<double>::infinity();
    expect_found(all(std::nan("")), "scores.not_finite", "All scores are NaN or infinite.");
    expect_found(all(infinity), "scores.not_finite", "All scores are NaN or infinite.");
    expect_found(all(-infinity), "scores.masked", "All scores are masked");
    expect_found(all(0.0), "scores.not_the_product", "Scores are all 0");
    expect_found([](std::int64_t row, std::int64_t,
                    double score) { return row / kScoreTokens % kHeads == 1 ? 0.0 : score; },
                 "scores.not_the_product", "Scores of head 1 are all 0");
    expect_found(
        [](std::int64_t row, std::int64_t key, double score) {
            return row / kScoreTokens / kHeads == 1 ? std::sin(to_double(7 * row + 3 * key))
                                                    : score;
        },
        "scores.not_the_product", "(batch row 1) are not q_rot . k_rot");
    expect_found(
        [](std::int64_t row, std::int64_t key, double score) {
            return row == kScoreBatch * kHeads * kScoreTokens - 1 && key == 3 ? score + 1e-3
                                                                              : score;
        },
        "scores.not_the_product", "The score of batch row 1, head 1, query 15, key 3 is ");
}

TEST_F(Scores, JsonNamesThePlace) {
    const Json json = Json::parse(
        run_ropescope({"diagnose", dump([](std::int64_t row, std::int64_t key, double score) {
                           return row == 20 && key == 3 ? std::nan("") : score;
                       }),
                       "--format", "json"})
            .out);
    EXPECT_EQ(json.at("verdict"), "invalid");
    EXPECT_EQ(json.at("findings").at(0).at("code"), "scores.not_finite");
    EXPECT_EQ(json.at("findings").at(0).at("where"), "scores, batch row 0, head 1, query 4, key 3");
}

TEST_F(Scores, OfAnAdapterAreJudged) {
    EXPECT_THAT(probe("").out, testing::StartsWith("valid: "));
    for (const auto& [line, code] : std::vector<std::pair<std::string, std::string>>{
             {"scores[...] = np.nan", "answer.not_finite"},
             {"scores[...] = np.inf", "answer.not_finite"},
             {"scores[...] = 0", "scores.not_the_product"},
             {"scores[1:] = np.random.default_rng(1).normal(size=scores[1:].shape)",
              "scores.not_the_product"},
             {"scores[-1, -1, -1, 0] += 0.01", "scores.not_the_product"}}) {
        const RunResult run = probe(line);
        EXPECT_EQ(run.exit_code, 1) << line << run.err;
        EXPECT_THAT(run.out, HasSubstr(code + " (scores")) << line;
        EXPECT_THAT(run.out, HasSubstr("shown by request")) << line;
    }
}

}  // namespace
}  // namespace ropescope::test
