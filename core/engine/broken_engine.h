// The CPU engine with a known fault, to show which checks find it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/engine.h"
#include "core/engine/tensor_ops.h"

namespace ropescope {

/// Faults that real implementations have had.
enum class EngineFault { none, wrong_sign, wrong_layout, bf16_table, off_by_one };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<EngineFault> = {
    "none", "wrong_sign", "wrong_layout", "bf16_table", "off_by_one"};

/// What is wrong with such an engine, in one sentence for people.
std::string_view fault_text(EngineFault fault);

/// An engine that computes as `correct`, which must outlive it and its tensor operations, but for
/// the fault: cos and sin of the tables (sign, rounding, position), or the channels that a rotation
/// takes for pairs. Curves of scores and decay need no table and stay right, but for the sign and
/// the position.
std::unique_ptr<Engine> make_broken_engine(Engine& correct, EngineFault fault);

// Tensor operations that pass every call on, for those that change one thing about it.

class ForwardingOps : public TensorOps {
  public:
    explicit ForwardingOps(std::unique_ptr<TensorOps> correct) : correct_(std::move(correct)) {}

    DeviceTensor make(std::int64_t rows, std::int64_t columns) override {
        return correct_->make(rows, columns);
    }
    DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                        std::int64_t columns) override {
        return correct_->upload(values, rows, columns);
    }
    DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                               std::int64_t columns) override {
        return correct_->upload_weight(values, rows, columns);
    }
    HostFloats download(const DeviceTensor& tensor) override { return correct_->download(tensor); }
    void publish(const DeviceTensor& tensor) override { correct_->publish(tensor); }
    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        return correct_->table(spectrum, positions, layout);
    }
    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        correct_->gather(table, ids, out);
    }
    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        correct_->gemm(x, linear, activation, out);
    }
    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        correct_->layer_norm(x, norm, out);
    }
    void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) override {
        correct_->add(a, b, out);
    }
    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        correct_->rotate(x, heads, rotation);
    }
    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        correct_->attention(inputs, outputs);
    }

  protected:
    TensorOps& correct() { return *correct_; }

  private:
    std::unique_ptr<TensorOps> correct_;
};

}  // namespace ropescope
