within Driftless;
package Rotational "Shafts: inertias, springs, gears, clutches, friction"
  import SI = Modelica.Units.SI;

  connector Flange "Angle, and the torque that acts on the part"
    SI.Angle phi;
    flow SI.Torque tau;
  end Flange;

  partial model Compliant "Two flanges that turn against each other; the same torque at both"
    Flange flange_a, flange_b;
    SI.Angle phi_rel(start = 0) "flange_b.phi - flange_a.phi";
    SI.Torque tau "On flange_b";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_b.tau = tau;
    flange_a.tau = -tau;
  end Compliant;

  model Fixed "A flange that does not turn"
    Flange flange;
    parameter SI.Angle phi0 = 0;
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia "J*a = the sum of both torques"
    Flange flange_a, flange_b;
    parameter SI.Inertia J = 1;
    SI.Angle phi(start = 0);
    SI.AngularVelocity w(start = 0);
    SI.AngularAcceleration a;
  equation
    phi = flange_a.phi;
    phi = flange_b.phi;
    w = der(phi);
    a = der(w);
    J*a = flange_a.tau + flange_b.tau;
  end Inertia;

  model Disc "The angle of flange_b is that of flange_a plus deltaPhi"
    Flange flange_a, flange_b;
    parameter SI.Angle deltaPhi = 0;
  equation
    flange_b.phi = flange_a.phi + deltaPhi;
    flange_a.tau + flange_b.tau = 0;
  end Disc;

  model Spring "tau = c*(phi_rel - phi_rel0)"
    extends Compliant;
    parameter Real c(unit = "N.m/rad") = 1;
    parameter SI.Angle phi_rel0 = 0 "Angle without torque";
  equation
    tau = c*(phi_rel - phi_rel0);
  end Spring;

  model Damper "tau = d*der(phi_rel)"
    extends Compliant;
    parameter Real d(unit = "N.m.s/rad") = 1;
    SI.AngularVelocity w_rel "der(phi_rel)";
  equation
    w_rel = der(phi_rel);
    tau = d*w_rel;
  end Damper;

  model SpringDamper "tau = c*(phi_rel - phi_rel0) + d*der(phi_rel)"
    extends Compliant;
    parameter Real c(unit = "N.m/rad") = 1;
    parameter Real d(unit = "N.m.s/rad") = 1;
    parameter SI.Angle phi_rel0 = 0 "Angle without torque of the spring";
    SI.AngularVelocity w_rel "der(phi_rel)";
  equation
    w_rel = der(phi_rel);
    tau = c*(phi_rel - phi_rel0) + d*w_rel;
  end SpringDamper;

  model Backlash "A spring and damper with a gap of width b in which nothing is transmitted"
    extends Compliant;
    parameter Real c(unit = "N.m/rad") = 1e3;
    parameter Real d(unit = "N.m.s/rad") = 0;
    parameter SI.Angle b = 0.1 "Total width of the gap";
    SI.AngularVelocity w_rel;
  equation
    w_rel = der(phi_rel);
    tau = if phi_rel > b/2 then c*(phi_rel - b/2) + d*w_rel
          elseif phi_rel < -b/2 then c*(phi_rel + b/2) + d*w_rel
          else 0;
  end Backlash;

  model IdealGear "flange_a.phi = ratio*flange_b.phi, without losses"
    Flange flange_a, flange_b;
    parameter Real ratio = 1;
  equation
    flange_a.phi = ratio*flange_b.phi;
    0 = ratio*flange_a.tau + flange_b.tau;
  end IdealGear;

  model IdealPlanetary "(1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi"
    Flange sun, carrier, ring;
    parameter Real ratio = 100/50 "Teeth of the ring for each tooth of the sun";
  equation
    (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
    ring.tau = ratio*sun.tau;
    carrier.tau = -(1 + ratio)*sun.tau;
  end IdealPlanetary;

  model IdealGearR2T "A rack and its pinion: flangeR.phi = ratio*flangeT.s"
    Flange flangeR;
    Translational.Flange flangeT;
    parameter Real ratio(unit = "rad/m") = 1 "One over the radius";
  equation
    flangeR.phi = ratio*flangeT.s;
    0 = ratio*flangeR.tau + flangeT.f;
  end IdealGearR2T;

  model Clutch "Both flanges turn together while locked, and freely otherwise; the jump that locking means follows from the equations"
    extends Compliant;
    Blocks.BooleanInput locked;
    SI.AngularVelocity w_rel "der(phi_rel)";
  equation
    w_rel = der(phi_rel);
    if locked then
      w_rel = 0;
    else
      tau = 0;
    end if;
  end Clutch;

  model Torque "The torque on what is connected is a signal"
    Flange flange;
    Blocks.RealInput tau;
  equation
    flange.tau = -tau;
  end Torque;

  model ConstantTorque "The torque on what is connected is constant"
    Flange flange;
    parameter SI.Torque tau = 1;
  equation
    flange.tau = -tau;
  end ConstantTorque;

  model Position "The angle is a signal: the torque that this needs follows"
    Flange flange;
    Blocks.RealInput phi;
  equation
    flange.phi = phi;
  end Position;

  model Speed "The angular velocity is a signal: the torque that this needs follows"
    Flange flange;
    Blocks.RealInput w;
    SI.Angle phi(start = 0, fixed = true);
  equation
    phi = flange.phi;
    der(phi) = w;
  end Speed;

  model AngleSensor "phi = flange.phi, without a torque"
    Flange flange;
    Blocks.RealOutput phi;
  equation
    phi = flange.phi;
    flange.tau = 0;
  end AngleSensor;

  model SpeedSensor "w = der(flange.phi), without a torque"
    Flange flange;
    Blocks.RealOutput w;
  equation
    w = der(flange.phi);
    flange.tau = 0;
  end SpeedSensor;

  model TorqueSensor "The torque that flange_a transmits to flange_b"
    Flange flange_a, flange_b;
    Blocks.RealOutput tau;
  equation
    flange_a.phi = flange_b.phi;
    flange_a.tau + flange_b.tau = 0;
    tau = flange_a.tau;
  end TorqueSensor;
end Rotational;
