// Tables alone: what they are of, whether they are those of a model, and in which forms they come.
#include "core/diagnosis/tables/table_diagnosis.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/diagnosis/expectation.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/rope/spectrum.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr Index kRows = 512, kPairs = 32;

/// cos and sin as a library makes them in fp32 of these frequencies.
struct Made {
    std::vector<double> cos = {}, sin = {};
};
Made made_of(const std::vector<double>& frequencies, double gain = 1.0) {
    Made made;
    for (Index row = 0; row < kRows; ++row) {
        for (const double frequency : frequencies) {
            const float angle = to_float(to_double(row)) * to_float(frequency);
            made.cos.push_back(gain * double{std::cos(angle)});
            made.sin.push_back(gain * double{std::sin(angle)});
        }
    }
    return made;
}

std::vector<double> spectrum_of_base(double base) {
    return make_spectrum({.head_dim = 2 * kPairs, .rotary_dim = 2 * kPairs, .base = base})
        .inv_freq_rad;
}

/// Each number of a row twice: one half behind the other, or side by side.
std::vector<double> full(const std::vector<double>& half, Layout layout) {
    std::vector<double> twice;
    for (Index row = 0; row < kRows; ++row) {
        for (Index c = 0; c < 2 * kPairs; ++c) {
            twice.push_back(
                half[row * kPairs + (layout == Layout::half_split ? c % kPairs : c / 2)]);
        }
    }
    return twice;
}

TableDiagnosis diagnosed(const std::vector<Tensor>& tensors,
                         const Expectation* expectation = nullptr) {
    std::vector<TensorBytes> views;
    for (const Tensor& tensor : tensors) {
        views.push_back(tensor.view());
    }
    std::vector<TableDiagnosis> found = diagnose_tables(tables_among(views, "tables"), expectation);
    EXPECT_THAT(found, SizeIs(1));
    return found.front();
}

std::vector<Tensor> cos_and_sin(const Made& made, Dtype dtype = Dtype::f32) {
    return {make_tensor_as(dtype, "cos", {kRows, kPairs}, made.cos),
            make_tensor_as(dtype, "sin", {kRows, kPairs}, made.sin)};
}

Expectation llama(const std::string& keys) {
    return parse_expectation(
        R"({"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2,
            "max_position_embeddings": 512)" +
            keys + "}",
        "config.json");
}

TEST(TableDiagnosis, FindsTheBaseAndTheLength) {
    for (const double base : {1e4, 5e5, 1e6}) {
        for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f16}) {
            const TableDiagnosis found =
                diagnosed(cos_and_sin(made_of(spectrum_of_base(base)), dtype));
            EXPECT_EQ(found.diagnosis.verdict, Verdict::valid)
                << base << to_string(dtype) << tables_text({found});
            EXPECT_EQ(found.diagnosis.base, base) << to_string(dtype);
            EXPECT_THAT(found.summary(), HasSubstr("positions 0 to 511"));
            EXPECT_EQ(found.table.pairs, kPairs);
            EXPECT_FALSE(found.table.layout.has_value());
        }
    }
}

