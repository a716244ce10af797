// The network needs the inductance.
model Coil
  Real I = time;
  Real L = 1;
end Coil;

model Wire
  Real I = time;
end Wire;

model Network
  replaceable model Element = Coil;
  Element element;
end Network;

model Board
  Network network(redeclare model Element = Wire);
end Board;
