// String is taken.
package P
  type String = Real;
  model M
    Real x;
  equation
    x = time;
  end M;
end P;
