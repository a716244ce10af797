// Imports are for packages.
model Engine
  Real speed = 10;
  encapsulated model Piston
    Real x = time;
  end Piston;
end Engine;

model Car
  import Engine.Piston;
  Piston piston;
end Car;
