class Table
  extends ExternalObject;
  function constructor
    input Real table[:, :];
    output Table made;
  external "C" made = ModelicaStandardTables_CombiTable1D_init3("NoName", "NoName", table, size(table, 1), size(table, 2),
    {2}, 1, 1, 1, false, ",", 0);
  end constructor;
end Table;

function value
  input Table table;
  input Real u;
  output Real y;
external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
end value;

model M
  Table table = Table([0, 1; 2, 3; 1, 4]);
  Real x(start = 1, fixed = true);
equation
  der(x) = -value(table, x);
end M;
