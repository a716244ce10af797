// Several models: the wish of the command line is none of them.
package Springs
  model Linear
    Real x(start = 1), v(start = 0);
  equation
    der(x) = v;
    der(v) = -x;
  end Linear;

  model Cubic
    Real x(start = 1), v(start = 0);
  equation
    der(x) = v;
    der(v) = -x^3;
  end Cubic;
end Springs;
