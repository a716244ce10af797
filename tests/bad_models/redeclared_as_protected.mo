// A redeclaration changes what a component is, not who may see it.
model Pump
  replaceable Real flow_rate = 1;
end Pump;

model Station
  extends Pump;
protected
  redeclare Real flow_rate = 2;
end Station;
