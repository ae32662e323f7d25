// Tensor operations carried out by others, elsewhere or under watch.
#pragma once

#include <functional>
#include <memory>

#include "core/engine/tensor_ops.h"

namespace ropescope {

/// How a call is made.
class Relay {
  public:
    virtual ~Relay() = default;
    /// Before it returns.
    virtual void now(const std::function<void()>& call) = 0;
    /// After the calls before it and before those after it; may return earlier, and then reports
    /// an error in a later now().
    virtual void in_order(std::function<void()> call) = 0;
};

/// Every call of them goes through the relay, their destruction too.
std::unique_ptr<TensorOps> make_relayed_ops(std::unique_ptr<TensorOps> ops,
                                            std::shared_ptr<Relay> relay);

}  // namespace ropescope
