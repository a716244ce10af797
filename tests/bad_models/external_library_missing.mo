// The library of the C function is not there.
function pressure
  input Real temperature;
  output Real p;
external "C" p = vapour_pressure(temperature) annotation(Library = "vapour_of_nothing");
end pressure;

model Boiler
  Real p;
equation
  p = pressure(300 + time);
end Boiler;
