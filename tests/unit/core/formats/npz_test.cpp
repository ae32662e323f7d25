#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <span>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "tests/support/input_error.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::Compression;
using test::input_error;
using test::npy_bytes;
using test::write_zip;
using testing::AllOf;
using testing::HasSubstr;

std::string floats_npy(std::size_t count) {
    return npy_bytes(
        1,
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }\n",
        std::string(count * 4, '\0'));
}

/// Little-endian.
std::string u32(std::size_t value) {
    std::string four;
    for (int i = 0; i < 4; ++i) {
        four += static_cast<char>((value >> (8 * i)) & 0xFFU);
    }
    return four;
}

/// Replaces every occurrence of a little-endian 32-bit value, as a forger of sizes would.
std::string with_u32_replaced(std::string bytes, std::uint32_t from, std::uint32_t to) {
    std::size_t at = bytes.find(u32(from));
    EXPECT_NE(at, std::string::npos);
    for (; at != std::string::npos; at = bytes.find(u32(from), at + 4)) {
        bytes.replace(at, 4, u32(to));
    }
    return bytes;
}

class Npz : public testing::TestWithParam<Compression> {
  protected:
    std::string refusal_of(const std::string& bytes) const {
        write_file_whole(folder_ / "x.npz", bytes);
        std::string message = input_error([&] { read_npz(folder_ / "x.npz"); });
        EXPECT_THAT(message, HasSubstr((folder_ / "x.npz").string()));
        return message;
    }
    std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) const {
        write_zip(folder_ / "made.npz", members, GetParam());
        return read_file(folder_ / "made.npz");
    }

    test::TempFolder folder_;
};

TEST_P(Npz, ReadsEveryMember) {
    const Tensor q = make_tensor_as(Dtype::f32, "q", {2, 2}, std::vector<double>{1, 2, 3, 4});
    write_npy(folder_ / "q.npy", q.view());
    write_zip(folder_ / "x.npz",
              {{"q.npy", read_file(folder_ / "q.npy")},
               {"zeros.npy", floats_npy(100000)},
               {"folder/none.npy", floats_npy(0)}},
              GetParam());
    const std::vector<Tensor> tensors = read_npz(folder_ / "x.npz");
    ASSERT_EQ(tensors.size(), 3U);
    EXPECT_EQ(tensors[0].name, "q");
    EXPECT_EQ(tensors[0].shape, q.shape);
    EXPECT_EQ(tensors[0].bytes, q.bytes);
    EXPECT_EQ(tensors[1].bytes.size(), 400000U);
    EXPECT_EQ(tensors[2].name, "folder/none");
    EXPECT_EQ(tensors[2].count(), 0);
}

TEST_P(Npz, RefusesAnotherKindOfMemberByName) {
    EXPECT_THAT(refusal_of(archive_of({{"a.npy", floats_npy(1)}, {"b.txt", "hello"}})),
                AllOf(HasSubstr("member 'b.txt'"), HasSubstr("not a .npy")));
}

