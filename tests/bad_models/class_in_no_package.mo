// A model is no place to take classes from.
model Engine
  Real speed = 10;
  model Piston
    Real x = time;
  end Piston;
end Engine;

model Car
  Engine.Piston piston;
end Car;
