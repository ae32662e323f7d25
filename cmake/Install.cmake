# What `cmake --install` puts where, and the package that CPack makes of it (./package.sh).
include(GNUInstallDirs)
set(desktop ${CMAKE_SOURCE_DIR}/assets/desktop)
set(made ${CMAKE_BINARY_DIR}/install)
string(TIMESTAMP RELEASE_DATE "%Y-%m-%d" UTC)
string(TIMESTAMP release_time "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(maintainer "The ropescope contributors <contributors@ropescope.invalid>")
configure_file(${desktop}/ropescope.metainfo.xml.in ${made}/io.github.ropescope.metainfo.xml @ONLY)
file(WRITE ${made}/changelog "ropescope (${PROJECT_VERSION}) unstable; urgency=medium\n
  * CHANGELOG.md beside this file has the changes.\n
 -- ${maintainer}  ${release_time}\n")
file(READ ${CMAKE_SOURCE_DIR}/LICENSE license)
file(READ ${CMAKE_SOURCE_DIR}/assets/fonts/LICENSE font_license)
file(READ ${CMAKE_SOURCE_DIR}/assets/demo-roformer/LICENSE wordnet_license)
file(WRITE ${made}/copyright "ropescope:\n\n${license}\n\nFonts of DejaVu, compiled in:\n\n${font_license}
\nDemo models, trained on text of WordNet, compiled in:\n\n${wordnet_license}")

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS ropescope)
install(FILES ${desktop}/ropescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${made}/io.github.ropescope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${made}/copyright ${made}/changelog.gz ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(FILES ${made}/copyright ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libropescope-dev
  COMPONENT library)

execute_process(COMMAND gzip -9nfk ${made}/changelog COMMAND_ERROR_IS_FATAL ANY)

# The program writes its manual and draws its icon itself.
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  set(pages \"\${share}/man/man1\")
  set(icons \"\${share}/icons/hicolor/scalable/apps\")
  file(MAKE_DIRECTORY \${icons} \${share}/bash-completion/completions \${share}/zsh/vendor-completions)
  execute_process(COMMAND $<TARGET_FILE:ropescope> --write-manual \${pages} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND $<TARGET_FILE:ropescope> figure rotation --size 512x512
    -o \${icons}/ropescope.svg COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME \${pages}/ropescope.bash \${share}/bash-completion/completions/ropescope)
  file(RENAME \${pages}/_ropescope \${share}/zsh/vendor-completions/_ropescope)
  file(GLOB files \${pages}/ropescope*.1)
  execute_process(COMMAND gzip -9nf \${files} COMMAND_ERROR_IS_FATAL ANY)")

set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_SOURCE_DIR}/out)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "oscilloscope for rotary position embedding")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "ropescope shows how rotary position embedding turns queries and keys: angles,
tables, scores and their decay with distance, rounding errors. It proves the
mathematics on this computer, rotates tensors and draws figures.")
# Two packages: the program, and the library with its header.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ropescope)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libropescope-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "the engine of ropescope as a library for C, with header, pkg-config and CMake files.")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "rotary position embedding as a library for C
 The engine of ropescope for other programs: frequencies of published models,
 tables of cosine and sine, and rotation of queries and keys in place.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened while the program runs, which dpkg-shlibdeps does not see: OpenGL with Mesa's drivers.
# They keep copied pictures on the clipboard.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "xclip | wl-clipboard")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libgl1, libegl1, libegl-mesa0, libgl1-mesa-dri")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
