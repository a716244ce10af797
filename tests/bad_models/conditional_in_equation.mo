// The equation would lose its meaning without the component.
model Heater
  parameter Boolean has_fan = true;
  Real speed = 3 if has_fan;
  Real noise;
equation
  noise = 2*speed;
end Heater;
