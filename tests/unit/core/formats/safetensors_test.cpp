#include "core/formats/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::input_error;
using test::safetensors_bytes;
using testing::AllOf;
using testing::HasSubstr;

std::vector<Tensor> one_of_each() {
    const std::vector<double> reals = {1, -2.5, 0.1, 3e4, 0, -7};
    const std::vector<std::int64_t> integers = {-3, 0, 1LL << 40};
    return {make_tensor_as(Dtype::f16, "a half", {2, 3}, reals),
            make_tensor_as(Dtype::f64, "double", {3, 2}, reals),
            make_tensor_as(Dtype::bf16, "bf", {6}, reals),
            make_tensor_as(Dtype::f32, "single", {1, 6, 1}, reals),
            make_tensor("positions", {3}, integers),
            {"i32", Dtype::i32, {1}, std::vector<std::byte>(4, std::byte{1})},
            {"u8", Dtype::u8, {3}, std::vector<std::byte>(3, std::byte{9})},
            {"mask", Dtype::boolean, {2}, std::vector<std::byte>(2, std::byte{1})},
            {"empty", Dtype::f32, {0, 4}, {}},
            {"scalar", Dtype::f64, {}, std::vector<std::byte>(8)}};
}

TEST(Safetensors, EveryDtypeComesBackByteForByte) {
    const test::TempFolder folder;
    const std::vector<Tensor> written = one_of_each();
    const std::map<std::string, std::string> metadata = {{"by", "a \"test\"\n"}, {"θ", "base"}};
    write_safetensors(folder / "x", written, metadata);
    const SafetensorsFile file = SafetensorsFile::open(folder / "x");
    EXPECT_EQ(file.metadata(), metadata);
    ASSERT_EQ(file.tensors().size(), written.size());
    for (const Tensor& tensor : written) {
        const TensorBytes& read = file.at(tensor.name);
        EXPECT_EQ(read.dtype, tensor.dtype) << tensor.name;
        EXPECT_EQ(read.shape, tensor.shape) << tensor.name;
        EXPECT_TRUE(std::ranges::equal(read.bytes, tensor.bytes)) << tensor.name;
    }
}

TEST(Safetensors, ValuesThatAreNotReadAreRefusedWithTheNameOfTheFile) {
    const test::TempFolder folder;
    write_safetensors(folder / "complex",
                      std::vector<Tensor>{{"q", Dtype::c64, {1}, std::vector<std::byte>(8)}});
    const SafetensorsFile file = SafetensorsFile::open(folder / "complex");
    const auto names_it = AllOf(HasSubstr((folder / "complex").string() + ": tensor 'q'"),
                                HasSubstr("C64"), HasSubstr("store it as"));
    EXPECT_THAT(input_error([&] { to_f32(file.at("q")); }), names_it);
    EXPECT_THAT(input_error([&] { to_f64(file.at("q")); }), names_it);
    EXPECT_THAT(input_error([&] { to_i64(file.at("q")); }), names_it);
}

TEST(Safetensors, WritingTwiceGivesTheSameFile) {
    const test::TempFolder folder;
    write_safetensors(folder / "x", one_of_each(), {{"a", "1"}, {"b", "2"}});
    write_safetensors(folder / "y", one_of_each(), {{"b", "2"}, {"a", "1"}});
    EXPECT_EQ(read_file(folder / "x"), read_file(folder / "y"));
}

TEST(Safetensors, DataAreAlignedToTheirElements) {
    const test::TempFolder folder;
    write_safetensors(folder / "x", one_of_each());
    const SafetensorsFile file = SafetensorsFile::open(folder / "x");
    for (const TensorBytes& tensor : file.tensors()) {
        const auto address = reinterpret_cast<std::uintptr_t>(tensor.bytes.data());
        EXPECT_EQ(address % dtype_size(tensor.dtype), 0U) << tensor.name;
    }
}

TEST(Safetensors, TensorsOutliveTheFileObject) {
    const test::TempFolder folder;
    write_safetensors(folder / "x", one_of_each());
    const SafetensorsFile copy = SafetensorsFile::open(folder / "x");
    std::filesystem::remove(folder / "x");
    EXPECT_EQ(to_f64(copy.at("double"))[1], -2.5);
}

TEST(Safetensors, AMissingTensorNamesItsNeighbours) {
    const test::TempFolder folder;
    write_safetensors(folder / "x", one_of_each());
    const SafetensorsFile file = SafetensorsFile::open(folder / "x");
    EXPECT_EQ(file.find("q"), nullptr);
    EXPECT_THAT(input_error([&] { file.at("positons"); }),
                AllOf(HasSubstr("'positons'"), HasSubstr("did you mean 'positions'")));
}

