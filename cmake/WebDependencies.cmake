# The libraries of the page, in place of Dependencies.cmake: headers of this system, and sources that
# tools/web/toolchain.sh unpacked. Targets have the names that they have on the desktop.
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)  # the headers are this system's
set(ROPESCOPE_WEB_SOURCES ${CMAKE_SOURCE_DIR}/build/web-toolchain/sources CACHE PATH
  "Folder with the sources of imgui, fmtlib, freetype, libzip and zlib")

# Exceptions of WebAssembly, vectors of 128 bits, and std::jthread, which this libc++ calls experimental.
add_compile_options(-fwasm-exceptions -msimd128 -fexperimental-library)
add_link_options(-fwasm-exceptions)

# Only these headers of the system: others in their folder are of its own C library.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
find_path(NLOHMANN_JSON_FOLDER nlohmann/json.hpp PATHS /usr/include REQUIRED)
file(CREATE_LINK ${NLOHMANN_JSON_FOLDER}/nlohmann ${headers}/nlohmann SYMBOLIC)
file(WRITE ${headers}/epoxy/gl.h "#include <GLES3/gl3.h>\n")
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${headers})

find_path(EIGEN_FOLDER Eigen/Core PATHS /usr/include PATH_SUFFIXES eigen3 REQUIRED)
add_library(Eigen3::Eigen INTERFACE IMPORTED)
target_include_directories(Eigen3::Eigen SYSTEM INTERFACE ${EIGEN_FOLDER})

add_library(Threads::Threads INTERFACE IMPORTED)  # there is one thread

add_library(web_fmt STATIC ${ROPESCOPE_WEB_SOURCES}/fmtlib/src/format.cc)
target_include_directories(web_fmt SYSTEM PUBLIC ${ROPESCOPE_WEB_SOURCES}/fmtlib/include)
target_compile_definitions(web_fmt PRIVATE "FMT_STATIC_THOUSANDS_SEPARATOR=','")  # else all locales are linked
add_library(fmt::fmt ALIAS web_fmt)

