// The claims as a page for people: docs/claims.md and `ropescope check --claims`.
#pragma once

#include <string>

namespace ropescope {

/// Markdown with one table for each text. Computes every claim. Numbers are rounded to two digits,
/// so that the page is the same on every machine.
std::string claims_page();

}  // namespace ropescope