TEST(TableDiagnosis, ReadsAllForms) {
    const Made made = made_of(spectrum_of_base(5e5));
    const auto is_right = [](const std::vector<Tensor>& tensors, const char* form) {
        const TableDiagnosis found = diagnosed(tensors);
        EXPECT_EQ(found.diagnosis.base, 5e5) << form << tables_text({found});
        EXPECT_EQ(found.table.pairs, kPairs) << form;
        return found;
    };
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        const TableDiagnosis found =
            is_right({make_tensor_as(Dtype::f32, "rotary.cos_cached", {1, 1, kRows, 2 * kPairs},
                                     full(made.cos, layout)),
                      make_tensor_as(Dtype::f32, "rotary.sin_cached", {1, 1, kRows, 2 * kPairs},
                                     full(made.sin, layout))},
                     "full");
        EXPECT_EQ(found.table.layout, layout);
    }
    std::vector<double> cache, complex, matrices;
    for (Index row = 0; row < kRows; ++row) {
        for (const auto* half : {&made.cos, &made.sin}) {
            cache.insert(cache.end(), half->begin() + row * kPairs,
                         half->begin() + (row + 1) * kPairs);
        }
        for (Index i = row * kPairs; i < (row + 1) * kPairs; ++i) {
            complex.insert(complex.end(), {made.cos[i], made.sin[i]});
            matrices.insert(matrices.end(), {made.cos[i], -made.sin[i], made.sin[i], made.cos[i]});
        }
    }
    is_right({make_tensor_as(Dtype::f32, "rotary_emb.cos_sin_cache", {kRows, 2 * kPairs}, cache)},
             "cos_sin_cache");
    is_right({make_tensor_as(Dtype::f32, "freqs_cis", {kRows, kPairs, 2}, complex)}, "freqs_cis");
    is_right({make_tensor_as(Dtype::f32, "freqs_cis", {1, kRows, kPairs, 2, 2}, matrices)},
             "matrices");
    Tensor c64 = make_tensor_as(Dtype::f32, "freqs_cis", {kRows, kPairs, 2}, complex);
    c64.dtype = Dtype::c64;
    c64.shape = {kRows, kPairs};
    is_right({c64}, "complex");
    is_right({make_tensor_as(Dtype::f32, "inv_freq", {kPairs}, spectrum_of_base(5e5))}, "inv_freq");
}

TEST(TableDiagnosis, HoldsTablesToAModel) {
    const Expectation expected = llama(R"(, "rope_theta": 500000.0)");
    EXPECT_TRUE(diagnosed(cos_and_sin(made_of(spectrum_of_base(5e5))), &expected).passes());
    const TableDiagnosis wrong = diagnosed(cos_and_sin(made_of(spectrum_of_base(1e4))), &expected);
    EXPECT_FALSE(wrong.passes());
    EXPECT_THAT(tables_text({wrong}), HasSubstr("base 10000"));
    const auto frequencies = [](double base) {
        return std::vector<Tensor>{
            make_tensor_as(Dtype::f32, "inv_freq", {kPairs}, spectrum_of_base(base))};
    };
    EXPECT_TRUE(diagnosed(frequencies(5e5), &expected).passes());
    EXPECT_FALSE(diagnosed(frequencies(1e4), &expected).passes());
}

/// Scores do not notice what stands behind q and k alike; a table is the rotation itself.
TEST(TableDiagnosis, ATableOfAnotherRotationIsNotTheModels) {
    const Expectation expected = llama(R"(, "rope_theta": 10000.0)");
    const Made right = made_of(spectrum_of_base(1e4));
    Made reversed = right, exchanged{right.sin, right.cos}, one_pair = right;
    for (Index i = 0; i < kRows * kPairs; ++i) {
        reversed.sin[i] = -reversed.sin[i];
        one_pair.sin[i] *= i % kPairs == 3 ? -1.0 : 1.0;
    }
    for (const Made& wrong : {reversed, exchanged, one_pair}) {
        const TableDiagnosis found = diagnosed(cos_and_sin(wrong), &expected);
        EXPECT_FALSE(found.passes()) << tables_text({found});
        EXPECT_EQ(found.diagnosis.verdict, Verdict::invalid);
    }
}

/// The attention factor of YaRN is in cos and sin, and not in the frequencies.
TEST(TableDiagnosis, FrequenciesHaveNoAttentionFactor) {
    const Expectation expected = llama(
        R"(, "rope_theta": 10000.0, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
            "original_max_position_embeddings": 128})");
    const Spectrum spectrum = make_spectrum(expected.specs.front());
    ASSERT_GT(spectrum.attention_factor, 1.1);
    const std::vector<double>& inv_freq = spectrum.inv_freq_rad;
    EXPECT_TRUE(diagnosed({make_tensor_as(Dtype::f32, "inv_freq", {kPairs}, inv_freq)}, &expected)
                    .passes());
    EXPECT_FALSE(diagnosed(cos_and_sin(made_of(inv_freq)), &expected).passes());
    EXPECT_TRUE(
        diagnosed(cos_and_sin(made_of(inv_freq, spectrum.attention_factor)), &expected).passes());
}

