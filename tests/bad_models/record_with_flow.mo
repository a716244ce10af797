// A record holds data; only a connector has flows.
record Load
  flow Real power;
end Load;

model House
  Load load(power = 3);
end House;
