// Colours a heat map pixel by pixel as app/plot/heat_raster.cpp does: the mean of a pixel's cells in
// double, then the nearest colour. Only the angle of a cell is less precise (atan in fp32), so it may
// take the neighbouring colour.
#include "shaders/params/heat_map.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 1) readonly buffer Values { float values[]; };
// Cells [begin, end), and the shares of the first and the last with which they count.
struct PixelCells {
    uint begin;
    uint end;
    float first;
    float last;
};
layout(std430, binding = 2) readonly buffer Columns { PixelCells column_cells[]; };
layout(std430, binding = 3) readonly buffer Rows { PixelCells row_cells[]; };
layout(std430, binding = 4) readonly buffer Shades { uint shade[]; };  // the last one: undefined
layout(std430, binding = 5) writeonly buffer Pixels { uint pixel[]; };

// Tests the bits: a compiler may assume that there are no NaNs.
bool is_nan(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) > 0x7f800000u;
}
bool is_nan(double value) {
    uvec2 bits = unpackDouble2x32(value);
    uint high_bits = bits.y & 0x7fffffffu;
    return high_bits > 0x7ff00000u || (high_bits == 0x7ff00000u && bits.x != 0u);
}

float value_at(uint row, uint column) {
    uint at = first + row * row_step + column * column_step;
    float x = values[at];
    if (angle == 0u) {
        return x;
    }
    float y = values[at + 1u];
    if (is_nan(x) || is_nan(y)) {
        return uintBitsToFloat(0x7fc00000u);
    }
    return x == 0.0 && y == 0.0 ? 0.0 : atan(y, x);
}

// NaN if one of its values is.
double cell(uint row, uint column) {
    if (block == 1u) {
        return double(value_at(row, column));
    }
    uint last_row = min((row + 1u) * block, value_rows);
    uint last_column = min((column + 1u) * block, value_columns);
    double sum = 0.0LF;
    float most = value_at(row * block, column * block);
    bool undefined = false;
    for (uint r = row * block; r < last_row; ++r) {
        for (uint c = column * block; c < last_column; ++c) {
            float value = value_at(r, c);
            undefined = undefined || is_nan(value);
            most = max(most, value);
            sum += double(value);
        }
    }
    if (undefined) {
        return packDouble2x32(uvec2(0u, 0x7ff80000u));
    }
    double count = double(last_row - row * block) * double(last_column - column * block);
    return largest == 1u ? double(most) : sum / count;
}

uint color_of(double value) {
    if (is_nan(value)) {
        return shade[shades];
    }
    double unit = clamp((value - low) / (high - low), 0.0LF, 1.0LF);
    return shade[uint(floor(unit * double(shades - 1u) + 0.5LF))];
}

double share_of(PixelCells range, uint at) {
    return double(at == range.begin ? range.first : at + 1u == range.end ? range.last : 1.0);
}

double all_shares(PixelCells range) {
    uint cells = range.end - range.begin;
    return cells == 1u ? double(range.first) : double(range.first) + double(range.last) + double(cells - 2u);
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= count * width) {
        return;
    }
    PixelCells rows = row_cells[first_row + at / width];
    PixelCells columns = column_cells[at % width];
    if (rows.begin == rows.end || columns.begin == columns.end) {
        pixel[at] = 0u;  // the pixel lies beside the map
        return;
    }
    // Rounded as on the processor, which multiplies and adds apart.
    precise double sum = 0.0LF;
    bool undefined = false;
    for (uint row = rows.begin; row < rows.end; ++row) {
        precise double along = 0.0LF;
        for (uint column = columns.begin; column < columns.end; ++column) {
            double value = cell(row, column);
            undefined = undefined || is_nan(value);
            along += share_of(columns, column) * value;
        }
        sum += share_of(rows, row) * along;
    }
    double mean = sum / (all_shares(rows) * all_shares(columns));
    pixel[at] = undefined ? shade[shades] : color_of(mean);
}
