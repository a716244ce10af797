# SuiteSparse as Debian ships it has no CMake package: KLU and SPQR with what they need.
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(SuiteSparse_LIBRARIES)
foreach(name klu btf amd colamd spqr cholmod suitesparseconfig)
  find_library(SuiteSparse_${name}_LIBRARY ${name})
  list(APPEND SuiteSparse_LIBRARIES ${SuiteSparse_${name}_LIBRARY})
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS SuiteSparse_INCLUDE_DIR SuiteSparse_klu_LIBRARY SuiteSparse_spqr_LIBRARY)
if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  set_target_properties(SuiteSparse::SuiteSparse PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${SuiteSparse_LIBRARIES}")
endif()
