// Every check must be able to fail: each is run on an engine or a function that is wrong on
// purpose.
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <new>
#include <set>

#include "core/checks/families/layout_checks.h"
#include "core/checks/families/rope_identities.h"
#include "core/checks/families/spectrum_checks.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/report/report.h"
#include "core/rope/routes.h"
#include "tests/support/failing_engine.h"
#include "tests/unit/core/checks/faulty_engine.h"

namespace ropescope {
namespace {

using test::FailingEngine;
using test::Fault;
using test::FaultyEngine;

/// A fault and the checks that must see it.
struct CheckFault {
    Fault fault;
    std::vector<std::string> caught_by;
};

Fault fault(std::string name) {
    return {std::move(name), {}, {}, {}, {}};
}

CheckFault swapped_layout() {
    Fault wrong = fault("swaps the layouts");
    wrong.options = [](RotateOptions& options) {
        options.layout =
            options.layout == Layout::interleaved ? Layout::half_split : Layout::interleaved;
    };
    return {wrong,
            {"layout.partner_map", "layout.vectors", "layout.scores", "layout.projection_rows",
             "rope.blockwise", "table.rotate", "table.sizes"}};
}

CheckFault reversed_sign() {
    Fault wrong = fault("turns the wrong way");
    wrong.table = [](RotationTable& table, const Spectrum&, std::span<const std::int64_t>) {
        for (float& value : table.sin) {
            value = -value;
        }
    };
    return {wrong,
            {"layout.partner_map", "rope.blockwise", "table.contiguous", "table.positions",
             "table.rotate"}};
}

CheckFault fp32_angles() {
    Fault wrong = fault("forms angles in fp32");
    wrong.table = [](RotationTable& table, const Spectrum& spectrum,
                     std::span<const std::int64_t> positions) {
        std::size_t entry = 0;
        for (const std::int64_t position : positions) {
            for (const double inv_freq_rad : spectrum.inv_freq_rad) {
                const float angle = static_cast<float>(position) * static_cast<float>(inv_freq_rad);
                table.cos[entry] = std::cos(angle);
                table.sin[entry++] = std::sin(angle);
            }
        }
    };
    return {wrong,
            {"rope.relative", "rope.composition", "rope.shift_invariance", "rope.relative_score",
             "rope.blockwise", "table.contiguous", "table.positions", "table.rotate"}};
}

CheckFault offset_position() {
    Fault wrong = fault("is one position late");
    wrong.position = [](std::int64_t p) { return p > -kMaxPosition ? p - 1 : p; };
    return {wrong,
            {"rope.identity_at_zero", "rope.composition", "rope.relative", "rope.relative_score",
             "layout.partner_map", "table.contiguous", "table.positions", "table.rotate"}};
}

CheckFault forgotten_minus() {
    Fault wrong = fault("computes x cos + y sin");  // in every pair: a reflection of some kind
    wrong.after = [](TensorView<float> x, const RotationTableView&) {
        for (std::int64_t i = 0; i < x.size(); i += 2) {
            x.data[i] += 1e-3F * x.data[i + 1];
        }
    };
    return {wrong, {"rope.norm", "rope.orthogonality", "rope.inverse", "rope.identity_at_zero"}};
}

CheckFault gained() {
    Fault wrong = fault("scales by an attention factor");
    wrong.table = [](RotationTable& table, const Spectrum&, std::span<const std::int64_t>) {
        for (std::size_t i = 0; i < table.cos.size(); ++i) {
            table.cos[i] *= 1.000001F;
            table.sin[i] *= 1.000001F;
        }
    };
    return {wrong, {"rope.orthogonality", "rope.norm", "rope.identity_at_zero", "table.positions"}};
}

CheckFault lost_factor() {
    Fault wrong = fault("forgets the attention factor");
    wrong.table = [](RotationTable& table, const Spectrum& spectrum,
                     std::span<const std::int64_t>) {
        for (std::size_t i = 0; i < table.cos.size(); ++i) {
            table.cos[i] /= to_float(spectrum.attention_factor);
            table.sin[i] /= to_float(spectrum.attention_factor);
        }
    };
    return {wrong, {"rope.attention_factor", "table.attention_factor"}};
}

CheckFault touched_rest() {
    Fault wrong = fault("touches the last channel");
    wrong.after = [](TensorView<float> x, const RotationTableView&) {
        for (std::int64_t i = x.head_dim - 1; i < x.size(); i += x.head_dim) {
            x.data[i] = std::nextafter(x.data[i], 2.0F);
        }
    };
    return {wrong, {"rope.pass_through", "rope.identity_at_zero"}};
}

CheckFault one_way_only() {
    Fault wrong = fault("ignores the direction");
    wrong.options = [](RotateOptions& options) { options.direction = Direction::forward; };
    return {wrong, {"rope.inverse"}};
}

CheckFault one_batch_for_all() {
    Fault wrong = fault("uses the first batch's positions for all");
    wrong.options = [](RotateOptions& options) {
        if (options.rows.size() == 14) {
            options.rows = options.rows.first(7);
        }
    };
    return {wrong, {"table.rotate"}};
}

CheckFault short_table() {
    Fault wrong = fault("ends its table at 4096 rows");
    wrong.table = [](RotationTable& table, const Spectrum&, std::span<const std::int64_t> p) {
        const std::size_t end = 4096 * static_cast<std::size_t>(table.pairs);
        for (std::size_t i = end; p.size() > 4096 && i < table.cos.size(); ++i) {
            table.cos[i] = table.cos[end - 1];
        }
    };
    return {wrong, {"table.contiguous"}};
}

CheckFault unsigned_positions() {
    Fault wrong = fault("drops the sign of positions");
    wrong.position = [](std::int64_t p) { return std::abs(p); };
    return {wrong,
            {"rope.relative", "rope.composition", "rope.shift_invariance", "rope.relative_score",
             "table.contiguous", "table.positions", "engine.curves"}};
}

CheckFault not_a_number() {
    Fault wrong = fault("returns NaN");
    wrong.after = [](TensorView<float> x, const RotationTableView&) {
        x.data[x.size() - 1] = std::numeric_limits<float>::quiet_NaN();
    };
    return {wrong,
            {"rope.orthogonality", "rope.relative", "rope.norm", "rope.identity_at_zero",
             "rope.pass_through", "rope.composition", "rope.inverse", "rope.shift_invariance",
             "rope.relative_score", "rope.blockwise", "layout.partner_map", "layout.vectors",
             "layout.scores", "layout.projection_rows", "table.rotate"}};
}

std::vector<CheckFault> fault_cases() {
    return {swapped_layout(),    reversed_sign(),   fp32_angles(),
            offset_position(),   forgotten_minus(), gained(),
            lost_factor(),       touched_rest(),    one_way_only(),
            one_batch_for_all(), short_table(),     unsigned_positions(),
            not_a_number()};
}

class CheckFaults : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CheckFaults, AreCaught) {
    const CheckFault fault_case = fault_cases()[GetParam()];
    FaultyEngine engine(fault_case.fault);
    for (const std::string& id : fault_case.caught_by) {
        const CheckRun run = run_checks(select_checks(id), {{&engine}});
        EXPECT_EQ(run.count(Status::failed), 1)
            << id << " holds for an engine that " << engine.name();
        EXPECT_THAT(run.results[0].finding.detail, ::testing::HasSubstr(engine.name()));
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, CheckFaults,
                         ::testing::Range(std::size_t{0}, fault_cases().size()));

TEST(CheckFaults, NoneIsSeenInACorrectEngine) {
    FaultyEngine correct(fault("correct"));
    auto checks = select_checks("*");
    // These compare two engines; here is one.
    std::erase_if(checks, [](const Check* check) { return check->id.starts_with("gpu."); });
    const CheckRun run = run_checks(checks, {{&correct}});
    EXPECT_TRUE(run.ok()) << report_text(run);
    EXPECT_EQ(run.count(Status::skipped), 0);
}

TEST(CheckFaults, ChecksOnSeveralThreadsFindWhatTheyFindOnOne) {
    const std::unique_ptr<Engine> engine = make_cpu_engine();
    const auto checks = select_checks("r*");  // rope, ... : whole families in the registry's order
    const CheckRun one = run_checks(checks, {{engine.get()}});
    const CheckRun several = run_checks_at_once(checks, {{engine.get()}}, 3);
    ASSERT_EQ(several.results.size(), one.results.size());
    for (std::size_t i = 0; i < one.results.size(); ++i) {
        EXPECT_EQ(several.results[i].check, one.results[i].check);
        EXPECT_EQ(several.results[i].finding.measured, one.results[i].finding.measured)
            << one.results[i].check->id;
    }
    FailingEngine failing(3);
    EXPECT_THROW(run_checks_at_once(checks, {{&failing}}, 3), CapabilityError);
}

TEST(CheckFaults, AnEngineThatIsLostEndsTheRunWithoutAVerdict) {
    FailingEngine failing(3);
    std::size_t told = 0;
    EXPECT_THROW(run_checks(select_checks("rope.*"), {{&failing}},
                            [&](const CheckResult& result) {
                                ++told;
                                EXPECT_EQ(result.finding.status, Status::passed);
                            }),
                 CapabilityError);
    EXPECT_LT(told, 4U) << "each check calls the engine";
}

TEST(CheckFaults, WantOfMemoryEndsTheRunWithoutAVerdict) {
    Check greedy = all_checks().front();
    greedy.run = [](const CheckContext&) -> CheckFinding { throw std::bad_alloc(); };
    EXPECT_THROW(run_checks(std::array<const Check*, 1>{&greedy}, {}), std::bad_alloc);
}

TEST(CheckFaults, ARouteThatIsWrongDisagrees) {
    const Rotator transposed = route_rotator(
        "transposed",
        [](const RopeSpec& spec, const Spectrum& spectrum, std::span<const double> x,
           std::int64_t position) { return rotate_by_matrix(spec, spectrum, x, -position); });
    EXPECT_EQ(routes_agree(std::vector{complex_rotator(), transposed}).status, Status::failed);
    // fp32 storage alone is beyond the bound of a double route.
    const Rotator rounded =
        route_rotator("rounded", [](const RopeSpec& spec, const Spectrum& spectrum,
                                    std::span<const double> x, std::int64_t position) {
            std::vector<double> y = rotate_by_elements(spec, spectrum, x, position);
            for (double& value : y) {
                value = to_float(value);
            }
            return y;
        });
    EXPECT_EQ(routes_agree(std::vector{complex_rotator(), rounded}).status, Status::failed);
    EXPECT_EQ(routes_agree(std::vector{complex_rotator(), matrix_rotator()}).status,
              Status::passed);
}

TEST(CheckFaults, AnAngleThatAllRoutesShareIsSeenAgainstPowers) {
    // As if the angle's product were rounded to double once more: 2^-53 of it, for large positions.
    const Rotator coarse =
        route_rotator("coarse", [](const RopeSpec& spec, const Spectrum& spectrum,
                                   std::span<const double> x, std::int64_t position) {
            Spectrum turned = spectrum;
            for (double& inv_freq_rad : turned.inv_freq_rad) {
                inv_freq_rad = std::nextafter(inv_freq_rad, 2.0);
            }
            return rotate_by_complex(spec, turned, x, position);
        });
    EXPECT_EQ(routes_agree(std::vector{power_rotator(), coarse}).status, Status::failed);
    EXPECT_EQ(routes_agree(std::vector{power_rotator(), complex_rotator()}).status, Status::passed);
}

TEST(CheckFaults, AMatrixWithAStrayEntryIsNotOrthogonal) {
    const MatrixSource stray =
        route_matrix("stray", [](const RopeSpec& spec, const Spectrum& spectrum, std::int64_t m) {
            std::vector<double> r = rotation_matrix(spec, spectrum, m);
            r.back() += m == 2000 ? 1e-14 : 0.0;
            return r;
        });
    EXPECT_EQ(matrices_orthogonal({&stray, 1}).status, Status::failed);
}

/// The spectrum with its exponent made by `exponent(pair, rotary_dim)`.
MakeSpectrum spectrum_with(std::function<double(double, double)> exponent) {
    return [exponent = std::move(exponent)](const RopeSpec& spec) {
        Spectrum spectrum;
        for (Index pair = 0; pair < spec.pairs(); ++pair) {
            const double power = exponent(to_double(pair), to_double(spec.rotary_dim));
            spectrum.inv_freq_rad.push_back(std::pow(spec.base, power));
        }
        return spectrum;
    };
}

TEST(CheckFaults, WrongSpectraAreSeen) {
    const auto odd = spectrum_with([](double i, double d) { return -(2.0 * i + 1.0) / d; });
    EXPECT_EQ(first_frequency_is_one(odd).status, Status::failed);
    EXPECT_EQ(frequencies_match_long_double(odd).status, Status::failed);

    const auto integer_division = spectrum_with([](double i, double d) {
        return -std::floor(2.0 * i / d);  // always 0
    });
    EXPECT_EQ(first_frequency_is_one(integer_division).status, Status::passed);
    EXPECT_EQ(ratio_is_geometric(integer_division).status, Status::failed);
    EXPECT_EQ(frequencies_match_long_double(integer_division).status, Status::failed);

    const auto reciprocal = spectrum_with([](double i, double d) { return 2.0 * i / d; });
    EXPECT_EQ(ratio_is_geometric(reciprocal).status, Status::failed);

    const MakeSpectrum rounded = [](const RopeSpec& spec) {
        Spectrum spectrum = make_spectrum(spec);
        for (double& value : spectrum.inv_freq_rad) {
            value = to_float(value);
        }
        return spectrum;
    };
    EXPECT_EQ(frequencies_match_long_double(rounded).status, Status::failed);
    EXPECT_EQ(ratio_is_geometric(rounded).status, Status::failed);

    const MakeSpectrum cut = [](const RopeSpec& spec) {
        Spectrum spectrum = make_spectrum(spec);
        spectrum.inv_freq_rad.resize((spectrum.inv_freq_rad.size() + 1) / 2);
        return spectrum;
    };
    EXPECT_EQ(frequencies_match_long_double(cut).status, Status::failed);
}

TEST(CheckFaults, AReductionThatLosesTheAngleIsSeen) {
    EXPECT_EQ(angles_match_long_double(reduced_angle_rad).status, Status::passed);
    const ReduceAngle fp32 = [](std::int64_t position, double inv_freq_rad) {
        return to_float(reduced_angle_rad(position, inv_freq_rad));
    };
    EXPECT_EQ(angles_match_long_double(fp32).status, Status::failed);
    // Half turns instead of whole ones.
    const ReduceAngle half_turns = [](std::int64_t position, double inv_freq_rad) {
        return std::remainder(to_double(position) * inv_freq_rad, 3.141592653589793);
    };
    EXPECT_EQ(angles_match_long_double(half_turns).status, Status::failed);
}

TEST(CheckFaults, WavelengthsThatAreNotTurnsAreSeen) {
    const Wavelength inverse_only = [](const Spectrum& spectrum, Index pair) {
        return 1.0 / spectrum.inv_freq_rad[pair];
    };
    EXPECT_EQ(wavelengths_are_turns(inverse_only).status, Status::failed);
}

TEST(CheckFaults, WrongPermutationsAreSeen) {
    const Permutation never = [](Layout, Layout, Index head_dim, Index) {
        std::vector<Index> identity(head_dim);
        std::iota(identity.begin(), identity.end(), Index{0});
        return identity;
    };
    EXPECT_EQ(permutation_is_bijection(never).status, Status::failed);
    const Permutation one_way = [](Layout, Layout, Index head_dim, Index rotary_dim) {
        return layout_permutation(Layout::interleaved, Layout::half_split, head_dim, rotary_dim);
    };
    EXPECT_EQ(permutation_is_bijection(one_way).status, Status::failed);
    // The whole head instead of its rotated part.
    const Permutation too_wide = [](Layout from, Layout to, Index head_dim, Index) {
        return layout_permutation(from, to, head_dim, head_dim);
    };
    EXPECT_EQ(permutation_is_bijection(too_wide).status, Status::failed);
}

TEST(CheckFaults, ProjectionsPermutedAcrossHeadsAreSeen) {
    // Keys permuted as if they had the query's number of heads, each half as wide.
    const PermuteProjection all_one_head = [](std::span<const float> weight, Index heads,
                                              Index head_dim, Index rotary_dim, Index columns,
                                              Layout from, Layout to) {
        return permute_projection_rows(weight, 1, heads * head_dim, rotary_dim, columns, from, to);
    };
    EXPECT_EQ(projections_permute({}, all_one_head).status, Status::failed);
    EXPECT_EQ(projections_permute({}, permute_projection_rows).status, Status::passed);
}

/// Whoever adds a check to these families proves here that it can fail: by an engine above, or by
/// name below, where tests/mutation has a fault that it sees.
TEST(CheckFaults, EveryCheckIsSeenToFail) {
    std::set<std::string> seen{"rope.routes_agree",
                               "rope.spectrum_first",
                               "rope.spectrum_ratio",
                               "rope.spectrum_values",
                               "rope.spectrum_wavelength",
                               "rope.reduced_angle",
                               "layout.permutation",
                               "rope.attention_score",
                               "table.axes",
                               "table.rows"};
    for (const CheckFault& fault_case : fault_cases()) {
        seen.insert(fault_case.caught_by.begin(), fault_case.caught_by.end());
    }
    const std::set<std::string_view> families{"rope", "layout", "table"};
    for (const Check& check : all_checks()) {
        if (!families.contains(family_of(check.id))) {
            continue;
        }
        EXPECT_EQ(seen.count(check.id), 1U) << check.id << " was never made to fail";
    }
}

}  // namespace
}  // namespace ropescope
