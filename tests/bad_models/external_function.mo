// A function in C.
function pressure
  input Real temperature;
  output Real p;
external "C" p = vapour_pressure(temperature);
end pressure;

model Boiler
  Real p;
equation
  p = pressure(300 + time);
end Boiler;
