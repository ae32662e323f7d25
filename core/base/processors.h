// How many processors this process may run on.
// Sources: processors.cpp; processors_one.cpp where the program has one thread.
#pragma once

namespace ropescope {

int allowed_processors();

}  // namespace ropescope
