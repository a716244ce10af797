// Position.start would be the attribute and the value.
model Crane
  type Position = enumeration(start, stop);
  parameter Position position = Position.stop;
  Real x = if position == Position.stop then 1 else 0;
end Crane;