/// One rounding to 16 bits hides less than the roundings of a rotation by the table would.
TEST(TableDiagnosis, SixteenBitsHideNoOtherAngles) {
    const Expectation expected = llama(R"(, "rope_theta": 1000000.0)");
    const auto few_rows = [](Made made) {
        made.cos.resize(64 * kPairs);
        made.sin.resize(64 * kPairs);
        return made;
    };
    const auto tables = [](const Made& made, Dtype dtype) {
        const Index rows = std::ssize(made.cos) / kPairs;
        return std::vector<Tensor>{make_tensor_as(dtype, "cos", {rows, kPairs}, made.cos),
                                   make_tensor_as(dtype, "sin", {rows, kPairs}, made.sin)};
    };
    for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
        const Made right = few_rows(made_of(spectrum_of_base(1e6)));
        EXPECT_TRUE(diagnosed(tables(right, dtype), &expected).passes()) << to_string(dtype);
        for (const double share : {1e-4, 1e-3, 1e-2, 0.05, 0.1}) {
            const Made wrong = few_rows(made_of(spectrum_of_base(1e6 * (1.0 + share))));
            // An entry more than a whole step from the right one cannot be its rounding.
            const double step = dtype == Dtype::bf16 ? 0x1p-7 : 0x1p-10;
            bool visible = false;
            for (std::size_t i = 0; i < wrong.sin.size(); ++i) {
                visible = visible || std::abs(wrong.sin[i] - right.sin[i]) > step ||
                          std::abs(wrong.cos[i] - right.cos[i]) > step;
            }
            const TableDiagnosis found = diagnosed(tables(wrong, dtype), &expected);
            EXPECT_TRUE(!visible || !found.passes()) << share << tables_text({found});
            EXPECT_TRUE(share < 0.05 || visible) << "the test shows nothing";
        }
    }
}

TEST(TableDiagnosis, AnglesOfSixteenBitsAreNamed) {
    const Expectation expected = llama(R"(, "rope_theta": 10000.0)");
    for (const bool of_frequency : {true, false}) {
        Made coarse;
        for (Index row = 0; row < 64; ++row) {
            for (const double omega : spectrum_of_base(1e4)) {
                const double angle = of_frequency ? round_to(Dtype::bf16, omega) * to_double(row)
                                                  : round_to(Dtype::bf16, omega * to_double(row));
                coarse.cos.push_back(std::cos(angle));
                coarse.sin.push_back(std::sin(angle));
            }
        }
        const std::vector<Tensor> tensors = {
            make_tensor_as(Dtype::bf16, "cos", {64, kPairs}, coarse.cos),
            make_tensor_as(Dtype::bf16, "sin", {64, kPairs}, coarse.sin)};
        const TableDiagnosis found = diagnosed(tensors, &expected);
        EXPECT_FALSE(found.passes()) << of_frequency;
        EXPECT_THAT(found.summary(), HasSubstr("rounded to bfloat16"));
    }
}

TEST(TableDiagnosis, ComplexNumbersOfNumPyAreRead) {
    const Expectation expected = llama(R"(, "rope_theta": 10000.0)");
    const Made made = made_of(spectrum_of_base(1e4));
    std::vector<double> complex;
    for (std::size_t i = 0; i < made.cos.size(); ++i) {
        complex.insert(complex.end(), {made.cos[i], made.sin[i]});
    }
    const test::TempFolder folder;
    for (const auto& [real, dtype] :
         {std::pair(Dtype::f32, Dtype::c64), std::pair(Dtype::f64, Dtype::c128)}) {
        Tensor tensor = make_tensor_as(real, "freqs_cis", {kRows, kPairs, 2}, complex);
        tensor.dtype = dtype;
        tensor.shape = {kRows, kPairs};
        write_npy(folder / "freqs_cis.npy", tensor.view());
        write_npz(folder / "tables.npz", std::span(&tensor, 1));
        for (const char* name : {"freqs_cis.npy", "tables.npz"}) {
            EXPECT_TRUE(is_table_file(folder / name));
            const auto found = diagnose_tables(read_tables(folder / name), &expected);
            EXPECT_TRUE(passes(found)) << name << tables_text(found);
        }
    }
}

