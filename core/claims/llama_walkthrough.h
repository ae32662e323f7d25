// The computations behind the claims of the walk through Llama: those about formulas are in
// llama_walkthrough_algebra.cpp, those about its code and about what RoPE promises in
// llama_walkthrough_behaviour.cpp.
#pragma once

#include "core/claims/claim.h"

namespace ropescope::claims {

Evidence product_of_transposes();
Evidence order_of_difference();
Evidence score_as_product();
Evidence second_coordinate();
Evidence first_coordinate();
Evidence column_of_angles();
Evidence first_index();
Evidence commuting_rotations();
Evidence angle_of_matrix();

Evidence strided_rotate_half();
Evidence distance_decay();
Evidence extrapolation();
Evidence even_width();
Evidence shift_map();
Evidence sine_and_cosine();
Evidence matrix_of_pairs();

}  // namespace ropescope::claims
