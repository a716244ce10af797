within Driftless;
package Blocks "Signals: sources, controllers, logic"
  connector RealInput = input Real "A signal that comes in";
  connector RealOutput = output Real "A signal that goes out";
  connector BooleanInput = input Boolean "A condition that comes in";
  connector BooleanOutput = output Boolean "A condition that goes out";

  partial block Source "A block with an output only"
    RealOutput y;
  end Source;

  partial block SISO "A block with one input and one output"
    RealInput u;
    RealOutput y;
  end SISO;

  partial block SI2SO "A block with two inputs and one output"
    RealInput u1, u2;
    RealOutput y;
  end SI2SO;

  // ------------------------------------------------------------------------------------------------- sources

  block Constant "y = k"
    extends Source;
    parameter Real k = 1 "Value";
  equation
    y = k;
  end Constant;

  block Step "y = offset, and offset + height from startTime on"
    extends Source;
    parameter Real height = 1;
    parameter Real offset = 0;
    parameter Real startTime = 0;
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "y rises by height within duration, from startTime on"
    extends Source;
    parameter Real height = 1;
    parameter Real duration(min = 0) = 1;
    parameter Real offset = 0;
    parameter Real startTime = 0;
  equation
    y = offset + (if time < startTime then 0
                  elseif time < startTime + duration then (time - startTime)*height/duration
                  else height);
  end Ramp;

  block Sine "y = offset + amplitude*sin(2*pi*f*(time - startTime) + phase), from startTime on"
    extends Source;
    parameter Real amplitude = 1;
    parameter Real f = 1 "Frequency in Hz";
    parameter Real phase = 0 "Angle at startTime";
    parameter Real offset = 0;
    parameter Real startTime = 0;
  protected
    constant Real pi = 3.141592653589793;
  equation
    y = offset + (if time < startTime then 0 else amplitude*sin(2*pi*f*(time - startTime) + phase));
  end Sine;

  block Pulse "y = offset + amplitude during the first part (width) of each period, otherwise offset"
    extends Source;
    parameter Real amplitude = 1;
    parameter Real width(min = 0, max = 1) = 0.5 "Part of the period";
    parameter Real period(min = 0) = 1;
    parameter Real offset = 0;
    parameter Real startTime = 0;
  protected
    discrete Real begin(start = startTime, fixed = true) "Begin of the present period";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    y = offset + (if time >= startTime and time < begin + width*period then amplitude else 0);
  end Pulse;

  block Clock "y = time - startTime, from startTime on"
    extends Source;
    parameter Real startTime = 0;
  equation
    y = if time < startTime then 0 else time - startTime;
  end Clock;

  // ----------------------------------------------------------------------------------------------- arithmetic

  block Gain "y = k*u"
    extends SISO;
    parameter Real k = 1;
  equation
    y = k*u;
  end Gain;

  block Add "y = k1*u1 + k2*u2"
    extends SI2SO;
    parameter Real k1 = 1;
    parameter Real k2 = 1;
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Feedback "y = u1 - u2: what is wanted minus what is measured"
    extends SI2SO;
  equation
    y = u1 - u2;
  end Feedback;

  block Product "y = u1*u2"
    extends SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Sum "y = k*u, of a vector of inputs"
    parameter Integer n(min = 1) = 1;
    parameter Real k[n] = ones(n);
    RealInput u[n];
    RealOutput y;
  equation
    y = k*u;
  end Sum;

  // ----------------------------------------------------------------------------------------------- continuous

  block Integrator "der(y) = k*u"
    extends SISO(y(start = y_start, fixed = true));
    parameter Real k = 1;
    parameter Real y_start = 0 "Value at the start";
  equation
    der(y) = k*u;
  end Integrator;

  block FirstOrder "T*der(y) + y = k*u"
    extends SISO(y(start = y_start, fixed = true));
    parameter Real k = 1;
    parameter Real T = 1 "Time constant";
    parameter Real y_start = 0 "Value at the start";
  equation
    T*der(y) + y = k*u;
  end FirstOrder;

  block SecondOrder "der(der(y))/w^2 + 2*D*der(y)/w + y = k*u"
    extends SISO(y(start = y_start, fixed = true));
    parameter Real k = 1;
    parameter Real w = 1 "Angular frequency without damping";
    parameter Real D = 1 "Damping ratio";
    parameter Real y_start = 0 "Value at the start";
    parameter Real yd_start = 0 "Derivative at the start";
    Real yd(start = yd_start, fixed = true) "der(y)";
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block Derivative "y = k*(u - x)/T with T*der(x) = u - x: the derivative of u, smoothed by a lag of T"
    extends SISO;
    parameter Real k = 1;
    parameter Real T = 0.01 "Time constant of the lag";
    parameter Real x_start = 0 "Value of the lag at the start";
    Real x(start = x_start, fixed = true) "u behind the lag";
  equation
    T*der(x) = u - x;
    y = k*(u - x)/T;
  end Derivative;

  block ExactDerivative "y = k*der(u): where u comes from a constraint, the index rises and is reduced"
    extends SISO;
    parameter Real k = 1;
  equation
    y = k*der(u);
  end ExactDerivative;

  block TransferFunction "y = b(s)/a(s)*u, coefficients of the highest power first; as many in b as in a, or fewer"
    extends SISO;
    parameter Real b[:] = {1} "Numerator";
    parameter Real a[:] = {1, 1} "Denominator";
    parameter Real x_start[size(a, 1) - 1] = zeros(size(a, 1) - 1) "States at the start";
    Real x[size(a, 1) - 1](start = x_start, each fixed = true) "x[k] = der(x[k + 1])";
  protected
    parameter Integer n = size(a, 1) - 1 "Order";
    parameter Real bb[n + 1] = cat(1, zeros(n + 1 - size(b, 1)), b)/a[1];
    parameter Real aa[n + 1] = a/a[1];
  equation
    for k in 1:n loop
      der(x[k]) = if k == 1 then u - aa[2:n + 1]*x else x[k - 1];
    end for;
    y = bb[1]*u + (bb[2:n + 1] - bb[1]*aa[2:n + 1])*x;
  end TransferFunction;

  block StateSpace "der(x) = A*x + B*u, y = C*x + D*u"
    parameter Real A[:, size(A, 1)] = [0];
    parameter Real B[size(A, 1), :] = [1];
    parameter Real C[:, size(A, 1)] = [1];
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2));
    parameter Real x_start[size(A, 1)] = zeros(size(A, 1)) "States at the start";
    RealInput u[size(B, 2)];
    RealOutput y[size(C, 1)];
    Real x[size(A, 1)](start = x_start, each fixed = true);
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;

  block PI "y = k*(u + x) with T*der(x) = u"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter Real T = 1 "Time constant of the integral part";
    parameter Real x_start = 0;
    Real x(start = x_start, fixed = true) "Integral part";
  equation
    T*der(x) = u;
    y = k*(u + x);
  end PI;

  block PID "y = k*(u + i + Td*der), i the integral of u/Ti, and der the derivative of u behind a lag of Td/N"
    extends SISO;
    parameter Real k = 1 "Gain";
    parameter Real Ti = 0.5 "Time constant of the integral part";
    parameter Real Td = 0.1 "Time constant of the derivative part";
    parameter Real N = 10 "The lag of the derivative part is Td/N";
    Real i(start = 0, fixed = true) "Integral part";
    Real x(start = 0, fixed = true) "u behind the lag";
  equation
    Ti*der(i) = u;
    Td/N*der(x) = u - x;
    y = k*(u + i + N*(u - x));
  end PID;

  // ------------------------------------------------------------------------------------------------ nonlinear

  block Limiter "y = u between low and high"
    extends SISO;
    parameter Real high = 1;
    parameter Real low = -high;
  equation
    y = if u > high then high elseif u < low then low else u;
  end Limiter;

  block DeadZone "y = the part of u beyond low and high"
    extends SISO;
    parameter Real high = 1;
    parameter Real low = -high;
  equation
    y = if u > high then u - high elseif u < low then u - low else 0;
  end DeadZone;

  // ------------------------------------------------------------------------------------- discrete and logical

  block Sampler "y = u at the instants startTime + k*period, held between them"
    extends SISO;
    parameter Real period = 0.1;
    parameter Real startTime = 0;
  equation
    when sample(startTime, period) then
      y = u;
    end when;
  end Sampler;

  block Greater "y = u1 > u2"
    RealInput u1, u2;
    BooleanOutput y;
  equation
    y = u1 > u2;
  end Greater;

  block Hysteresis "y becomes true above high and false below low"
    RealInput u;
    BooleanOutput y;
    parameter Real low = 0;
    parameter Real high = 1;
    parameter Boolean y_start = false "Value at the start if u lies between low and high";
  protected
    Boolean before(start = y_start, fixed = true) "y before an event";
  equation
    before = y;
    y = not pre(before) and u > high or pre(before) and u >= low;
  end Hysteresis;

  block Switch "y = if u2 then u1 else u3"
    RealInput u1, u3;
    BooleanInput u2;
    RealOutput y;
  equation
    y = if u2 then u1 else u3;
  end Switch;

  block BooleanToReal "y = if u then high else low"
    BooleanInput u;
    RealOutput y;
    parameter Real high = 1;
    parameter Real low = 0;
  equation
    y = if u then high else low;
  end BooleanToReal;

  block BooleanStep "y = time >= startTime"
    BooleanOutput y;
    parameter Real startTime = 0;
  equation
    y = time >= startTime;
  end BooleanStep;

  block BooleanPulse "y is true during the first part (width) of each period"
    BooleanOutput y;
    parameter Real width(min = 0, max = 1) = 0.5 "Part of the period";
    parameter Real period(min = 0) = 1;
    parameter Real startTime = 0;
  protected
    discrete Real begin(start = startTime, fixed = true) "Begin of the present period";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    y = time >= startTime and time < begin + width*period;
  end BooleanPulse;
end Blocks;
