# ropescope_embed(target root files...): compiles files into the target as bytes, found at run time by
# their path below root (or, if the build made them, below its own folder) with ropescope::embedded_file() (core/base/embedded.h).
function(ropescope_embed target root)
  foreach(file IN LISTS ARGN)
    cmake_path(IS_PREFIX CMAKE_CURRENT_BINARY_DIR ${file} made)
    if(made)
      file(RELATIVE_PATH name ${CMAKE_CURRENT_BINARY_DIR} ${file})
    else()
      file(RELATIVE_PATH name ${root} ${file})
    endif()
    string(MAKE_C_IDENTIFIER "${name}" identifier)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${identifier}.cpp)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${source} -DNAME=${name}
              -DIDENTIFIER=${identifier} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake
      VERBATIM)
    list(APPEND sources ${source})
    string(APPEND declarations "extern const unsigned char embedded_${identifier}[];\n")
    string(APPEND declarations "extern const std::size_t embedded_${identifier}_size;\n")
    string(APPEND entries "    {\"${name}\", embedded_${identifier}, embedded_${identifier}_size},\n")
  endforeach()
  list(LENGTH ARGN count)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded_index.cpp.in
                 ${CMAKE_CURRENT_BINARY_DIR}/embedded/index.cpp @ONLY)
  target_sources(${target} PRIVATE ${sources} ${CMAKE_CURRENT_BINARY_DIR}/embedded/index.cpp)
endfunction()
