// e^x for x <= 88, within 2^-22 of it, relative; 0 below -87.3. (The error of GLSL's own exp() may
// be 2 |x| units.)
float exponential(float x) {
    const float kLowest = -87.3;
    float clamped = max(x, kLowest);
    float n = floor(clamped * 1.44269504 + 0.5);
    // ln 2 in two parts; the first has so few bits that its products with n are exact.
    precise float high = clamped - n * 0.693359375;
    precise float r = high + n * 2.12194440e-4;
    // Taylor's series to r^7, |r| <= ln 2 / 2: the next term is below 2^-27.
    float sum = 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    float power_of_two = intBitsToFloat((int(n) + 127) << 23);
    return x < kLowest ? 0.0 : sum * power_of_two;
}
