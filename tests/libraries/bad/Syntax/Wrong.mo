within Syntax;
model Wrong
  Real x
end Wrong;