TEST(Safetensors, TheWriterRefusesWhatCannotBeRead) {
    const test::TempFolder folder;
    const Tensor good = make_tensor_as(Dtype::f32, "a", {1}, std::vector<double>{1});
    Tensor short_bytes = good;
    short_bytes.bytes.pop_back();
    Tensor bad_name = good;
    bad_name.name = "\xff";
    const auto write = [&](const std::vector<Tensor>& tensors) {
        return input_error([&] { write_safetensors(folder / "x", tensors); });
    };
    EXPECT_THAT(write({good, good}), HasSubstr("key 'a' appears twice"));
    EXPECT_THAT(write({short_bytes}), HasSubstr("tensor 'a': F32 [1] takes 4 bytes"));
    EXPECT_THAT(write({bad_name}), HasSubstr("UTF-8"));
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

struct Hostile {
    const char* name;
    std::string bytes;
    std::vector<std::string> says;  ///< parts of the message
};
void PrintTo(const Hostile& hostile, std::ostream* out) {
    *out << hostile.name;
}

/// One F32 tensor whose entry is `entry`, in front of `data_bytes` zeros.
std::string with_entry(const std::string& entry, std::size_t data_bytes) {
    return safetensors_bytes("{\"t\":" + entry + "}", data_bytes);
}

std::vector<Hostile> hostile_files() {
    const std::string ok = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
    const std::string deep(1 << 20, '[');
    return {
        {"Empty", "", {"byte 0", "0 bytes"}},
        {"ShorterThanTheLength", "1234567", {"byte 0", "7 bytes"}},
        {"HeaderLongerThanTheFile", test::length_field(100) + "{}", {"byte 0", "100", "cut short"}},
        {"HeaderOverTheCap", test::length_field(100'000'001) + "{}", {"byte 0", "100000001"}},
        {"HeaderOf2To63", test::length_field(~0ULL) + "{}", {"byte 0", "18446744073709551615"}},
        {"NoHeader", safetensors_bytes("", 0), {"byte 8", "'{'"}},
        {"NotAnObject", safetensors_bytes("[]", 0), {"byte 8", "'{'"}},
        {"WhiteSpaceInFront", safetensors_bytes(" {}", 0), {"byte 8"}},
        {"HeaderEndsEarly", safetensors_bytes(R"({"t")", 0), {"byte 12", "':'", "header ends"}},
        {"TextAfterTheHeader", safetensors_bytes("{} x", 0), {"byte 11", "the end"}},
        {"NulInTheHeader", safetensors_bytes(std::string("{}\0", 3), 0), {"byte 10"}},
        {"KeyIsNoString", safetensors_bytes("{1:2}", 0), {"byte 9", "a string"}},
        {"StringDoesNotEnd", safetensors_bytes("{\"t", 0), {"byte 9", "does not end"}},
        {"NotUtf8", safetensors_bytes("{\"\xff\":1}", 0), {"byte 9", "UTF-8", "\\xff"}},
        {"BadEscape", safetensors_bytes(R"({"\q":1})", 0), {"byte 9"}},
        {"EntryIsNoObject", with_entry("[]", 0), {"byte 13", "tensor 't'", "'{'"}},
        {"DeepNesting", with_entry(R"({"shape":)" + deep, 0), {"tensor 't'", "shape", "integer"}},
        {"DeepNestingAsEntry", with_entry(deep, 0), {"tensor 't'", "'{'"}},
        {"DeepNestingInMetadata",
         safetensors_bytes("{\"__metadata__\":{\"a\":" + deep, 0),
         {"__metadata__", "'a'", "a string"}},
        {"UnknownDtype",
         with_entry(R"({"dtype":"F9_E4M4","shape":[4],"data_offsets":[0,4]})", 4),
         {"byte 22", "tensor 't'", "'F9_E4M4'", "BF16"}},
        {"DtypeIsANumber", with_entry(R"({"dtype":4})", 0), {"byte 22", "'t'", "dtype", "string"}},
        {"UnknownKey", with_entry(R"({"stride":[1]})", 0), {"byte 14", "'t'", "'stride'"}},
        {"NoDtype", with_entry(R"({"shape":[1],"data_offsets":[0,4]})", 4), {"'t'", "'dtype'"}},
        {"NoShape", with_entry(R"({"dtype":"F32","data_offsets":[0,4]})", 4), {"'shape'"}},
        {"NoOffsets", with_entry(R"({"dtype":"F32","shape":[1]})", 4), {"'data_offsets'"}},
        {"DtypeTwice",
         with_entry(R"({"dtype":"F32","dtype":"F32"})", 0),
         {"'t'", "dtype", "twice"}},
        {"NegativeShape", with_entry(R"({"shape":[-1]})", 0), {"byte 23", "'t'", "shape", "'-1"}},
        {"RealShape", with_entry(R"({"shape":[1.0]})", 0), {"byte 23", "shape", "'1.0"}},
        {"ExponentShape", with_entry(R"({"shape":[1e3]})", 0), {"byte 23", "shape"}},
        {"LeadingZero", with_entry(R"({"shape":[01]})", 0), {"byte 23", "shape"}},
        {"ShapeBeyond63Bits", with_entry(R"({"shape":[9223372036854775808]})", 0), {"byte 23"}},
        {"ShapeOverflows",
         with_entry(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0),
         {"'t'", "shape", "2^63"}},
        {"ZeroHidesAnOverflow",
         with_entry(R"({"dtype":"U8","shape":[0,4294967296,4294967296],"data_offsets":[0,0]})", 0),
         {"'t'", "2^63"}},
        {"TooManySizes", with_entry("{\"shape\":[" + std::string(2000, '1') + "]}", 0), {"shape"}},
        {"BeginAfterEnd",
         with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 4),
         {"byte 9", "'t'", "[4, 0]"}},
        {"OneOffset", with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})", 4), {"[0]"}},
        {"ThreeOffsets",
         with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,4]})", 4),
         {"'t'", "data_offsets", "more than 2"}},
        {"RangeOutside",
         with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 4),
         {"'t'", "[0, 8]", "4 bytes"}},
        {"HugeTensorInASmallFile",
         with_entry(R"({"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]})",
                    4),
         {"'t'", "outside"}},
        {"SizeIsNotShapeTimesDtype",
         with_entry(R"({"dtype":"F64","shape":[1],"data_offsets":[0,4]})", 4),
         {"'t'", "F64 [1] takes 8 bytes"}},
        {"MoreBytesThanTheShapeTakes",
         with_entry(R"({"dtype":"U8","shape":[3],"data_offsets":[0,4]})", 4),
         {"'t'", "U8 [3] takes 3 bytes"}},
        {"NameTwice",
         safetensors_bytes("{\"t\":" + ok + ",\"t\":" + ok + "}", 4),
         {"byte 62", "'t'", "twice"}},
        {"Overlap",
         safetensors_bytes("{\"t\":" + ok + ",\"u\":" + ok + "}", 4),
         {"'u'", "overlap", "'t'"}},
        {"HoleInFront",
         with_entry(R"({"dtype":"U8","shape":[1],"data_offsets":[3,4]})", 4),
         {"3 bytes in front of tensor 't'"}},
        {"BytesLeftOver", with_entry(ok, 6), {"byte 66", "last 2 bytes"}},
        {"MetadataIsNoObject", safetensors_bytes(R"({"__metadata__":"x"})", 0), {"__metadata__"}},
        {"MetadataValueIsANumber",
         safetensors_bytes(R"({"__metadata__":{"n":1}})", 0),
         {"byte 29", "__metadata__", "'n'", "a string"}},
        {"MetadataKeyTwice",
         safetensors_bytes(R"({"__metadata__":{"n":"1","n":"2"}})", 0),
         {"byte 33", "'n'", "twice"}},
        {"NewLineInAName",
         safetensors_bytes(R"({"a\nb":{"dtype":"F32","shape":[9],"data_offsets":[0,4]}})", 4),
         {"'a\\x0ab'"}},
    };
}

