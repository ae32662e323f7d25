// The functions of ropescope.h: each checks its arguments, calls C++ and turns what is thrown into
// a status and a message.
#include "library/ropescope.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/report.h"
#include "core/rope/axis_positions.h"
#include "library/diagnose_tensors.h"
#include "library/given_norm.h"
#include "library/rotate_tensor.h"

/// What a caller in C holds by a pointer.
struct ropescope_embedding {
    ropescope::Part part;
    std::string assumptions;
};

namespace ropescope {
namespace {

/// The message of this thread.
std::string& message() {
    thread_local std::string text;
    return text;
}

ropescope_status failed(ropescope_status status, const char* text) noexcept {
    try {
        message() = printable(text);  // arguments come back as they were given
    } catch (...) {
        message().clear();  // there is no memory even for the text
    }
    return status;
}

/// Runs `body` and lets nothing that it throws pass.
template <typename Body>
ropescope_status guarded(const Body& body) noexcept {
    try {
        body();
        return ROPESCOPE_OK;
    } catch (const InputError& error) {
        return failed(ROPESCOPE_BAD_INPUT, error.what());
    } catch (const std::bad_alloc&) {
        return failed(ROPESCOPE_FAILED, "there is not enough memory for this");
    } catch (const std::exception& error) {
        return failed(ROPESCOPE_FAILED, error.what());
    } catch (...) {
        return failed(ROPESCOPE_FAILED, "an unknown error");
    }
}

template <typename T>
T& given(T* pointer, const char* name) {
    if (pointer == nullptr) {
        throw InputError(fmt::format("{}: null; give an address", name));
    }
    return *pointer;
}

/// Checks the first member of a struct that a caller fills, which tells versions of it apart.
template <typename T>
T& sized(T* pointer, const char* name) {
    if (given(pointer, name).size != sizeof(T)) {
        throw InputError(fmt::format("{0}: its member size is {1}; set it to sizeof({0}), {2}",
                                     name, pointer->size, sizeof(T)));
    }
    return *pointer;
}

/// Throws InputError unless a caller has room for exactly the values that a function writes.
void expect_count(std::size_t count, std::span<const Index> shape, const char* names) {
    std::size_t wanted = 1;
    for (const Index size : shape) {
        if (__builtin_mul_overflow(wanted, static_cast<std::size_t>(size), &wanted)) {
            throw InputError(fmt::format("count: {} values are more than memory can hold", names));
        }
    }
    if (count != wanted) {
        throw InputError(fmt::format("count: room for {} values; {} are expected, [{}] of {}",
                                     count, wanted, fmt::join(shape, ", "), names));
    }
}

std::string text_or_empty(const char* text) {
    return text == nullptr ? "" : text;
}

EmbeddingChoice choice_of(const ropescope_options* options) {
    if (options == nullptr) {
        return {};
    }
    const ropescope_options& chosen = sized(options, "ropescope_options");
    return {text_or_empty(chosen.part), text_or_empty(chosen.layer_type), chosen.seq_len};
}

ropescope_embedding* made_of(Part part) {
    std::string assumptions = fmt::format("{}", fmt::join(part.assumptions, "\n"));
    return new ropescope_embedding{std::move(part), std::move(assumptions)};
}

const RotaryScheme& scheme_of(const ropescope_embedding* embedding) {
    return given(embedding, "embedding").part.scheme;
}

/// A caller in C may write any number, and C++ may not read it as the enumeration.
Dtype dtype_of(const ropescope_tensor& tensor, const char* name) {
    static_assert(sizeof(ropescope_dtype) == sizeof(int));
    int dtype = 0;
    std::memcpy(&dtype, &tensor.dtype, sizeof dtype);
    switch (dtype) {
        case ROPESCOPE_F32:
            return Dtype::f32;
        case ROPESCOPE_F16:
            return Dtype::f16;
        case ROPESCOPE_BF16:
            return Dtype::bf16;
        case ROPESCOPE_F64:
            return Dtype::f64;
        case ROPESCOPE_F8_E4M3:
            return Dtype::f8_e4m3;
        case ROPESCOPE_F8_E5M2:
            return Dtype::f8_e5m2;
        case ROPESCOPE_F8_E4M3FNUZ:
            return Dtype::f8_e4m3fnuz;
        case ROPESCOPE_F8_E5M2FNUZ:
            return Dtype::f8_e5m2fnuz;
        case ROPESCOPE_I8:
            return Dtype::i8;
        default:
            throw InputError(fmt::format(
                "{}: dtype {}; give one of ropescope_dtype, ROPESCOPE_F32 (0) to ROPESCOPE_I8 (8)",
                name, dtype));
    }
}

std::span<const double> positions_of(const double* positions, std::size_t count,
                                     const char* name = "positions") {
    if (positions == nullptr && count != 0) {
        throw InputError(
            fmt::format("{}: null, and count is {}; give both or neither", name, count));
    }
    if (positions != nullptr && count == 0) {
        throw InputError(
            fmt::format("{}: count is 0; give the number of positions, or null", name));
    }
    if (count > static_cast<std::size_t>(kMostBytesReached) / sizeof(double)) {
        throw InputError(fmt::format("{}: count {} is larger than memory can be", name, count));
    }
    return {positions, count};
}

/// Appends the tensor if there is one.
void lend(const ropescope_tensor* tensor, const char* name, std::vector<LentTensor>& lent) {
    if (tensor != nullptr) {
        sized(tensor, "ropescope_tensor");
        lent.push_back({name,
                        tensor->data,
                        dtype_of(*tensor, name),
                        {std::begin(tensor->shape), std::end(tensor->shape)},
                        {std::begin(tensor->stride), std::end(tensor->stride)}});
    }
}

/// Appends the positions of `side`, if any, as [axes, batch, positions], where batch may be 1.
void lend_positions(const ropescope_dump& dump, const ropescope_tensor* side, const double* values,
                    std::size_t count, const char* name, std::vector<LentTensor>& lent) {
    if (positions_of(values, count, name).empty()) {
        return;
    }
    const Index axes = dump.position_axes == 0 ? 1 : dump.position_axes;
    if (axes < 1) {
        throw InputError(fmt::format(
            "position_axes: {}; the numbers in the position of a token are expected, 1 or more",
            axes));
    }
    const auto numbers = static_cast<Index>(count);
    const Index length = side == nullptr ? 0 : side->shape[2];
    const Index each = length > 0 && numbers % axes == 0 ? numbers / axes : 0;
    const Index batch = each == length ? 1 : side == nullptr ? 0 : side->shape[0];
    if (each == 0 || batch < 1 || each % batch != 0 || each / batch != length) {
        throw InputError(fmt::format(
            "{}: {} numbers; [{}, {}] for all batches or [{}, {}, {}] are expected", name, count,
            axes, length, axes, side == nullptr ? 0 : side->shape[0], length));
    }
    lent.push_back({name, values, Dtype::f64, {axes, batch, length}, {each, length, 1}});
}

/// Appends the weights of a norm, if any.
void lend_weights(const double* values, std::size_t count, const char* name,
                  std::vector<LentTensor>& lent) {
    if (const std::span<const double> weights = positions_of(values, count, name);
        !weights.empty()) {
        lent.push_back({name, weights.data(), Dtype::f64, {static_cast<Index>(count)}, {1}});
    }
}

std::optional<QkNorm> norm_by(const ropescope_dump& dump) {
    constexpr double kUsualEps = 1e-6;
    if (dump.norm == nullptr && dump.norm_order == nullptr && dump.norm_eps == 0.0) {
        return std::nullopt;  // an RMS norm if there are weights
    }
    return norm_of(GivenNorm{dump.norm == nullptr ? "rms" : dump.norm,
                             dump.norm_eps == 0.0 ? kUsualEps : dump.norm_eps,
                             dump.norm_order == nullptr ? "before" : dump.norm_order});
}

LentDump lent_by(const ropescope_dump& dump) {
    LentDump lent{.tensors = {}, .axes = "bhld", .position_axes = "abl", .norm = norm_by(dump)};
    lend(dump.q, "q", lent.tensors);
    lend(dump.q_rot, "q_rot", lent.tensors);
    lend(dump.k, "k", lent.tensors);
    lend(dump.k_rot, "k_rot", lent.tensors);
    lend(dump.scores, "scores", lent.tensors);
    lend(dump.v, "v", lent.tensors);
    lend(dump.v_rot, "v_rot", lent.tensors);
    lend(dump.k_cache, "k_cache", lent.tensors);
    lend(dump.k_cache_after, "k_cache_after", lent.tensors);
    lend(dump.q_scale, "q_scale", lent.tensors);
    lend(dump.q_rot_scale, "q_rot_scale", lent.tensors);
    lend(dump.k_scale, "k_scale", lent.tensors);
    lend(dump.k_rot_scale, "k_rot_scale", lent.tensors);
    lend(dump.k_cache_scale, "k_cache_scale", lent.tensors);
    lend_weights(dump.q_norm, dump.q_norm_count, "q_norm", lent.tensors);
    lend_weights(dump.k_norm, dump.k_norm_count, "k_norm", lent.tensors);
    lend_positions(dump, dump.q, dump.q_positions, dump.q_count, "q_positions", lent.tensors);
    lend_positions(dump, dump.k, dump.k_positions, dump.k_count, "k_positions", lent.tensors);
    return lent;
}

std::optional<diagnosis::Expectation> expectation_of(const ropescope_dump& dump) {
    if (dump.expect != nullptr && dump.embedding != nullptr) {
        throw InputError("expect: a model is named and an embedding is given; give one of them");
    }
    if (dump.expect != nullptr) {
        return diagnosis::read_expectation(dump.expect);
    }
    if (dump.embedding != nullptr) {
        return diagnosis::expectation_of(dump.embedding->part, "the embedding");
    }
    return std::nullopt;
}

/// A copy of the text that free() releases.
char* text_for_c(const std::string& text) {
    auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) {
        throw std::bad_alloc();
    }
    std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

}  // namespace
}  // namespace ropescope

