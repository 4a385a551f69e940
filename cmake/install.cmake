# The shared library and all that `cmake --install` puts in place: program, library, headers, the CMake package and the
# pkg-config file with which others link it (docs/library.md). Components: program, library, development, mpi, python.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Linked from the archive's objects, which are compiled once. The ABI changes with the first number (before 1.0: the second)
# of the version.
add_library(fretwork_shared SHARED $<TARGET_OBJECTS:fretwork>)
target_link_libraries(fretwork_shared PRIVATE $<TARGET_PROPERTY:fretwork,LINK_LIBRARIES>)
target_include_directories(fretwork_shared PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(fretwork_shared PROPERTIES OUTPUT_NAME fretwork EXPORT_NAME fretwork LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

target_link_options(fretwork_shared PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map)
set_property(TARGET fretwork_shared PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/exports.map)

# Programs find the library beside them, wherever the prefix is.
file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(CMAKE_INSTALL_RPATH $ORIGIN/${library_from_program})

install(TARGETS fretwork_shared EXPORT fretwork
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/include/fretwork.h ${PROJECT_SOURCE_DIR}/include/fretwork_law.h
  TYPE INCLUDE COMPONENT development)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fretwork)
install(EXPORT fretwork NAMESPACE fretwork:: FILE fretwork-targets.cmake DESTINATION ${package} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/fretwork-config.cmake.in ${PROJECT_BINARY_DIR}/fretwork-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fretwork-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fretwork-config.cmake ${PROJECT_BINARY_DIR}/fretwork-config-version.cmake
  DESTINATION ${package} COMPONENT development)
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/fretwork.pc.in ${PROJECT_BINARY_DIR}/fretwork.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/fretwork.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The Python package, where Debian's python3 looks under /usr; and what is loaded when it is needed, in a folder beside the library (core/module.h).
set(FW_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python package goes, below the prefix")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/fretwork DESTINATION ${FW_PYTHON_DIR} COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(TARGETS fretwork_hdf5 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fretwork COMPONENT library)
install(TARGETS fretwork_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fretwork COMPONENT mpi)
include(packages)