# FreeType with what reads, hints and draws TrueType. The fonts have their own hints, so it finds none itself.
set(freetype ${ROPESCOPE_WEB_SOURCES}/freetype)
file(WRITE ${CMAKE_BINARY_DIR}/freetype/ropescope/ftmodule.h "FT_USE_MODULE( FT_Driver_ClassRec, tt_driver_class )
FT_USE_MODULE( FT_Module_Class, sfnt_module_class )
FT_USE_MODULE( FT_Renderer_Class, ft_smooth_renderer_class )
")
file(WRITE ${CMAKE_BINARY_DIR}/freetype/ropescope/ftoption.h "#include <freetype/config/ftoption.h>
#undef FT_CONFIG_OPTION_USE_ZLIB
#undef FT_CONFIG_OPTION_USE_LZW
")
add_library(web_freetype STATIC ${freetype}/src/base/ftsystem.c ${freetype}/src/base/ftinit.c
  ${freetype}/src/base/ftdebug.c ${freetype}/src/base/ftbase.c ${freetype}/src/base/ftbitmap.c
  ${freetype}/src/base/ftglyph.c ${freetype}/src/base/ftsynth.c ${freetype}/src/base/ftmm.c
  ${freetype}/src/base/ftstroke.c
  ${freetype}/src/truetype/truetype.c ${freetype}/src/sfnt/sfnt.c
  ${freetype}/src/smooth/smooth.c)
target_include_directories(web_freetype SYSTEM PUBLIC ${freetype}/include)
target_compile_definitions(web_freetype PRIVATE FT2_BUILD_LIBRARY
  "FT_CONFIG_OPTIONS_H=\"${CMAKE_BINARY_DIR}/freetype/ropescope/ftoption.h\""
  "FT_CONFIG_MODULES_H=\"${CMAKE_BINARY_DIR}/freetype/ropescope/ftmodule.h\"")

# zlib, and libzip without what it encrypts and packs otherwise by. Linking leaves out what only writes.
set(zlib ${ROPESCOPE_WEB_SOURCES}/zlib)
add_library(web_zlib STATIC ${zlib}/adler32.c ${zlib}/crc32.c ${zlib}/deflate.c ${zlib}/inffast.c ${zlib}/inflate.c
  ${zlib}/inftrees.c ${zlib}/trees.c ${zlib}/zutil.c)
target_include_directories(web_zlib SYSTEM PUBLIC ${zlib})
set(libzip ${ROPESCOPE_WEB_SOURCES}/libzip)
file(STRINGS ${libzip}/CMakeLists.txt version REGEX "^ *VERSION [0-9.]+")
string(REGEX REPLACE "[^0-9.]" "" libzip_VERSION "${version}")
set(LIBZIP_TYPES_INCLUDE "#include <stdint.h>")
set(ZIP_NULLABLE_DEFINES "#define _Nullable\n#define _Nonnull")
foreach(bits 8 16 32 64)
  set(ZIP_INT${bits}_T int${bits}_t)
  set(ZIP_UINT${bits}_T uint${bits}_t)
endforeach()
configure_file(${libzip}/cmake-zipconf.h.in libzip/zipconf.h)
set(settings "#include \"zipconf.h\"\n#define SIZEOF_OFF_T 8\n#define SIZEOF_SIZE_T 4\n")
foreach(there FILENO FSEEKO FTELLO LOCALTIME_R MKSTEMP SNPRINTF STDBOOL_H STRCASECMP STRDUP STRINGS_H STRTOLL STRTOULL UNISTD_H)
  string(APPEND settings "#define HAVE_${there}\n")
endforeach()
file(CONFIGURE OUTPUT libzip/config.h CONTENT "${settings}" @ONLY)
# Its sentences and kinds of errors stand in comments of its header.
file(STRINGS ${libzip}/lib/zip.h errors REGEX "^#define ZIP_ER_[A-Z_]+ +[0-9]+ +/[*] [NSZ] .*[*]/$")
list(LENGTH errors count)
string(REGEX REPLACE "#define ZIP_ER_[^;]*/[*] [NSZ] ([^*;]*[^ *;]) *[*]/" "\"\\1\"" sentences "${errors}")
string(REGEX REPLACE "#define ZIP_ER_[^;]*/[*] ([NSZ]) [^*;]*[*]/" "\\1" kinds "${errors}")
list(JOIN sentences ", " sentences)
list(JOIN kinds ", " kinds)
file(CONFIGURE OUTPUT libzip/errors.c @ONLY CONTENT "#include \"zipint.h\"
enum { N = ZIP_ET_NONE, S = ZIP_ET_SYS, Z = ZIP_ET_ZLIB };
const char* const _zip_err_str[] = {@sentences@};
const int _zip_err_type[] = {@kinds@};
const int _zip_nerr_str = @count@;
")
file(GLOB zip_sources ${libzip}/lib/*.c)
list(FILTER zip_sources EXCLUDE REGEX "aes|bzip2|crypto|random_uwp|win32|xz")
add_library(web_zip STATIC ${zip_sources} ${CMAKE_BINARY_DIR}/libzip/errors.c)
target_include_directories(web_zip SYSTEM PUBLIC ${libzip}/lib ${CMAKE_BINARY_DIR}/libzip)
target_compile_definitions(web_zip PRIVATE HAVE_CONFIG_H)
target_compile_options(web_zip PRIVATE -w)
target_link_libraries(web_zip PRIVATE web_zlib)
set(ROPESCOPE_CORE_LIBRARIES web_zip)

# ImGui draws with OpenGL ES 3.0, which has no first vertex of a list; lists of the figures have more
# than 2^16 vertices, so their indices are wide.
set(imgui ${ROPESCOPE_WEB_SOURCES}/imgui)
add_library(web_imgui STATIC ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
  ${imgui}/imgui_widgets.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/misc/freetype/imgui_freetype.cpp
  ${imgui}/backends/imgui_impl_opengl3.cpp)
target_include_directories(web_imgui SYSTEM PUBLIC ${imgui} ${imgui}/backends ${imgui}/misc/cpp
  ${imgui}/misc/freetype)
target_compile_definitions(web_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3 "ImDrawIdx=unsigned int"
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_ENABLE_FREETYPE)
set_property(SOURCE ${imgui}/backends/imgui_impl_opengl3.cpp APPEND PROPERTY COMPILE_OPTIONS
  -include ${CMAKE_SOURCE_DIR}/cmake/known_gl_state.h)
target_link_libraries(web_imgui PUBLIC web_freetype)
add_library(ImGui::ImGui ALIAS web_imgui)
