// A String that would have another text at every time.
model Clock
  String shown;
equation
  shown = "time " + String(time);
end Clock;
