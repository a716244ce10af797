// The members of a connector belong to the two sides that meet there.
connector Port
  inner Real p = 1e5;
  flow Real q;
end Port;

model Pipe
  Port port;
end Pipe;
