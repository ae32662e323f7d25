// Calls the functions of ropescope.h with arguments drawn from bytes. Whatever they are: a call
// that fails says why in one line, and has written nothing.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/ropescope.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"

namespace ropescope::fuzz {
namespace {

/// Numbers from the front of the bytes; zeros when they are used up.
class Draw {
  public:
    explicit Draw(std::string_view bytes) : rest_(bytes) {}

    template <typename T>
    T number() {
        T value{};
        const std::size_t size = std::min(sizeof(T), rest_.size());
        std::memcpy(&value, rest_.data(), size);
        rest_.remove_prefix(size);
        return value;
    }
    std::int64_t below(std::int64_t count) { return number<std::uint8_t>() % count; }
    /// One of the texts, or null.
    const char* text(std::span<const char* const> texts) {
        const std::int64_t place = below(std::ssize(texts) + 1);
        return place == std::ssize(texts) ? nullptr : texts[static_cast<std::size_t>(place)];
    }
    std::vector<double> numbers(std::int64_t count) {
        std::vector<double> drawn;
        while (std::ssize(drawn) < count) {
            drawn.push_back(below(2) == 0 ? static_cast<double>(below(64)) : number<double>());
        }
        return drawn;
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

/// Whether the call was made.
bool held(ropescope_status status) {
    const std::string_view message = ropescope_message();
    require(status == ROPESCOPE_OK || status == ROPESCOPE_BAD_INPUT, "the system failed");
    require(status == ROPESCOPE_OK || !message.empty(), "a failure without a message");
    require(message.find('\n') == std::string_view::npos, "a message of several lines");
    return status == ROPESCOPE_OK;
}

using Embedding = std::unique_ptr<ropescope_embedding, decltype(&ropescope_free)>;

constexpr auto kNames = std::to_array<const char*>(
    {"llama-3-8b", "qwen2-vl-7b", "modernbert-base", "text", "vision", "sliding_attention",
     "half_split", "interleaved", "rms", "layer", "before", "after", ""});

Embedding embedding_of(Draw& draw) {
    ropescope_embedding* made = nullptr;
    ropescope_status status = ROPESCOPE_OK;
    const std::int64_t way = draw.below(3);
    if (way == 0) {
        const std::int64_t head_dim = draw.below(40), rotary_dim = draw.below(40);
        const double base = draw.number<double>();
        status = ropescope_make(head_dim, rotary_dim, base, draw.text(kNames), &made);
    } else {
        const ropescope_options options{.size = sizeof options - (draw.below(16) == 15 ? 1U : 0U),
                                        .part = draw.text(kNames),
                                        .layer_type = draw.text(kNames),
                                        .seq_len = draw.number<std::int32_t>()};
        const auto* const asked = draw.below(4) == 0 ? &options : nullptr;
        const char* const name = draw.text(kNames);
        // A name may be no path: what lies on this machine is not an input.
        status = way == 1 && name != nullptr && *name != '\0'
                     ? ropescope_load(name, asked, &made)
                     : ropescope_parse(draw.rest().data(), draw.rest().size(), asked, &made);
    }
    require(held(status) == (made != nullptr), "a status that is not that of the result");
    return {made, &ropescope_free};
}

/// A tensor and its memory, which its strides do not leave.
struct Lent {
    std::vector<std::uint64_t> memory;  // aligned for every dtype
    ropescope_tensor tensor = {};
};

Lent tensor_of(Draw& draw, std::int64_t head_dim) {
    Lent lent;
    ropescope_tensor& tensor = lent.tensor;
    tensor.size = sizeof tensor - (draw.below(32) == 31 ? 1U : 0U);
    const int dtype = static_cast<int>(draw.below(11)) - 1;
    std::memcpy(&tensor.dtype, &dtype, sizeof dtype);
    const std::int64_t sizes[] = {draw.below(3), draw.below(4), draw.below(6),
                                  draw.below(8) == 7 ? draw.below(40) : head_dim};
    std::ranges::copy(sizes, tensor.shape);
    const bool dense = draw.below(2) == 0;
    std::int64_t next = 1, first = 0, last = 0;
    for (int axis = 3; axis >= 0; --axis) {
        tensor.stride[axis] = dense ? next : draw.number<std::int8_t>();
        next *= std::max<std::int64_t>(1, sizes[axis]);
        const std::int64_t span = tensor.stride[axis] * std::max<std::int64_t>(0, sizes[axis] - 1);
        (span < 0 ? first : last) += span;
    }
    lent.memory.resize(static_cast<std::size_t>(last - first + 1));
    for (std::uint64_t& word : lent.memory) {
        word = draw.number<std::uint64_t>();
    }
    // Elements have at most the 8 bytes of a word, so that there is room on both sides.
    tensor.data = lent.memory.data() - first;
    return lent;
}

void read_embedding(const ropescope_embedding* embedding, Draw& draw) {
    ropescope_facts facts{};
    facts.size = sizeof facts;
    require(held(ropescope_get_facts(embedding, &facts)), "an embedding without facts");
    require(ropescope_assumptions(embedding) != nullptr, "no text of assumptions");
    const std::int64_t pairs = facts.pairs * facts.heads, tokens = draw.below(4);
    const std::size_t wrong = draw.below(8) == 7 ? 1 : 0;
    std::vector<double> omega(static_cast<std::size_t>(pairs * facts.axes), -1.0);
    const std::vector<double> before = omega;
    if (!held(ropescope_spectrum(embedding, omega.data(), omega.size() + wrong))) {
        require(omega == before, "a spectrum that was refused is written");
    }
    std::vector<float> cos(static_cast<std::size_t>(pairs * tokens), -2.0F), sin = cos;
    const std::vector<float> untouched = cos;
    const std::vector<double> positions = draw.numbers(facts.axes * tokens);
    if (!held(ropescope_table(embedding, positions.data(), tokens, cos.data(),
                              draw.below(8) == 7 ? nullptr : sin.data(), cos.size() + wrong))) {
        require(cos == untouched && sin == untouched, "a table that was refused is written");
    }
    Lent x = tensor_of(draw, facts.head_dim);
    const std::vector<std::uint64_t> memory = x.memory;
    const std::vector<double> places =
        draw.numbers(draw.below(3) * facts.axes * std::max<std::int64_t>(1, x.tensor.shape[2]));
    if (!held(ropescope_rotate(embedding, &x.tensor, places.empty() ? nullptr : places.data(),
                               places.size(), static_cast<int>(draw.below(2)),
                               static_cast<int>(draw.below(4)) - 1))) {
        require(x.memory == memory, "a tensor that was refused is turned");
    }
}

void diagnose(const ropescope_embedding* embedding, Draw& draw) {
    const std::int64_t head_dim = draw.below(12);
    std::array<Lent, 5> lent;
    std::ranges::generate(lent, [&] { return tensor_of(draw, head_dim); });
    if (draw.below(2) == 0) {  // of one shape, as it should be
        lent[1].tensor = lent[0].tensor;
    }
    const auto maybe = [&](Lent& of) { return draw.below(3) == 0 ? nullptr : &of.tensor; };
    const std::vector<double> norm = draw.numbers(draw.below(2) * head_dim);
    ropescope_dump dump{};
    dump.size = sizeof dump;
    dump.q = maybe(lent[0]);
    dump.q_rot = maybe(lent[1]);
    dump.k = maybe(lent[2]);
    dump.k_rot = maybe(lent[3]);
    dump.scores = draw.below(4) == 0 ? &lent[4].tensor : nullptr;
    dump.expect = draw.below(4) == 0 ? draw.text({kNames.data(), 3}) : nullptr;
    dump.embedding = draw.below(4) == 0 ? embedding : nullptr;
    dump.q_norm = norm.empty() ? nullptr : norm.data();
    dump.q_norm_count = norm.size();
    dump.norm = draw.below(4) == 0 ? draw.text(kNames) : nullptr;
    char* json = nullptr;
    int passed = 0;
    require(held(ropescope_diagnose(&dump, &json, &passed)) == (json != nullptr),
            "a status that is not that of the report");
    ropescope_free_text(json);
}

}  // namespace

void call_library(const std::string& bytes) {
    Draw draw(bytes);
    const Embedding embedding = embedding_of(draw);
    constexpr std::int64_t kMost = 4096;  // of head_dim, so that an input takes a moment at most
    ropescope_facts facts{};
    facts.size = sizeof facts;
    if (embedding != nullptr && ropescope_get_facts(embedding.get(), &facts) == ROPESCOPE_OK &&
        facts.head_dim * facts.heads <= kMost) {
        read_embedding(embedding.get(), draw);
    }
    diagnose(embedding.get(), draw);
}

}  // namespace ropescope::fuzz
