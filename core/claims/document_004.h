// The computations behind the claims of seed document 004, by topic.
#pragma once

#include "core/claims/claim.h"

namespace ropescope::claims {

// document_004_algebra.cpp
Evidence product_of_transposes();
Evidence order_of_difference();
Evidence score_as_product();
Evidence second_coordinate();
Evidence first_coordinate();
Evidence column_of_angles();
Evidence first_index();
Evidence commuting_rotations();
Evidence angle_of_matrix();

// document_004_behaviour.cpp
Evidence strided_rotate_half();
Evidence distance_decay();
Evidence extrapolation();
Evidence even_width();
Evidence shift_map();
Evidence matrix_of_pairs();

}  // namespace ropescope::claims
