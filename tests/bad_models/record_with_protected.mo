// All members of a record are public.
record Material
  Real density = 7800;
protected
  Real scrap = 0.1;
end Material;

model Part
  Material steel;
end Part;
