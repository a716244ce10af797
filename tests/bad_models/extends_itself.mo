// Two classes that extend each other have no end.
model Father
  extends Son;
  Real x = 1;
end Father;

model Son
  extends Father;
end Son;
