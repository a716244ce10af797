// Both classes are called Gain.
model Base
  model Gain
    Real y = 2*time;
  end Gain;
end Base;

model Amplifier
  extends Base;
  model Gain
    Real y = 3*time;
  end Gain;
  Gain gain;
end Amplifier;
