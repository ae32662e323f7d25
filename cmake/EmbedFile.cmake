# Writes OUTPUT, a C++ file that holds the bytes of INPUT. Called by Embed.cmake at build time.
file(READ ${INPUT} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "// Generated from ${NAME}.
#include <cstddef>
extern const unsigned char embedded_${IDENTIFIER}[];
extern const std::size_t embedded_${IDENTIFIER}_size;
const unsigned char embedded_${IDENTIFIER}[] = {${bytes}0x00};
const std::size_t embedded_${IDENTIFIER}_size = ${size};
")
