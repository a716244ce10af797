# Machine code. Only this target sees the headers of LLVM. It is linked from LLVM's static archives: the shared library
# has 340,000 relocations to do before main() starts (12 ms, whether or not code is ever generated), and a program that
# also loads another LLVM (a graphics driver, numba) would share its symbols. See docs/compile.md.
if(DRIFTLESS_LLVM AND LLVM_FOUND)
  llvm_map_components_to_libnames(llvm_libraries orcjit native)

  set(sources compile/llvm/emit.cpp compile/llvm/jit.cpp compile/llvm/runtime.cpp)
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_library(driftless_compile_llvm OBJECT ${sources})
  driftless_unity(driftless_compile_llvm ${sources})
  target_include_directories(driftless_compile_llvm PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(driftless_compile_llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})

  target_sources(driftless_compile PRIVATE $<TARGET_OBJECTS:driftless_compile_llvm>)
  target_compile_definitions(driftless_compile PRIVATE DRIFTLESS_HAS_LLVM)
  target_link_libraries(driftless_compile PRIVATE ${llvm_libraries})
  target_link_options(driftless_compile PUBLIC LINKER:--gc-sections LINKER:--exclude-libs,ALL)
endif()
