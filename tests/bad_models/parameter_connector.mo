// What is connected changes in time.
connector Signal
  input Real u = 1;
end Signal;

model Controller
  parameter Signal signal;
end Controller;
