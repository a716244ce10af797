within Driftless;
package Planar "Mechanisms in a plane: bodies, joints, springs, wheels; loops may be closed anywhere"
  import SI = Modelica.Units.SI;

  connector Frame "A point with a direction, and the force and torque that act on the part; all in the coordinates of the plane"
    SI.Position x, y;
    SI.Angle phi;
    flow SI.Force fx, fy;
    flow SI.Torque t;
  end Frame;

  model World "Gravity, for all bodies"
    parameter SI.Acceleration g[2] = {0, -9.81};
  end World;

  function turned "v turned by the angle phi"
    input Real v[2];
    input SI.Angle phi;
    output Real w[2];
  algorithm
    w := {cos(phi)*v[1] - sin(phi)*v[2], sin(phi)*v[1] + cos(phi)*v[2]};
    annotation(Inline = true);
  end turned;

  // --------------------------------------------------------------------------------------------------- parts

  model Fixed "A frame that does not move"
    parameter SI.Position r[2] = {0, 0};
    parameter SI.Angle phi = 0;
    Frame frame;
  equation
    {frame.x, frame.y} = r;
    frame.phi = phi;
  end Fixed;

  model Body "m*der(v) = f + m*g, I*der(w) = t"
    outer World world;
    parameter SI.Mass m = 1;
    parameter SI.Inertia I = 0.1 "About the frame, which is the centre of mass";
    Frame frame;
    SI.Position r[2] "Of the centre of mass";
    SI.Velocity v[2];
    SI.Angle phi;
    SI.AngularVelocity w;
  equation
    r = {frame.x, frame.y};
    phi = frame.phi;
    v = der(r);
    w = der(phi);
    m*der(v) = {frame.fx, frame.fy} + m*world.g;
    I*der(w) = frame.t;
  end Body;

  model Rod "frame_b lies at r in the coordinates of frame_a, and has the same direction; no mass"
    parameter SI.Position r[2] = {1, 0};
    Frame frame_a, frame_b;
  protected
    SI.Position d[2] "From frame_a to frame_b, in the coordinates of the plane";
  equation
    d = turned(r, frame_a.phi);
    frame_b.x = frame_a.x + d[1];
    frame_b.y = frame_a.y + d[2];
    frame_b.phi = frame_a.phi;
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.t + frame_b.t + d[1]*frame_b.fy - d[2]*frame_b.fx = 0;
  end Rod;

  model Bar "A rod with a mass in its middle"
    parameter SI.Position r[2] = {1, 0};
    parameter SI.Mass m = 1;
    parameter SI.Inertia I = m*(r*r)/12 "About the centre; that of a thin homogeneous bar";
    Frame frame_a, frame_b;
    Rod first(r = r/2), second(r = r/2);
    Body body(m = m, I = I);
  equation
    connect(frame_a, first.frame_a);
    connect(first.frame_b, body.frame);
    connect(first.frame_b, second.frame_a);
    connect(second.frame_b, frame_b);
  end Bar;

  // -------------------------------------------------------------------------------------------------- joints

  model Revolute "frame_b turns against frame_a by phi"
    Frame frame_a, frame_b;
    SI.Angle phi(start = 0) "frame_b.phi - frame_a.phi";
    SI.AngularVelocity w(start = 0) "der(phi)";
  equation
    frame_b.x = frame_a.x;
    frame_b.y = frame_a.y;
    frame_b.phi = frame_a.phi + phi;
    w = der(phi);
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.t + frame_b.t = 0;
    frame_b.t = 0;
  end Revolute;

  model DrivenRevolute "A revolute joint with a shaft: the torque of flange acts from frame_a on frame_b"
    Frame frame_a, frame_b;
    Rotational.Flange flange;
    SI.Angle phi(start = 0) "frame_b.phi - frame_a.phi";
    SI.AngularVelocity w(start = 0) "der(phi)";
  equation
    frame_b.x = frame_a.x;
    frame_b.y = frame_a.y;
    frame_b.phi = frame_a.phi + phi;
    w = der(phi);
    flange.phi = phi;
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.t + frame_b.t = 0;
    frame_b.t = -flange.tau;
  end DrivenRevolute;

  model Prismatic "frame_b slides along the direction r of frame_a by s"
    parameter Real r[2] = {1, 0} "Direction, in the coordinates of frame_a";
    Frame frame_a, frame_b;
    SI.Position s(start = 0);
    SI.Velocity v(start = 0) "der(s)";
  protected
    parameter Real e[2] = r/sqrt(r*r);
    Real d[2] "The direction in the coordinates of the plane";
  equation
    d = turned(e, frame_a.phi);
    frame_b.x = frame_a.x + s*d[1];
    frame_b.y = frame_a.y + s*d[2];
    frame_b.phi = frame_a.phi;
    v = der(s);
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.t + frame_b.t + s*(d[1]*frame_b.fy - d[2]*frame_b.fx) = 0;
    d[1]*frame_b.fx + d[2]*frame_b.fy = 0;
  end Prismatic;

  model DrivenPrismatic "A prismatic joint with a flange: its force acts from frame_a on frame_b"
    parameter Real r[2] = {1, 0} "Direction, in the coordinates of frame_a";
    Frame frame_a, frame_b;
    Translational.Flange flange;
    SI.Position s(start = 0);
    SI.Velocity v(start = 0) "der(s)";
  protected
    parameter Real e[2] = r/sqrt(r*r);
    Real d[2] "The direction in the coordinates of the plane";
  equation
    d = turned(e, frame_a.phi);
    frame_b.x = frame_a.x + s*d[1];
    frame_b.y = frame_a.y + s*d[2];
    frame_b.phi = frame_a.phi;
    v = der(s);
    flange.s = s;
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.t + frame_b.t + s*(d[1]*frame_b.fy - d[2]*frame_b.fx) = 0;
    d[1]*frame_b.fx + d[2]*frame_b.fy = -flange.f;
  end DrivenPrismatic;

  model RodJoint "Two frames at a constant distance, free to turn: a rod with a joint at each end, without mass"
    parameter SI.Length L = 1;
    Frame frame_a, frame_b;
    SI.Force f "Along the rod; positive when it pulls";
  protected
    SI.Position d[2] "From frame_a to frame_b";
  equation
    d = {frame_b.x - frame_a.x, frame_b.y - frame_a.y};
    d*d = L^2;
    {frame_a.fx, frame_a.fy} = -f*d/L;
    {frame_b.fx, frame_b.fy} = f*d/L;
    frame_a.t = 0;
    frame_b.t = 0;
  end RodJoint;

  // -------------------------------------------------------------------------------------------------- forces

  model Spring "A force c*(length - L) between two frames, with a damper d in parallel"
    parameter SI.TranslationalSpringConstant c = 1;
    parameter SI.TranslationalDampingConstant d = 0;
    parameter SI.Length L = 1 "Length without force";
    Frame frame_a, frame_b;
    SI.Position r[2] "From frame_a to frame_b";
    SI.Length length;
    SI.Force f "Positive when the spring pulls";
  equation
    r = {frame_b.x - frame_a.x, frame_b.y - frame_a.y};
    length = sqrt(r*r);
    f = c*(length - L) + d*der(length);
    {frame_b.fx, frame_b.fy} = f*r/length;
    {frame_a.fx, frame_a.fy} = -f*r/length;
    frame_a.t = 0;
    frame_b.t = 0;
  end Spring;

  model Force "A force on frame that is a signal, in the coordinates of the plane"
    Frame frame;
    Blocks.RealInput f[2];
  equation
    frame.fx = -f[1];
    frame.fy = -f[2];
    frame.t = 0;
  end Force;

  model Position "The point of frame follows a signal; its direction is free"
    Frame frame;
    Blocks.RealInput r[2];
  equation
    frame.x = r[1];
    frame.y = r[2];
    frame.t = 0;
  end Position;

  model Wheel "A disc that rolls on the line y = 0 without sliding, its centre at frame"
    parameter SI.Length radius = 0.5;
    Frame frame;
    SI.Force normal "Of the ground on the wheel", friction;
    SI.Velocity slip "0";
  equation
    frame.y = radius;
    slip = der(frame.x) + radius*der(frame.phi);
    slip = 0;
    frame.fx = -friction;
    frame.fy = -normal;
    frame.t = -radius*friction;
  end Wheel;

  model DryWheel "A wheel on a plane seen from above: it rolls along its own direction and does not slide sideways (Zimmer's convention)"
    parameter SI.Length radius = 0.3;
    Frame frame "The direction of the frame is that in which the wheel rolls";
    Rotational.Flange flange "The axle";
    SI.Velocity v "Along the wheel";
    SI.Force f_long, f_lat;
  protected
    Real e[2] "Direction of the wheel";
  equation
    e = {cos(frame.phi), sin(frame.phi)};
    v = radius*der(flange.phi);
    der(frame.x) = v*e[1];
    der(frame.y) = v*e[2];
    frame.fx = -(f_long*e[1] - f_lat*e[2]);
    frame.fy = -(f_long*e[2] + f_lat*e[1]);
    frame.t = 0;
    flange.tau = radius*f_long;
  end DryWheel;
end Planar;
