// Static splitting of a loop over a few threads.
#pragma once

#include <cstdint>
#include <functional>

namespace ropescope {

/// Number of threads used where the caller does not say: the processors this process may run on.
int default_threads();

/// Calls body(begin, end) on `threads` contiguous parts of [0, count), one of them on the calling
/// thread; returns when all are done. Part boundaries are multiples of `grain`. Exceptions of any
/// part are rethrown here. Workers are kept between calls; concurrent and nested calls are allowed
/// (a nested call runs serially).
void parallel_for(std::int64_t count, std::int64_t grain, int threads,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace ropescope
