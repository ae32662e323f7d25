// In place of npz.cpp and write_npz.cpp where libzip was not there when the program was built.
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/npy.h"

namespace ropescope {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
    throw CapabilityError(fmt::format(
        "{}: this build of ropescope has no archives; give .npy or .safetensors", path.string()));
}

}  // namespace

bool is_npz(const OpenedFile& file) {
    return file.start().starts_with("PK");
}

struct NpzFile::Opened {
    std::vector<std::string> names;
};

NpzFile::NpzFile(OpenedFile file) {
    refuse(file.path());
}

NpzFile::NpzFile(MappedFile /*bytes*/, const std::filesystem::path& origin) {
    refuse(origin);
}

NpzFile::~NpzFile() = default;

const std::vector<std::string>& NpzFile::names() const {
    return opened_->names;
}

Tensor NpzFile::read(std::size_t /*place*/) const {
    refuse("npz");
}

std::vector<Tensor> NpzFile::read(std::span<const std::size_t> /*places*/) const {
    refuse("npz");
}

TensorInfo NpzFile::list(std::size_t /*place*/) const {
    refuse("npz");
}

void NpzFile::release() const {}

std::vector<Tensor> read_npz(const std::filesystem::path& path) {
    refuse(path);
}

std::vector<TensorInfo> list_npz(OpenedFile file) {
    refuse(file.path());
}

void write_npz(const std::filesystem::path& path, std::span<const Tensor> /*tensors*/) {
    refuse(path);
}

}  // namespace ropescope
