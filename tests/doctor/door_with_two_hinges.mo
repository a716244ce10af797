// A door is three points that keep their distances; two of them hang on hinges. That these keep their distance is then
// said twice. The third point goes round with constant speed.
// expects: index 3, 2 degrees of freedom
// expects: it holds wherever the others do
model DoorWithTwoHinges
  Real a[3](start = {0, 0, 0}), b[3](start = {0, 0, 1}), c[3](start = {1, 0, 0.5}, each stateSelect = StateSelect.prefer), v[3](start = {0, 2, 0});
  Real fa[3], fb[3], ab, bc, ca;
  Real wrong[3] = c - {cos(2*time), sin(2*time), 0.5};
equation
  der(der(a)) = fa - ab*(a - b) - ca*(a - c);
  der(der(b)) = fb - ab*(b - a) - bc*(b - c);
  der(c) = v;
  der(v) = -bc*(c - b) - ca*(c - a);
  a = {0, 0, 0};
  b = {0, 0, 1};
  (b - c)*(b - c) = 1.25;
  (c - a)*(c - a) = 1.25;
  (a - b)*(a - b) = 1;
end DoorWithTwoHinges;
