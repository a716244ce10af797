within Driftless;
package Translational "Motion along a line: masses, springs, stops, friction"
  import SI = Modelica.Units.SI;

  connector Flange "Position, and the force that acts on the part"
    SI.Position s;
    flow SI.Force f;
  end Flange;

  partial model Compliant "Two flanges that move against each other; the same force at both"
    Flange flange_a, flange_b;
    SI.Distance s_rel(start = 0) "flange_b.s - flange_a.s";
    SI.Force f "On flange_b";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_b.f = f;
    flange_a.f = -f;
  end Compliant;

  model Fixed "A flange that does not move"
    Flange flange;
    parameter SI.Position s0 = 0;
  equation
    flange.s = s0;
  end Fixed;

  model Mass "m*a = the sum of both forces"
    Flange flange_a, flange_b;
    parameter SI.Mass m = 1;
    parameter SI.Length L = 0 "Distance of both flanges";
    SI.Position s(start = 0) "Of the centre";
    SI.Velocity v(start = 0);
    SI.Acceleration a;
  equation
    flange_a.s = s - L/2;
    flange_b.s = s + L/2;
    v = der(s);
    a = der(v);
    m*a = flange_a.f + flange_b.f;
  end Mass;

  model Rod "A rod without mass"
    Flange flange_a, flange_b;
    parameter SI.Length L = 1;
  equation
    flange_b.s = flange_a.s + L;
    flange_a.f + flange_b.f = 0;
  end Rod;

  model Spring "f = c*(s_rel - s_rel0)"
    extends Compliant;
    parameter SI.TranslationalSpringConstant c = 1;
    parameter SI.Distance s_rel0 = 0 "Length without force";
  equation
    f = c*(s_rel - s_rel0);
  end Spring;

  model Damper "f = d*der(s_rel)"
    extends Compliant;
    parameter SI.TranslationalDampingConstant d = 1;
    SI.Velocity v_rel "der(s_rel)";
  equation
    v_rel = der(s_rel);
    f = d*v_rel;
  end Damper;

  model SpringDamper "f = c*(s_rel - s_rel0) + d*der(s_rel)"
    extends Compliant;
    parameter SI.TranslationalSpringConstant c = 1;
    parameter SI.TranslationalDampingConstant d = 1;
    parameter SI.Distance s_rel0 = 0 "Length without force of the spring";
    SI.Velocity v_rel "der(s_rel)";
  equation
    v_rel = der(s_rel);
    f = c*(s_rel - s_rel0) + d*v_rel;
  end SpringDamper;

  model ElasticGap "A spring and damper that act only while s_rel is below s_rel0"
    extends Compliant;
    parameter SI.TranslationalSpringConstant c = 1e3;
    parameter SI.TranslationalDampingConstant d = 0;
    parameter SI.Distance s_rel0 = 0 "Distance at which the contact begins";
    SI.Velocity v_rel;
  equation
    v_rel = der(s_rel);
    f = if s_rel < s_rel0 then c*(s_rel - s_rel0) + d*v_rel else 0;
  end ElasticGap;

  model Friction "Coulomb's friction between both flanges, with sticking"
    extends Compliant;
    parameter SI.Force f_slide = 1 "While sliding";
    parameter SI.Force f_stick = f_slide "Largest force while sticking";
    SI.Velocity v_rel(start = 0) "der(s_rel)";
    Integer direction(start = 0, fixed = true) "-1, 0 (sticking) or 1";
  equation
    v_rel = der(s_rel);
    if direction == 0 then
      der(v_rel) = 0;
    else
      f = direction*f_slide;
    end if;
    direction = if pre(direction) == 0 then (if f > f_stick then 1 elseif f < -f_stick then -1 else 0)
                elseif pre(direction) > 0 then (if v_rel < 0 then 0 else 1)
                else (if v_rel > 0 then 0 else -1);
  end Friction;

  model Force "The force on what is connected is a signal"
    Flange flange;
    Blocks.RealInput f;
  equation
    flange.f = -f;
  end Force;

  model ConstantForce "The force on what is connected is constant"
    Flange flange;
    parameter SI.Force f = 1;
  equation
    flange.f = -f;
  end ConstantForce;

  model Position "The position is a signal: the force that this needs follows"
    Flange flange;
    Blocks.RealInput s;
  equation
    flange.s = s;
  end Position;

  model PositionSensor "s = flange.s, without a force"
    Flange flange;
    Blocks.RealOutput s;
  equation
    s = flange.s;
    flange.f = 0;
  end PositionSensor;

  model SpeedSensor "v = der(flange.s), without a force"
    Flange flange;
    Blocks.RealOutput v;
  equation
    v = der(flange.s);
    flange.f = 0;
  end SpeedSensor;

  model ForceSensor "The force that flange_a transmits to flange_b"
    Flange flange_a, flange_b;
    Blocks.RealOutput f;
  equation
    flange_a.s = flange_b.s;
    flange_a.f + flange_b.f = 0;
    f = flange_a.f;
  end ForceSensor;
end Translational;
