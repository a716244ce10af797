// The name is taken.
package P
  model Real
  end Real;
  model M
    Integer n = 1;
  end M;
end P;
