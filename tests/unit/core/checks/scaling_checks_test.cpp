// Every check of the scaling methods holds, and fails on a spectrum with the fault it is there for.
#include <gtest/gtest.h>

#include "core/checks/families/spectrum_checks.h"
#include "core/rope/spectrum.h"

namespace ropescope {
namespace {

/// The spectrum that another scaling gives: what an implementation with that fault would compute.
template <typename Change>
MakeSpectrum with(Change change) {
    return [change](const RopeSpec& spec) {
        RopeSpec faulty = spec;
        change(faulty);
        return make_spectrum(faulty);
    };
}

/// A fault in one method, given the method's parameters and the spec.
template <typename Method, typename Change>
MakeSpectrum fault(Change change) {
    return with([change](RopeSpec& spec) {
        if (auto* method = std::get_if<Method>(&spec.scaling)) {
            change(*method, spec);
        }
    });
}

template <typename Method>
CheckFinding follows(const MakeSpectrum& make, const Cases& cases) {
    return follows_reference(Method{}, make, cases);
}

struct FaultCase {
    const char* name;
    CheckFinding (*check)(const MakeSpectrum&, const Cases&);
    MakeSpectrum faulty;
};

TEST(ScalingChecks, HoldAndAreSeenToFail) {
    const std::vector<FaultCase> cases = {
        {"linear as NTK", follows<LinearScaling>,
         fault<LinearScaling>([](const LinearScaling& linear, RopeSpec& spec) {
             spec.scaling = NtkScaling{linear.factor};
         })},
        {"NTK as linear", follows<NtkScaling>,
         fault<NtkScaling>([](const NtkScaling& ntk, RopeSpec& spec) {
             spec.scaling = LinearScaling{ntk.factor};
         })},
        {"dynamic without the trained length's floor", follows<DynamicNtkScaling>,
         fault<DynamicNtkScaling>([](const DynamicNtkScaling& dynamic, RopeSpec& spec) {
             spec.scaling = NtkScaling{dynamic.factor};
         })},
        {"YaRN's ramp always at whole pairs", follows<YarnScaling>,
         fault<YarnScaling>([](YarnScaling& yarn, RopeSpec&) { yarn.truncate = true; })},
        {"Llama 3 without its blend", follows<Llama3Scaling>,
         fault<Llama3Scaling>(
             [](Llama3Scaling& llama, RopeSpec&) { llama.low_freq_factor = 3.999; })},
        {"LongRoPE always short", follows<LongRopeScaling>,
         with([](RopeSpec& spec) { spec.seq_len = 0; })},
        {"proportional with every pair turning", follows<ProportionalScaling>,
         fault<ProportionalScaling>([](ProportionalScaling& proportional, RopeSpec&) {
             proportional.partial_rotary_factor = 1.0;
         })},
        {"a factor that is never 1", factor_one_changes_nothing,
         fault<LinearScaling>([](LinearScaling& linear, RopeSpec&) { linear.factor += 1e-9; })},
        {"linear by the square of the factor", scaled_between_whole_and_factor,
         fault<LinearScaling>(
             [](LinearScaling& linear, RopeSpec&) { linear.factor *= linear.factor; })},
        {"mscale without mscale_all_dim is read", attention_factors_by_logarithm,
         fault<YarnScaling>([](YarnScaling& yarn, RopeSpec&) {
             if (yarn.mscale && !yarn.mscale_all_dim) {
                 yarn.mscale_all_dim = 1.0;
             }
         })},
        {"gpt-oss with a ramp at whole pairs and DeepSeek without mscale",
         published_models_come_out,
         fault<YarnScaling>([](YarnScaling& yarn, RopeSpec&) { yarn.mscale.reset(); })},
    };
    for (const FaultCase& each : cases) {
        const CheckFinding holds = each.check(make_spectrum, {});
        EXPECT_EQ(holds.status, Status::passed)
            << each.name << ": " << holds.measured << " > " << holds.bound << ", " << holds.detail;
        EXPECT_EQ(each.check(each.faulty, {}).status, Status::failed) << each.name;
    }
}

}  // namespace
}  // namespace ropescope
