# SuiteSparse as Debian ships it has no CMake package: KLU and SPQR with what they need, LAPACK among it.
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(SuiteSparse_LIBRARIES)
foreach(name klu btf amd colamd spqr cholmod suitesparseconfig lapack)
  find_library(SuiteSparse_${name}_LIBRARY ${name})
  list(APPEND SuiteSparse_LIBRARIES ${SuiteSparse_${name}_LIBRARY})
endforeach()
# A target that says DRIFTLESS_STARTS_QUICKLY is linked from static archives, if all are there: the shared libraries of LAPACK
# and BLAS, which SPQR and CHOLMOD bring along, have 1,760 symbols to look up before main() starts.
set(SuiteSparse_ARCHIVES)
foreach(name klu btf spqr cholmod ccolamd camd colamd amd suitesparseconfig lapack blas)
  find_library(SuiteSparse_${name}_ARCHIVE lib${name}.a)
  list(APPEND SuiteSparse_ARCHIVES ${SuiteSparse_${name}_ARCHIVE})
endforeach()
find_library(SuiteSparse_metis_LIBRARY NAMES metis libmetis.so.5)
list(APPEND SuiteSparse_ARCHIVES ${SuiteSparse_metis_LIBRARY} gomp gfortran)
if("${SuiteSparse_ARCHIVES}" MATCHES "NOTFOUND")
  set(SuiteSparse_ARCHIVES ${SuiteSparse_LIBRARIES})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS SuiteSparse_INCLUDE_DIR SuiteSparse_klu_LIBRARY SuiteSparse_spqr_LIBRARY)
if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  set_target_properties(SuiteSparse::SuiteSparse PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES
      "$<IF:$<BOOL:$<TARGET_PROPERTY:DRIFTLESS_STARTS_QUICKLY>>,${SuiteSparse_ARCHIVES},${SuiteSparse_LIBRARIES}>")
endif()
