#include "core/engine/routed_engine.h"

namespace ropescope {

RotationTable RoutedEngine::table(const Spectrum& spectrum, std::int64_t first_position,
                                  std::int64_t count) {
    RotationTable result;
    route([&](Engine& engine) { result = engine.table(spectrum, first_position, count); });
    return result;
}

RotationTable RoutedEngine::table(const Spectrum& spectrum,
                                  std::span<const std::int64_t> positions) {
    RotationTable result;
    route([&](Engine& engine) { result = engine.table(spectrum, positions); });
    return result;
}

void RoutedEngine::rotate_in_place(TensorView<float> x, const RotationTableView& table,
                                   const RotateOptions& options) {
    route([&](Engine& engine) { engine.rotate_in_place(x, table, options); });
}

PairCurves RoutedEngine::pair_curves(const Spectrum& spectrum,
                                     std::span<const std::int64_t> distances,
                                     const PairWeights& weights) {
    PairCurves result;
    route([&](Engine& engine) { result = engine.pair_curves(spectrum, distances, weights); });
    return result;
}

}  // namespace ropescope
