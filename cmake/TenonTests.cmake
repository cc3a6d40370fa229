# Tests: tests/test_*.c (Check, one executable each), examples/*.c (must run), and script tests.
# Labels: check = counted by Check's own result lines, script = one test each.
find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)   # rank and solution oracles
find_path(MUMPS_INCLUDE_DIR dmumps_c.h REQUIRED)
find_library(MUMPS_LIBRARY dmumps_seq REQUIRED)

set(tests_dir "${PROJECT_SOURCE_DIR}/tests")
set(TENON_TEST_SECONDS 600 CACHE STRING "Longest time of one test program")

add_library(tenon_test_settings INTERFACE)
target_include_directories(tenon_test_settings INTERFACE "${tests_dir}" "${tests_dir}/support")
target_include_directories(tenon_test_settings SYSTEM INTERFACE "${MUMPS_INCLUDE_DIR}")
target_compile_definitions(tenon_test_settings INTERFACE
    TN_TEST_DATA="${tests_dir}/data"
    TN_EXAMPLES="${PROJECT_SOURCE_DIR}/examples"
    TN_TEST_OUTPUT="${PROJECT_BINARY_DIR}/test-output")
if(TARGET tenon)
    target_compile_definitions(tenon_test_settings INTERFACE TN_TOOL="$<TARGET_FILE:tenon>")
endif()
target_link_libraries(tenon_test_settings INTERFACE tenon_all PkgConfig::CHECK PkgConfig::LAPACKE
                                                    "${MUMPS_LIBRARY}")
target_link_options(tenon_test_settings INTERFACE -Wl,--as-needed)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/test-output")

file(GLOB support_sources CONFIGURE_DEPENDS "${tests_dir}/support/*.c")
if(support_sources)
    add_library(tenon_test_support STATIC ${support_sources})
    target_link_libraries(tenon_test_support PRIVATE tenon_test_settings)
endif()

file(GLOB test_sources CONFIGURE_DEPENDS "${tests_dir}/test_*.c")
foreach(source IN LISTS test_sources)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(${name} "${source}")
    if(support_sources)
        target_link_libraries(${name} PRIVATE tenon_test_support)
    endif()
    target_link_libraries(${name} PRIVATE tenon_test_settings)
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    if(TARGET tenon)
        add_dependencies(${name} tenon)
    endif()
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${tests_dir}")
    set_tests_properties(${name} PROPERTIES LABELS check TIMEOUT ${TENON_TEST_SECONDS}
        ENVIRONMENT "CK_DEFAULT_TIMEOUT=${TENON_TEST_SECONDS};CK_VERBOSITY=normal")
endforeach()
