#include "core/formats/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::input_error;
using test::npy_bytes;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTwoFloats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

TEST(Npy, EveryDtypeComesBackByteForByte) {
    const test::TempFolder folder;
    const std::vector<std::int64_t> shape = {2, 1, 3};
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::i64, Dtype::i32, Dtype::u8,
                              Dtype::boolean, Dtype::c64, Dtype::c128}) {
        Tensor tensor{"x", dtype, shape, std::vector<std::byte>(6 * dtype_size(dtype))};
        tensor.bytes[1] = std::byte{1};
        write_npy(folder / "x.npy", tensor.view());
        const Tensor read = read_npy(folder / "x.npy");
        EXPECT_EQ(read.name, "x");
        EXPECT_EQ(read.dtype, dtype);
        EXPECT_EQ(read.shape, shape);
        EXPECT_EQ(read.bytes, tensor.bytes) << to_string(dtype);
    }
}

// The bytes that numpy.save writes for np.array([1, -2], dtype="<f4"), by the format's definition:
// data start at a multiple of 64, a line feed in front of them.
TEST(Npy, WritesWhatTheFormatSays) {
    const test::TempFolder folder;
    write_npy(folder / "x.npy",
              make_tensor_as(Dtype::f32, "x", {2}, std::vector<double>{1, -2}).view());
    const std::string header = std::string(kTwoFloats) + std::string(60, ' ') + "\n";
    EXPECT_EQ(read_file(folder / "x.npy"), std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                                               std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8));
}

TEST(Npy, ShapesOfNoneAndOneAxis) {
    const test::TempFolder folder;
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {1}, {0}, {1, 1, 1}, {3, 0}}) {
        const Tensor tensor{
            "x", Dtype::u8, shape,
            std::vector<std::byte>(static_cast<std::size_t>(*byte_count(Dtype::u8, shape)))};
        write_npy(folder / "x.npy", tensor.view());
        EXPECT_EQ(read_npy(folder / "x.npy").shape, shape);
    }
}

TEST(Npy, ReadsAllVersionsAndSpellings) {
    const test::TempFolder folder;
    const auto read = [&](int major, const std::string& header) {
        write_file_whole(folder / "x.npy", npy_bytes(major, header, std::string(8, '\0')));
        return read_npy(folder / "x.npy").shape;
    };
    for (const int major : {1, 2, 3}) {
        EXPECT_THAT(read(major, kTwoFloats), ElementsAre(2)) << major;
    }
    EXPECT_THAT(read(1, "{\"shape\":(1,2,1),\"fortran_order\":False,\"descr\":\"<f4\"}\n"),
                ElementsAre(1, 2, 1));
    EXPECT_THAT(read(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 1L), }"),
                ElementsAre(2, 1));
}

/// NumPy saves the transpose of an array in Fortran order: `np.save("x.npy", a.T)`.
TEST(Npy, ReadsATransposedArray) {
    const test::TempFolder folder;
    const auto read = [&](const std::string& shape, const std::string& data) {
        write_file_whole(
            folder / "x.npy",
            npy_bytes(1, "{'descr': '|i1', 'fortran_order': True, 'shape': " + shape + "}", data));
        return to_i64(read_npy(folder / "x.npy").view());
    };
    // Element (i, j, k) has the number 100 i + 10 j + k.
    EXPECT_THAT(read("(2, 3)", std::string{0, 100, 10, 110, 20, 120}),
                ElementsAre(0, 10, 20, 100, 110, 120));
    EXPECT_THAT(read("(2, 1, 2)", std::string{0, 100, 1, 101}), ElementsAre(0, 1, 100, 101));
    EXPECT_THAT(read("(3,)", std::string{1, 2, 3}), ElementsAre(1, 2, 3));
    EXPECT_THAT(read("()", std::string{7}), ElementsAre(7));
    EXPECT_THAT(read("(0, 3)", ""), IsEmpty());
}

TEST(Npy, TwoBytesWithoutAMeaningAreBf16) {
    const test::TempFolder folder;
    // -1.5 is 1 01111111 1000000.
    const Tensor bf16 = make_tensor_as(Dtype::bf16, "k", {2}, std::vector<double>{1, -1.5});
    write_npy(folder / "k.npy", bf16.view());
    const std::string bytes = read_file(folder / "k.npy");
    EXPECT_THAT(bytes, HasSubstr("'descr': '<V2'"));
    EXPECT_EQ(bytes.substr(bytes.size() - 4), (std::string{'\x80', '\x3F', '\xC0', '\xBF'}));
    for (const char* descr : {"<V2", "|V2"}) {
        std::string other = bytes;
        other.replace(other.find("<V2"), 3, descr);
        write_file_whole(folder / "other.npy", other);
        const Tensor read = read_npy(folder / "other.npy");
        EXPECT_EQ(read.dtype, Dtype::bf16);
        EXPECT_THAT(to_f64(read.view()), ElementsAre(1, -1.5));
    }
}

