// Only what is replaceable can be extended in its place.
model Base
  model Gain
    Real y = 2*time;
  end Gain;
end Base;

model Amplifier
  extends Base;
  redeclare model extends Gain
    Real z = y;
  end Gain;
  Gain gain;
end Amplifier;
