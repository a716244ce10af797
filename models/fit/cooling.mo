// A cup of coffee cools down in a room: Newton's law. The time constant and the temperature of the room are to be found
// from a thermometer (cooling.csv).
//
// One state, in closed form: T = T_room + (T0 - T_room)*exp(-k*time).
//
// Source: classical.
model Cooling "a cup cools down in a room"
  parameter Real k(unit = "1/min") = 0.1 "rate of cooling";
  parameter Real T_room(unit = "degC") = 15 "temperature of the room";
  parameter Real T0(unit = "degC") = 90 "temperature at the start";
  Real T(unit = "degC", start = T0, fixed = true) "temperature of the cup";
equation
  der(T) = -k*(T - T_room);
  annotation(experiment(StopTime = 60));
end Cooling;
