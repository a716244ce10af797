within Driftless;
package Electrical "Circuits: ideal parts, semiconductors, sources, sensors, and the link to rotation"
  import SI = Modelica.Units.SI;

  connector Pin "Potential, and the current that flows into the part"
    SI.ElectricPotential v;
    flow SI.Current i;
  end Pin;

  partial model OnePort "Two pins; the current that enters p leaves n"
    Pin p, n;
    SI.Voltage v "p.v - n.v";
    SI.Current i "From p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;

  partial model TwoPort "Two pairs of pins, each with one current"
    Pin p1, n1, p2, n2;
    SI.Voltage v1 "p1.v - n1.v";
    SI.Voltage v2 "p2.v - n2.v";
    SI.Current i1 "From p1 to n1";
    SI.Current i2 "From p2 to n2";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end TwoPort;

  model Ground "The potential 0"
    Pin p;
  equation
    p.v = 0;
  end Ground;

  // ---------------------------------------------------------------------------------------------------- linear

  model Resistor "v = R*i"
    extends OnePort;
    parameter SI.Resistance R = 1;
  equation
    v = R*i;
  end Resistor;

  model Conductor "i = G*v"
    extends OnePort;
    parameter SI.Conductance G = 1;
  equation
    i = G*v;
  end Conductor;

  model Capacitor "i = C*der(v)"
    extends OnePort(v(start = 0));
    parameter SI.Capacitance C = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor "v = L*der(i)"
    extends OnePort(i(start = 0));
    parameter SI.Inductance L = 1;
  equation
    v = L*der(i);
  end Inductor;

  model Transformer "v1 = L1*der(i1) + M*der(i2), v2 = M*der(i1) + L2*der(i2)"
    extends TwoPort(i1(start = 0), i2(start = 0));
    parameter SI.Inductance L1 = 1;
    parameter SI.Inductance L2 = 1;
    parameter SI.Inductance M = 0.5 "Mutual inductance; M^2 = L1*L2 is a transformer without leakage";
  equation
    v1 = L1*der(i1) + M*der(i2);
    v2 = M*der(i1) + L2*der(i2);
  end Transformer;

  model IdealTransformer "v1 = ratio*v2, i2 = -ratio*i1"
    extends TwoPort;
    parameter Real ratio = 1 "Turns of the first winding for each turn of the second one";
  equation
    v1 = ratio*v2;
    i2 = -ratio*i1;
  end IdealTransformer;

  model Gyrator "i1 = G*v2, i2 = -G*v1"
    extends TwoPort;
    parameter SI.Conductance G = 1;
  equation
    i1 = G*v2;
    i2 = -G*v1;
  end Gyrator;

  model IdealOpAmp "No voltage between in_p and in_n, no current into them; the output is whatever that needs"
    Pin in_p, in_n, out;
  equation
    in_p.v = in_n.v;
    in_p.i = 0;
    in_n.i = 0;
  end IdealOpAmp;

  model OpAmp "out.v = limit*tanh(gain*(in_p.v - in_n.v)/limit)"
    parameter Real gain = 1e5;
    parameter SI.Voltage limit = 15 "Largest voltage of the output";
    Pin in_p, in_n, out;
  equation
    in_p.i = 0;
    in_n.i = 0;
    out.v = limit*tanh(gain*(in_p.v - in_n.v)/limit);
  end OpAmp;

  // --------------------------------------------------------------------------------------------------- sources

  model ConstantVoltage "v = V"
    extends OnePort;
    parameter SI.Voltage V = 1;
  equation
    v = V;
  end ConstantVoltage;

  model SineVoltage "v = offset + V*sin(2*pi*f*time + phase)"
    extends OnePort;
    parameter SI.Voltage V = 1 "Amplitude";
    parameter SI.Frequency f = 1;
    parameter SI.Angle phase = 0;
    parameter SI.Voltage offset = 0;
  protected
    constant Real pi = 3.141592653589793;
  equation
    v = offset + V*sin(2*pi*f*time + phase);
  end SineVoltage;

  model StepVoltage "v = offset, and offset + V from startTime on"
    extends OnePort;
    parameter SI.Voltage V = 1 "Height of the step";
    parameter SI.Voltage offset = 0;
    parameter SI.Time startTime = 0;
  equation
    v = offset + (if time < startTime then 0 else V);
  end StepVoltage;

  model PulseVoltage "v = offset + V during the first part (width) of each period, otherwise offset"
    extends OnePort;
    parameter SI.Voltage V = 1;
    parameter Real width(min = 0, max = 1) = 0.5 "Part of the period";
    parameter SI.Time period = 1;
    parameter SI.Voltage offset = 0;
    parameter SI.Time startTime = 0;
    Blocks.Pulse pulse(amplitude = V, width = width, period = period, offset = offset, startTime = startTime);
  equation
    v = pulse.y;
  end PulseVoltage;

  model SignalVoltage "The voltage is a signal"
    Pin p, n;
    SI.Current i "From p to n";
    Blocks.RealInput v "p.v - n.v";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalVoltage;

  model ConstantCurrent "i = I, from p to n"
    extends OnePort;
    parameter SI.Current I = 1;
  equation
    i = I;
  end ConstantCurrent;

  model SineCurrent "i = offset + I*sin(2*pi*f*time + phase)"
    extends OnePort;
    parameter SI.Current I = 1 "Amplitude";
    parameter SI.Frequency f = 1;
    parameter SI.Angle phase = 0;
    parameter SI.Current offset = 0;
  protected
    constant Real pi = 3.141592653589793;
  equation
    i = offset + I*sin(2*pi*f*time + phase);
  end SineCurrent;

  model SignalCurrent "The current from p to n is a signal"
    Pin p, n;
    SI.Voltage v "p.v - n.v";
    Blocks.RealInput i "From p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalCurrent;

  // -------------------------------------------------------------------------------------------- ideal switching

  model IdealDiode "v = Ron*s while it conducts (s > 0 is the current), i = Goff*s while it blocks (s < 0 is the voltage)"
    extends OnePort;
    parameter SI.Resistance Ron(min = 0) = 1e-5 "Resistance while it conducts";
    parameter SI.Conductance Goff(min = 0) = 1e-5 "Conductance while it blocks";
    Boolean blocks(start = true);
    Real s(start = 0) "Current while it conducts, voltage while it blocks";
  equation
    blocks = s < 0;
    v = s*(if blocks then 1 else Ron);
    i = s*(if blocks then Goff else 1);
  end IdealDiode;

  model IdealThyristor "An ideal diode that begins to conduct only when it is fired, and conducts until its current ends"
    extends OnePort;
    parameter SI.Resistance Ron(min = 0) = 1e-5 "Resistance while it conducts";
    parameter SI.Conductance Goff(min = 0) = 1e-5 "Conductance while it blocks";
    Blocks.BooleanInput fire;
    Boolean blocks(start = true, fixed = true);
    Real s(start = 0) "Current while it conducts, voltage while it blocks";
  equation
    blocks = s < 0 or pre(blocks) and not fire;
    v = s*(if blocks then 1 else Ron);
    i = s*(if blocks then Goff else 1);
  end IdealThyristor;

  model IdealSwitch "v = Ron*s while closed, i = Goff*s while open"
    extends OnePort;
    parameter SI.Resistance Ron(min = 0) = 1e-5 "Resistance while it is closed";
    parameter SI.Conductance Goff(min = 0) = 1e-5 "Conductance while it is open";
    Blocks.BooleanInput closed;
    Real s "Current while closed, voltage while open";
  equation
    v = s*(if closed then Ron else 1);
    i = s*(if closed then 1 else Goff);
  end IdealSwitch;

  // --------------------------------------------------------------------------------------------- semiconductors

  model Diode "i = Is*(exp(v/Vt) - 1) + v/R, continued along its tangent beyond v/Vt = limit"
    extends OnePort(v(start = 0));
    parameter SI.Current Is = 1e-6 "Saturation current";
    parameter SI.Voltage Vt = 0.04 "Thermal voltage";
    parameter SI.Resistance R = 1e8 "In parallel";
    parameter Real limit = 40 "Largest v/Vt of which the exponential is taken";
  equation
    i = Is*(exponential(v/Vt, limit) - 1) + v/R;
  end Diode;

  model NPN "Ebers and Moll's transistor with constant capacitances"
    Pin C "Collector", B "Base", E "Emitter";
    parameter Real Bf = 50 "Forward current gain";
    parameter Real Br = 0.1 "Reverse current gain";
    parameter SI.Current Is = 1e-16 "Transport saturation current";
    parameter SI.Voltage Vt = 0.02585 "Thermal voltage";
    parameter SI.Capacitance Cbe = 0 "Base to emitter";
    parameter SI.Capacitance Cbc = 0 "Base to collector";
    parameter SI.Conductance Gmin = 1e-12 "In parallel with both junctions";
    parameter Real limit = 40 "Largest v/Vt of which the exponential is taken";
    SI.Voltage vbe(start = 0), vbc(start = 0);
    SI.Current ibe "Through the junction of the emitter", ibc "Through the junction of the collector";
  equation
    vbe = B.v - E.v;
    vbc = B.v - C.v;
    ibe = Is*(exponential(vbe/Vt, limit) - 1) + Gmin*vbe;
    ibc = Is*(exponential(vbc/Vt, limit) - 1) + Gmin*vbc;
    C.i = ibe - ibc*(1 + 1/Br) - Cbc*der(vbc);
    B.i = ibe/Bf + ibc/Br + Cbe*der(vbe) + Cbc*der(vbc);
    C.i + B.i + E.i = 0;
  end NPN;

  model NMOS "Shichman and Hodges' transistor: blocked, linear and saturated region"
    Pin D "Drain", G "Gate", S "Source", B "Bulk";
    parameter Real K(unit = "A/V2") = 0.04 "Transconductance";
    parameter SI.Voltage Vth = 0.8 "Threshold";
    parameter SI.Conductance Gds = 1e-9 "Between drain and source";
    SI.Voltage vgs "Gate above the lower one of drain and source", vds, u;
    SI.Current ids "From drain to source";
  equation
    vds = D.v - S.v;
    vgs = G.v - (if vds >= 0 then S.v else D.v);
    u = abs(vds);
    ids = (if vds >= 0 then 1 else -1)*
          (if vgs < Vth then 0
           elseif u < vgs - Vth then K*(vgs - Vth - u/2)*u
           else K/2*(vgs - Vth)^2) + Gds*vds;
    D.i = ids;
    S.i = -ids;
    G.i = 0;
    B.i = 0;
  end NMOS;

  function exponential "exp(x) up to limit, its tangent beyond"
    input Real x;
    input Real limit;
    output Real y;
  algorithm
    y := if x < limit then exp(x) else exp(limit)*(1 + x - limit);
    annotation(Inline = true);
  end exponential;

  // --------------------------------------------------------------------------------------- sensors, conversion

  model VoltageSensor "v = p.v - n.v, without a current"
    Pin p, n;
    Blocks.RealOutput v;
  equation
    v = p.v - n.v;
    p.i = 0;
    n.i = 0;
  end VoltageSensor;

  model CurrentSensor "i from p to n, without a voltage"
    Pin p, n;
    Blocks.RealOutput i;
  equation
    p.v = n.v;
    p.i + n.i = 0;
    i = p.i;
  end CurrentSensor;

  model EMF "An ideal machine: v = k*w, and the torque k*i on the shaft"
    Pin p, n;
    Rotational.Flange flange;
    parameter Real k(unit = "N.m/A") = 1;
    SI.Voltage v;
    SI.Current i;
    SI.AngularVelocity w;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    w = der(flange.phi);
    v = k*w;
    flange.tau = -k*i;
  end EMF;
end Electrical;
