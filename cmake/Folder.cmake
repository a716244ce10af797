# One folder, one library; its link list is the list of arrows that are allowed to leave it.
#
#   driftless_folder(structure)                 -> target driftless_structure, test driftless_structure_test
#   driftless_folder(model LINKS driftless_expr)
#
#   driftless_folder(compile EXTRA_DIRS interpreter)   -> with the files of compile/interpreter
#
#   driftless_folder(language OPTIMIZE -O1)            -> in a release build not with -O3: it takes no time of a run
#
#   driftless_folder(reproduce NOT_INSTALLED ...)      -> for the program only, no part of the installed library
#
# Every x.cpp in the folder is compiled into the library, every x_test.cpp into its one test program.
function(driftless_folder name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "DIRECTORY;OPTIMIZE" "LINKS;PRIVATE_LINKS;TEST_LINKS;EXTRA_DIRS" ${ARGN})
  if(NOT ARG_DIRECTORY)
    set(ARG_DIRECTORY ${name})
  endif()
  set(target driftless_${name})
  set(globs ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_DIRECTORY}/*.cpp)
  foreach(extra ${ARG_EXTRA_DIRS})
    list(APPEND globs ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_DIRECTORY}/${extra}/*.cpp)
  endforeach()
  file(GLOB all CONFIGURE_DEPENDS ${globs})
  set(sources ${all})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
    driftless_unity(${target} ${sources})
    if(ARG_OPTIMIZE)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${ARG_OPTIMIZE}>)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} INTERFACE ${ARG_LINKS} ${ARG_PRIVATE_LINKS})
  endif()
  if(NOT ARG_NOT_INSTALLED)
    set_property(GLOBAL APPEND PROPERTY DRIFTLESS_INSTALLED_TARGETS ${target})
  endif()

  if(DRIFTLESS_TESTS AND tests)
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} ${ARG_TEST_LINKS} GTest::gmock GTest::gtest_main)
    target_precompile_headers(${target}_test REUSE_FROM test_headers)
    target_compile_definitions(${target}_test PRIVATE DRIFTLESS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_compile_options(${target}_test PRIVATE ${DRIFTLESS_OPTIMIZE_TESTS})
    driftless_unity(${target}_test ${tests})
    gtest_discover_tests(${target}_test DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
