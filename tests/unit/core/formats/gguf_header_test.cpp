// The header of GGUF files by hand: every type of value, both byte orders, and what is refused.
#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.h"
#include "core/formats/config_text.h"
#include "core/formats/gguf/header.h"
#include "core/models/model.h"
#include "tests/support/gguf_bytes.h"
#include "tests/support/input_error.h"
#include "tests/support/random.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gguf {
namespace {

using test::Gguf;
using test::gguf_model;
using test::GgufWriter;
using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

GgufHeader read(const std::string& bytes) {
    return read_header(std::as_bytes(std::span(bytes)), "model.gguf");
}

std::string refusal(const std::string& bytes) {
    return input_error([&] { read(bytes); });
}

Gguf every_type() {
    Gguf file;
    file.add("a.u8", std::uint8_t{200})
        .add("a.i8", std::int8_t{-100})
        .add("a.u16", std::uint16_t{60000})
        .add("a.i16", std::int16_t{-30000})
        .add("a.u32", std::uint32_t{4000000000})
        .add("a.i32", std::int32_t{-2000000000})
        .add("a.f32", 0.1F)
        .add("a.true", true)
        .add("a.text", "words")
        .add("a.u64", std::uint64_t{1} << 63)
        .add("a.i64", std::int64_t{-5000000000})
        .add("a.f64", 0.1)
        .add("a.nan", std::numeric_limits<float>::quiet_NaN())
        .list("a.list", std::vector<std::uint32_t>{3, 1, 2})
        .list("a.pattern", std::vector<bool>{true, false})
        .list("a.texts", std::vector<std::string>{"x", "y"})
        .list("tokenizer.ggml.tokens", std::vector<std::string>{"x", "y"})
        .add("tokenizer.chat_template", "text")
        .tensor("w", {1.0F, -2.5F});
    return file;
}

TEST(GgufHeader, ReadsEveryTypeInBothByteOrders) {
    for (const bool big_endian : {false, true}) {
        for (const std::uint32_t version : {2U, 3U}) {
            Gguf file = every_type();
            file.version = version;
            const std::string bytes = file.bytes(big_endian);
            const GgufHeader header = read(bytes);
            EXPECT_EQ(header.version, version);
            EXPECT_EQ(header.big_endian, big_endian);
            const nlohmann::json expected = {{"a.u8", 200},
                                             {"a.i8", -100},
                                             {"a.u16", 60000},
                                             {"a.i16", -30000},
                                             {"a.u32", 4000000000U},
                                             {"a.i32", -2000000000},
                                             {"a.f32", static_cast<double>(0.1F)},
                                             {"a.true", true},
                                             {"a.text", "words"},
                                             {"a.u64", std::uint64_t{1} << 63},
                                             {"a.i64", -5000000000},
                                             {"a.f64", 0.1},
                                             {"a.nan", "NaN"},
                                             {"a.list", {3, 1, 2}},
                                             {"a.pattern", {true, false}}};
            EXPECT_EQ(header.metadata, expected);
            ASSERT_EQ(header.tensors.size(), 1U);
            EXPECT_EQ(read_values(std::as_bytes(std::span(bytes)), header, header.tensors[0], 2,
                                  "model.gguf"),
                      (std::vector<double>{1.0, -2.5}));
        }
    }
}

TEST(GgufHeader, AlignmentIsTheFiles) {
    Gguf file;
    file.alignment = 256;
    file.add("general.alignment", std::uint32_t{256}).tensor("v", {3.0F}).tensor("w", {4.0F});
    const std::string bytes = file.bytes();
    const GgufHeader header = read(bytes);
    EXPECT_EQ(header.data_begin % 256, 0U);
    EXPECT_EQ(read_values(std::as_bytes(std::span(bytes)), header, header.tensors[1], 1, "f"),
              std::vector<double>{4.0});
    EXPECT_THAT(refusal(Gguf().add("general.alignment", std::uint32_t{48}).bytes()),
                HasSubstr("general.alignment: '48'; a power of two is expected"));
}

TEST(GgufHeader, OtherVersionsAreRefusedWithTheRemedy) {
    Gguf file;
    file.version = 1;
    EXPECT_THAT(refusal(file.bytes()), AllOf(HasSubstr("model.gguf: byte 4: version 1"),
                                             HasSubstr("convert the model again")));
    file.version = 4;
    EXPECT_THAT(refusal(file.bytes()), HasSubstr("version 4 of GGUF; versions 2 and 3 are read"));
    EXPECT_THAT(refusal("GGML...."), HasSubstr("a GGUF file begins with the letters GGUF"));
    EXPECT_THAT(refusal(""), HasSubstr("byte 0"));
}

TEST(GgufHeader, AFileCutShortAnywhereIsRefused) {
    const std::string bytes = every_type().bytes();
    const std::size_t header_end = bytes.size() - 2 * sizeof(float);
    const std::size_t last = read(bytes).tensors[0].byte + 8 + 1 + 4 + 8 + 4 + 8;
    ASSERT_LE(last, header_end);
    for (std::size_t length = 0; length < last; ++length) {
        EXPECT_THAT(refusal(bytes.substr(0, length)), HasSubstr("model.gguf: byte")) << length;
    }
    EXPECT_NO_THROW(read(bytes.substr(0, last)));
}

TEST(GgufHeader, CountsBeyondTheFileAreRefusedBeforeTheyAreUsed) {
    const auto with_counts = [](std::uint64_t tensors, std::uint64_t keys) {
        GgufWriter writer(false);
        writer.bytes = "GGUF";
        writer.number(std::uint32_t{3});
        writer.number(tensors);
        writer.number(keys);
        writer.bytes += std::string(64, '\0');
        return writer.bytes;
    };
    EXPECT_THAT(refusal(with_counts(std::uint64_t{1} << 62, 0)), HasSubstr("tensors: 46116860"));
    EXPECT_THAT(refusal(with_counts(0, 6)), HasSubstr("keys: 6 are stated"));
    const auto endless = [](GgufWriter& writer) {
        writer.number(std::uint32_t{4});
        writer.number(std::uint64_t{1} << 61);
    };
    EXPECT_THAT(refusal(Gguf().raw("a.b", 9, endless).bytes()),
                HasSubstr("key 'a.b': entries: 2305843009213693952 are stated"));
    const auto long_text = [](GgufWriter& writer) { writer.number(~std::uint64_t{0}); };
    EXPECT_THAT(refusal(Gguf().raw("a.b", 8, long_text).bytes()),
                HasSubstr("key 'a.b': 18446744073709551615 bytes are expected"));
}

TEST(GgufHeader, WhatTheFormatDoesNotHaveIsRefused) {
    EXPECT_THAT(refusal(Gguf().raw("a", 13, [](GgufWriter&) {}).bytes() + std::string(9, '\0')),
                HasSubstr("key 'a': type 13 is not one of GGUF's 0 to 12"));
    EXPECT_THAT(refusal(Gguf().raw("a", 7, [](GgufWriter& w) { w.bytes += '\2'; }).bytes()),
                HasSubstr("key 'a': a truth value of 2; 0 or 1 is expected"));
    EXPECT_THAT(refusal(Gguf().add("a", true).add("a", false).bytes()),
                HasSubstr("key 'a' appears twice"));
    EXPECT_THAT(refusal(Gguf().tensor("w", {1.0F}).tensor("w", {1.0F}).bytes()),
                HasSubstr("tensor 'w' appears twice"));
    EXPECT_THAT(refusal(Gguf().add("", true).bytes() + "...."), HasSubstr("a name of 0 bytes"));
    const auto nested = [](GgufWriter& writer) {
        for (int depth = 0; depth < 100; ++depth) {
            writer.number(std::uint32_t{9});
            writer.number(std::uint64_t{1});
        }
        writer.bytes += std::string(64, '\0');
    };
    EXPECT_THAT(refusal(Gguf().raw("a", 9, nested).bytes()), HasSubstr("more than 8 deep"));
}

TEST(GgufHeader, FactorsAreReadWithinTheFileAlone) {
    const auto values = [](Gguf file, std::size_t cut) {
        const std::string bytes = file.bytes().substr(0, file.bytes().size() - cut);
        const GgufHeader header = read(bytes);
        return read_values(std::as_bytes(std::span(bytes)), header, header.tensors.at(0), 4, "f");
    };
    EXPECT_THAT(input_error([&] {
                    values(Gguf().tensor("w", {1.0F, 2.0F}), 1);
                }),
                HasSubstr("tensor 'w': its 8 bytes at 0 behind the header end outside the file"));
    EXPECT_THAT(input_error([&] { values(Gguf().tensor("w", std::vector<float>(5, 1.0F)), 0); }),
                HasSubstr("more than 4 values"));
    EXPECT_THAT(input_error([&] { values(Gguf().tensor("w", {1.0F}, 8), 0); }),
                HasSubstr("ggml type 8; F32, F16, BF16 or F64 is expected"));
}

TEST(GgufHeader, AThousandMutatedHeadersAreReadOrRefused) {
    test::Random random;
    SCOPED_TRACE(random.trace());
    Gguf file = gguf_model("gemma3", 4, 64, 12, 1e6F);
    file.add("gemma3.attention.sliding_window", std::uint32_t{512})
        .list("gemma3.rope.dimension_sections", std::vector<std::uint32_t>{8, 12, 12, 0})
        .list("tokenizer.ggml.tokens", std::vector<std::string>{"x", "yy", "zzz"})
        .tensor("rope_freqs.weight", std::vector<float>(32, 1.0F));
    const std::string right = file.bytes();
    const test::TempFolder folder;
    int refused = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string bytes = right;
        const Index changes = random.integer(1, 8);
        for (Index change = 0; change < changes; ++change) {
            const auto place = static_cast<std::size_t>(random.integer(4, std::ssize(bytes) - 1));
            bytes[place] = static_cast<char>(random.integer(0, 255));
        }
        test::write_gguf(folder / "model.gguf", bytes);
        try {
            open_model(folder / "model.gguf");
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_LT(refused, 1000);
}

/// 100 GB of which only the header takes room on the disk.
TEST(GgufHeader, DataOfTensorsAreNotTouched) {
    constexpr std::uintmax_t kSize = 100'000'000'000;
    const test::TempFolder folder;
    const std::filesystem::path path = folder / "large.gguf";
    test::write_gguf(path, gguf_model("llama").tensor("w", {1.0F}).bytes());
    std::error_code failed;
    std::filesystem::resize_file(path, kSize, failed);
    if (failed) {
        GTEST_SKIP() << "no sparse files here: " << failed.message();
    }
    const auto start = std::chrono::steady_clock::now();
    const Model model = open_model(path);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(model.part().spec->head_dim, 64);
    // Reading the whole file takes tens of seconds, the header well below one.
    EXPECT_LT(took.count(), 1.0);
    RecordProperty("seconds", std::to_string(took.count()));
}

}  // namespace
}  // namespace ropescope::gguf
