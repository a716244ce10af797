// Which of the two is meant?
package Mechanical
  model Gain
    Real y = time;
  end Gain;
end Mechanical;

package Electrical
  model Gain
    Real y = 2*time;
  end Gain;
end Electrical;

model Amplifier
  import Mechanical.*;
  import Electrical.*;
  Gain gain;
end Amplifier;
