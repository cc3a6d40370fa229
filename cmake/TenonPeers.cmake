# The comparison with other engines (bench/peers): one program for each engine that is installed.
enable_language(CXX)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ODE QUIET IMPORTED_TARGET ode)
pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet-float64)
find_package(Simbody QUIET)
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h) # Debian's package file names a path it lacks
find_library(MUJOCO_LIBRARY mujoco)
find_package(DART QUIET COMPONENTS dart)

set(peers_dir "${PROJECT_SOURCE_DIR}/bench/peers")
set(peers_models "${PROJECT_BINARY_DIR}/bench/peers/models")
set(peers_small "${peers_models}/n_four_bar_1.yaml")
file(MAKE_DIRECTORY "${peers_models}")
set(peers_maker "${PROJECT_SOURCE_DIR}/tests/generators/make_n_four_bar.py")
add_custom_command(OUTPUT "${peers_small}" DEPENDS "${peers_maker}" VERBATIM
    COMMAND Python3::Interpreter "${peers_maker}" 1 > "${peers_small}")
add_custom_target(peers_models DEPENDS "${peers_small}")

add_library(peers_bench STATIC "${peers_dir}/bench.c" "${peers_dir}/scene.c")
target_link_libraries(peers_bench PRIVATE tenon_all)
target_include_directories(peers_bench PUBLIC "${peers_dir}" "${PROJECT_SOURCE_DIR}/include")
target_compile_definitions(peers_bench PRIVATE
    PEERS_EXAMPLES="${PROJECT_SOURCE_DIR}/examples"
    PEERS_MODELS="${peers_models}"
    PEERS_DATA="${PROJECT_SOURCE_DIR}/bench/data"
    PEERS_TRUTH="${PROJECT_SOURCE_DIR}/tests/data/mechanisms")
add_dependencies(peers_bench peers_models)

# tenon_peer(name source library...): the libraries' own headers may warn as they like.
function(tenon_peer name source)
    add_executable(${name} "${peers_dir}/${source}")
    target_compile_features(${name} PRIVATE cxx_std_17)
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
    target_link_libraries(${name} PRIVATE peers_bench ${ARGN})
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench/peers")
endfunction()

tenon_peer(peer_tenon peer_tenon.c tenon_all)
if(ODE_FOUND)
    tenon_peer(peer_ode peer_ode.c PkgConfig::ODE)
endif()
if(BULLET_FOUND)
    tenon_peer(peer_bullet peer_bullet.cpp PkgConfig::BULLET)
endif()
if(Simbody_FOUND)
    tenon_peer(peer_simbody peer_simbody.cpp ${Simbody_LIBRARIES})
    target_include_directories(peer_simbody SYSTEM PRIVATE ${Simbody_INCLUDE_DIR})
endif()
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY)
    tenon_peer(peer_mujoco peer_mujoco.c "${MUJOCO_LIBRARY}")
    target_include_directories(peer_mujoco SYSTEM PRIVATE "${MUJOCO_INCLUDE_DIR}")
endif()
# Engines that Debian lacks or has an old version of, built elsewhere: their install prefixes. MuJoCo's stands beside
# Debian's.
set(MUJOCO_DIR "$ENV{MUJOCO_DIR}" CACHE PATH "Where another MuJoCo was installed, for bench/peers")
set(PINOCCHIO_DIR "$ENV{PINOCCHIO_DIR}" CACHE PATH "Where Pinocchio was installed, for bench/peers")
find_library(MUJOCO_GIVEN_LIBRARY mujoco PATHS "${MUJOCO_DIR}/lib" NO_DEFAULT_PATH)
if(MUJOCO_DIR AND MUJOCO_GIVEN_LIBRARY)
    tenon_peer(peer_mujoco_given peer_mujoco.c "${MUJOCO_GIVEN_LIBRARY}")
    target_include_directories(peer_mujoco_given SYSTEM BEFORE PRIVATE "${MUJOCO_DIR}/include")
endif()
find_package(Eigen3 QUIET NO_MODULE)
if(PINOCCHIO_DIR AND Eigen3_FOUND) # headers alone, for this machine as in its own benchmarks
    tenon_peer(peer_pinocchio peer_pinocchio.cpp Eigen3::Eigen)
    target_include_directories(peer_pinocchio SYSTEM PRIVATE "${PINOCCHIO_DIR}/include")
    target_compile_options(peer_pinocchio PRIVATE -O3 -march=native)
endif()
if(DART_FOUND)
    tenon_peer(peer_dart peer_dart.cpp dart)
endif()

# Error and time of what is asked for an accuracy (bench/accuracy), on the mechanisms of the tests.
if(TARGET tenon_test_support)
    set(accuracy_dir "${PROJECT_SOURCE_DIR}/bench/accuracy")
    add_executable(work_precision "${accuracy_dir}/precision.c" "${accuracy_dir}/cases.c")
    target_link_libraries(work_precision PRIVATE tenon_test_support tenon_test_settings)
    if(Simbody_FOUND)
        add_library(work_precision_simbody STATIC "${accuracy_dir}/simbody.cpp")
        target_compile_features(work_precision_simbody PRIVATE cxx_std_17)
        target_compile_options(work_precision_simbody PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
        target_include_directories(work_precision_simbody PRIVATE
            "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/tests/support")
        target_include_directories(work_precision_simbody SYSTEM PRIVATE ${Simbody_INCLUDE_DIR})
        target_link_libraries(work_precision_simbody PRIVATE ${Simbody_LIBRARIES})
        target_compile_definitions(work_precision PRIVATE BENCH_SIMBODY)
        target_link_libraries(work_precision PRIVATE work_precision_simbody tenon_test_support)
    endif()
    set_target_properties(work_precision PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench/accuracy")
endif()

# Complementarity problems of the tests beside Siconos: needs -DTENON_TESTS=ON, too.
find_path(SICONOS_INCLUDE_DIR siconos/numerics/mlcp_enum.h)
find_library(SICONOS_LIBRARY siconos_numerics)
if(SICONOS_INCLUDE_DIR AND SICONOS_LIBRARY AND TARGET tenon_test_support)
    add_executable(mlcp_siconos "${peers_dir}/mlcp_siconos.c")
    target_include_directories(mlcp_siconos SYSTEM PRIVATE
        "${SICONOS_INCLUDE_DIR}" "${SICONOS_INCLUDE_DIR}/siconos" "${SICONOS_INCLUDE_DIR}/siconos/numerics")
    target_link_libraries(mlcp_siconos PRIVATE tenon_test_support tenon_test_settings "${SICONOS_LIBRARY}")
    set_target_properties(mlcp_siconos PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench/peers")
endif()
