// A ladder of N cells like product_of_rates.mo, each with its neighbours in both of its equations. In every cell the
// product of the rates occurs inside nonlinear functions, so that no combination can be written down; its first
// equation and those of its neighbours determine the product, the second then is a constraint between the positions of
// three cells. One degree of freedom in each.
// Solution: x[k] = 2 t + sin(t + k), y[k] = t - cos(t + k)/2 (functions x0, y0), and their derivatives.
model Ladder
  parameter Integer N = 250 "cells";
  parameter Real c = 0.05 "coupling";
  Real x[N](start = {x0(k, 0) for k in 1:N}, each fixed = true), y[N](start = {y0(k, 0) for k in 1:N});
  Real dx[N](start = {dx0(k, 0) for k in 1:N}), dy[N](start = {dy0(k, 0) for k in 1:N});
  Real p[N] "what the products are";
  function x0
    input Integer k;
    input Real t;
    output Real x = 2*t + sin(t + k);
  end x0;
  function y0
    input Integer k;
    input Real t;
    output Real y = t - cos(t + k)/2;
  end y0;
  function dx0
    input Integer k;
    input Real t;
    output Real x = 2 + cos(t + k);
  end dx0;
  function dy0
    input Integer k;
    input Real t;
    output Real y = 1 + sin(t + k)/2;
  end dy0;
equation
  for k in 1:N loop
    der(x[k]) = dx[k];
    der(y[k]) = dy[k];
    p[k] = dx0(k, time)*dy0(k, time);
    dx[k]*dy[k] + (dx[k]*dy[k])^3 + c*(x[mod(k, N) + 1] - x0(mod(k, N) + 1, time)) = p[k] + p[k]^3;
    sin(dx[k]*dy[k]) + x[k] - y[k] + c*(y[mod(k - 2, N) + 1] - y0(mod(k - 2, N) + 1, time))
      = sin(p[k]) + x0(k, time) - y0(k, time);
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Ladder;
