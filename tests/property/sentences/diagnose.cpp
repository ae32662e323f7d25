// What the view diagnose says. Whether a diagnosis is right is tested on dumps with planted faults;
// here its sentences are those of a diagnosis made anew, and what was planted is what is named.
#include "app/figures/diagnose/diagnose.h"

#include <cctype>
#include <complex>
#include <fmt/format.h>
#include <numbers>

#include "app/scene/fault_names.h"
#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/words.h"
#include "core/faults/rotation/catalogue.h"
#include "tests/property/sentences/readouts.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

std::string corpus_folder() {
    return test::source_dir() + "/tests/fuzz/corpus/dump/";
}

bool is_made(const Scene& scene) {
    return scene.dump == "made";
}

MadeDump made_of(const Scene& scene) {
    return make_dump_of(rope_spec(scene), scene.dump_fault, scene.dump_fault_in == "q_and_k");
}

diagnosis::Dump dump_of(const Scene& scene) {
    if (is_made(scene)) {
        return made_of(scene).dump;
    }
    diagnosis::DumpOptions options;
    // The expected width divides a last axis that holds several heads.
    options.head_dim = scene.dump_expected ? scene.head_dim : 0;
    if (const auto kind = enum_value<NormKind>(scene.dump_norm)) {
        options.norm =
            QkNorm{*kind, scene.dump_norm_eps, *enum_value<NormOrder>(scene.dump_norm_order)};
    }
    return diagnosis::read_dump(scene.dump, options);
}

const diagnosis::Diagnosis& diagnosed(const Scene& scene) {
    static std::optional<std::pair<Scene, diagnosis::Diagnosis>> last;  // one thread
    if (!last || last->first != scene) {
        const diagnosis::Expectation expectation{.name = "the encoding of the scene",
                                                 .specs = {rope_spec(scene)}};
        last.emplace(scene, diagnosis::diagnose(dump_of(scene),
                                                scene.dump_expected ? &expectation : nullptr));
    }
    return last->second;
}

/// Whether the tensors are made, and turned as the encoding says.
bool is_right(const Scene& scene) {
    return is_made(scene) && made_of(scene).fault.empty();
}

Scene held_against_itself(Scene scene) {
    scene.dump_expected = true;
    return scene;
}

bool is_layered(const Scene& scene) {
    return scene.dump.ends_with("/layers");
}

/// The summary with a capital letter and without its full stop.
std::string title_of(const diagnosis::Diagnosis& found) {
    std::string title = found.summary();
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    title.erase(title.find_last_not_of('.') + 1);
    return title;
}

/// What the verdict means for tensors of which it is known how they were turned.
void suits_what_was_planted(const Said& s) {
    using diagnosis::Verdict;
    const Verdict verdict = diagnosed(s.scene).verdict;
    const auto speeds = make_spectrum(rope_spec(s.scene)).inv_freq_rad;
    const bool turns = std::ranges::any_of(speeds, [](double w) { return w > 0; });
    if (!is_right(s.scene)) {
        return;
    }
    // An embedding whose scaling stops every pair is called invalid.
    if (verdict == Verdict::invalid && turns) {
        const auto found = diagnosed(held_against_itself(s.scene));
        EXPECT_NE(found.verdict, Verdict::invalid) << found.summary();
    }
    EXPECT_TRUE(!turns || !s.scene.dump_expected || diagnosed(s.scene).mismatches.empty());
    // Without an expectation no list has every scaling of every base.
    EXPECT_FALSE(verdict == Verdict::undetermined && s.scene.dump_expected);
}

/// A sentence of the diagnosis: its summary, which is the title, a finding, what is not as
/// expected, what to do next, or all of it in the report.
void says_the_diagnosis(const Said& s) {
    const diagnosis::Diagnosis& found = diagnosed(s.scene);
    if (s.word(0) == title_of(found)) {
        suits_what_was_planted(s);
        return;
    }
    std::vector<std::string> all = diagnosis::texts_of(found.next);
    for (const auto* findings : {&found.findings, &found.mismatches}) {
        for (const diagnosis::Finding& finding : *findings) {
            all.push_back(finding.text());
        }
    }
    all.push_back(diagnosis_text(found));
    // The report of a file of several layers tells of all of them.
    EXPECT_TRUE(std::ranges::find(all, s.word(0)) != all.end() || is_layered(s.scene)) << s.word(0);
}

