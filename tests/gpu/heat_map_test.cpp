// Heat maps coloured on the device against the picture that the processor makes of the same cells.
#include "core/gpu/heat_map.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "app/plot/heat_raster.h"
#include "core/base/index.h"
#include "tests/gpu/gpu_context.h"

namespace ropescope::test {
namespace {

using plot::Color;

/// A plot that shows x in `x`, y in `y`.
struct Plot {
    double width = 0, height = 0;
    plot::Axis x, y;
};

class HeatMapPixels : public GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) {
            device_ = std::make_unique<gpu::Device>();
        }
    }
    void TearDown() override {
        device_.reset();
        GpuTest::TearDown();
    }

    static plot::PlacedPanel placed(const Plot& plot) {
        return {nullptr, {}, {10, 20, plot.width, plot.height}, plot.x, plot.y};
    }

    std::vector<Color> on_device(const plot::RasterPlan& plan, std::span<const float> values,
                                 const CellLayout& layout) {
        const auto buffer = gpu::upload(device_->pool, values);
        const auto narrow = [](const std::vector<plot::CellRange>& ranges) {
            std::vector<gpu::PixelCells> pixels;
            for (const plot::CellRange& range : ranges) {
                pixels.push_back({static_cast<std::uint32_t>(range.begin),
                                  static_cast<std::uint32_t>(range.end), range.first, range.last});
            }
            return pixels;
        };
        std::vector<std::uint32_t> shades;
        for (const Color shade : plan.shades) {
            shades.push_back(std::bit_cast<std::uint32_t>(shade));
        }
        const auto pixels = gpu::heat_map_pixels(
            *device_, buffer->all(), layout, narrow(plan.columns), narrow(plan.rows),
            {shades, std::bit_cast<std::uint32_t>(plan.undefined), plan.low, plan.high});
        std::vector<Color> read(plan.columns.size() * plan.rows.size());
        device_->readback.read(pixels->all(), std::as_writable_bytes(std::span(read)));
        return read;
    }

    void expect_same(const plot::HeatMap& map, const Plot& plot) {
        const plot::PlacedPanel panel = placed(plot);
        const plot::Raster expected = plot::rasterized(map, panel, plot::dark_theme());
        const plot::RasterPlan plan = plot::plan_raster(map, panel, plot::dark_theme());
        ASSERT_FALSE(expected.pixels.empty());
        const std::vector<Color> drawn =
            on_device(plan, map.values, {.row_step = map.columns, .column_step = 1});
        EXPECT_EQ(drawn, expected.pixels) << map.columns << " x " << map.rows << " cells on "
                                          << plot.width << " x " << plot.height << " pixels";
    }

  private:
    std::unique_ptr<gpu::Device> device_;
};

plot::HeatMap random_map(std::int64_t columns, std::int64_t rows) {
    std::mt19937 random(static_cast<unsigned>(columns * 1000 + rows));
    std::uniform_real_distribution<float> value(-1.5F, 1.5F);
    plot::HeatMap map{.columns = columns, .rows = rows, .min = -1, .max = 1};
    map.map = plot::ColorMap::diverging;
    for (std::int64_t i = 0; i < columns * rows; ++i) {
        map.values.push_back(value(random));
    }
    constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();
    constexpr float kEndless = std::numeric_limits<float>::infinity();
    map.values[columns * rows / 2] = kNoNumber;
    map.values[columns * rows / 3] = kEndless;
    map.values[columns * rows / 4] = -kEndless;
    return map;
}

TEST_F(HeatMapPixels, AreTheProcessorsToTheLastBit) {
    for (const auto& [columns, rows] :
         {std::pair{1, 1}, {7, 5}, {64, 300}, {1000, 3}, {333, 1025}}) {
        const plot::HeatMap map = random_map(columns, rows);
        const plot::Axis x{.min = 0, .max = to_double(columns)};
        const plot::Axis y{.min = 0, .max = to_double(rows)};
        const plot::Axis down{.min = y.max, .max = y.min};
        expect_same(map, {200, 150, x, y});
        expect_same(map, {37, 11, x, down});
        expect_same(map, {901.5, 700.25, x, down});
        // A part of the map, and room beside it.
        expect_same(map,
                    {200, 150, {.min = -2, .max = 0.7 * x.max}, {.min = 0.4, .max = 1.5 * y.max}});
    }
}

TEST_F(HeatMapPixels, OnLogarithmicAxes) {
    plot::HeatMap map = random_map(100, 80);
    map.x0 = map.y0 = 1;
    const plot::Axis axis{.min = 1, .max = 101, .scale = plot::AxisScale::log10};
    expect_same(map, {300, 200, axis, axis});
}