using namespace ropescope;

const char* ropescope_version(void) {
    return ROPESCOPE_VERSION;
}

const char* ropescope_message(void) {
    return message().c_str();
}

ropescope_status ropescope_load(const char* path_or_name, const ropescope_options* options,
                                ropescope_embedding** result) {
    return guarded([&] {
        given(result, "result");
        *result = made_of(
            chosen_part(open_model(&given(path_or_name, "path_or_name")), choice_of(options)));
    });
}

ropescope_status ropescope_parse(const char* json, size_t bytes, const ropescope_options* options,
                                 ropescope_embedding** result) {
    return guarded([&] {
        given(result, "result");
        *result = made_of(chosen_part(parse_model({&given(json, "json"), bytes}, "config.json"),
                                      choice_of(options)));
    });
}

ropescope_status ropescope_make(int64_t head_dim, int64_t rotary_dim, double base,
                                const char* layout, ropescope_embedding** result) {
    return guarded([&] {
        given(result, "result");
        RopeSpec spec;
        spec.head_dim = head_dim;
        spec.rotary_dim = rotary_dim;
        spec.base = base;
        spec.layout = parse_layout(&given(layout, "layout"));
        *result = made_of(part_of(spec));
    });
}

void ropescope_free(ropescope_embedding* embedding) {
    delete embedding;
}

