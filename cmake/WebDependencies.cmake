# The libraries of the page, in place of Dependencies.cmake: headers of this system, and sources that
# tools/web/toolchain.sh unpacked. Targets have the names that they have on the desktop.
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)  # the headers are this system's
set(ROPESCOPE_WEB_SOURCES ${CMAKE_SOURCE_DIR}/build/web-toolchain/sources CACHE PATH
  "Folder with the sources of imgui, fmtlib, freetype and zlib")

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
add_library(fmt::fmt ALIAS web_fmt)

# FreeType with what reads, hints and draws TrueType.
set(freetype ${ROPESCOPE_WEB_SOURCES}/freetype)
file(WRITE ${CMAKE_BINARY_DIR}/freetype/ropescope/ftmodule.h "FT_USE_MODULE( FT_Module_Class, autofit_module_class )
FT_USE_MODULE( FT_Driver_ClassRec, tt_driver_class )
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
  ${freetype}/src/autofit/autofit.c ${freetype}/src/truetype/truetype.c ${freetype}/src/sfnt/sfnt.c
  ${freetype}/src/smooth/smooth.c)
target_include_directories(web_freetype SYSTEM PUBLIC ${freetype}/include)
target_compile_definitions(web_freetype PRIVATE FT2_BUILD_LIBRARY
  "FT_CONFIG_OPTIONS_H=\"${CMAKE_BINARY_DIR}/freetype/ropescope/ftoption.h\""
  "FT_CONFIG_MODULES_H=\"${CMAKE_BINARY_DIR}/freetype/ropescope/ftmodule.h\"")

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
