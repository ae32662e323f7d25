// Results that take long, on their way to another instance of the program, which has no memory in
// common with this one: a page has one in a worker (app/web/beside.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/packed.h"

namespace ropescope::figures {

/// One instance makes a picture and collects its results (Work::result); the other makes the same
/// picture of them, and asks for them in the same order. Of a result `value` goes what
/// `Value::each_carried(value, visit)` calls `visit` with; the rest is quickly made of the scene.
class Carried {
  public:
    /// Collects.
    Carried() = default;
    /// Gives out what was collected; the bytes outlive it.
    explicit Carried(std::string_view bytes) : bytes_(bytes), arrived_(bytes) {}

    bool gives_out() const { return arrived_.has_value(); }
    template <typename Value>
    void collect(const Value& value) {
        Value::each_carried(value, [&](const auto& member) { collected_.add(member); });
    }
    /// Throws InputError for bytes of something else.
    template <typename Value>
    void give_out(Value& value) {
        Value::each_carried(value, [&](auto& member) { arrived_->take(member); });
    }

    /// The picture is made once more, by another engine.
    void begin_again() {
        collected_.bytes();
        arrived_ = gives_out() ? std::optional(Unpacker(bytes_)) : std::nullopt;
    }
    /// The picture is made. Throws InputError if something was not asked for.
    void end() const {
        if (gives_out()) {
            arrived_->end();
        }
    }
    std::string collected() { return collected_.bytes(); }

  private:
    std::string_view bytes_ = {};
    std::optional<Unpacker> arrived_ = {};
    Packer collected_ = {};
};

}  // namespace ropescope::figures
