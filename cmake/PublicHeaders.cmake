# The headers that are installed: driftless/driftless.hpp and what it includes, and no others. tests/consumer compares this
# list with the includes and with what an installation contains.
set(DRIFTLESS_PUBLIC_HEADERS
  driftless/archive/archive_error.hpp
  driftless/boundary/method.hpp
  driftless/choose/findings.hpp
  driftless/compare.hpp
  driftless/compile/backend.hpp
  driftless/compiled.hpp
  driftless/diagnostics/catalogue.hpp
  driftless/diagnostics/code.hpp
  driftless/diagnostics/diagnostic.hpp
  driftless/diagnostics/refusal.hpp
  driftless/diagnostics/source.hpp
  driftless/driftless.hpp
  driftless/examine.hpp
  driftless/expr/pool.hpp
  driftless/formulate/formulation.hpp
  driftless/initialize/initialize.hpp
  driftless/initialize/report.hpp
  driftless/initialize/steady.hpp
  driftless/initialize/strategy.hpp
  driftless/integrate/run/pivot_mode.hpp
  driftless/integrate/solve/projection.hpp
  driftless/integrate/steppers/method.hpp
  driftless/integrate/steppers/newton_acceptance.hpp
  driftless/integrate/steppers/tolerances.hpp
  driftless/language/read.hpp
  driftless/language/read_options.hpp
  driftless/model/builder.hpp
  driftless/model/inputs.hpp
  driftless/model/mechanics.hpp
  driftless/model/model.hpp
  driftless/model/multibody.hpp
  driftless/reduce/reduced.hpp
  driftless/reduce/repair.hpp
  driftless/simulate.hpp
  driftless/simulation.hpp
  driftless/solution/certificate.hpp
  driftless/solution/comparison.hpp
  driftless/solution/comparison_json.hpp
  driftless/solution/comparison_svg.hpp
  driftless/solution/comparison_table.hpp
  driftless/solution/output_file.hpp
  driftless/solution/plot_svg.hpp
  driftless/solution/row_sink.hpp
  driftless/solution/solution.hpp
  driftless/solution/summary.hpp
  driftless/solution/theme.hpp
  driftless/solution/write_csv.hpp
  driftless/solution/write_json.hpp
  driftless/solution/write_mat.hpp
  driftless/steady.hpp
  driftless/solve_boundary.hpp
  driftless/structure/analysis.hpp
  driftless/structure/blocks.hpp
  driftless/structure/dulmage_mendelsohn.hpp
  driftless/structure/matching.hpp
  driftless/structure/signature.hpp
)

function(driftless_install_headers)
  foreach(header ${DRIFTLESS_PUBLIC_HEADERS})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
endfunction()
