// v would tick one interval before u, whose first tick is the start.
model Early
  Real u = sample(time, Clock(0.1));
  Real v = backSample(u, 1);
end Early;