TEST(TableDiagnosis, OneWrongPairIsSeen) {
    const Expectation expected = llama(R"(, "rope_theta": 10000.0)");
    for (const Index pair : {0, 1, 13, 30, 31}) {
        std::vector<double> frequencies = spectrum_of_base(1e4);
        frequencies[pair] *= 1.01;
        EXPECT_FALSE(diagnosed(cos_and_sin(made_of(frequencies)), &expected).passes()) << pair;
        EXPECT_FALSE(
            diagnosed({make_tensor_as(Dtype::f32, "inv_freq", {kPairs}, frequencies)}, &expected)
                .passes())
            << pair;
    }
    for (const Index row : {1, 100, 511}) {
        Made made = made_of(spectrum_of_base(1e4));
        made.sin[row * kPairs + 5] += 0.01;
        EXPECT_FALSE(diagnosed(cos_and_sin(made), &expected).passes()) << row;
    }
}

TEST(TableDiagnosis, FactorsNeedABase) {
    RopeSpec scaled{.head_dim = 2 * kPairs,
                    .rotary_dim = 2 * kPairs,
                    .base = 5e5,
                    .scaling = Llama3Scaling{.factor = 8.0, .original_positions = 128}};
    std::vector<double> factors = make_spectrum(scaled).inv_freq_rad;
    const std::vector<double> plain = spectrum_of_base(5e5);
    for (Index pair = 0; pair < kPairs; ++pair) {
        factors[pair] = plain[pair] / factors[pair];
    }
    const std::vector<Tensor> file = {
        make_tensor_as(Dtype::f32, "rope_freqs.weight", {kPairs}, factors)};
    const TableDiagnosis alone = diagnosed(file);
    EXPECT_EQ(alone.diagnosis.verdict, Verdict::undetermined);
    EXPECT_THAT(tables_text({alone}), HasSubstr("Name the model by --expect"));
    const Expectation expected = llama(R"(, "rope_theta": 500000.0, "rope_scaling": {"rope_type":
        "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 128})");
    const TableDiagnosis held = diagnosed(file, &expected);
    EXPECT_TRUE(held.passes()) << tables_text({held});
    const Expectation other = llama(R"(, "rope_theta": 500000.0)");
    EXPECT_FALSE(diagnosed(file, &other).passes());
}

TEST(TableDiagnosis, FactorsOfAPublishedModelAreKnown) {
    const Expectation llama31 = read_expectation("llama-3.1-8b");
    RopeSpec plain = llama31.specs[0];
    const std::vector<double> scaled = make_spectrum(plain).inv_freq_rad;
    plain.scaling = NoScaling{};
    std::vector<double> factors = make_spectrum(plain).inv_freq_rad;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] /= scaled[i];
    }
    const TableDiagnosis found = diagnosed(
        {make_tensor_as(Dtype::f32, "rope_freqs.weight", {std::ssize(factors)}, factors)});
    EXPECT_THAT(found.known_as, StartsWith("Llama 3.1"));
    EXPECT_EQ(found.diagnosis.verdict, Verdict::valid) << tables_text({found});
}

TEST(TableDiagnosis, NothingIsSaidOfWhatNoSpectrumExplains) {
    std::vector<double> frequencies;
    for (Index pair = 0; pair < kPairs; ++pair) {
        frequencies.push_back(0.9 / (1.0 + 0.37 * to_double(pair * pair)));
    }
    EXPECT_EQ(diagnosed(cos_and_sin(made_of(frequencies))).diagnosis.verdict,
              Verdict::undetermined);
}