ropescope_status ropescope_get_facts(const ropescope_embedding* embedding, ropescope_facts* facts) {
    return guarded([&] {
        const RotaryScheme& scheme = scheme_of(embedding);
        const Spectrum& first = scheme.heads.front();
        sized(facts, "ropescope_facts") = {.size = sizeof(ropescope_facts),
                                           .head_dim = scheme.head_dim,
                                           .pairs = scheme.pair_count(),
                                           .axes = std::ssize(scheme.axes),
                                           .heads = std::ssize(scheme.heads),
                                           .attention_factor = first.attention_factor,
                                           .softmax_scale_factor = first.softmax_scale_factor};
    });
}

const char* ropescope_assumptions(const ropescope_embedding* embedding) {
    return embedding == nullptr ? "" : embedding->assumptions.c_str();
}

ropescope_status ropescope_spectrum(const ropescope_embedding* embedding, double* omega,
                                    size_t count) {
    return guarded([&] {
        const RotaryScheme& scheme = scheme_of(embedding);
        given(omega, "omega");
        const Index shape[] = {std::ssize(scheme.heads), scheme.pair_count(),
                               std::ssize(scheme.axes)};
        expect_count(count, shape, "heads, pairs, axes");
        for (const Spectrum& head : scheme.heads) {
            omega = std::ranges::copy(head.inv_freq_rad, omega).out;
        }
    });
}

