#include "tests/support/npy_bytes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <zip.h>

#include "core/base/write_file.h"

namespace ropescope::test {

std::string npy_bytes(int major, const std::string& header, const std::string& data) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(major);
    bytes += '\0';
    const int length_bytes = major == 1 ? 2 : 4;
    for (int i = 0; i < length_bytes; ++i) {
        bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
    }
    return bytes + header + data;
}

void write_npy_with_hole(const std::filesystem::path& path,
                         const std::vector<std::int64_t>& shape) {
    std::int64_t bytes = sizeof(std::int64_t);
    for (const std::int64_t size : shape) {
        bytes *= size;
    }
    const std::string head =
        npy_bytes(1,
                  fmt::format("{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}\n",
                              fmt::join(shape, ", ")),
                  "");
    write_file_whole(path, head);
    std::filesystem::resize_file(path, head.size() + static_cast<std::uintmax_t>(bytes));
}

void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members,
               Compression compression) {
    int error = 0;
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    bool ok = archive != nullptr;
    const zip_int32_t method = compression == Compression::stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
    for (const auto& [name, contents] : members) {
        zip_source_t* source =
            ok ? zip_source_buffer(archive, contents.data(), contents.size(), 0) : nullptr;
        const zip_int64_t index =
            source == nullptr ? -1 : zip_file_add(archive, name.c_str(), source, 0);
        ok = index >= 0 &&
             zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 9) == 0;
    }
    if (!ok || zip_close(archive) != 0) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace ropescope::test
