// The declaration itself must fit the constraint.
model Coil
  Real I = time;
  Real L = 1;
end Coil;

model Wire
  Real I = time;
end Wire;

model Network
  replaceable Wire element constrainedby Coil;
end Network;
