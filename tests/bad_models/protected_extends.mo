// What comes by a protected extends clause is protected.
model State
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end State;

model Filter
protected
  extends State;
end Filter;

model Chain
  Filter filter;
  Real y = filter.x;
end Chain;
