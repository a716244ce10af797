// A truth value is not a number.
model Contact
  Real x(start = 1, fixed = true);
  Real force;
equation
  der(x) = -1;
  force = 100*(x < 0);
end Contact;
