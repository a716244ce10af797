// A number has no components.
type Length = Real(unit = "m");

model Rod
  extends Length;
end Rod;

model Frame
  Rod rod;
end Frame;
