#include <gtest/gtest.h>

#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

TEST(FormulaText, RaisesAndLowersFormulasAndLeavesNames) {
    for (const auto& [plain, markup] : std::initializer_list<std::pair<const char*, const char*>>{
             {"R_m^T R_n = R_{n-m}", "R_{m}^{T} R_{n} = R_{n−m}"},
             {"R_m^-1 R_m x = x", "R_{m}^{−1} R_{m} x = x"},
             {"P R_m x = R'_m P x", "P R_{m} x = R'_{m} P x"},
             {"NTK: base s^(d/(d-2))", "NTK: base s^{d/(d−2)}"},
             {"base^(-2i/d), 2^-24", "base^{−2i/d}, 2^{−24}"},
             {"theta_i of head_dim and q_rot's a_ij", "theta_{i} of head_dim and q_{rot}'s a_{ij}"},
             {"R_{m}^{T}", "R_{m}^{T}"},
             {"freqs_cis[:, None, :], a ^ b, x_, R^", "freqs_cis[:, None, :], a ^ b, x_, R^"}}) {
        EXPECT_EQ(formula_markup(plain), markup);
        EXPECT_EQ(formula_markup(markup), markup) << "markup stays";
    }
}

TEST(FormulaText, PlainTextHasOnlyTheBracesItNeeds) {
    EXPECT_EQ(plain_formula("W_{q} and W_{k}, x_{m}^{T}, 10^{−4}"), "W_q and W_k, x_m^T, 10^−4");
    EXPECT_EQ(plain_formula("q_{m+s} of {a set}, ^{"), "q_{m+s} of {a set}, ^{");
}

}  // namespace
}  // namespace ropescope::plot
