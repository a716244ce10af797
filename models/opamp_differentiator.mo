// The op-amp differentiator: the source drives a capacitor into the inverting input of an ideal operational amplifier,
// a resistor feeds the output back. The ideal amplifier delivers whatever current keeps its two inputs at equal
// potential, so the capacitor voltage is the source voltage and the output is its derivative, -R C u'.
//
// Index 2, no state at all: the solution is determined at every instant by the source and its derivative.
//
// Source: classical; the ideal amplifier is a nullor.
model OpampDifferentiator "An ideal operational amplifier differentiates a voltage"
  constant Real pi = 3.14159265358979323846;
  parameter Real C(unit = "F") = 1e-6, R(unit = "Ohm") = 10000;
  parameter Real U(unit = "V") = 0.5, f(unit = "Hz") = 50 "amplitude and frequency of the source";
  Real u(unit = "V") "source voltage";
  Real vm(unit = "V") "potential of the inverting input";
  Real vC(unit = "V") "capacitor voltage";
  Real i(unit = "A") "current through C and R";
  Real vo(unit = "V") "output voltage";
equation
  u = U*(sin(2*pi*f*time) + sin(6*pi*f*time)/9);
  vC = u - vm;
  C*der(vC) = i;
  R*i = vm - vo;
  vm = 0 "the ideal amplifier";
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-6));
end OpampDifferentiator;
