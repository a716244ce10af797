package Driftless "Parts for circuits, mechanisms, thermal and hydraulic networks and controllers"
  annotation(version = "1.0.0", Documentation(info = "<html>
<p>Connectors hold the same variables, under the same names, as those of the Modelica Standard Library, so parts of
both can be connected.</p>
</html>"));
end Driftless;
