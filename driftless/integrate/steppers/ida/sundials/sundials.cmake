# The BDF code IDA, an oracle for our own: only this folder sees the headers of SUNDIALS.
if(DRIFTLESS_HAS_IDA)
  target_sources(driftless_integrate PRIVATE integrate/steppers/ida/sundials/ida.cpp integrate/steppers/ida/sundials/ida_failure.cpp)
  target_compile_definitions(driftless_integrate PRIVATE DRIFTLESS_HAS_IDA)
  foreach(library ida nvecserial)  # the program starts sooner with archives (cli/CMakeLists.txt)
    set(archive "$<AND:$<BOOL:$<TARGET_PROPERTY:DRIFTLESS_STARTS_QUICKLY>>,$<TARGET_EXISTS:SUNDIALS::${library}_static>>")
    target_link_libraries(driftless_integrate PRIVATE SUNDIALS::${library}$<${archive}:_static>)
  endforeach()
endif()
