// Two current sources in one branch: the potential between them is not determined.
// expects error: i is prescribed twice, by line 7 and line 8
// expects error: at the same time u1 and u2 are not determined
model CurrentSourcesInSeries
  Real i, u1, u2, u;
equation
  i = 1;
  i = 1 + time;
  u = 2*i;
  u1 + u2 + u = 0;
end CurrentSourcesInSeries;