TEST_F(HeatMapPixels, ReadCellsWhereverTheyLie) {
    // A table of 6 positions and 4 pairs, cos and sin side by side, transposed and from the sines.
    std::vector<float> turned;
    plot::HeatMap map{.columns = 6, .rows = 4, .min = -1, .max = 1};
    map.values.resize(24);
    for (int position = 0; position < 6; ++position) {
        for (int pair = 0; pair < 4; ++pair) {
            const double angle = position * std::pow(10.0, -pair / 4.0);
            turned.push_back(static_cast<float>(std::cos(angle)));
            turned.push_back(static_cast<float>(std::sin(angle)));
            map.values[pair * 6 + position] = turned.back();
        }
    }
    const Plot plot{60, 40, {.min = 0, .max = 6}, {.min = 0, .max = 4}};
    const plot::RasterPlan plan = plot::plan_raster(map, placed(plot), plot::light_theme());
    const plot::Raster expected = plot::rasterized(map, placed(plot), plot::light_theme());
    EXPECT_EQ(on_device(plan, turned, {.first = 1, .row_step = 2, .column_step = 8}),
              expected.pixels);
}

TEST_F(HeatMapPixels, AnglesTakeAtMostTheNextColor) {
    constexpr int kAngles = 1009;
    std::vector<float> vectors;
    plot::HeatMap map{.columns = kAngles, .rows = 1, .min = -4, .max = 4};
    for (int i = 0; i < kAngles; ++i) {
        const double angle = 2 * 3.14159265358979 * i / kAngles;
        const double length = std::pow(10.0, i % 7 - 6);
        const auto x = static_cast<float>(length * std::cos(angle));
        const auto y = static_cast<float>(length * std::sin(angle));
        vectors.insert(vectors.end(), {x, y});
        map.values.push_back(std::atan2(y, x));
    }
    vectors.insert(vectors.end(), {0, 0, std::numeric_limits<float>::quiet_NaN(), 1});
    map.values.insert(map.values.end(), {0, std::numeric_limits<float>::quiet_NaN()});
    map.columns += 2;
    const Plot plot{4.0 * kAngles, 8, {.min = 0, .max = kAngles + 2.0}, {.min = 0, .max = 1}};
    const plot::RasterPlan plan = plot::plan_raster(map, placed(plot), plot::dark_theme());
    ASSERT_EQ(std::ssize(plan.columns), map.columns);
    const auto drawn =
        on_device(plan, vectors, {.row_step = 2 * map.columns, .column_step = 2, .angle = true});
    const auto expected = plot::rasterized(map, placed(plot), plot::dark_theme()).pixels;
    const auto shade = [&](Color color) {
        return std::ranges::find(plan.shades, color) - plan.shades.begin();
    };
    for (std::size_t i = 0; i + 1 < drawn.size(); ++i) {
        const auto level = [&](std::uint8_t a, std::uint8_t b) { return std::abs(a - b); };
        EXPECT_LE(level(drawn[i].r, expected[i].r), 1) << i;
        EXPECT_LE(level(drawn[i].g, expected[i].g), 1) << i;
        EXPECT_LE(level(drawn[i].b, expected[i].b), 1) << i;
        EXPECT_LT(shade(drawn[i]), std::ssize(plan.shades)) << i;
    }
    EXPECT_EQ(drawn.back(), plan.undefined);
}

/// Blocks of 4 by 4 of 10 by 7 values: the last of a row and of a column are smaller.
TEST_F(HeatMapPixels, CellsMayBeBlocksOfValues) {
    constexpr std::int64_t kColumns = 10, kRows = 7, kBlock = 4;
    const plot::HeatMap values = random_map(kColumns, kRows);
    for (const bool largest : {false, true}) {
        plot::HeatMap pooled{.columns = 3, .rows = 2, .min = -1, .max = 1};
        pooled.map = plot::ColorMap::diverging;
        for (std::int64_t row = 0; row < kRows; row += kBlock) {
            for (std::int64_t column = 0; column < kColumns; column += kBlock) {
                double sum = 0, count = 0, most = -10;
                for (std::int64_t r = row; r < std::min(kRows, row + kBlock); ++r) {
                    for (std::int64_t c = column; c < std::min(kColumns, column + kBlock); ++c) {
                        const auto at = static_cast<std::size_t>(r * kColumns + c);
                        const auto value = double{values.values[at]};
                        sum += value;
                        count += 1;
                        most = std::isnan(value) ? value : std::max(most, value);
                    }
                }
                pooled.values.push_back(
                    static_cast<float>(std::isnan(sum) || !largest ? sum / count : most));
            }
        }
        for (const double side : {1.0, 2.0, 30.0}) {  // pixels of several cells, and of parts
            const Plot plot{3 * side, 2 * side, {.min = 0, .max = 3}, {.min = 0, .max = 2}};
            const plot::RasterPlan plan =
                plot::plan_raster(pooled, placed(plot), plot::dark_theme());
            EXPECT_EQ(on_device(plan, values.values,
                                {.row_step = kColumns,
                                 .block = kBlock,
                                 .rows = kRows,
                                 .columns = kColumns,
                                 .largest = largest}),
                      plot::rasterized(pooled, placed(plot), plot::dark_theme()).pixels)
                << largest << " on " << side;
        }
    }
}

}  // namespace
}  // namespace ropescope::test
