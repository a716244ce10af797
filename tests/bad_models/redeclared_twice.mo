// The first redeclaration is not replaceable.
model Slow
  Real v = 1;
end Slow;

model Fast
  Real v = 2;
end Fast;

model Car
  replaceable Slow drive;
end Car;

model Taxi
  extends Car(redeclare Slow drive);
end Taxi;

model Race
  extends Taxi(redeclare Fast drive);
end Race;
