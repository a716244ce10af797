// Two outputs give one signal its value.
connector RealOutput = output Real;
connector RealInput = input Real;

block Sine
  RealOutput y = sin(time);
end Sine;

block Gain
  RealInput u;
  RealOutput y = 2*u;
end Gain;

model Mixer
  Sine left;
  Sine right;
  Gain gain;
equation
  connect(left.y, gain.u);
  connect(right.y, gain.u);
end Mixer;
