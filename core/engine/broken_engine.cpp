// Passes every call on, and changes what the fault is about.
#include "core/engine/broken_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/number_format.h"

namespace ropescope {
namespace {

/// Positions as an engine that counts from 1 reads them. The last one stays, so that it is valid.
std::vector<Index> shifted(std::span<const Index> positions, EngineFault fault) {
    std::vector<Index> used(positions.begin(), positions.end());
    if (fault == EngineFault::off_by_one) {
        std::ranges::transform(used, used.begin(),
                               [](Index at) { return std::min<Index>(at + 1, kMaxPosition); });
    }
    return used;
}

Layout layout_with(Layout layout, EngineFault fault) {
    const Layout other = layout == Layout::half_split ? Layout::interleaved : Layout::half_split;
    return fault == EngineFault::wrong_layout ? other : layout;
}

float rounded_to_bf16(float value) {
    return f32_from_bf16(bf16_from_f32(value));
}

template <typename Numbers>
void change_cos(Numbers& cos, EngineFault fault) {
    if (fault == EngineFault::bf16_table) {
        std::ranges::transform(cos, cos.begin(), rounded_to_bf16);
    }
}

template <typename Numbers>
void change_sin(Numbers& sin, EngineFault fault) {
    change_cos(sin, fault);
    if (fault == EngineFault::wrong_sign) {
        std::ranges::transform(sin, sin.begin(), [](float value) { return -value; });
    }
}

RotationTable changed(RotationTable table, EngineFault fault) {
    change_cos(table.cos, fault);
    change_sin(table.sin, fault);
    return table;
}

class BrokenOps final : public ForwardingOps {
  public:
    BrokenOps(std::unique_ptr<TensorOps> correct, EngineFault fault)
        : ForwardingOps(std::move(correct)), fault_(fault) {}

    DeviceRotation table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                         Layout layout) override {
        DeviceRotation rotation =
            correct().table(spectrum, shifted(positions, fault_), layout_with(layout, fault_));
        if (fault_ == EngineFault::bf16_table) {
            rotation.cos =
                uploaded(rotation.cos, [&](auto& values) { change_cos(values, fault_); });
        }
        rotation.sin = uploaded(rotation.sin, [&](auto& values) { change_sin(values, fault_); });
        return rotation;
    }

  private:
    template <typename Change>
    DeviceTensor uploaded(const DeviceTensor& tensor, const Change& change) {
        const HostFloats right = download(tensor);
        const auto values =
            std::make_shared<std::vector<float>>(right.values.begin(), right.values.end());
        change(*values);
        return upload({values, *values}, tensor.rows, tensor.columns);
    }

    EngineFault fault_;
};

class BrokenEngine final : public Engine {
  public:
    BrokenEngine(Engine& correct, EngineFault fault) : correct_(correct), fault_(fault) {}

    EngineKind kind() const override { return correct_.kind(); }
    std::string device() const override { return correct_.device(); }
    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        std::vector<Index> positions;
        for (Index i = 0; i < count; ++i) {
            positions.push_back(first_position + i);
        }
        return table(spectrum, std::span<const Index>(positions));
    }
    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        return changed(correct_.table(spectrum, std::span<const Index>(shifted(positions, fault_))),
                       fault_);
    }
    RotationTable table(const Spectrum& spectrum, const AxisPositions& positions) override {
        return changed(correct_.table(spectrum, positions), fault_);
    }
    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        RotateOptions used = options;
        used.layout = layout_with(options.layout, fault_);
        correct_.rotate_in_place(x, table, used);
    }
    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        std::vector<std::int64_t> used(distances.begin(), distances.end());
        if (fault_ == EngineFault::wrong_sign) {
            std::ranges::transform(used, used.begin(), [](std::int64_t at) { return -at; });
        }
        return correct_.pair_curves(spectrum, shifted(used, fault_), weights);
    }
    std::unique_ptr<TensorOps> tensor_ops() override {
        return std::make_unique<BrokenOps>(correct_.tensor_ops(), fault_);
    }

  private:
    Engine& correct_;
    EngineFault fault_;
};

}  // namespace

std::string_view fault_text(EngineFault fault) {
    switch (fault) {
        case EngineFault::none:
            return "the engine as it is";
        case EngineFault::wrong_sign:
            return "sin has the wrong sign, so everything turns the other way";
        case EngineFault::wrong_layout:
            return "the channels of the other layout are taken for pairs";
        case EngineFault::bf16_table:
            return "the table of cos and sin is rounded to bf16";
        case EngineFault::off_by_one:
            return "every position is counted one too high";
    }
    return "";
}

std::unique_ptr<Engine> make_broken_engine(Engine& correct, EngineFault fault) {
    return std::make_unique<BrokenEngine>(correct, fault);
}

}  // namespace ropescope
