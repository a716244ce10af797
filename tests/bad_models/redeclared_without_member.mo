// The network needs the inductance.
model Coil
  Real I = time;
  Real L = 1;
end Coil;

model Wire
  Real I = time;
end Wire;

model Network
  replaceable Coil element;
end Network;

model Board
  Network network(redeclare Wire element);
end Board;
