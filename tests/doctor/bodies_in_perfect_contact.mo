// Two bodies in perfect contact have one temperature; both starts are wishes, and one of them gives way.
// expects: index 2, 1 degree of freedom
// expects start: moved
model BodiesInPerfectContact
  Real a(start = 300), b(start = 310), q;
  Real wrong = a - b;
equation
  der(a) = q;
  4*der(b) = -q;
  a = b;
end BodiesInPerfectContact;
