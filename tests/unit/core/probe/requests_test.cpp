// The requests of a probe: how many, which shapes and positions, and that they are the same always.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/probe/probe.h"
#include "tests/support/input_error.h"

namespace ropescope::probe {
namespace {

std::vector<std::string> all_models() {
    std::vector<std::string> names;
    std::ranges::transform(model_presets(), std::back_inserter(names), &ModelConfig::id);
    std::ranges::transform(several_axes_presets(), std::back_inserter(names), &Preset::name);
    return names;
}

TEST(ProbeRequests, EveryModelGetsAtMost64InOrder) {
    for (const std::string& model : all_models()) {
        for (const Part& subject : open_model(model).parts) {
            const std::vector<Request> requests = make_requests(subject, {.negative = true});
            EXPECT_LE(requests.size(), kMostRequests) << model;
            EXPECT_GE(requests.size(), 16U) << model << " " << subject.name();
            std::set<std::string> names;
            for (std::size_t i = 0; i < requests.size(); ++i) {
                const Request& request = requests[i];
                EXPECT_EQ(request.id, static_cast<Index>(i) + 1);
                EXPECT_TRUE(names.insert(request.name).second) << model << " " << request.name;
                EXPECT_EQ(std::ssize(request.q), request.q_shape.size());
                EXPECT_EQ(std::ssize(request.k), request.k_shape.size());
                EXPECT_EQ(std::ssize(request.positions),
                          request.axes * request.q_shape.batch * request.q_shape.length);
                EXPECT_EQ(request.q_shape.heads % request.k_shape.heads, 0);
                EXPECT_TRUE(request.why.ends_with('.')) << request.name;
                for (const double position : request.positions) {
                    EXPECT_LE(std::abs(position),
                              to_double(subject.reach > 0 ? subject.reach - 1 : kFarthest))
                        << model << " " << request.name;
                }
            }
        }
    }
}

TEST(ProbeRequests, HaveTheShapesAndPositionsThatTellFaultsApart) {
    const Part subject = open_model("llama-3.1-8b").parts.front();
    const std::vector<Request> requests = make_requests(subject);
    std::set<Index> lengths;
    std::set<double> positions;
    std::set<std::pair<Index, Index>> heads;
    bool batched_decode = false, repeated = false, behind_a_cache = false;
    for (const Request& request : requests) {
        lengths.insert(request.q_shape.length);
        positions.insert(request.positions.begin(), request.positions.end());
        heads.insert({request.q_shape.heads, request.k_shape.heads});
        batched_decode |= request.q_shape.batch == 2 && request.q_shape.length == 1;
        repeated |= request.repeats.has_value();
        behind_a_cache |= request.past.value_or(0) > 0 && request.q_shape.length > 1;
    }
    for (const Index length : {1, 31, 33, 127, 129}) {
        EXPECT_TRUE(lengths.contains(length)) << length;
    }
    for (const double position : {0., 1., 255., 256., 257., 4095., 4096., 4097., 131071.}) {
        EXPECT_TRUE(positions.contains(position)) << position;
    }
    EXPECT_TRUE(heads.contains({4, 1}));
    EXPECT_TRUE(heads.contains({8, 2}));
    EXPECT_TRUE(batched_decode);
    EXPECT_TRUE(repeated);
    EXPECT_TRUE(behind_a_cache);
}

/// But for one, which has all digits of float32.
TEST(ProbeRequests, AreTheSameEveryTimeAndExactInEveryDtype) {
    const Part subject = open_model("phi-2").parts.front();
    const std::vector<Request> requests = make_requests(subject), again = make_requests(subject);
    ASSERT_EQ(requests.size(), again.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(requests[i].q, again[i].q);
        Request narrow = requests[i];
        narrow.dtype = Dtype::bf16;
        const bool exact = to_f64(narrow.tensors().front().view()) == requests[i].q;
        EXPECT_EQ(exact, requests[i].name != "the model's heads") << requests[i].name;
    }
}

TEST(ProbeRequests, PartsOfOneSequenceHaveItsNumbers) {
    const Part subject = open_model("llama-2-7b").parts.front();
    const std::vector<Request> requests = make_requests(subject);
    const auto named = [&](const std::string& name) -> const Request& {
        return *std::ranges::find(requests, name, &Request::name);
    };
    const Request &whole = named("whole"), &chunk = named("second chunk");
    const Request &padded = named("padded on the left"), &alone = named("the same row alone");
    const Index d = whole.q_shape.head_dim;
    for (Index h = 0; h < whole.q_shape.heads; ++h) {
        EXPECT_TRUE(std::equal(chunk.q.begin() + chunk.q_shape.row(0, h, 0),
                               chunk.q.begin() + chunk.q_shape.row(0, h, 7) + d,
                               whole.q.begin() + whole.q_shape.row(0, h, 16)));
        EXPECT_TRUE(std::equal(alone.q.begin() + alone.q_shape.row(0, h, 0),
                               alone.q.begin() + alone.q_shape.row(0, h, 6) + d,
                               padded.q.begin() + padded.q_shape.row(1, h, 5)));
    }
    EXPECT_EQ(chunk.past, 16);
}

TEST(ProbeRequests, TensorsSayPositionsInTheirAxes) {
    const Part text = open_model("llama-2-7b").parts.front();
    const Part image = open_model("qwen2-vl-7b").parts.front();
    const std::vector<Tensor> one = make_requests(text).front().tensors();
    EXPECT_EQ(one[2].name, "positions");
    EXPECT_EQ(one[2].dtype, Dtype::i64);
    EXPECT_EQ(one[2].shape, (std::vector<std::int64_t>{1, 127}));
    const std::vector<Tensor> three = make_requests(image).front().tensors();
    EXPECT_EQ(three[2].shape.size(), 3U);
    EXPECT_EQ(three[2].shape.front(), 3);
}

}  // namespace
}  // namespace ropescope::probe
