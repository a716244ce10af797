// A value of an enumeration has a name of its own.
model Valve
  type Position = enumeration(closed, half, open, half);
  parameter Position position = Position.open;
  Real opening = if position == Position.open then 1 else 0;
end Valve;
