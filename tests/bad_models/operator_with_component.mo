// An operator holds functions only.
operator record Point
  Real x;
  operator '-'
    constant Real sign = -1;
    function negate
      input Point a;
      output Point b;
    algorithm
      b.x := -a.x;
    end negate;
  end '-';
end Point;

model Walk
  Point here(x = time);
  Point there = -here;
end Walk;
