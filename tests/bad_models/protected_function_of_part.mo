// The function is for the part itself.
model Gas
protected
  function pressure
    input Real T;
    output Real p;
  algorithm
    p := 287*T;
  end pressure;
end Gas;

model Boiler
  Gas gas;
  Real p = gas.pressure(300 + time);
end Boiler;