void names_the_planted(const Said& s) {
    EXPECT_TRUE(std::ranges::any_of(faults::rotation_faults(), [&](const auto& fault) {
        return fault.code == s.scene.dump_fault && fault.text == s.word(0);
    })) << s.word(0);
    EXPECT_EQ(s.word(0), made_of(s.scene).fault);
}

/// q or k of the made tensors: the angle between before and after, over the heads.
double measured_angle(const diagnosis::DumpSide& side, Index row, Index token, Index x, Index y) {
    std::complex<double> sum;
    std::vector<double> before(side.before.channels), after(side.before.channels);
    for (Index head = 0; head < side.before.heads; ++head) {
        side.before.read(row, head, token, before);
        side.after.read(row, head, token, after);
        sum += std::complex(after[x], after[y]) * std::conj(std::complex(before[x], before[y]));
    }
    return std::arg(sum);
}

void angle_under(const Under& u) {
    const Index token = u.whole("token"), pair = u.whole("pair");
    const bool of_q = std::ranges::any_of(
        u.readouts, [](const plot::Readout& each) { return each.name == "angle of q"; });
    const std::string side = of_q ? "q" : "k";
    u.text("distance");
    u.text("angle of " + side);
    if (!is_made(u.scene) || u.scene.dump_fault == "layout.other") {
        return;  // the table lists the channels that are written, and not those that are read
    }
    const diagnosis::Dump dump = dump_of(u.scene);
    const diagnosis::DumpSide& tensors = of_q ? *dump.q : *dump.k;
    const Index length = tensors.before.length;
    const std::vector<Under::Key> row = {{"pair", to_double(pair)}};
    const Index x = std::llround(u.in_table(side + "_channel_x", row).value());
    const Index y = std::llround(u.in_table(side + "_channel_y", row).value());
    const double angle = measured_angle(tensors, token / length, token % length, x, y);
    // fp32 tensors and six printed digits.
    EXPECT_NEAR(std::remainder(u.value("angle of " + side) - angle, 2 * std::numbers::pi), 0, 1e-4);
    if (u.scene.dump_expected && u.text("distance") != "not known") {
        const double position = dump.q_positions->values[token];
        const double wanted = u.in_table("expected_speed_rad", row).value() * position;
        EXPECT_NEAR(u.value("distance"),
                    std::abs(std::remainder(angle - wanted, 2 * std::numbers::pi)), 1e-4);
    }
}

void token_under(const Under& u) {
    u.whole("token");
    for (const std::string side : {"q", "k"}) {
        const bool shown = std::ranges::any_of(
            u.readouts, [&](const plot::Readout& each) { return each.name == "found, " + side; });
        if (!shown) {
            continue;
        }
        const std::string found = u.text("found, " + side);
        u.text("stated, " + side);
        if (is_right(u.scene) && u.scene.dump_expected) {
            EXPECT_EQ(found, u.text("stated, " + side));
        }
    }
}

/// The speed over the expected one, from the table; and the panel shows it.
void ratio_under(const Under& u, const std::string& side) {
    const std::string expected = side + " / expected", explained = side + " / explained";
    if (u.has(explained)) {
        EXPECT_FALSE(u.scene.dump_expected);
        u.is_drawn(explained, u.value("pair"));
    }
    if (!u.has(expected)) {
        return;
    }
    u.is_drawn(expected, u.value("pair"));
    const std::vector<Under::Key> row = {{"pair", u.value("pair")}};
    const double speed = u.in_table(side + "_speed_rad", row).value();
    if (std::isfinite(speed)) {
        u.is(expected, speed / u.in_table("expected_speed_rad", row).value());
    } else {  // it stands still as far as the tokens tell
        EXPECT_LT(std::abs(u.value(expected)), 1.0);
    }
}

