// Constants that are made when they are first asked for, for code that a child of fork() may run.
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>

namespace ropescope {

/// What `make` returns: made by the first call and kept until the process ends. Each lambda has its
/// own, so `make` captures nothing. Threads that call at the same time may each make one; all get
/// the one that was ready first.
///
/// A static variable is made once even then, and other threads wait for it. A child of a process in
/// which another thread was just making it would wait for ever, because that thread is not in the
/// child. So what the library for C and the Python package reach is made here.
template <typename Make>
const auto& made_once(const Make& make) {
    static_assert(std::is_empty_v<Make>, "give a lambda that captures nothing");
    using Value = std::decay_t<decltype(make())>;
    static constinit std::atomic<const Value*> kept = nullptr;
    const Value* found = kept;
    if (found == nullptr) {
        auto made = std::make_unique<const Value>(make());
        if (kept.compare_exchange_strong(found, made.get())) {
            found = made.release();
        }
    }
    return *found;
}

}  // namespace ropescope
