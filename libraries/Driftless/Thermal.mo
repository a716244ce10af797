within Driftless;
package Thermal "Heat: storage, conduction, convection, radiation"
  import SI = Modelica.Units.SI;

  connector HeatPort "Temperature, and the heat that flows into the part"
    SI.Temperature T;
    flow SI.HeatFlowRate Q_flow;
  end HeatPort;

  partial model Element "Heat flows from port_a to port_b"
    HeatPort port_a, port_b;
    SI.HeatFlowRate Q_flow "From port_a to port_b";
    SI.TemperatureDifference dT "port_a.T - port_b.T";
  equation
    dT = port_a.T - port_b.T;
    port_a.Q_flow = Q_flow;
    port_b.Q_flow = -Q_flow;
  end Element;

  model HeatCapacitor "C*der(T) = port.Q_flow"
    parameter SI.HeatCapacity C = 1;
    parameter SI.Temperature T_start = 293.15 "Temperature at the start";
    SI.Temperature T(start = T_start, fixed = true);
    HeatPort port;
  equation
    T = port.T;
    C*der(T) = port.Q_flow;
  end HeatCapacitor;

  model ThermalConductor "Q_flow = G*dT"
    extends Element;
    parameter SI.ThermalConductance G = 1;
  equation
    Q_flow = G*dT;
  end ThermalConductor;

  model ThermalResistor "R*Q_flow = dT"
    extends Element;
    parameter SI.ThermalResistance R = 1;
  equation
    R*Q_flow = dT;
  end ThermalResistor;

  model Convection "Q_flow = Gc*dT, with a conductance that is a signal"
    extends Element;
    Blocks.RealInput Gc "Conductance";
  equation
    Q_flow = Gc*dT;
  end Convection;

  model BodyRadiation "Q_flow = Gr*sigma*(port_a.T^4 - port_b.T^4)"
    extends Element;
    parameter Real Gr(unit = "m2") = 1 "Net radiation conductance";
  protected
    constant Real sigma = 5.670374419e-8 "Stefan and Boltzmann's constant";
  equation
    Q_flow = Gr*sigma*(port_a.T^4 - port_b.T^4);
  end BodyRadiation;

  model FixedTemperature "port.T = T"
    parameter SI.Temperature T = 293.15;
    HeatPort port;
  equation
    port.T = T;
  end FixedTemperature;

  model PrescribedTemperature "port.T = T, a signal"
    Blocks.RealInput T;
    HeatPort port;
  equation
    port.T = T;
  end PrescribedTemperature;

  model FixedHeatFlow "Q_flow into what is connected"
    parameter SI.HeatFlowRate Q_flow = 1;
    HeatPort port;
  equation
    port.Q_flow = -Q_flow;
  end FixedHeatFlow;

  model PrescribedHeatFlow "Q_flow, a signal, into what is connected"
    Blocks.RealInput Q_flow;
    HeatPort port;
  equation
    port.Q_flow = -Q_flow;
  end PrescribedHeatFlow;

  model TemperatureSensor "T = port.T, without taking heat"
    Blocks.RealOutput T;
    HeatPort port;
  equation
    T = port.T;
    port.Q_flow = 0;
  end TemperatureSensor;

  model HeatFlowSensor "Q_flow through the sensor, without a difference of temperatures"
    Blocks.RealOutput Q_flow;
    HeatPort port_a, port_b;
  equation
    port_a.T = port_b.T;
    port_a.Q_flow + port_b.Q_flow = 0;
    Q_flow = port_a.Q_flow;
  end HeatFlowSensor;

  model Rod "A rod of n equal slices that store heat and conduct it"
    parameter Integer n(min = 1) = 10;
    parameter SI.HeatCapacity C = 1 "Of the whole rod";
    parameter SI.ThermalConductance G = 1 "Of the whole rod, from end to end";
    parameter SI.Temperature T_start = 293.15;
    HeatPort port_a, port_b;
    HeatCapacitor slice[n](each C = C/n, each T_start = T_start);
    ThermalConductor between[n - 1](each G = G*n);
    ThermalConductor first(G = 2*G*n), last(G = 2*G*n);
  equation
    connect(port_a, first.port_a);
    connect(first.port_b, slice[1].port);
    for k in 1:n - 1 loop
      connect(slice[k].port, between[k].port_a);
      connect(between[k].port_b, slice[k + 1].port);
    end for;
    connect(slice[n].port, last.port_a);
    connect(last.port_b, port_b);
  end Rod;
end Thermal;