void pair_under(const Under& u) {
    const std::vector<Under::Key> row = {{"pair", u.value("pair")}};
    for (const std::string side : {"q", "k"}) {
        const bool shown = std::ranges::any_of(u.readouts, [&](const plot::Readout& each) {
            return each.name == "channels of " + side;
        });
        if (!shown) {
            continue;
        }
        EXPECT_EQ(u.text("channels of " + side),
                  fmt::format("{}, {}", u.in_table(side + "_channel_x", row).value(),
                              u.in_table(side + "_channel_y", row).value()));
        if (u.text("speed of " + side) != "not known") {
            u.is("speed of " + side, u.in_table(side + "_speed_rad", row).value());
        }
        ratio_under(u, side);
    }
    if (u.scene.dump_expected && u.said().pairs() > u.value("pair")) {
        u.is("expected speed", u.said().spectrum().inv_freq_rad[u.whole("pair")]);
    }
}

const diagnosis::DumpSide& side_of(const diagnosis::Dump& dump, const std::string& side) {
    return side == "q" ? *dump.q : *dump.k;
}

/// The pairs, tokens, rows or heads of a side that the diagnosis does not explain; of the layers of
/// a file this finds those of the first.
std::vector<Index> unexplained(const Scene& scene, const std::string& noun,
                               const std::string& side) {
    for (const diagnosis::Residual& left : diagnosed(scene).unexplained) {
        if (to_string(left.side) == side) {
            return noun == "pair"    ? left.pairs
                   : noun == "token" ? left.tokens
                   : noun == "row"   ? left.rows
                                     : left.heads;
        }
    }
    return {};
}

/// "3 of 64 pairs", of q or of k.
void counts_the_unexplained(const Said& s) {
    if (is_layered(s.scene)) {
        return;
    }
    const std::string noun = s.word(0);
    const diagnosis::Dump dump = dump_of(s.scene);
    const auto is_of = [&](const std::string& side) {
        const diagnosis::DumpTensor& tensor = side_of(dump, side).before;
        const double all = to_double(noun == "token" ? tensor.length
                                     : noun == "row" ? tensor.batch
                                                     : tensor.heads);
        const bool counted = noun == "pair" ? s.value(0) <= s.value(1) &&
                                                  s.value(1) <= to_double(tensor.channels / 2)
                                            : s.value(1) == all;
        return counted && s.value(0) == to_double(std::ssize(unexplained(s.scene, noun, side)));
    };
    EXPECT_TRUE((dump.q && is_of("q")) || (dump.k && is_of("k"))) << noun;
}

void strip_under(const Under& u) {
    for (const std::string noun : {"pair", "token", "row", "head"}) {
        for (const std::string side : {"q", "k"}) {
            const std::string name = noun + " of " + side;
            if (!u.has(name)) {
                continue;
            }
            const bool outside =
                std::ranges::count(unexplained(u.scene, noun, side), u.whole(name)) > 0;
            EXPECT_EQ(u.text("within rounding"), outside ? "no" : "yes") << name;
        }
    }
}

/// The partner that the table lists, or none.
std::string partner(const Under& u, const std::string& side) {
    const auto x = u.said().column(side + "_channel_x"), y = u.said().column(side + "_channel_y");
    for (std::size_t pair = 0; pair < x.size(); ++pair) {
        if (x[pair] == u.value("channel") || y[pair] == u.value("channel")) {
            return fmt::format("{}", x[pair] == u.value("channel") ? y[pair] : x[pair]);
        }
    }
    return "stays as it is";
}

void channel_under(const Under& u) {
    for (const std::string side : {"q", "k"}) {
        if (std::ranges::any_of(u.readouts, [&](const plot::Readout& each) {
                return each.name == "partner in " + side;
            })) {
            EXPECT_EQ(u.text("partner in " + side), partner(u, side));
        }
    }
    if (u.scene.dump_expected) {
        const Index dim = u.scene.rotary_dim, channel = u.whole("channel");
        const Index wanted = u.scene.layout == Layout::half_split
                                 ? (channel < dim / 2 ? channel + dim / 2 : channel - dim / 2)
                                 : channel + 1 - 2 * (channel % 2);
        EXPECT_EQ(u.text("expected"), channel < dim ? fmt::format("{}", wanted) : "stays as it is");
    }
}

