# The page (app/web) and the program that runs the checks under Node.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
include(WebDependencies)
include(Warnings)
# Counts are 64 bits wide here too, and what a container holds fits into 32.
target_compile_options(ropescope_options INTERFACE -Wno-shorten-64-to-32 -Wno-c23-extensions)
function(ropescope_position_independent)
endfunction()
include(Embed)
include(Fonts)
include(Precompile)
add_subdirectory(core)
add_subdirectory(core/demo)
add_subdirectory(app/web)
