// The when clause stands outside of the part.
model Counter
  discrete Real count;
end Counter;

model Gate
  Counter counter;
equation
  when sample(0, 0.1) then
    counter.count = time;
  end when;
end Gate;
