// A number is not a truth value.
model Contact
  Real x(start = 1, fixed = true);
equation
  der(x) = if x then -1 else 1;
end Contact;
