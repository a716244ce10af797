// The type has a unit for ever.
type Angle = Real(final unit = "rad");

model Wheel
  Angle phi(unit = "deg") = 10*time;
end Wheel;
