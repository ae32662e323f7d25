#include "core/engine/relayed_ops.h"

#include <vector>

namespace ropescope {
namespace {

/// What is captured is held by value: the call may be made after the caller has gone on.
class RelayedOps final : public TensorOps {
  public:
    RelayedOps(std::unique_ptr<TensorOps> ops, std::shared_ptr<Relay> relay)
        : relay_(std::move(relay)), ops_(std::move(ops)) {}
    ~RelayedOps() override {
        try {
            relay_->now([this] { ops_.reset(); });
        } catch (...) {  // an error of the past has nobody left to hear it
            relay_->now([this] { ops_.reset(); });
        }
    }
    RelayedOps(const RelayedOps&) = delete;
    RelayedOps& operator=(const RelayedOps&) = delete;

    DeviceTensor make(std::int64_t rows, std::int64_t columns) override {
        // Memory is got when it is first used, by the operation that uses it.
        return ops_->make(rows, columns);
    }
    DeviceTensor upload(const HostFloats& values, std::int64_t rows,
                        std::int64_t columns) override {
        DeviceTensor result;
        relay_->now([&] { result = ops_->upload(values, rows, columns); });
        return result;
    }
    DeviceTensor upload_weight(const HostFloats& values, std::int64_t rows,
                               std::int64_t columns) override {
        DeviceTensor result;
        relay_->now([&] { result = ops_->upload_weight(values, rows, columns); });
        return result;
    }
    HostFloats download(const DeviceTensor& tensor) override {
        HostFloats result;
        relay_->now([&] { result = ops_->download(tensor); });
        return result;
    }
    void publish(const DeviceTensor& tensor) override {
        relay_->now([&] { ops_->publish(tensor); });
    }
    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        DeviceRotation result;
        relay_->now([&] { result = ops_->table(spectrum, positions, layout); });
        return result;
    }
    void gather(const DeviceTensor& table, std::span<const std::int64_t> ids,
                const DeviceTensor& out) override {
        relay_->in_order([this, table, own = std::vector<std::int64_t>(ids.begin(), ids.end()),
                          out] { ops_->gather(table, own, out); });
    }
    void gemm(const DeviceTensor& x, const Linear& linear, Activation activation,
              const DeviceTensor& out) override {
        relay_->in_order(
            [this, x, linear, activation, out] { ops_->gemm(x, linear, activation, out); });
    }
    void layer_norm(const DeviceTensor& x, const Norm& norm, const DeviceTensor& out) override {
        relay_->in_order([this, x, norm, out] { ops_->layer_norm(x, norm, out); });
    }
    void add(const DeviceTensor& a, const DeviceTensor& b, const DeviceTensor& out) override {
        relay_->in_order([this, a, b, out] { ops_->add(a, b, out); });
    }
    void rotate(const DeviceTensor& x, std::int64_t heads,
                const DeviceRotation& rotation) override {
        relay_->in_order([this, x, heads, rotation] { ops_->rotate(x, heads, rotation); });
    }
    void attention(const AttentionInputs& inputs, const AttentionOutputs& outputs) override {
        relay_->in_order([this, inputs, outputs] { ops_->attention(inputs, outputs); });
    }

  private:
    std::shared_ptr<Relay> relay_;
    std::unique_ptr<TensorOps> ops_;
};

}  // namespace

std::unique_ptr<TensorOps> make_relayed_ops(std::unique_ptr<TensorOps> ops,
                                            std::shared_ptr<Relay> relay) {
    return std::make_unique<RelayedOps>(std::move(ops), std::move(relay));
}

}  // namespace ropescope
