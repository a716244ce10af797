within Driftless;
package Spatial "Mechanisms in space: bodies, joints, springs; loops may be closed anywhere"
  import SI = Modelica.Units.SI;

  record Orientation "T turns vectors of the world into the coordinates of a frame; w is the angular velocity, in the frame"
    Real T[3, 3];
    SI.AngularVelocity w[3];

    function equalityConstraint "The angles by which R2 is turned against R1"
      input Orientation R1, R2;
      output Real residue[3];
    algorithm
      residue := {atan2(R1.T[2, :]*R2.T[3, :], R1.T[2, :]*R2.T[2, :]), atan2(R1.T[3, :]*R2.T[1, :], R1.T[3, :]*R2.T[3, :]),
        atan2(R1.T[1, :]*R2.T[2, :], R1.T[1, :]*R2.T[1, :])};
    end equalityConstraint;
  end Orientation;

  connector Frame "A point with axes; force and torque act on the part, in the coordinates of the frame"
    SI.Position r_0[3] "In the coordinates of the world";
    Orientation R;
    flow SI.Force f[3];
    flow SI.Torque t[3];
  end Frame;

  function about "The matrix of a rotation about the unit vector e"
    input Real e[3];
    input SI.Angle phi;
    output Real T[3, 3];
  algorithm
    T := outerProduct(e, e) + (identity(3) - outerProduct(e, e))*cos(phi) - skew(e)*sin(phi);
    annotation(Inline = true);
  end about;

  function behind "The orientation of a frame that is turned by T, with the angular velocity w, against R"
    input Orientation R;
    input Real T[3, 3];
    input SI.AngularVelocity w[3];
    output Orientation S;
  algorithm
    S := Orientation(T = T*R.T, w = T*R.w + w);
    annotation(Inline = true);
  end behind;

  function of_quaternion "The orientation of Q, with the vector in Q[1:3] and the scalar in Q[4], of length 1"
    input Real Q[4];
    input Real dQ[4] "Its derivative";
    output Orientation R;
  algorithm
    R := Orientation(T = (2*Q[4]^2 - 1)*identity(3) + 2*(outerProduct(Q[1:3], Q[1:3]) - Q[4]*skew(Q[1:3])),
      w = 2*(Q[4]*dQ[1:3] - dQ[4]*Q[1:3] - cross(Q[1:3], dQ[1:3])));
    annotation(Inline = true);
  end of_quaternion;

  model World "Gravity for all bodies, and a frame at the origin"
    parameter SI.Acceleration g[3] = {0, -9.81, 0};
    Frame frame;
  equation
    Connections.root(frame.R);
    frame.r_0 = zeros(3);
    frame.R.T = identity(3);
    frame.R.w = zeros(3);
  end World;

  // --------------------------------------------------------------------------------------------------- parts

  partial model TwoFrames "A part with two frames"
    Frame frame_a, frame_b;
  end TwoFrames;

  model Fixed "A frame at r that does not move, with the axes of the world"
    parameter SI.Position r[3] = {0, 0, 0};
    Frame frame;
  equation
    Connections.root(frame.R);
    frame.r_0 = r;
    frame.R.T = identity(3);
    frame.R.w = zeros(3);
  end Fixed;

  model Moved "A frame whose place is the signal r, with the axes of the world"
    Blocks.RealInput r[3];
    Frame frame;
  equation
    Connections.root(frame.R);
    frame.r_0 = r;
    frame.R.T = identity(3);
    frame.R.w = zeros(3);
  end Moved;

  model Body "f = m*a, t = I*der(w) + cross(w, I*w) + cross(r, f), where a is the acceleration of the centre of mass less gravity"
    outer World world;
    parameter SI.Mass m = 1;
    parameter SI.Position r[3] = {0, 0, 0} "Of the centre of mass, in the frame";
    parameter SI.Inertia I[3, 3] = 0.001*identity(3) "About the centre of mass, in the axes of the frame";
    Frame frame;
    SI.Position r_0[3](each start = 0) "Of the frame, in the world";
    SI.Velocity v_0[3](each start = 0) "der(r_0)";
    SI.AngularVelocity w[3](each start = 0) "In the frame";
    SI.AngularAcceleration z[3] "der(w)";
    SI.Acceleration a[3] "Of the centre of mass, less gravity, in the frame";
    Real Q[4](start = {0, 0, 0, 1}) "Quaternion of the frame, if nothing else gives its orientation";
  equation
    Connections.potentialRoot(frame.R);
    if Connections.isRoot(frame.R) then
      Q*Q = 1;
      frame.R = of_quaternion(Q, der(Q));
    else
      Q = {0, 0, 0, 1};
    end if;
    r_0 = frame.r_0;
    v_0 = der(r_0);
    w = frame.R.w;
    z = der(w);
    a = frame.R.T*(der(v_0) - world.g) + cross(z, r) + cross(w, cross(w, r));
    frame.f = m*a;
    frame.t = I*z + cross(w, I*w) + cross(r, frame.f);
  end Body;

  model Translation "frame_b lies at r in frame_a, with the same axes; no mass"
    extends TwoFrames;
    parameter SI.Position r[3] = {1, 0, 0};
  equation
    Connections.branch(frame_a.R, frame_b.R);
    frame_b.r_0 = frame_a.r_0 + transpose(frame_a.R.T)*r;
    frame_b.R = frame_a.R;
    frame_a.f + frame_b.f = zeros(3);
    frame_a.t + frame_b.t + cross(r, frame_b.f) = zeros(3);
  end Translation;

  model Rotation "frame_b is turned by angle about n of frame_a, at the same place; no mass"
    extends TwoFrames;
    parameter Real n[3] = {1, 0, 0};
    parameter SI.Angle angle = 0;
  protected
    parameter Real T[3, 3] = about(n/sqrt(n*n), angle);
  equation
    Connections.branch(frame_a.R, frame_b.R);
    frame_b.r_0 = frame_a.r_0;
    if Connections.rooted(frame_a.R) then
      frame_b.R = behind(frame_a.R, T, zeros(3));
    else
      frame_a.R = behind(frame_b.R, transpose(T), zeros(3));
    end if;
    frame_a.f + transpose(T)*frame_b.f = zeros(3);
    frame_a.t + transpose(T)*frame_b.t = zeros(3);
  end Rotation;

  // -------------------------------------------------------------------------------------------------- joints

  partial model Turning "frame_b turns by phi about n of frame_a"
    extends TwoFrames;
    parameter Real n[3] = {0, 0, 1} "Axis, in both frames";
    SI.Angle phi(start = 0);
    SI.AngularVelocity w(start = 0) "der(phi)";
    SI.Torque tau "That drives frame_b about the axis";
  protected
    parameter Real e[3] = n/sqrt(n*n);
    Real T[3, 3] = about(e, phi);
  equation
    Connections.branch(frame_a.R, frame_b.R);
    w = der(phi);
    frame_b.r_0 = frame_a.r_0;
    if Connections.rooted(frame_a.R) then
      frame_b.R = behind(frame_a.R, T, w*e);
    else
      frame_a.R = behind(frame_b.R, transpose(T), -w*e);
    end if;
    frame_a.f + transpose(T)*frame_b.f = zeros(3);
    frame_a.t + transpose(T)*frame_b.t = zeros(3);
    tau = -e*frame_b.t;
  end Turning;

  model Revolute "frame_b turns by phi about n of frame_a, without a torque about n"
    extends Turning;
  equation
    tau = 0;
  end Revolute;

  model DrivenRevolute "A revolute joint with a shaft: the torque of flange acts from frame_a on frame_b"
    extends Turning;
    Rotational.Flange flange;
  equation
    flange.phi = phi;
    flange.tau = tau;
  end DrivenRevolute;

  partial model Sliding "frame_b slides by s along n of frame_a"
    extends TwoFrames;
    parameter Real n[3] = {1, 0, 0} "Direction, in both frames";
    SI.Position s(start = 0);
    SI.Velocity v(start = 0) "der(s)";
    SI.Force f "That drives frame_b along the axis";
  protected
    parameter Real e[3] = n/sqrt(n*n);
  equation
    Connections.branch(frame_a.R, frame_b.R);
    v = der(s);
    frame_b.r_0 = frame_a.r_0 + transpose(frame_a.R.T)*(s*e);
    frame_b.R = frame_a.R;
    frame_a.f + frame_b.f = zeros(3);
    frame_a.t + frame_b.t + cross(s*e, frame_b.f) = zeros(3);
    f = -e*frame_b.f;
  end Sliding;

  model Prismatic "frame_b slides by s along n of frame_a, without a force along n"
    extends Sliding;
  equation
    f = 0;
  end Prismatic;

  model DrivenPrismatic "A prismatic joint with a flange, whose force acts from frame_a on frame_b"
    extends Sliding;
    Translational.Flange flange;
  equation
    flange.s = s;
    flange.f = f;
  end DrivenPrismatic;

  model Cylindrical "frame_b slides by s along n of frame_a and turns by phi about it"
    extends TwoFrames;
    parameter Real n[3] = {1, 0, 0};
    Prismatic slide(n = n);
    Revolute turn(n = n);
  equation
    connect(frame_a, slide.frame_a);
    connect(slide.frame_b, turn.frame_a);
    connect(turn.frame_b, frame_b);
  end Cylindrical;

  model Universal "frame_b turns about n_a of frame_a, then about n_b of itself"
    extends TwoFrames;
    parameter Real n_a[3] = {1, 0, 0}, n_b[3] = {0, 1, 0};
    Revolute first(n = n_a), second(n = n_b);
  equation
    connect(frame_a, first.frame_a);
    connect(first.frame_b, second.frame_a);
    connect(second.frame_b, frame_b);
  end Universal;

  model Spherical "Both frames are at the same place; no torques"
    extends TwoFrames;
  equation
    frame_b.r_0 = frame_a.r_0;
    transpose(frame_a.R.T)*frame_a.f + transpose(frame_b.R.T)*frame_b.f = zeros(3);
    frame_a.t = zeros(3);
    frame_b.t = zeros(3);
  end Spherical;

  model RodJoint "The frames have the distance L; a rod without mass, with a spherical joint at each end"
    extends TwoFrames;
    parameter SI.Length L(min = 0) = 1;
    SI.Position d[3] "From frame_a to frame_b, in the world";
    SI.Force tension;
  equation
    d = frame_b.r_0 - frame_a.r_0;
    d*d = L^2;
    frame_a.f = -frame_a.R.T*d*tension/L;
    frame_b.f = frame_b.R.T*d*tension/L;
    frame_a.t = zeros(3);
    frame_b.t = zeros(3);
  end RodJoint;

  // -------------------------------------------------------------------------------------------------- forces

  partial model LineForce "A force F along the line between the frames, positive if it pulls them together"
    extends TwoFrames;
    SI.Position d[3] "From frame_a to frame_b, in the world";
    SI.Length s "Their distance";
    SI.Force F;
  equation
    d = frame_b.r_0 - frame_a.r_0;
    s = sqrt(d*d);
    frame_a.f = -frame_a.R.T*d*F/s;
    frame_b.f = frame_b.R.T*d*F/s;
    frame_a.t = zeros(3);
    frame_b.t = zeros(3);
  end LineForce;

  model Spring "F = c*(s - s0)"
    extends LineForce;
    parameter SI.TranslationalSpringConstant c = 100;
    parameter SI.Length s0 = 1;
  equation
    F = c*(s - s0);
  end Spring;

  model Damper "F = k*der(s)"
    extends LineForce;
    parameter SI.TranslationalDampingConstant k = 1;
  equation
    F = k*der(s);
  end Damper;

  model SpringDamper "F = c*(s - s0) + k*der(s)"
    extends LineForce;
    parameter SI.TranslationalSpringConstant c = 100;
    parameter SI.TranslationalDampingConstant k = 1;
    parameter SI.Length s0 = 1;
  equation
    F = c*(s - s0) + k*der(s);
  end SpringDamper;

  model WorldForce "The signal force acts at the frame, in the coordinates of the world"
    Blocks.RealInput force[3];
    Frame frame;
  equation
    frame.f = -frame.R.T*force;
    frame.t = zeros(3);
  end WorldForce;

  model WorldTorque "The signal torque acts on the frame, in the coordinates of the world"
    Blocks.RealInput torque[3];
    Frame frame;
  equation
    frame.f = zeros(3);
    frame.t = -frame.R.T*torque;
  end WorldTorque;
end Spatial;
