// A planar platform on three legs whose lengths are driven, as in a flight simulator of Stewart's kind: the pose (x,
// y, theta) follows from three lengths, the forces of the legs carry weight and inertia.
//
// Index 3, no states. The lengths are those that belong to the pose x = 0.1 sin 2t, y = 1 + 0.1 cos 3t, theta = 0.15
// sin 2.5 t, which is therefore the solution. After D. Stewart, A platform with six degrees of freedom, Proc. Inst.
// Mech. Eng. 180 (1965) 371-386.
model PlanarPlatform "Three driven legs"
  parameter Real m = 4, J = 0.5, g = 9.81, B[3] = {-1, 0.4, 1}, a[3] = {-0.4, -0.4, 0.5};
  Real x(start = 0), y(start = 1.1), theta(start = 0), L[3](each start = 1.2), F[3](each start = 10), c(start = 1),
    s(start = 0);
  Real px[3](start = {0.6, -0.8, -0.5}), py[3](each start = 1.1), xd, yd, td;
equation
  xd = 0.1*sin(2*time);
  yd = 1 + 0.1*cos(3*time);
  td = 0.15*sin(2.5*time);
  c = cos(theta);
  s = sin(theta);
  for i in 1:3 loop
    L[i]^2 = (xd + a[i]*cos(td) - B[i])^2 + (yd + a[i]*sin(td))^2;
    px[i] = x + a[i]*c - B[i];
    py[i] = y + a[i]*s;
    px[i]^2 + py[i]^2 = L[i]^2;
  end for;
  m*der(der(x)) = sum(F[i]*px[i]/L[i] for i in 1:3);
  m*der(der(y)) = sum(F[i]*py[i]/L[i] for i in 1:3) - m*g;
  J*der(der(theta)) = sum(F[i]*a[i]*(c*py[i] - s*px[i])/L[i] for i in 1:3);
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end PlanarPlatform;