TEST(TableDiagnosis, JsonHasATableForEach) {
    const auto json = nlohmann::json::parse(
        tables_json({diagnosed(cos_and_sin(made_of(spectrum_of_base(1e4))))}));
    EXPECT_EQ(json.at("verdict"), "valid");
    EXPECT_EQ(json.at("tables")[0].at("name"), "cos and sin");
    EXPECT_EQ(json.at("tables")[0].at("form"), "cos_sin");
    EXPECT_EQ(json.at("tables")[0].at("rows"), kRows);
    EXPECT_EQ(json.at("tables")[0].at("base"), 1e4);
}

TEST(TableDiagnosis, PositionsSayWhichRowsTheyAre) {
    Made made = made_of(spectrum_of_base(1e4));
    made.cos.erase(made.cos.begin(), made.cos.begin() + 100 * kPairs);
    made.sin.erase(made.sin.begin(), made.sin.begin() + 100 * kPairs);
    std::vector<double> positions;
    for (Index row = 100; row < kRows; ++row) {
        positions.push_back(to_double(row));
    }
    const Expectation expected = llama("");
    std::vector<Tensor> file = {make_tensor_as(Dtype::f32, "cos", {kRows - 100, kPairs}, made.cos),
                                make_tensor_as(Dtype::f32, "sin", {kRows - 100, kPairs}, made.sin)};
    // The same offset of q and k leaves scores as they are.
    EXPECT_EQ(diagnosed(file, &expected).diagnosis.verdict, Verdict::equivalent);
    file.push_back(make_tensor_as(Dtype::f64, "positions", {kRows - 100}, positions));
    EXPECT_EQ(diagnosed(file, &expected).diagnosis.verdict, Verdict::valid);
}

TEST(TableDiagnosis, RefusesWhatIsNoTable) {
    const auto refusal = [](std::vector<Tensor> tensors) {
        return test::input_error([&] { diagnosed(tensors); });
    };
    EXPECT_THAT(refusal({make_tensor_as(Dtype::f32, "cos", {2, 2}, std::vector<double>(4))}),
                HasSubstr("it comes without sin"));
    EXPECT_THAT(refusal({make_tensor_as(Dtype::f32, "cos", {2, 3, 4}, std::vector<double>(24)),
                         make_tensor_as(Dtype::f32, "sin", {2, 3, 4}, std::vector<double>(24))}),
                HasSubstr("one row of numbers for each position is expected"));
    EXPECT_THAT(
        refusal({make_tensor_as(Dtype::f32, "cos_sin_cache", {2, 3}, std::vector<double>(6))}),
        HasSubstr("as many cosines as sines"));
    EXPECT_THAT(refusal({make_tensor_as(Dtype::f32, "inv_freq", {2},
                                        std::vector<double>{1.0, std::nan("")})}),
                HasSubstr("NaN or infinite"));
}

TEST(TableDiagnosis, FilesAreToldFromDumps) {
    const std::vector<std::string> tables = {"model.rotary_emb.inv_freq", "positions"};
    EXPECT_TRUE(are_tables(tables));
    const std::vector<std::string> dump = {"layers.0.q", "layers.0.q_rot", "cos", "sin"};
    EXPECT_FALSE(are_tables(dump));
    const std::vector<std::string> weights = {"model.embed.weight"};
    EXPECT_FALSE(are_tables(weights));
    const test::TempFolder folder;
    const Tensor frequencies =
        make_tensor_as(Dtype::f32, "inv_freq", {kPairs}, spectrum_of_base(1e4));
    write_npy(folder / "inv_freq.npy", frequencies.view());
    EXPECT_TRUE(is_table_file(folder / "inv_freq.npy"));
    EXPECT_THAT(read_tables(folder / "inv_freq.npy"), SizeIs(1));
    write_safetensors(folder / "tables.safetensors", std::vector<Tensor>{frequencies});
    EXPECT_TRUE(is_table_file(folder / "tables.safetensors"));
    EXPECT_FALSE(is_table_file(folder / "nothing.npy"));
}

}  // namespace
}  // namespace ropescope::diagnosis
