// An algorithm assigns variables: the parameter of the record is known before the run.
record Weight
  Real force;
  parameter Real mass = 2;
end Weight;

model Scales
  Weight weight;
algorithm
  weight.force := 9.81*weight.mass;
  weight.mass := 3;
end Scales;
