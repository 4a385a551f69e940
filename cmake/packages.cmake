# Debian packages by `cpack -G DEB` (scripts/package): one for each component that install.cmake knows. Libraries that are
# linked are found by dpkg-shlibdeps; named here is what is loaded at run time, and the packages' own order.
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_PACKAGE_NAME fretwork)
set(CPACK_PACKAGE_VENDOR fretwork)
set(CPACK_PACKAGE_CONTACT "The fretwork authors <fretwork@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_COMPONENTS_ALL program library development mpi python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # the library itself, which is not installed yet
set(same_library "libfretwork${soname} (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fretwork)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${same_library}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS fretwork-mpi)

# Plots are drawn by PLplot's cairo driver, which it loads, with a font of fontconfig's.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfretwork${soname})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "plplot-driver-cairo, fonts-dejavu-core")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libfretwork-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same_library}")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME fretwork-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${same_library}")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fretwork)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${same_library}, python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-matplotlib")
include(CPack)
