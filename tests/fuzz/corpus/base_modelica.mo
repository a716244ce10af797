//! base 0.1.0
package 'Pendulum'
  model 'Pendulum'
    parameter Real 'body.m';
    Real 'body.r[1]'(start = 1.0, fixed = true);
  parameter equation
    guess('body.m') = 2.0;
  initial equation
    'body.r[1]' = 1;
  equation
    der('body.r[1]') = -'body.m' * 'body.r[1]';
  end 'Pendulum';
end 'Pendulum';
