// What the view cache says.
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

#include "app/figures/encodings/encodings.h"
#include "core/demo/twins.h"
#include "core/scaling/scaling.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

constexpr double kHeadsWithQueries = 8;

/// Whether a token is in the window, is one of the first that stay, or has gone.
std::string where_kept(const Scene& scene, Index token) {
    const bool near = scene.cache_window == 0 || scene.cache_tokens - token <= scene.cache_window;
    return near                        ? "yes"
           : token < scene.cache_sinks ? "yes, as one of the first"
                                       : "no, the window has left it";
}

double tokens_kept(const Scene& scene) {
    double kept = 0;
    for (Index token = 0; token < scene.cache_tokens; ++token) {
        kept += where_kept(scene, token).starts_with("yes") ? 1 : 0;
    }
    return kept;
}

double heads_with_keys(const Scene& scene) {
    return std::stod(scene.cache_key_heads);
}

/// Keys and values of one layer, at two bytes a number.
double layer_bytes(const Scene& scene, double tokens, double heads) {
    return 2 * 2 * tokens * heads * to_double(scene.head_dim);
}

constexpr std::pair<const char*, double> kByteUnits[] = {
    {"bytes", 1}, {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024.0 * 1024 * 1024}};

void kept_title(const Said& s) {
    s.numbers({tokens_kept(s.scene), to_double(s.scene.cache_tokens), heads_with_keys(s.scene), 8});
}

/// One of the two sizes of the title, or of a model of the report.
SentenceClaim bytes_claim(const char* words, double unit) {
    return {words, [unit](const Said& s) {
                s.one_of(
                    0, {layer_bytes(s.scene, tokens_kept(s.scene), heads_with_keys(s.scene)) / unit,
                        layer_bytes(s.scene, to_double(s.scene.cache_tokens), 8) / unit});
            }};
}

void slot_readout(const Under& u) {
    const Index token = u.whole("token"), head = u.whole("query head");
    EXPECT_LT(token, u.scene.cache_tokens);
    u.is("reads key head", std::floor(to_double(head) * heads_with_keys(u.scene) / 8));
    EXPECT_EQ(u.text("kept"), where_kept(u.scene, token));
    if (u.has("turned by")) {
        const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
        const double turned = reduced_angle_rad(token - u.scene.cache_shift,
                                                spectrum.inv_freq_rad[u.scene.selected_pair]) *
                              180 / std::numbers::pi;
        u.is("turned by", u.scene.cache_rotated ? turned : 0);
    }
}

/// Bytes for each token: layers times numbers of a layer times two, by the config files.
const std::map<std::string, double>& bytes_of_models() {
    static const std::map<std::string, double> bytes = {
        {"Llama 2 7B", 32.0 * 2 * 32 * 128 * 2},
        {"Llama 3 8B", 32.0 * 2 * 8 * 128 * 2},
        {"Llama 3 70B", 80.0 * 2 * 8 * 128 * 2},
        {"DeepSeek-V3", 61.0 * 576 * 2},
        {"DeepSeek-V3 unpacked", 61.0 * 128 * 320 * 2}};
    return bytes;
}

void bytes_readout(const Under& u) {
    for (const auto& [name, bytes] : bytes_of_models()) {
        const std::string text = u.text(name);
        const std::string unit = text.substr(text.rfind(' ') + 1);
        const auto* known = std::ranges::find(kByteUnits, unit,
                                              [](const auto& of) { return std::string(of.first); });
        ASSERT_NE(known, std::end(kByteUnits)) << text;
        u.is(name, u.value("tokens") * bytes / known->second);
    }
}

/// Each rounding moves an arrow of length 1 by at most a unit of its format, and what fp16 cannot
/// hold because it is too small is below 2^-25 in each number; two roundings and two numbers.
double most_rounding(NumberFormat format) {
    return 2 * unit_roundoff(format) + 4 * 0x1p-25 + 1e-12;
}

void error_readout(const Under& u) {
    if (u.scene.rotary_dim <= 2) {
        u.is("rotary_dim", to_double(u.scene.rotary_dim));
        return;
    }
    const std::vector<Under::Key> row = {{"position", u.value("position")}};
    constexpr std::pair<const char*, const char*> kColumns[] = {
        {"fp32", "error_fp32"},
        {"fp16", "error_fp16"},
        {"bf16", "error_bf16"},
        {"other speeds", "error_other_speeds"}};
    for (const auto& [name, column] : kColumns) {
        u.is_if_listed(name, u.in_table(column, row));
    }
    EXPECT_LE(u.value("fp32"), most_rounding(NumberFormat::fp32));
    EXPECT_LE(u.value("fp16"), most_rounding(NumberFormat::fp16));
    EXPECT_LE(u.value("bf16"), most_rounding(NumberFormat::bf16));
}

void heads_readout(const Under& u) {
    u.is("key heads", heads_with_keys(u.scene));
    u.is("query heads to each", kHeadsWithQueries / heads_with_keys(u.scene));
}