/// A panel that has no values tells the verdict.
Hold or_verdict(const Hold& values) {
    return [values](const Under& u) {
        if (u.readouts.size() == 1 && u.readouts.front().name == "verdict") {
            EXPECT_EQ(u.text("verdict"), to_string(diagnosed(u.scene).verdict));
        } else {
            values(u);
        }
    };
}

void wrong_layout_moves_the_pairing(const Scene& given) {
    Scene scene = given;
    if (scene.rotary_dim <= 4) {
        return;  // too few channels for two layouts
    }
    const auto channels = [&] { return column_of(whole_figure(scene, "diagnose"), "q_channel_y"); };
    const auto right = channels();
    scene.dump_fault =
        scene.layout == Layout::half_split ? "layout.interleaved" : "layout.half_split";
    EXPECT_NE(channels(), right);
}

}  // namespace

std::vector<std::string> some_dumps() {
    return {"made", "made", "made", corpus_folder() + "f32", corpus_folder() + "npz"};
}

namespace {

ViewClaims diagnose_claims() {
    return {
        "diagnose",
        {
            {"{}", says_the_diagnosis},
            {"q and k were turned rightly", [](const Said& s) { EXPECT_TRUE(is_right(s.scene)); }},
            {"Planted: {}", names_the_planted},
            {"This encoding has nothing that the fault \"{}\" could concern",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), fault_name(s.scene.dump_fault));
                 EXPECT_TRUE(made_of(s.scene).unseen);
             }},
            {"Recovered from {}",
             [](const Said& s) { EXPECT_TRUE(s.scene.dump.ends_with("/" + s.word(0))); }},
            {"The panels show layer {}", [](const Said& s) { EXPECT_TRUE(is_layered(s.scene)); }},
            {"The panels show {}", never_said},  // only of heads that do not turn alike
            {"Held against the encoding of the scene",
             [](const Said& s) { EXPECT_TRUE(s.scene.dump_expected); }},
            {"Held against no encoding",
             [](const Said& s) { EXPECT_FALSE(s.scene.dump_expected); }},
            {"speed of each pair over the {} one",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.scene.dump_expected ? "expected" : "explained");
             }},
            {"where {} is off by more than rounding",
             [](const Said& s) {
                 EXPECT_TRUE(is_layered(s.scene) ||
                             !unexplained(s.scene, "pair", s.word(0)).empty() ||
                             !unexplained(s.scene, "token", s.word(0)).empty());
             }},
            {"{} of {} {}s", counts_the_unexplained},
            {"angles of {}: distance from the {} ones",
             [](const Said& s) {
                 EXPECT_EQ(s.word(1), s.scene.dump_expected ? "expected" : "explained");
             }},
        },
        {
            {"Plant a fault and see how it looks: a wrong layout moves the pairing, a wrong base "
             "bends the speeds, and frequencies in bf16 grow worse with the position",
             wrong_layout_moves_the_pairing},
        },
        {{"spectrum", or_verdict(pair_under)},
         {"distance", or_verdict(angle_under)},
         {"positions", or_verdict(token_under)},
         {"pairing", or_verdict(channel_under)},
         {"unexplained_q", strip_under},
         {"unexplained_k", strip_under},
         {"findings", or_verdict(held_by_sentences)}},
        {},
        {},
        {{"layout=interleaved", "dump_fault=layout.other"},
         {"dump_fault=positions.offset"},
         {"dump_fault=sign.reversed", "dump_fault_in=k"},
         {"dump_fault=layout.interleaved"},
         {"dump_fault=layout.half_split"},
         {"dump_fault=spectrum.zero"},
         {"dump_fault=spectrum.zero", "dump_expected=no"},
         {"dump=" + corpus_folder() + "f32"},
         {"dump=" + corpus_folder() + "npz"},
         {"dump=" + corpus_folder() + "layers"},
         {"dump=" + corpus_folder() + "npz", "dump_expected=no"}}};
}

const RegisteredClaims kDiagnoseClaims{diagnose_claims};

}  // namespace

}  // namespace ropescope::figures
