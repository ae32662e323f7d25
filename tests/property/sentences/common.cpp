// What the checks of sentences share: columns of a figure's table, and sentences of several views.
#include <map>
#include <set>

#include "app/figures/shared/describe.h"
#include "core/formats/inspection.h"
#include "core/models/model.h"
#include "core/scaling/method.h"
#include "tests/property/sentences/claims.h"

namespace ropescope::figures {
namespace {

double gain_of(const Spectrum& spectrum) {
    return spectrum.attention_factor * spectrum.attention_factor * spectrum.softmax_scale_factor;
}

/// The functions of RegisteredClaims.
std::vector<ViewClaims (*)()>& registered() {
    static std::vector<ViewClaims (*)()> all;
    return all;
}

}  // namespace

const plot::Column& column_named(const plot::Figure& figure, const std::string& name) {
    const auto& columns = figure.data.columns;
    const auto found = std::ranges::find(columns, name, &plot::Column::name);
    if (found == columns.end()) {
        throw std::runtime_error(figure.view + " has no column " + name);
    }
    return *found;
}

std::vector<double> column_of(const plot::Figure& figure, const std::string& name) {
    const plot::Column& column = column_named(figure, name);
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values)) {
        return {whole->begin(), whole->end()};
    }
    return std::get<std::vector<double>>(column.values);
}

std::vector<std::string> words_of(const plot::Figure& figure, const std::string& name) {
    return std::get<std::vector<std::string>>(column_named(figure, name).values);
}

std::vector<double> Said::column(const std::string& name) const {
    return column_of(figure, name);
}

std::vector<std::string> Said::words(const std::string& name) const {
    return words_of(figure, name);
}

std::vector<double> Said::where(const std::string& words_in, const std::string& wanted,
                                const std::string& name) const {
    const std::vector<std::string> keys = words(words_in);
    const std::vector<double> all = column(name);
    std::vector<double> found;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        if (keys[row] == wanted) {
            found.push_back(all[row]);
        }
    }
    return found;
}

double rank_of(const plot::Figure& figure, const std::string& wanted) {
    const auto table = words_of(figure, "table");
    const auto values = column_of(figure, "value");
    double largest = 0, rank = 0;
    for (std::size_t row = 0; row < table.size(); ++row) {
        largest = table[row] == wanted ? std::max(largest, values[row]) : largest;
    }
    for (std::size_t row = 0; row < table.size(); ++row) {
        rank += table[row] == wanted && values[row] > 1e-10 * largest ? 1 : 0;
    }
    return rank;
}

void never_said(const Said&) {
    FAIL() << "no scene may say this";
}

bool is_never_said(const SentenceClaim& claim) {
    const auto* const function = claim.holds.target<void (*)(const Said&)>();
    return function != nullptr && *function == never_said;
}

plot::Figure whole_figure(Scene scene, const std::string& view) {
    scene.view = view;
    return make_figure(scene, *make_cpu_engine(1));
}

Scene with_larger_base(Scene scene) {
    scene.base *= 10;
    return scene;
}

double different(const std::vector<double>& values) {
    return to_double(std::ssize(std::set<double>(values.begin(), values.end())));
}

Scene with_content_angle(Scene scene, std::int64_t degrees) {
    scene.content_angle_deg = degrees;
    return scene;
}

const ModelConfig& preset_of(const Said& said) {
    static std::map<std::string, ModelConfig> opened;  // one thread
    const std::string& name = said.scene.model;
    if (const auto found = opened.find(name); found != opened.end()) {
        return found->second;
    }
    return opened.emplace(name, open_model(name).text.value()).first->second;
}

void first_pairs_are_fast(const Scene& scene) {
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    EXPECT_TRUE(std::ranges::is_sorted(spectrum.inv_freq_rad, std::greater<>()));
}

RegisteredClaims::RegisteredClaims(ViewClaims (*claims)()) {
    registered().push_back(claims);
}

const ViewClaims& claims_of(const std::string& view) {
    static const std::vector<ViewClaims> all = [] {
        std::vector<ViewClaims> made;
        for (ViewClaims (*const claims)() : registered()) {
            made.push_back(claims());
        }
        return made;
    }();
    const auto found = std::ranges::find(all, view, &ViewClaims::view);
    if (found == all.end()) {
        throw std::runtime_error("no sentence of the view " + view + " is registered");
    }
    return *found;
}

std::vector<SentenceClaim> common_claims() {
    return {
        {"For text: the view axes shows how images turn this model's pairs",
         [](const Said& s) { EXPECT_EQ(s.scene.model, s.scene.axes_model); }},
        {"For text: choose an axis to see it alone, or the view axes for images",
         [](const Said& s) {
             EXPECT_EQ(s.scene.model, s.scene.axes_model);
             EXPECT_EQ(s.scene.axis, kNoAxisChosen);
         }},
        {"Shown without the scene's {} scaling",
         [](const Said& s) {
             EXPECT_EQ(s.word(0), scaling_name(s.scene.scaling));
             EXPECT_NE(s.scene.scaling, "default");
         }},
        {"Scaled by {}, factor {}, attention factor {}{}",
         [](const Said& s) {
             EXPECT_EQ(s.word(0), scaling_name(s.scene.scaling));
             s.numbers({extension_factor(s.spec().scaling), s.spectrum().attention_factor});
             EXPECT_EQ(s.word(1).empty(), !depends_on_seq_len(s.spec().scaling));
         }},
        {", at seq_len {}", [](const Said& s) { s.number(0, to_double(s.spec().seq_len)); }},
        {"Scaling by {} starts beyond {} positions; set seq_len",
         [](const Said& s) {
             EXPECT_EQ(s.word(0), scaling_name(s.scene.scaling));
             s.number(0, to_double(s.scene.original_length));
         }},
        {"In the model times {} ({})", [](const Said& s) { s.number(0, gain_of(s.spectrum())); }},
        {"attention factor {} squared",
         [](const Said& s) { s.number(0, s.spectrum().attention_factor); }},
        {"softmax scale", [](const Said& s) { EXPECT_EQ(s.spectrum().attention_factor, 1); }},
        {", softmax scale times {}",
         [](const Said& s) { s.number(0, s.spectrum().softmax_scale_factor); }},
        {"head_dim {}, rotary_dim {}, base {}, {}",
         [](const Said& s) {
             s.numbers({to_double(s.scene.head_dim), to_double(s.scene.rotary_dim), s.scene.base});
             EXPECT_EQ(s.word(0), to_string(s.scene.layout));
         }},
        {"scaling {}", [](const Said& s) { EXPECT_NE(s.scene.scaling, "default"); }},
        {"{}{}; attention factor {}{}",
         [](const Said& s) {
             s.number(0, s.spectrum().attention_factor);
             EXPECT_NE(s.word(0).find(scaling_type(s.spec().scaling)), std::string::npos);
             EXPECT_EQ(s.word(1).empty(), !depends_on_seq_len(s.spec().scaling));
             EXPECT_EQ(s.word(2).empty(), s.spectrum().softmax_scale_factor == 1.0);
         }},
        {", seq_len {}", [](const Said& s) { s.number(0, to_double(s.spec().seq_len)); }},
        {", seq_len not known", [](const Said& s) { EXPECT_EQ(s.spec().seq_len, 0); }},
        {"Channels {} to {} pass through unrotated",
         [](const Said& s) {
             s.numbers({to_double(s.scene.rotary_dim), to_double(s.scene.head_dim - 1)});
         }},
    };
}

}  // namespace ropescope::figures
