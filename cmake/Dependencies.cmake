# Every library comes from the distribution; nothing is downloaded at configure time.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(glfw3 3.3 REQUIRED)
# oneDNN computes matrix products. Debian builds it on GCC's OpenMP, whose thread number we set.
find_library(DNNL_LIBRARY dnnl REQUIRED)
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h REQUIRED)
add_library(dnnl::dnnl UNKNOWN IMPORTED)
set_target_properties(dnnl::dnnl PROPERTIES
  IMPORTED_LOCATION ${DNNL_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${DNNL_INCLUDE_DIR}
  INTERFACE_LINK_LIBRARIES gomp)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
set(ROPESCOPE_CORE_LIBRARIES PkgConfig::LIBZIP dnnl::dnnl)
pkg_check_modules(EPOXY REQUIRED IMPORTED_TARGET epoxy)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-pdf cairo-svg pangocairo fontconfig)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)  # comes with libpng
# Reads the Markdown of the book; the command docs is all that needs it.
find_library(CMARK_EXTENSIONS_LIBRARY cmark-gfm-extensions)
find_library(CMARK_LIBRARY cmark-gfm)
find_path(CMARK_INCLUDE_DIR cmark-gfm-core-extensions.h)
if(CMARK_EXTENSIONS_LIBRARY AND CMARK_LIBRARY AND CMARK_INCLUDE_DIR)
  set(CMARK_LIBRARIES ${CMARK_EXTENSIONS_LIBRARY} ${CMARK_LIBRARY})
endif()
pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)

# Debian ships ImGui as one static archive with the backends in it and a .pc file that leaves out what
# the backends need. An imported target keeps the link order right.
find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
find_library(IMGUI_LIBRARY imgui REQUIRED)
find_library(STB_LIBRARY stb REQUIRED)
add_library(ImGui::ImGui STATIC IMPORTED)
set_target_properties(ImGui::ImGui PROPERTIES
  IMPORTED_LOCATION ${IMGUI_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES "${IMGUI_INCLUDE_DIR};${IMGUI_INCLUDE_DIR}/backends"
  INTERFACE_LINK_LIBRARIES "${STB_LIBRARY};glfw;PkgConfig::FREETYPE;${CMAKE_DL_LIBS}")
