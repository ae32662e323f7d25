// NumPy's .npy and .npz (a zip archive, stored or deflated, of .npy members).
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Sources: npy.cpp, npz.cpp and write_npz.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

class OpenedFile;
struct MappedFile;

/// Whether the file starts as a .npy, or as a .npz, does.
bool is_npy(const OpenedFile& file);
bool is_npz(const OpenedFile& file);

/// Versions 1.0 to 3.0, in C or Fortran order (as NumPy saves a transposed array; the tensor is in
/// C order), little-endian (or single-byte) dtypes f8 f4 f2, integers and b1; V2, two bytes without
/// a meaning, is BF16, as ml_dtypes saves it. Big-endian data are refused by name. The tensor's
/// name is the file's stem.
Tensor read_npy(const std::filesystem::path& path, const AcceptTensor& accept = {});

/// The tensor of a .npy, from its header alone.
TensorInfo list_npy(OpenedFile file);

/// BF16 is written as V2. The 8-bit floats and C64 are refused. Written whole or not at all.
void write_npy(const std::filesystem::path& path, const TensorBytes& tensor);

/// A .npz that is open, of which members are read one at a time. Opening throws InputError that
/// names the file, or the member whose size or compression cannot be right.
class NpzFile {
  public:
    explicit NpzFile(OpenedFile file);
    /// The same from bytes in memory; `origin` names them in messages.
    NpzFile(MappedFile bytes, const std::filesystem::path& origin);
    ~NpzFile();

    /// The names of the members without ".npy", in the order of the file.
    const std::vector<std::string>& names() const;
    /// The member names()[place]. One thread at a time may read.
    Tensor read(std::size_t place) const;
    /// Several of them, on several threads.
    std::vector<Tensor> read(std::span<const std::size_t> places) const;
    /// The member's header alone.
    TensorInfo list(std::size_t place) const;
    /// Lets the pages of the file leave memory until they are read again. Nothing for a pipe.
    void release() const;

  private:
    struct Opened;
    std::unique_ptr<const Opened> opened_;
};

/// Every member, named without its ".npy".
std::vector<Tensor> read_npz(const std::filesystem::path& path);
/// The same, from the members' headers alone.
std::vector<TensorInfo> list_npz(OpenedFile file);
/// Writes every tensor as a member, stored, as numpy.savez does: the same bytes for the same input,
/// whole or not at all. Throws InputError that names the file.
void write_npz(const std::filesystem::path& path, std::span<const Tensor> tensors);

}  // namespace ropescope
