// Which class is extended would depend on what is extended.
model Shelf
  model Screw
    Real m = 0.01;
  end Screw;
end Shelf;

model Bolt
  extends Shelf;
  extends Screw;
end Bolt;
