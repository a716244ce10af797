// Whether a record is an input is said where it is used.
record Command
  input Real speed;
end Command;

model Drive
  Command command(speed = 1);
end Drive;
