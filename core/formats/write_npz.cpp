// Writes .npz archives.
#include <fmt/format.h>
#include <memory>
#include <zip.h>

#include "core/base/file.h"
#include "core/formats/npy.h"
#include "core/formats/npy_header.h"

namespace ropescope {
namespace {

/// 1980-01-01, the first day that a zip archive can name, so that its bytes do not tell the time.
constexpr zip_uint16_t kFirstDay = (1U << 5U) | 1U;

void add_member(zip_t* archive, const Tensor& tensor, const std::string& data,
                const std::filesystem::path& path) {
    zip_source_t* source = zip_source_buffer(archive, data.data(), data.size(), 0);
    const zip_int64_t index =
        source == nullptr ? -1 : zip_file_add(archive, (tensor.name + ".npy").c_str(), source, 0);
    if (index < 0) {
        zip_source_free(source);
        throw_file_error(path, zip_strerror(archive));
    }
    const auto at = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive, at, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(archive, at, 0, kFirstDay, 0) != 0) {
        throw_file_error(path, zip_strerror(archive));
    }
}

}  // namespace

void write_npz(const std::filesystem::path& path, std::span<const Tensor> tensors) {
    int error = 0;
    std::unique_ptr<zip_t, decltype(&zip_discard)> archive(
        zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error), &zip_discard);
    if (archive == nullptr) {
        throw_file_error(path, "cannot be created");
    }
    std::vector<std::string> members;  // must outlive the archive
    for (const Tensor& tensor : tensors) {
        members.push_back(npy_header_text(tensor.view()));
        members.back().append(reinterpret_cast<const char*>(tensor.bytes.data()),
                              tensor.bytes.size());
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        add_member(archive.get(), tensors[i], members[i], path);
    }
    if (zip_close(archive.get()) != 0) {
        throw_file_error(path, fmt::format("cannot be written: {}", zip_strerror(archive.get())));
    }
    static_cast<void>(archive.release());  // zip_close() has freed it
}

}  // namespace ropescope
