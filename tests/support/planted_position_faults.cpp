// Implementations that turn tokens by other positions than they should.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/planted_kinds.h"

namespace ropescope::test {

std::vector<Kind> position_faults() {
    const std::set<std::string> any = {"spectrum.default"};
    return {
        {"slots",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             Index next = dice.integer(0, 9);
             for (double& position : made.stated) {
                 position = to_double(next);
                 next += dice.integer(1, 3);
             }
             made.stated[1] = made.stated[0] + 1.0;
             made.stated[2] = made.stated[0] + 2.0;
             made.stated[3] = made.stated[0] + 4.0;
             for (std::size_t i = 4; i < made.stated.size(); ++i) {
                 made.stated[i] = made.stated[i - 1] + to_double(dice.integer(1, 3));
             }
             made.state_positions = true;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"stated_restart",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const Index at_token = made.length * dice.integer(4, 7) / 10;
             for (Index l = at_token; l < made.length; ++l) {
                 made.stated[l] = to_double(l - at_token);
             }
             made.state_positions = true;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"table_wraps",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const double size = to_double(made.length / dice.integer(2, 3));
             made.turned_by = [=](const At&, double stated) { return std::fmod(stated, size); };
         }},
        {"qk_offset",
         Verdict::invalid,
         {"positions.qk_offset"},
         any,
         [](Implementation& made, Dice& dice) {
             const double offset = dice.pick({1.0, -1.0, 16.0});
             made.turned_by = [=](const At& at, double stated) {
                 return at.key ? stated : stated + offset;
             };
         }},
        {"scaled_positions",
         Verdict::invalid,
         {"positions.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const double factor = dice.pick({2.0, 4.0, 8.0});
             made.turned_by = [=](const At&, double stated) { return factor * stated; };
         }},
        {"angles_in_another_unit",
         Verdict::invalid,
         {"positions.scaled"},
         {},
         [](Implementation& made, Dice& dice) {
             sharp(made);
             const double per_degree = std::numbers::pi / 180.0, turn = 2.0 * std::numbers::pi;
             const double factor = dice.pick({1.0 / per_degree, per_degree, turn, 1.0 / turn});
             made.turned_by = [=](const At&, double stated) { return factor * stated; };
         }},
        {"positions_16",
         Verdict::invalid,
         {"positions.low_precision"},
         any,
         [](Implementation& made, Dice& dice) {
             start_at(made, dice.pick({250.0, 1000.0, 8150.0}));
             made.position = Dtype::bf16;
         }},
        {"clamped",
         Verdict::invalid,
         {"positions.clamped"},
         any,
         [](Implementation& made, Dice& dice) {
             const double last = made.stated[made.length * dice.integer(5, 8) / 10];
             made.turned_by = [=](const At&, double stated) { return std::min(stated, last); };
         }},
        {"batch_axis",
         Verdict::invalid,
         {"positions.wrong_axis"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             sharp(made);
             made.turned_by = [](const At& at, double) { return to_double(at.b); };
         }},
        {"head_axis",
         Verdict::invalid,
         {"positions.wrong_axis"},
         any,
         [](Implementation& made, Dice& dice) {
             made.heads = made.key_heads = dice.integer(2, 4);
             sharp(made);
             made.turned_by = [](const At& at, double) { return to_double(at.h); };
         }},
        {"restart",
         Verdict::invalid,
         {"positions.restart"},
         any,
         [](Implementation& made, Dice& dice) {
             const double at_token = to_double(made.length * dice.integer(4, 7) / 10);
             made.turned_by = [=](const At&, double stated) {
                 return stated < at_token ? stated : stated - at_token;
             };
             made.state_positions = dice.coin();
         }},
        {"per_row",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             const double padding = to_double(dice.integer(1, 6));
             made.turned_by = [=](const At& at, double stated) {
                 return stated + padding * to_double(at.b);
             };
         }},
        {"padding_counted",
         Verdict::invalid,
         {"positions.per_row"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = 2;
             made.state_positions = true;
             const Index padding = dice.integer(2, 6);
             std::vector<double> stated = made.stated;
             for (Index l = 0; l < made.length; ++l) {
                 stated.push_back(to_double(std::max<Index>(0, l - padding)));
             }
             made.stated = stated;
             made.turned_by = [](const At& at, double) { return to_double(at.l); };
         }},
        {"rows_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             made.turned_by = [](const At& at, double stated) { return at.b == 0 ? stated : 0.0; };
         }},
        {"heads_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice&) {
             made.heads = made.key_heads = 4;
             made.turned_by = [](const At& at, double stated) { return at.h == 0 ? stated : 0.0; };
         }},
        {"decode_rows_unrotated",
         Verdict::invalid,
         {"rows.unrotated"},
         any,
         [](Implementation& made, Dice& dice) {
             made.batch = dice.integer(2, 4);
             made.length = 1;
             made.stated = {to_double(dice.integer(3, 40))};
             made.state_positions = true;
             made.turned_by = [](const At& at, double stated) { return at.b == 0 ? stated : 0.0; };
         }},
    };
}

}  // namespace ropescope::test
