// A redeclaration would change what is inherited.
model Bolt
  replaceable model Screw
    Real m = 0.01;
  end Screw;
  extends Screw;
end Bolt;