TEST_P(Npz, RefusesAMalformedMemberByNameAndByte) {
    EXPECT_THAT(refusal_of(archive_of({{"a.npy", floats_npy(1).substr(0, 30)}})),
                AllOf(HasSubstr("member 'a.npy'"), HasSubstr("byte 8"), HasSubstr("cut short")));
    const std::string long_shape =
        npy_bytes(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", "1234");
    EXPECT_THAT(refusal_of(archive_of({{"a.npy", long_shape}})),
                AllOf(HasSubstr("member 'a.npy'"), HasSubstr("4398046511104"), HasSubstr("has 4")));
}

TEST_P(Npz, RefusesASizeThatItsBytesCannotHold) {
    const std::string npy = floats_npy(1000);
    const std::string archive = archive_of({{"a.npy", npy}});
    const auto size = static_cast<std::uint32_t>(npy.size());
    // A stored member of that size does not even end within the file.
    EXPECT_THAT(refusal_of(with_u32_replaced(archive, size, 0xFFFFFFF0U)),
                testing::AnyOf(AllOf(HasSubstr("member 'a.npy'"), HasSubstr("cannot hold")),
                               HasSubstr("is not a readable .npz")));
}

// Twice the true size is within what deflate could hold, so it shows when the data end early.
TEST(NpzDeflated, RefusesASizeThatItsDataDoNotReach) {
    const test::TempFolder folder;
    const std::string npy = floats_npy(1000);
    write_zip(folder / "made.npz", {{"a.npy", npy}}, Compression::deflated);
    const auto size = static_cast<std::uint32_t>(npy.size());
    const std::string forged = with_u32_replaced(read_file(folder / "made.npz"), size, 2 * size);
    write_file_whole(folder / "x.npz", forged);
    EXPECT_THAT(input_error([&] { read_npz(folder / "x.npz"); }), HasSubstr("member 'a.npy'"));
}

// Deflate's own limit is 1032:1, so a member of zeros is dense but honest.
TEST(NpzDeflated, ReadsTheDensestHonestMember) {
    const test::TempFolder folder;
    write_zip(folder / "x.npz", {{"a.npy", floats_npy(1 << 20)}}, Compression::deflated);
    EXPECT_LT(std::filesystem::file_size(folder / "x.npz"), 5000U);
    EXPECT_EQ(read_npz(folder / "x.npz")[0].bytes.size(), std::size_t{4} << 20U);
}

// A member that lies in the data of another: so small a file would grow without a limit on the
// members' sum.
TEST(NpzStored, RefusesMembersThatShareTheirBytes) {
    const test::TempFolder folder;
    write_zip(folder / "b.npz", {{"b.npy", floats_npy(1000)}}, Compression::stored);
    const std::string inner = read_file(folder / "b.npz");
    const std::size_t inner_directory = inner.find("PK\x01\x02");
    const std::string member = inner.substr(0, inner_directory);
    std::string entry = inner.substr(inner_directory, inner.find("PK\x05\x06") - inner_directory);
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                               std::to_string(member.size()) + ",), }\n";
    write_zip(folder / "a.npz", {{"a.npy", npy_bytes(1, header, member)}}, Compression::stored);
    std::string archive = read_file(folder / "a.npz");
    entry.replace(42, 4, u32(archive.find(member)));  // where its header stands
    const std::size_t directory = archive.find("PK\x01\x02");
    const std::size_t end = archive.find("PK\x05\x06");
    archive.insert(end, entry);
    // Of the end record: entries on this disk, entries, bytes of the directory.
    const std::size_t record = end + entry.size();
    archive[record + 8] = 2;
    archive[record + 10] = 2;
    archive.replace(record + 12, 4, u32(record - directory));
    write_file_whole(folder / "x.npz", archive);
    EXPECT_THAT(input_error([&] { read_npz(folder / "x.npz"); }),
                AllOf(HasSubstr("member 'b.npy'"), HasSubstr("more compressed bytes")));
}

TEST_P(Npz, RefusesDamagedData) {
    const std::string archive = archive_of({{"a.npy", floats_npy(1)}, {"b.npy", floats_npy(2)}});
    const std::size_t first_byte = archive.find("a.npy") + std::string("a.npy").size();
    std::string damaged = archive;
    damaged[first_byte + 20] = static_cast<char>(damaged[first_byte + 20] ^ 0x55);
    EXPECT_THAT(refusal_of(damaged), HasSubstr("member 'a.npy'"));
}

/// What a reader of the archive gets, or none if it is refused.
std::optional<std::vector<Tensor>> tensors_in(const std::string& archive) {
    try {
        const NpzFile file({nullptr, std::as_bytes(std::span(archive))}, "x.npz");
        std::vector<Tensor> tensors;
        for (std::size_t i = 0; i < file.names().size(); ++i) {
            tensors.push_back(file.read(i));
        }
        return tensors;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

TEST_P(Npz, WithOneBitChangedIsNeverTakenForOtherTensors) {
    std::string archive = archive_of({{"q.npy", floats_npy(2)}, {"q_rot.npy", floats_npy(3)}});
    const auto same = [](const Tensor& a, const Tensor& b) {
        return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape && a.bytes == b.bytes;
    };
    const std::vector<Tensor> whole = tensors_in(archive).value();
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * archive.size(); ++bit) {
        const auto flip = [&] {
            char& byte = archive[bit / 8];
            byte = static_cast<char>(byte ^ (1 << (bit % 8)));
        };
        flip();
        const std::optional<std::vector<Tensor>> read = tensors_in(archive);
        refused += read ? 0 : 1;
        EXPECT_TRUE(!read || std::ranges::equal(*read, whole, same)) << "byte " << bit / 8;
        flip();
    }
    EXPECT_GT(refused, 100);  // dates and the like are nobody's
}

TEST_P(Npz, RefusesWhatIsNoArchive) {
    EXPECT_THAT(refusal_of(""), HasSubstr("is empty"));
    EXPECT_THAT(refusal_of("hello"), HasSubstr("not a readable .npz"));
    const std::string archive = archive_of({{"a.npy", floats_npy(1)}});
    EXPECT_THAT(refusal_of(archive.substr(0, archive.size() - 1)),
                HasSubstr("not a readable .npz"));
}

INSTANTIATE_TEST_SUITE_P(Methods, Npz, testing::Values(Compression::stored, Compression::deflated),
                         [](const auto& test) {
                             return test.param == Compression::stored ? "Stored" : "Deflated";
                         });

}  // namespace
}  // namespace ropescope
