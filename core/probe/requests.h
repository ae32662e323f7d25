// Chooses inputs that tell the faults of implementations apart. Sources: requests.cpp,
// text_requests.cpp, axes_requests.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/probe/request.h"
#include "core/rope/qk_norm.h"
#include "core/schemes/part.h"

namespace ropescope::probe {

inline constexpr std::size_t kMostRequests = 64;
/// Positions that requests reach if the model does not end them earlier.
inline constexpr Index kFarthest = 131071;

struct Settings {
    /// Of the requests whose point is the dtype; all others are in the first of them.
    std::vector<Dtype> dtypes = {Dtype::f32, Dtype::f16, Dtype::bf16};
    /// Positions below 0, which the shift of a cache needs and a table does not have.
    bool negative = false;
    /// The implementation takes no positions: each row is 0, 1, 2, ...
    bool counted_only = false;
    /// Largest position of a request; if not given, the last one that the model was trained for, at
    /// most kFarthest.
    std::optional<Index> max_position = {};
    /// The implementation normalises q and k beside the rotation; requests have weights for that.
    std::optional<QkNorm> norm = {};
    /// The implementation takes queries alone.
    bool q_alone = false;
};

/// At most kMostRequests, the one that says most first. The same on every machine. Throws
/// InputError for a layer norm behind the rotation.
std::vector<Request> make_requests(const Part& subject, const Settings& settings = {});

// Builds lists of requests.

/// How many rows, heads and tokens.
struct Sizes {
    Index batch = 1, heads = 1, kv_heads = 1, length = 1;
};

/// What a request is for.
struct Purpose {
    std::string name, separates, why;
};

class RequestList {
  public:
    RequestList(const Part& subject, const Settings& settings);

    /// Appends a request with numbers of its own. `positions` [axes, B, L], or [axes, L] for rows
    /// that share them. Nothing is appended, and null returned, if a position is beyond the
    /// subject's.
    Request* add(Purpose purpose, Sizes sizes, std::vector<double> positions);
    /// Appends the same call again, under another purpose. Does nothing if there is no such
    /// request.
    void repeat(const std::string& name, Purpose purpose);
    /// Gives the last request the numbers of tokens `from`, `from` + 1, ... of a row of another one
    /// with as many heads.
    void take_tokens(const std::string& name, Index row, Index from);
    /// The request of that name; null if there is none.
    Request* find(const std::string& name);

    const Part& subject() const { return subject_; }
    const Settings& settings() const { return settings_; }
    /// Largest position that a request may hold.
    Index max_position() const;
    std::vector<Request> take() { return std::move(requests_); }

  private:
    const Part& subject_;
    const Settings& settings_;
    std::vector<Request> requests_;
};

/// `count` positions from `first` on.
std::vector<double> counted(Index first, Index count);

void add_text_requests(RequestList& list);
void add_axes_requests(RequestList& list);
/// Those that every model gets: unit vectors, heads, dtypes.
void add_common_requests(RequestList& list);
/// Those that only a norm gets: numbers so small that its eps counts, and large ones.
void add_norm_requests(RequestList& list);

}  // namespace ropescope::probe
