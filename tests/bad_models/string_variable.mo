// Texts are known before the run.
model M
  String s;
equation
  s = if time > 1 then "late" else "early";
end M;