class HostileSafetensors : public testing::TestWithParam<Hostile> {};

TEST_P(HostileSafetensors, IsRefusedByFileAndPlace) {
    const test::TempFolder folder;
    const std::filesystem::path path = folder / "hostile.safetensors";
    write_file_whole(path, GetParam().bytes);
    const std::string message = input_error([&] { SafetensorsFile::open(path); });
    EXPECT_THAT(message, HasSubstr(path.string() + ": byte "));
    EXPECT_LT(message.size(), path.string().size() + 400) << message;
    for (const std::string& part : GetParam().says) {
        EXPECT_THAT(message, HasSubstr(part));
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostileSafetensors, testing::ValuesIn(hostile_files()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Safetensors, UnusualButValidFilesAreRead) {
    const test::TempFolder folder;
    const auto open = [&](const std::string& bytes) {
        write_file_whole(folder / "x", bytes);
        return SafetensorsFile::open(folder / "x");
    };
    EXPECT_TRUE(open(safetensors_bytes("{}", 0)).tensors().empty());
    EXPECT_TRUE(open(safetensors_bytes("{ }  \n", 0)).tensors().empty());
    const std::string spaced =
        "{ \"a\\u0062\" : { \"data_offsets\" : [ 0 , 4 ] , \"shape\":[ ],\"dtype\":\"I32\" } }";
    EXPECT_EQ(open(safetensors_bytes(spaced, 4)).at("ab").dtype, Dtype::i32);
}

}  // namespace
}  // namespace ropescope
