// Both constructors take one number.
operator record Angle
  Real value;
  operator 'constructor'
    function of_degrees
      input Real degrees;
      output Angle angle;
    algorithm
      angle.value := degrees/180*3.14159;
    end of_degrees;
    function of_radians
      input Real radians;
      output Angle angle;
    algorithm
      angle.value := radians;
    end of_radians;
  end 'constructor';
end Angle;

model Turn
  Angle a = Angle(time);
end Turn;
