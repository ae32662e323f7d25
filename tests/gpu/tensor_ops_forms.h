// The encoder's operations in the forms that tests hold to double: the one for hardware (tiles in
// shared memory) and the one for processors that imitate a GPU. llvmpipe runs either; what it is
// taken for is set here.
#pragma once

#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/gpu_engine.h"
#include "tests/gpu/gpu_context.h"

namespace ropescope::test {

inline constexpr double kUnit = 0x1p-24;

struct Form {
    const char* name;
    bool software;
    std::int64_t storage_bytes;  ///< 0: what the device has
    std::int64_t busy_tiles = 512;
};

/// What a failed test is named by.
inline void PrintTo(const Form& form, std::ostream* out) {
    *out << form.name;
}

class GpuTensorOpsTest : public GpuTest, public ::testing::WithParamInterface<Form> {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) {
            return;
        }
        device_ = std::make_unique<gpu::Device>();
        device_->limits.software = GetParam().software;
        device_->limits.busy_tiles = GetParam().busy_tiles;
        if (GetParam().storage_bytes > 0) {
            device_->limits.storage_bytes = GetParam().storage_bytes;
        }
        ops_ = gpu::make_gpu_tensor_ops(*device_);
    }
    void TearDown() override {
        ops_.reset();
        device_.reset();
        GpuTest::TearDown();
    }

    TensorOps& ops() { return *ops_; }

    /// Uniform in [-1, 1).
    std::vector<float> random(std::int64_t count) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = static_cast<float>(static_cast<double>(generator_() >> 40) * 0x1p-23 - 1.0);
        }
        return values;
    }
    DeviceTensor put(const std::vector<float>& values, std::int64_t rows) {
        return ops().upload({nullptr, values}, rows, std::ssize(values) / rows);
    }
    std::vector<float> get(const DeviceTensor& tensor) {
        const HostFloats floats = ops().download(tensor);
        return {floats.values.begin(), floats.values.end()};
    }

  private:
    std::mt19937_64 generator_{37};
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<TensorOps> ops_;
};

/// What the device is taken for: with all its memory, and with so little that work goes in parts.
inline constexpr Form kPlain{"plain", true, 0};
inline constexpr Form kTiled{"tiled", false, 0, 1};
inline constexpr Form kPlainInParts{"plain_in_parts", true, 1 << 17};
inline constexpr Form kTiledInParts{"tiled_in_parts", false, 1 << 17};

inline const auto kEveryForm = ::testing::Values(kPlain, kTiled, kPlainInParts, kTiledInParts);
inline std::string form_name(const ::testing::TestParamInfo<Form>& each) {
    return each.param.name;
}

}  // namespace ropescope::test
