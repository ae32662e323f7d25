// Splits a loop over a few threads.
//
// Why a thread pool of our own beside OpenMP, which oneDNN brings along: an exception may leave a
// part (in OpenMP it ends the process); the window computes on several threads at once, which share
// these workers (OpenMP keeps a team for each of them, and together they exceed the cores); a
// nested call runs serially; and the thread sanitizer understands std::thread, but not the OpenMP
// runtime. oneDNN therefore runs on one thread in each part (core/kernels/sgemm.cpp).
#pragma once

#include <cstdint>
#include <functional>

namespace ropescope {

/// Beyond this many threads a memory-bound loop gains nothing.
inline constexpr int kMaxThreads = 256;

/// The default number of threads: the processors that this process may run on.
int default_threads();

/// Calls body(begin, end) on at most `threads` contiguous parts of [0, count), one of them on the
/// calling thread, and returns when all are done. Parts begin at multiples of `grain`. Rethrows the
/// first exception of a part. Workers are kept between calls. Concurrent and nested calls are
/// allowed; a nested call runs serially. A child of fork() may call it too, wherever the other
/// threads of its parent were, and has workers of its own; a child that is forked in a part must
/// end there, because the threads with the other parts are not in it.
void parallel_for(std::int64_t count, std::int64_t grain, int threads,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace ropescope