void sink_readout(const Under& u) {
    const auto layer = static_cast<std::size_t>(u.whole("layer"));
    const auto head = static_cast<std::size_t>(u.whole("head"));
    for (const demo::Twin& twin : demo::demo_twins()) {
        const std::string name =
            fmt::format("{}, seed {}", encoding_look(twin.position).name, twin.seed);
        if (twin.causal) {
            u.is(name, 100 * twin.first_token_shares.at(layer).at(head));
        }
    }
}

double turning_of(const Scene& scene, double tokens) {
    return 3 * tokens * to_double(scene.rotary_dim) * heads_with_keys(scene);
}

void model_row(const Under& u) {
    u.is("bytes", bytes_of_models().at(u.text("model")));
    u.is("bytes", u.value("layers") * u.value("numbers a layer") * 2);
    EXPECT_FALSE(u.text("kept").empty());
}

void fewer_heads(const Scene& /*preset*/) {
    Scene scene;
    scene.cache_key_heads = "8";
    const double all = layer_bytes(scene, 10, heads_with_keys(scene));
    scene.cache_key_heads = "2";
    EXPECT_EQ(layer_bytes(scene, 10, heads_with_keys(scene)), all / 4);
}

/// The last of the curve: far from the beginning every pair but the slowest is off.
void speeds_matter(const Scene& preset) {
    Scene scene = preset;
    scene.cache_shift = 64;
    const plot::Figure figure = whole_figure(scene, "cache");
    EXPECT_GT(column_of(figure, "error_other_speeds").back(), 0.5);
    EXPECT_LT(std::ranges::max(column_of(figure, "error_fp32")), most_rounding(NumberFormat::fp32));
}

double even_share() {
    double sum = 0;
    for (int query = 64; query < 128; ++query) {
        sum += 1.0 / (query + 1);
    }
    return sum / 64;
}

ViewClaims cache_claims() {
    return {
        "cache",
        {
            {"{} of {} are kept, with {} for {} query heads: {} a layer instead of {}", kept_title},
            bytes_claim("{} bytes", 1),
            bytes_claim("{} KiB", 1024),
            bytes_claim("{} MiB", 1024.0 * 1024),
            {"A layer of a decoder: keys and values of {} channels at two bytes a number",
             [](const Said& s) { s.number(0, to_double(s.scene.head_dim)); }},
            {"keys of pair {}: cosine of the angle turned",
             [](const Said& s) { s.number(0, to_double(s.scene.selected_pair)); }},
            {"error of a stored key moved back by {}",
             [](const Said& s) { s.number(0, to_double(s.scene.cache_shift)); }},
            {"evenly {} %", [](const Said& s) { s.number(0, 100 * even_share()); }},
            {"{} operations turn keys",
             [](const Said& s) {
                 s.number(0, turning_of(s.scene, s.scene.cache_rotated ? 1 : tokens_kept(s.scene)));
             }},
            {"{} operations turn stored keys back by {}",
             [](const Said& s) {
                 s.numbers({s.scene.cache_rotated ? turning_of(s.scene, tokens_kept(s.scene)) : 0,
                            to_double(s.scene.cache_shift)});
             }},
            {"{} of {} query heads",
             [](const Said& s) {
                 s.numbers({kHeadsWithQueries / heads_with_keys(s.scene), kHeadsWithQueries});
             }},
        },
        {
            {"Let fewer key heads serve: the bytes fall", fewer_heads},
            {"If the speeds have changed since, the error is as large as the key", speeds_matter},
        },
        {{"slots", slot_readout},
         {"bytes", bytes_readout},
         {"shift", error_readout},
         {"sinks", sink_readout},
         {"facts", heads_readout}},
        {{.first = "model", .row = model_row},
         ReportTable{.first = "position",
                     .keys = {{"position", "position"}},
                     .values = {{"fp32", "error_fp32"},
                                {"fp16", "error_fp16"},
                                {"bf16", "error_bf16"},
                                {"other speeds", "error_other_speeds"}},
                     .may_lack = true}},
        {
            {"Percent of the probability that trained decoders give to the first token; evenly it "
             "would be {}:",
             [](const Said& s) { s.number(0, 100 * even_share()); }},
        },
        {{"cache_tokens=1"},
         {"cache_tokens=64", "cache_key_heads=8", "head_dim=4096"},
         {"cache_window=8", "cache_sinks=4", "cache_shift=100"},
         {"cache_tokens=1", "cache_key_heads=1", "head_dim=64", "rotary_dim=64"}},
        {"Llama 2 7B", "Llama 3 8B", "Llama 3 70B", "DeepSeek-V3", "DeepSeek-V3 unpacked", "fp32",
         "fp16", "bf16", "RoPE", "none", "ALiBi", "learned"}};
}

const RegisteredClaims kCacheClaims{cache_claims};

}  // namespace

}  // namespace ropescope::figures
