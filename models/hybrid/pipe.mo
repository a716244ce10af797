model Pipe "water flows through a pipe at a speed that changes: what leaves it has entered a varying time ago"
  parameter Real L(unit = "m") = 2 "length";
  parameter Real longest(unit = "s") = 5 "the water is never longer in the pipe";
  Real v(unit = "m/s") = 1 + 0.5*sin(time) "speed";
  Real T(unit = "s", start = L, fixed = true) "for which the water that leaves the pipe was in it";
  Real enters(unit = "degC") = if time < 1 then 20 else 20 + 3*sin(2*(time - 1));
  Real leaves(unit = "degC") = delay(enters, T, longest);
equation
  der(T) = 1 - v/delay(v, T, longest) "the speed at which the moment of entering goes on";
  annotation(experiment(StopTime = 12));
end Pipe;
