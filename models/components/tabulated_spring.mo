// A mass on a spring whose force is given by a table. The table is an external object, declared as the Modelica Standard
// Library declares them.
class Table1D "points and values"
  extends ExternalObject;
  function constructor
    input String tableName = "NoName";
    input String fileName = "NoName";
    input Real table[:, :];
    input Integer columns[:] = {2};
    input Integer smoothness = 1 "1: linear";
    input Integer extrapolation = 2 "2: with the last slope";
    output Table1D made;
  external "C" made = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table, size(table, 1), size(table, 2),
    columns, size(columns, 1), smoothness, extrapolation, false, ",", 0);
  end constructor;
  function destructor
    input Table1D made;
  external "C" ModelicaStandardTables_CombiTable1D_close(made);
  end destructor;
end Table1D;

function tableValue
  input Table1D table;
  input Real u;
  output Real y;
external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
end tableValue;

model TabulatedSpring
  parameter Real m = 1 "mass";
  parameter Real c1 = 1 "stiffness for |x| < 1", c2 = 4 "stiffness beyond";
  parameter String kind = "progressive";
  Table1D force = Table1D(table = if kind == "linear" then [-1, -c1; 1, c1] else [-2, -c1 - c2; -1, -c1; 1, c1; 2, c1 + c2]);
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  m*der(v) = -tableValue(force, x);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9),
    __Driftless(invariants(energy = m*v^2/2 + (if abs(x) < 1 then c1*x^2/2 else c1/2 + c1*(abs(x) - 1) + c2*(abs(x) - 1)^2/2))));
end TabulatedSpring;
