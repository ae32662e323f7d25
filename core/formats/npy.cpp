// Reads and writes .npy files.
#include "core/formats/npy.h"

#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy_header.h"

namespace ropescope {

namespace {

/// Hands out the bytes one after the other.
TakeBytes bytes_of(std::span<const std::byte>& rest) {
    return [&rest](std::size_t count) {
        const std::span<const std::byte> taken = rest.first(count);
        rest = rest.subspan(count);
        return std::vector<std::byte>(taken.begin(), taken.end());
    };
}

/// Calls `read` with the name of the tensor, the file's name, its size and its bytes.
template <typename Read>
auto with_bytes(OpenedFile file, Read read) {
    const std::filesystem::path path = file.path();
    const MappedFile mapped = std::move(file).map(is_npy(file));
    std::span<const std::byte> rest = mapped.bytes;
    return read(path.stem().string(), path.string(), rest.size(), bytes_of(rest));
}

}  // namespace

bool is_npy(const OpenedFile& file) {
    return file.start().starts_with(kNpyMagic);
}

Tensor read_npy(const std::filesystem::path& path, const AcceptTensor& accept) {
    return with_bytes(OpenedFile(path), [&](std::string name, const std::string& origin,
                                            std::uint64_t total_bytes, const TakeBytes& take) {
        return read_npy_stream(std::move(name), origin, total_bytes, take, accept);
    });
}

TensorInfo list_npy(OpenedFile file) {
    return with_bytes(std::move(file), list_npy_stream);
}

void write_npy(const std::filesystem::path& path, const TensorBytes& tensor) {
    const std::optional<std::int64_t> expected = byte_count(tensor.dtype, tensor.shape);
    if (!expected || *expected != std::ssize(tensor.bytes)) {
        throw InputError(fmt::format("{}: tensor {}: {} {} does not take {} bytes",
                                     printable(path.string()), in_quotes(tensor.name),
                                     to_string(tensor.dtype), shape_text(tensor.shape),
                                     tensor.bytes.size()));
    }
    const std::string header = npy_header_text(tensor);
    const std::array<std::string_view, 2> parts = {
        header, {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()}};
    write_file_whole(path, parts);
}

}  // namespace ropescope
