// What the view diagnose says. Whether a diagnosis is right is tested on dumps with planted faults;
// here its sentences are those of a diagnosis made anew, and what was planted is what is named.
#include "app/figures/diagnose/diagnose.h"

#include <complex>
#include <fmt/format.h>
#include <numbers>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
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
    return is_made(scene) ? made_of(scene).dump : diagnosis::read_dump(scene.dump);
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

void is_valid(const Said& s) {
    EXPECT_EQ(diagnosed(s.scene).verdict, diagnosis::Verdict::valid);
}

/// A right dump is valid by its own encoding, so that something was planted, or it is a file.
void is_invalid(const Said& s) {
    EXPECT_EQ(diagnosed(s.scene).verdict, diagnosis::Verdict::invalid);
    // An embedding whose scaling stops every pair is called invalid.
    const auto speeds = make_spectrum(rope_spec(s.scene)).inv_freq_rad;
    if (is_right(s.scene) && std::ranges::any_of(speeds, [](double w) { return w > 0; })) {
        const auto found = diagnosed(held_against_itself(s.scene));
        EXPECT_NE(found.verdict, diagnosis::Verdict::invalid) << found.summary();
    }
}

void differs_from_the_scene(const Said& s) {
    EXPECT_TRUE(s.scene.dump_expected);
    EXPECT_FALSE(is_right(s.scene));
    EXPECT_EQ(diagnosed(s.scene).mismatches.front().text(), s.word(0));
}

void names_the_planted(const Said& s) {
    EXPECT_TRUE(std::ranges::any_of(faults::rotation_faults(), [&](const auto& fault) {
        return fault.code == s.scene.dump_fault && fault.text == s.word(0);
    })) << s.word(0);
    EXPECT_EQ(s.word(0), made_of(s.scene).fault);
}

/// Any other sentence comes from the diagnosis.
void says_the_diagnosis(const Said& s) {
    const diagnosis::Diagnosis& found = diagnosed(s.scene);
    std::string all = found.summary() + "\n";
    for (const diagnosis::Finding& finding : found.findings) {
        all += finding.code + ": " + finding.text() + "\n";
    }
    for (const diagnosis::Finding& mismatch : found.mismatches) {
        all += "not as expected: " + mismatch.text() + "\n";
    }
    for (const std::string& next : diagnosis::texts_of(found.next)) {
        all += "next: " + next + "\n";
    }
    EXPECT_NE(all.find(s.word(0)), std::string::npos) << s.word(0) << "\nis not in\n" << all;
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
    }
    if (u.scene.dump_expected && u.said().pairs() > u.value("pair")) {
        u.is("expected speed", u.said().spectrum().inv_freq_rad[u.whole("pair")]);
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
            {"Valid: *", is_valid},
            {"Invalid: *", is_invalid},
            {"Equivalent: *",
             [](const Said& s) {
                 EXPECT_EQ(diagnosed(s.scene).verdict, diagnosis::Verdict::equivalent);
             }},
            {"Undetermined: *",
             [](const Said& s) {
                 EXPECT_EQ(diagnosed(s.scene).verdict, diagnosis::Verdict::undetermined);
                 // Without an expectation no list has every scaling of every base.
                 EXPECT_FALSE(is_right(s.scene) && s.scene.dump_expected);
             }},
            {"Valid by itself, but not as the encoding of the scene says: *",
             differs_from_the_scene},
            {"Equivalent by itself, but not as the encoding of the scene says: *",
             differs_from_the_scene},
            {"Undetermined by itself, but not as the encoding of the scene says: *",
             differs_from_the_scene},
            {"q and k were turned rightly", [](const Said& s) { EXPECT_TRUE(is_right(s.scene)); }},
            {"Planted: *", names_the_planted},
            {"This encoding has nothing that * could concern",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.scene.dump_fault);
                 EXPECT_TRUE(made_of(s.scene).unseen);
             }},
            {"Recovered from *",
             [](const Said& s) { EXPECT_TRUE(s.scene.dump.ends_with("/" + s.word(0))); }},
            {"The panels show layer #",
             [](const Said& s) { EXPECT_TRUE(s.scene.dump.ends_with("/layers")); }},
            {"The panels show *", never_said},  // only of heads that do not turn alike
            {"Held against the encoding of the scene",
             [](const Said& s) { EXPECT_TRUE(s.scene.dump_expected); }},
            {"Held against no encoding",
             [](const Said& s) { EXPECT_FALSE(s.scene.dump_expected); }},
            {"angles of *: distance from the * ones",
             [](const Said& s) {
                 EXPECT_EQ(s.word(1), s.scene.dump_expected ? "expected" : "explained");
             }},
            {"speed of each pair", names_only},
            {"|θ| (radians per position)", names_only},
            {"its partner", names_only},
            {"distance of the angles", names_only},
            {"No speed is known", names_only},
            {"No angle is known", names_only},
            {"No position is known", names_only},
            {"found position minus stated position", names_only},
            {"channels that turn together", names_only},
            {"token, sequence after sequence", names_only},
            {"log_{10} of the distance (radians)", names_only},
            {"No pairing keeps the lengths of the channels", names_only},
            {"*", says_the_diagnosis},
        },
        {
            {"The panels show how fast each pair turns (points as measured, a line as expected), "
             "which channels turn together, how far each angle is from the expected one, and by "
             "how "
             "much each token stands beside its stated position",
             nothing_to_compare},
            {"Plant a fault and see how it looks: a wrong layout moves the pairing, a wrong base "
             "bends the speeds, and frequencies in bf16 grow worse with the position",
             wrong_layout_moves_the_pairing},
            {"Plant it in k alone", nothing_to_compare},
            {"Drop a .npz or .safetensors file with q, q_rot, k and k_rot on the window",
             nothing_to_compare},
        },
        {{"spectrum", or_verdict(pair_under)},
         {"distance", or_verdict(angle_under)},
         {"positions", or_verdict(token_under)},
         {"pairing", or_verdict(channel_under)},
         {"findings", or_verdict(held_by_sentences)}},
        {},
        {{"*", names_only}},
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
