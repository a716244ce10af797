// The inner sizes of a product must agree.
model Product
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = A*x;
end Product;
