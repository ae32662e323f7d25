// An engine whose operations on tensors are wrong in one way.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/engine/broken_engine.h"
#include "tests/support/forwarding_engine.h"

namespace ropescope::test {

/// Each function changes the arguments of the correct operation; an empty one changes nothing.
struct OpsFault {
    std::string name = {};
    EngineKind kind = EngineKind::cpu;
    std::function<void(Linear&, Activation&)> gemm = {};
    std::function<void(Norm&)> norm = {};
    std::function<void(DeviceRotation&)> rotation = {};
    std::function<void(AttentionInputs&)> attention = {};
    std::function<void(std::vector<std::int64_t>&)> ids = {};
    std::function<void(std::vector<float>&)> downloaded = {};
};

class FaultyOps final : public ForwardingOps {
  public:
    FaultyOps(std::unique_ptr<TensorOps> correct, const OpsFault& fault)
        : ForwardingOps(std::move(correct)), fault_(fault) {}

    HostFloats download(const DeviceTensor& tensor) override {
        const HostFloats right = correct().download(tensor);
        const auto values =
            std::make_shared<std::vector<float>>(right.values.begin(), right.values.end());
        change(fault_.downloaded, *values);
        return {values, *values};
    }
    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        std::vector<std::int64_t> used(ids.begin(), ids.end());
        change(fault_.ids, used);
        correct().gather(table, used, out);
    }
    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        Linear used = linear;
        change(fault_.gemm, used, activation);
        correct().gemm(x, used, activation, out);
    }
    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        Norm used = norm;
        change(fault_.norm, used);
        correct().layer_norm(x, used, out);
    }
    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        DeviceRotation used = rotation;
        change(fault_.rotation, used);
        correct().rotate(x, heads, used);
    }
    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        AttentionInputs used = inputs;
        change(fault_.attention, used);
        correct().attention(used, outputs);
    }

  private:
    template <typename Change, typename... Subject>
    static void change(const Change& change, Subject&... subject) {
        if (change) {
            change(subject...);
        }
    }

    const OpsFault& fault_;
};

/// Tables and rotations of host tensors are correct.
class FaultyOpsEngine final : public ForwardingEngine {
  public:
    explicit FaultyOpsEngine(OpsFault fault) : fault_(std::move(fault)) {}

    EngineKind kind() const override { return fault_.kind; }
    std::string name() const override { return fault_.name; }
    std::unique_ptr<TensorOps> tensor_ops() override {
        return std::make_unique<FaultyOps>(ForwardingEngine::tensor_ops(), fault_);
    }

  private:
    OpsFault fault_;
};

}  // namespace ropescope::test
