// The memory layout of DLPack, by which array libraries lend each other their memory.
// https://dmlc.github.io/dlpack/latest/c_api.html, version 0.8 without what this program does not
// read.
#pragma once

#include <cstdint>

namespace ropescope::dlpack {

inline constexpr std::int32_t kCpu = 1;
inline constexpr std::int32_t kCudaHost = 3;  ///< memory of the host that CUDA has pinned

enum class TypeCode : std::uint8_t { signed_int = 0, unsigned_int = 1, floating = 2, bfloat = 4 };

struct DataType {
    TypeCode code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct DLDevice {
    std::int32_t type;
    std::int32_t id;
};

struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null for a dense row-major tensor
    std::uint64_t byte_offset;
};

struct ManagedTensor {
    DLTensor tensor;
    void* context;
    void (*deleter)(ManagedTensor*);
};

}  // namespace ropescope::dlpack
