model TunedOscillator "The stiffness is found at the start, such that the deflection at rest is the one that is wanted; other parameters follow"
  model Spring "A spring of stiffness c between a ceiling and a mass"
    parameter Real c(unit = "N/m", fixed = false, start = 10) "Found at the start";
    parameter Real m = 2;
    parameter Real w = sqrt(c/m) "Angular frequency";
    parameter Boolean is_stiff(fixed = false) "Known when c is";
    Real s, v(start = 1, fixed = true), f;
  equation
    der(s) = v;
    m*der(v) = m*9.81 - f;
    f = if is_stiff then c*s else c*s + 0*v;
  initial equation
    is_stiff = c > 100;
  end Spring;
  Spring spring;
  Real phase = spring.w*time;
initial equation
  spring.s = 0.1;
  spring.f = spring.m*9.81;
  annotation(experiment(StopTime = 1));
end TunedOscillator;
