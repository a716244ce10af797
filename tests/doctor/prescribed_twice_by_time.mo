// Two drives turn one shaft, each as it likes.
// expects error: phi is prescribed twice, by line 8 and line 9
// expects error: at the same time tau1 and tau2 are not determined
model PrescribedTwiceByTime
  Real phi, tau1, tau2;
equation
  3*der(der(phi)) = tau1 + tau2;
  phi = sin(time);
  phi = cos(time);
end PrescribedTwiceByTime;
