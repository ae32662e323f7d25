// In place of processors.cpp where no thread can be started.
#include "core/base/processors.h"

namespace ropescope {

int allowed_processors() {
    return 1;
}

}  // namespace ropescope
