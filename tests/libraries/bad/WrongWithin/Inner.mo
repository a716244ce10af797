within Elsewhere;
model Inner
  Real x = 1;
end Inner;
