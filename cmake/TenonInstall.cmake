# Installation: libraries, headers, tool, the CMake package (find_package(Tenon)) and the pkg-config
# files. Everything is found relative to where it stands, so an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Tenon")
set(installed_libraries tenon_core tenon_core_static)
if(TENON_HAS_IO)
    list(APPEND installed_libraries tenon_io tenon_io_static)
endif()

install(TARGETS ${installed_libraries} EXPORT TenonTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tenon" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# The site, where make docs has built it.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/results/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/html" OPTIONAL)
install(FILES "${PROJECT_SOURCE_DIR}/docs/tenon-model.schema.json"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/tenon")

# The tool, with its manual page and what shells complete, both from the tables of its options.
if(TARGET tenon)
    install(TARGETS tenon RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    if(TARGET tenon-mpi)
        install(TARGETS tenon-mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT mpi)
    endif()
    set(words "${PROJECT_BINARY_DIR}/words")
    file(MAKE_DIRECTORY "${words}")
    add_custom_command(TARGET tenon POST_BUILD VERBATIM
        COMMAND tenon man > "${words}/tenon.1"
        COMMAND tenon completion bash > "${words}/tenon"
        COMMAND tenon completion zsh > "${words}/_tenon")
    install(FILES "${words}/tenon.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${words}/tenon"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${words}/_tenon" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

install(EXPORT TenonTargets NAMESPACE Tenon:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TenonConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/cmake/TenonConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# below 1.0 a new minor version may break its users
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/TenonConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/TenonConfig.cmake"
              "${PROJECT_BINARY_DIR}/cmake/TenonConfigVersion.cmake" DESTINATION "${package_dir}")

# The way from the folder of the .pc files up to the prefix.
cmake_path(SET pc_folder "/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH pc_folder BASE_DIRECTORY "/" OUTPUT_VARIABLE pc_below)
string(REGEX REPLACE "[^/]+" ".." TENON_PC_UP "${pc_below}")
set(pc_modules tenon)
set(TENON_PC_IMPORT "")
if(TENON_IMPORT)
    set(TENON_PC_IMPORT " expat")
endif()
if(TENON_HAS_IO)
    list(APPEND pc_modules tenon_io)
endif()
foreach(module IN LISTS pc_modules)
    string(REPLACE "_" "-" pc_name "${module}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${pc_name}.pc.in"
                   "${PROJECT_BINARY_DIR}/cmake/${pc_name}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/cmake/${pc_name}.pc"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# Debian packages, cpack -G DEB or make deb: tenon with all of it, but for tenon-mpi, which brings MPI with it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tenon)
set(CPACK_PACKAGE_CONTACT "the founders of Tenon")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
if(TENON_HAS_IO) # loaded by name: nothing that is linked tells of it
    execute_process(COMMAND dpkg-query -S "${hdf5_library}" OUTPUT_VARIABLE hdf5_owner ERROR_QUIET)
    if(hdf5_owner MATCHES "^([^:]+):")
        set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
    endif()
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME tenon)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME tenon-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "tenon (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
