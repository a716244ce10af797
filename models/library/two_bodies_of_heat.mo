model TwoBodiesOfHeat "Two bodies share their heat: the sum stays, the difference decays"
  import Driftless.Thermal.*;
  HeatCapacitor hot(C = 100, T_start = 360), cold(C = 300, T_start = 280);
  ThermalConductor contact(G = 15);
equation
  connect(hot.port, contact.port_a);
  connect(contact.port_b, cold.port);
  annotation(experiment(StopTime = 20));
end TwoBodiesOfHeat;
