// What an inherited operator returns would be the record of the base class.
operator record Point
  Real x;
  operator function '-'
    input Point a;
    output Point b;
  algorithm
    b.x := -a.x;
  end '-';
end Point;

operator record Place
  extends Point;
  Real height;
end Place;

model Walk
  Place here(x = time, height = 1);
end Walk;