TEST(Npy, RefusesToWriteWhatHasNoNpyDtype) {
    const test::TempFolder folder;
    Tensor eight_bits{"k", Dtype::f8_e4m3, {1}, std::vector<std::byte>(1)};
    EXPECT_THAT(input_error([&] { write_npy(folder / "x.npy", eight_bits.view()); }),
                AllOf(HasSubstr("'k'"), HasSubstr("F8_E4M3")));
    Tensor short_bytes = make_tensor_as(Dtype::f32, "k", {2}, std::vector<double>{1, 2});
    short_bytes.bytes.pop_back();
    EXPECT_THAT(input_error([&] { write_npy(folder / "x.npy", short_bytes.view()); }),
                AllOf(HasSubstr("'k'"), HasSubstr("7 bytes")));
    EXPECT_FALSE(std::filesystem::exists(folder / "x.npy"));
}

struct HostileArray {
    const char* name;
    std::string bytes;
    std::vector<std::string> says;
};
void PrintTo(const HostileArray& hostile, std::ostream* out) {
    *out << hostile.name;
}

std::string with_header(const std::string& header, std::size_t data_bytes = 8) {
    return npy_bytes(1, header, std::string(data_bytes, '\0'));
}

std::string with_shape(const std::string& shape, std::size_t data_bytes = 8) {
    return with_header("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}",
                       data_bytes);
}

std::string with_descr(const std::string& descr) {
    return with_header("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,)}");
}

std::vector<HostileArray> hostile_arrays() {
    return {
        {"Empty", "", {"byte 0", "cut short"}},
        {"MagicOnly", "\x93NUMPY", {"byte 6", "cut short"}},
        {"NoMagic", std::string(200, 'x'), {"byte 0", "not a .npy"}},
        {"Version0", npy_bytes(0, kTwoFloats, "12345678"), {"byte 6", "0.0"}},
        {"Version4", npy_bytes(4, kTwoFloats, "12345678"), {"byte 6", "4.0"}},
        {"HeaderLongerThanTheFile",
         std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13),
         {"byte 8", "4294967295", "cut short"}},
        {"HeaderLongerThanNumpyReads",
         npy_bytes(2, kTwoFloats + std::string(10000, ' '), "12345678"),
         {"byte 8", "at most 10000"}},
        {"EmptyHeader", with_header(""), {"byte 10", "'{'"}},
        {"HeaderEndsEarly", with_header("{'descr'"), {"byte 18", "the end is found"}},
        {"KeyDoesNotEnd", with_header("{'descr"), {"byte 12"}},
        {"TextAfterTheHeader", with_header(std::string(kTwoFloats) + "x"), {"the end"}},
        {"UnknownKey", with_header("{'order': 1}"), {"byte 11", "'order'"}},
        {"KeyTwice", with_header("{'shape': (2,), 'shape': (2,)}"), {"byte 26", "'shape'"}},
        {"NoDescr", with_header("{'fortran_order': False, 'shape': (2,)}"), {"'descr'"}},
        {"NoShape", with_header("{'fortran_order': False, 'descr': '<f4'}"), {"'shape'"}},
        {"NoOrder", with_header("{'shape': (2,), 'descr': '<f4'}"), {"'fortran_order'"}},
        {"OrderIsNoBoolean", with_header("{'fortran_order': 0}"), {"byte 28", "False"}},
        {"BigEndian", with_descr("'>f4'"), {"byte 20", "'>f4'", "big-endian"}},
        {"LongComplex", with_descr("'<c32'"), {"'<c32'", "not supported", "<f4"}},
        {"PickledObjects", with_descr("'|O'"), {"'|O'", "not supported"}},
        {"Structured", with_descr("[('a', '<f4')]"), {"structured"}},
        {"NegativeShape", with_shape("(-2,)"), {"byte 61", "'-2"}},
        {"RealShape", with_shape("(2.0,)"), {"byte 62", "'.0"}},
        {"ShapeBeyond63Bits", with_shape("(9223372036854775808,)"), {"byte 61"}},
        {"ShapeIsNoTuple", with_shape("2"), {"byte 60", "'('"}},
        {"TooManySizes",
         with_shape("(1" +
                    [] {
                        std::string s;
                        for (int i = 0; i < 999; ++i)
                            s += ",1";
                        return s;
                    }() +
                    ")"),
         {"more than 64"}},
        {"ShapeWithALeadingZero", with_shape("(04,)"), {"an integer"}},
        {"ShapeOverflows", with_shape("(4294967296, 4294967296)"), {"more than 2^63"}},
        {"HugeShapeInASmallFile", with_shape("(1099511627776,)"), {"4398046511104", "has 8"}},
        {"DataTooShort", with_shape("(2,)", 7), {"8 bytes", "has 7"}},
        {"DataTooLong", with_shape("(2,)", 9), {"8 bytes", "has 9"}},
    };
}

class HostileNpy : public testing::TestWithParam<HostileArray> {};

TEST_P(HostileNpy, IsRefusedByFileAndPlace) {
    const test::TempFolder folder;
    const std::filesystem::path path = folder / "hostile.npy";
    write_file_whole(path, GetParam().bytes);
    const std::string message = input_error([&] { read_npy(path); });
    EXPECT_THAT(message, HasSubstr(path.string() + ": byte "));
    for (const std::string& part : GetParam().says) {
        EXPECT_THAT(message, HasSubstr(part));
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostileNpy, testing::ValuesIn(hostile_arrays()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ropescope
