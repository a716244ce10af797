// Temperature without a heat flow: who meets this connector has too few equations.
connector HeatPort
  Real T;
  Real T_ambient;
  flow Real Q;
end HeatPort;

model Wall
  HeatPort port;
equation
  port.T = 300;
  port.T_ambient = 280;
end Wall;

model Room
  Wall wall;
end Room;
