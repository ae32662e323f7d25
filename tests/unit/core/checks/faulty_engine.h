// Engines that are wrong in one way, as real implementations have been.
#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/forwarding_engine.h"

namespace ropescope::test {

/// What goes wrong on the way through a correct engine; an empty function changes nothing.
struct Fault {
    std::string name;
    std::function<std::int64_t(std::int64_t position)> position;
    std::function<void(RotationTable&, const Spectrum&, std::span<const std::int64_t>)> table;
    std::function<void(RotateOptions&)> options;
    std::function<void(TensorView<float>, const RotationTableView&)> after;
};

class FaultyEngine final : public ForwardingEngine {
  public:
    explicit FaultyEngine(Fault fault) : fault_(std::move(fault)) {}

    std::string name() const override { return fault_.name; }

    using ForwardingEngine::table;  // positions in several axes stay as they are

    RotationTable table(const Spectrum& spectrum, std::int64_t first_position,
                        std::int64_t count) override {
        std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
        std::iota(positions.begin(), positions.end(), first_position);
        return table(spectrum, positions);
    }

    RotationTable table(const Spectrum& spectrum,
                        std::span<const std::int64_t> positions) override {
        std::vector<std::int64_t> used(positions.begin(), positions.end());
        if (fault_.position) {
            for (std::int64_t& position : used) {
                position = fault_.position(position);
            }
        }
        RotationTable result = ForwardingEngine::table(spectrum, used);
        if (fault_.table) {
            fault_.table(result, spectrum, positions);
        }
        return result;
    }

    void rotate_in_place(TensorView<float> x, const RotationTableView& table,
                         const RotateOptions& options) override {
        RotateOptions used = options;
        if (fault_.options) {
            fault_.options(used);
        }
        ForwardingEngine::rotate_in_place(x, table, used);
        if (fault_.after) {
            fault_.after(x, table);
        }
    }

    PairCurves pair_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const PairWeights& weights) override {
        std::vector<std::int64_t> used(distances.begin(), distances.end());
        if (fault_.position) {
            for (std::int64_t& distance : used) {
                distance = fault_.position(distance);
            }
        }
        return ForwardingEngine::pair_curves(spectrum, used, weights);
    }

  private:
    Fault fault_;
};

}  // namespace ropescope::test
