model HydraulicLift "A pump moves a loaded piston; two cylinders share one line"
  import Driftless.Hydraulic.*;
  Ambient reservoir;
  Pump pump(Q = 1e-4);
  LaminarPipe pipe(R = 1e8);
  Cylinder left(A = 1e-3), right(A = 2e-3);
  Driftless.Translational.Mass platform(m = 100, s(fixed = true), v.start = 0);
  Driftless.Translational.ConstantForce weight(f = -981);
equation
  connect(reservoir.port, pump.port_a);
  connect(pump.port_b, pipe.port_a);
  connect(pipe.port_b, left.port);
  connect(pipe.port_b, right.port);
  connect(left.flange, platform.flange_a);
  connect(right.flange, platform.flange_a);
  connect(weight.flange, platform.flange_b);
  annotation(experiment(StopTime = 2));
end HydraulicLift;