ropescope_status ropescope_pairs(const ropescope_embedding* embedding, int64_t* channels,
                                 size_t count) {
    return guarded([&] {
        const RotaryScheme& scheme = scheme_of(embedding);
        given(channels, "channels");
        const Index shape[] = {scheme.pair_count(), 2};
        expect_count(count, shape, "pairs, 2");
        for (const ChannelPair& pair : scheme.pairs) {
            *channels++ = pair.first;
            *channels++ = pair.second;
        }
    });
}

ropescope_status ropescope_table(const ropescope_embedding* embedding, const double* positions,
                                 int64_t tokens, float* cos, float* sin, size_t count) {
    return guarded([&] {
        const RotaryScheme& scheme = scheme_of(embedding);
        if (tokens < 0) {
            throw InputError(fmt::format("tokens: {}; give 0 or more", tokens));
        }
        const Index shape[] = {std::ssize(scheme.heads), tokens, scheme.pair_count()};
        expect_count(count, shape, "heads, tokens, pairs");
        if (tokens == 0) {
            return;
        }
        const Index axes = std::ssize(scheme.axes);
        const AxisPositions of_tokens{
            {&given(positions, "positions"), static_cast<std::size_t>(axes * tokens)}, axes};
        float& first_cos = given(cos, "cos");
        float& first_sin = given(sin, "sin");
        const RotationTable table = make_rotation_table(scheme, of_tokens);
        std::ranges::copy(table.cos, &first_cos);
        std::ranges::copy(table.sin, &first_sin);
    });
}

ropescope_status ropescope_rotate(const ropescope_embedding* embedding, const ropescope_tensor* x,
                                  const double* positions, size_t count, int inverse, int threads) {
    return guarded([&] {
        const RotaryScheme& scheme = scheme_of(embedding);
        const ropescope_tensor& tensor = sized(x, "ropescope_tensor");
        TensorMemory memory{tensor.data, dtype_of(tensor, "x")};
        std::ranges::copy(tensor.shape, memory.shape);
        std::ranges::copy(tensor.stride, memory.stride);
        if (threads < 0) {
            throw InputError(fmt::format("threads: {}; give 0 or more", threads));
        }
        rotate_tensor(scheme, memory, positions_of(positions, count),
                      inverse != 0 ? Direction::inverse : Direction::forward, threads);
    });
}

ropescope_status ropescope_diagnose(const ropescope_dump* dump, char** json, int* passed) {
    return guarded([&] {
        const ropescope_dump& given_dump = sized(dump, "ropescope_dump");
        given(json, "json");
        const LentDump lent = lent_by(given_dump);
        const std::optional<diagnosis::Expectation> expectation = expectation_of(given_dump);
        const diagnosis::Diagnosis found =
            diagnose_tensors(lent, expectation ? &*expectation : nullptr);
        *json = text_for_c(diagnosis::diagnosis_json(found));
        if (passed != nullptr) {
            *passed = diagnosis::passes(found) ? 1 : 0;
        }
    });
}

void ropescope_free_text(char* text) {
    std::free(text);
}
