within;
package Oscillators "Masses and springs on a line"
  constant Real standard_mass = 1;

  connector Flange
    Real s;
    flow Real f;
  end Flange;

  partial model Compliant
    Flange a, b;
    annotation(experiment(StopTime = 3));
  end Compliant;

  model Mass
    parameter Real m = standard_mass;
    Flange a, b;
  equation
    a.s = b.s;
    m*der(der(a.s)) = a.f + b.f;
  end Mass;

  model Free = Mass(m = 2);

protected
  model Hidden
    Real x;
  equation
    x = 1;
    annotation(experiment(StopTime = 1));
  end Hidden;

  annotation(version = "1.0");
end Oscillators;
