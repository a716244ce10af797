within Circuits;
package Basic "the idioms of component libraries"
  extends Icons.Package;
  connector PositivePin "a pin"
    SI.ElectricPotential v "potential" annotation(unassignedMessage = "not connected");
    flow SI.Current i;
    annotation(Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics = {Rectangle(
      extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 255}), Text(textString = "%name")}));
  end PositivePin;
  partial model OnePort
    PositivePin p; NegativePin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    SI.Voltage v; SI.Current i;
  equation
    v = p.v - n.v; 0 = p.i + n.i; i = p.i;
  end OnePort;
  model Resistor "linear, heated"
    parameter SI.Resistance R(final min = 0, start = 1) = 1 "value" annotation(Dialog(group = "Nominal", enable = not heated));
    extends OnePort(v(start = 0), redeclare final package Medium = Water "for cooling");
    parameter Boolean heated = false annotation(Evaluate = true, choices(checkBox = true));
    HeatPort port(final T = T0, Q_flow = -loss) if heated;
    replaceable package Medium = Water constrainedby Interfaces.Medium "any" annotation(choicesAllMatching = true);
    outer World world;
  equation
    assert(1 + alpha * (T - T0) >= Constants.eps, "outside of the scope: " + String(T));
    v = R * (1 + alpha * (T - T0)) * i;
    Connections.branch(p.r, n.r);
    if heated then connect(port, inner_port) annotation(Line(points = {{0, 0}, {1, 1}})); end if;
    loss = smooth(0, noEvent(if i > 0 then v * i else 0));
    annotation(Documentation(info = "<html>
      <p>Several lines; with \"quotes\" and signs (a, b).</p>
      </html>"));
  end Resistor;
  function interpolate "table look-up"
    extends Icons.Function;
    input Real table[:, 2]; input Real u; output Real y = 0; output Integer k(min = 1);
  protected
    Integer n = size(table, 1);
  algorithm
    k := 1;
    while k < n - 1 and table[k + 1, 1] <= u loop k := k + 1; end while;
    y := table[k, 2] + (u - table[k, 1]) * (table[k + 1, 2] - table[k, 2]) / (table[k + 1, 1] - table[k, 1]);
    annotation(derivative(noDerivative = table) = interpolate_der, smoothOrder = 1);
  end interpolate;
  redeclare record extends State "of a medium" Real p, T; end State;
end Basic;
