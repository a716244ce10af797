// Two imports give the name Gain two meanings.
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
  import Mechanical.Gain;
  import Electrical.Gain;
  Gain gain;
end Amplifier;
