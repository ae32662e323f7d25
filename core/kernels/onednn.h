// What oneDNN needs before it is called.
#pragma once

namespace ropescope {

/// Call it on every thread before oneDNN is called there. Throws std::bad_alloc if there is no room
/// for the code that oneDNN makes at its first call.
void prepare_onednn();

}  // namespace ropescope
