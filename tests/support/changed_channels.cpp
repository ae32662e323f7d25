// Other layouts and other rotary widths.
#include <cmath>

#include "tests/support/rotation_changes.h"

namespace ropescope::test {
void add_layouts(Mutants& all) {
    all.push_back({"pairs of neighbours",
                   {"layout.interleaved"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       use_pairs(call, channel_pairs(Layout::interleaved, width(call)));
                   }});
    all.push_back({"pairs of halves",
                   {"layout.half_split"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       use_pairs(call, channel_pairs(Layout::half_split, width(call)));
                   }});
    all.push_back({"neighbours read, halves written",
                   {"layout.other"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       call.rotation.written = channel_pairs(Layout::half_split, width(call));
                   }});
    all.push_back({"halves read, neighbours written",
                   {"layout.other"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       call.rotation.written = channel_pairs(Layout::interleaved, width(call));
                   }});
    all.push_back({"channels in reverse order",
                   {},
                   {"layout"},
                   "an arbitrary order of channels is not among the wrong answers",
                   any,
                   [](ProbedCall& call) {
                       for (ChannelPair& pair : call.rotation.pairs) {
                           pair = {width(call) - 1 - pair.first, width(call) - 1 - pair.second};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back(
        {"turned the other way", {"sign.reversed"}, {"layout"}, {}, any, at_speed([](double omega) {
             return -omega;
         })});
    all.push_back(
        {"no minus in rotate_half", {"not_a_rotation"}, {"layout"}, {}, any, [](ProbedCall& call) {
             call.rotation.first_sign = 1.0;
         }});
    all.push_back({"table of the other layout, halves",
                   {"not_a_rotation"},
                   {"layout"},
                   {},
                   is_half_split,
                   [](ProbedCall& call) {
                       const Index pairs = std::ssize(call.rotation.pairs);
                       call.rotation.first_entry = [](Index pair) { return pair / 2; };
                       call.rotation.second_entry = [=](Index pair) { return (pair + pairs) / 2; };
                   }});
    all.push_back({"table of the other layout, neighbours",
                   {"not_a_rotation"},
                   {"layout"},
                   {},
                   is_interleaved,
                   [](ProbedCall& call) {
                       const Index pairs = std::ssize(call.rotation.pairs);
                       call.rotation.first_entry = [=](Index pair) { return 2 * pair % pairs; };
                       call.rotation.second_entry = [=](Index pair) {
                           return (2 * pair + 1) % pairs;
                       };
                   }});
    all.push_back({"not turned", {"spectrum.zero"}, {"layout"}, {}, any, [](ProbedCall& call) {
                       call.rotation.turns = [](const TokenAt&) { return false; };
                   }});
    all.push_back({"turned twice", {"positions.scaled"}, {"layout"}, {}, any, [](ProbedCall& call) {
                       at_speed([](double omega) { return 2.0 * omega; })(call);
                       call.rotation.gain *= call.rotation.gain;
                   }});
}

void add_widths(Mutants& all) {
    all.push_back({"the whole head",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   is_partial,
                   with_spec([](RopeSpec& spec) {
                       spec.rotary_dim = spec.head_dim;
                       spec.scaling = {};
                   })});
    all.push_back({"half of the pairs",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   both(in_one_axis,
                        [](const ProbedCall& call) {
                            return width(call) >= 8 && width(call) % 4 == 0 &&
                                   call.subject.spec->scaling == Scaling{};
                        }),
                   with_spec([](RopeSpec& spec) { spec.rotary_dim /= 2; })});
    all.push_back({"partner in the other half of the head",
                   {"layout.other"},
                   {"partial"},
                   {},
                   both(is_partial, is_half_split),
                   [](ProbedCall& call) {
                       for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
                           call.rotation.pairs[i] = {i, i + call.subject.spec->head_dim / 2};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back({"the last channels of the head",
                   {"partial_rotary"},
                   {"partial"},
                   {},
                   is_partial,
                   [](ProbedCall& call) {
                       const Index from = call.subject.spec->head_dim - width(call);
                       for (ChannelPair& pair : call.rotation.pairs) {
                           pair = {pair.first + from, pair.second + from};
                       }
                       call.rotation.written = call.rotation.pairs;
                   }});
    all.push_back({"exponents over the whole head",
                   {"spectrum.default"},
                   {"partial"},
                   {},
                   both(is_partial, [](const ProbedCall& call) { return !is_scaled(call); }),
                   [](ProbedCall& call) {
                       const RopeSpec& spec = *call.subject.spec;
                       for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
                           call.rotation.omega[i] = std::pow(
                               spec.base, -2.0 * static_cast<double>(i) / to_double(spec.head_dim));
                       }
                   }});
}

}  // namespace ropescope::test
