#include "driftless/diagnostics/catalogue/parts.hpp"

namespace driftless::diagnostics {
namespace {

constexpr CatalogueEntry components_entries[] = {
    {.code = Code::WrongExtends,
     .title = "a class that cannot be used in this way",
     .reason = "A class cannot extend itself or contain itself, and a partial class is meant to be extended: it lacks "
               "equations, so it cannot be a component.",
     .wrong = R"(partial model Body
  Real x(start = 1, fixed = true);
end Body;
model M
  Body b;
end M;)",
     .message = "example.mo:5:8: error D0250: 'b' cannot be a component of Body, which is partial",
     .cure = "Write a class that extends the partial one and adds what is missing.",
     .right = R"(partial model Body
  Real x(start = 1, fixed = true);
end Body;
model Decay
  extends Body;
equation
  der(x) = -x;
end Decay;
model M
  Decay b;
end M;)"},
    {.code = Code::WrongModifier,
     .title = "a modifier of something that is not there",
     .reason = "A modifier in parentheses, as in Decay d(k = 2), names an element of the class. The class has none of "
               "this name, and neither have the classes that it extends.",
     .wrong = R"(model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
model M
  Decay d(rat = 2);
end M;)",
     .message = "example.mo:8:11: error D0251: Decay has no element 'rat': did you mean 'rate'?",
     .cure = "Correct the name, or declare the element in the class.",
     .right = R"(model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
model M
  Decay d(rate = 2);
end M;)"},
    {.code = Code::FinalModified,
     .title = "a modifier of something final",
     .reason = "What is declared final, or was modified with final, keeps its value in every component of the class.",
     .wrong = R"(model Decay
  final parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
model M
  Decay d(rate = 2);
end M;)",
     .message = "example.mo:8:11: error D0252: 'd.rate' is final and cannot be modified",
     .cure = "Remove the modifier, or final where the element is declared.",
     .right = R"(model Decay
  parameter Real rate = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -rate*x;
end Decay;
model M
  Decay d(rate = 2);
end M;)"},
    {.code = Code::WrongRedeclaration,
     .title = "a redeclaration of something that is not replaceable",
     .reason = "redeclare puts another component or class in the place of one that is declared replaceable.",
     .wrong = R"(model A
  Real x = 1;
end A;
model M
  A a(redeclare Real x = 2);
end M;)",
     .message = "example.mo:5:22: error D0253: 'a.x' is not replaceable and cannot be redeclared",
     .cure = "Write replaceable before the declaration, or modify the value only.",
     .right = R"(model A
  replaceable Real x = 1;
end A;
model M
  A a(redeclare Real x = 2);
end M;)"},
    {.code = Code::WrongConnection,
     .title = "things that cannot be connected",
     .reason = "connect(a, b) ties two connectors: each variable of the one to the variable of the same name of the "
               "other. Names, types and sizes must agree, and a flow is connected to a flow.",
     .wrong = R"(connector Pin
  Real v;
  flow Real i;
end Pin;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model M
  Pin p;
  Flange f;
equation
  connect(p, f);
end M;)",
     .message = "example.mo:13:3: error D0254: p and f cannot be connected: only the first one has an element 'v'",
     .cure = "Connect connectors of one class, or of classes with the same variables.",
     .right = R"(connector Pin
  Real v;
  flow Real i;
end Pin;
model M
  Pin p;
  Pin q;
equation
  p.v = 1;
  connect(p, q);
end M;)"},
    {.code = Code::InnerMissing,
     .title = "outer without an inner",
     .reason = "outer x stands for the component inner x of the nearest model around the part. No model around it has "
               "one. Then the model gets it, with the defaults of its class and a warning (Modelica 3.6, Section 5.4). "
               "It is an error if the class is partial, differs from that of another outer component of the same name, "
               "or the model has another element of this name.",
     .wrong = R"(partial model World
  parameter Real g;
end World;
model Body
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Body;
model M
  Body b;
end M;)",
     .message = "example.mo:5:15: error D0255: there is no 'inner world' around b, and none can be added: World is "
                "partial",
     .cure = "Declare the component with inner in the model.",
     .right = R"(partial model World
  parameter Real g;
end World;
model Earth
  extends World(g = 9.81);
end Earth;
model Body
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = -world.g;
end Body;
model M
  inner Earth world;
  Body b;
end M;)"},
    {.code = Code::ComponentAbsent,
     .title = "a conditional component that is used in an expression",
     .reason = "A component with `if condition` exists only where the condition is true. Without it its connections "
               "vanish; an "
               "equation would lose its meaning, so such a component is used in connections only (Modelica 3.6, "
               "Section 4.4.5).",
     .wrong = R"(model Part
  Real x = 1;
end Part;
model M
  parameter Boolean with_part = false;
  Part p if with_part;
  Real y = p.x;
end M;)",
     .message = "example.mo:7:12: error D0256: 'p' exists only under a condition: it can be connected, but not used in "
                "expressions",
     .cure = "Connect the component instead of naming it in an equation, or let a variable that always exists take its "
             "place.",
     .right = R"(model Part
  Real x = 1;
end Part;
model M
  parameter Boolean with_part = false;
  Part p if with_part;
  Real y = if with_part then 1 else 0;
end M;)"},
    {.code = Code::WrongConnectionGraph,
     .title = "overconstrained connections without a proper tree",
     .reason =
         "Connectors with more variables than degrees of freedom, as rotation matrices, are the nodes of a graph. "
         "Connections.branch gives edges that stay, connect edges that may be cut. Every tree needs a root, "
         "branches must not form a loop, two roots must not be joined by branches alone, and no connection may "
         "depend on which node is the root.",
     .wrong = R"(record Direction
  Real c;
  Real s;
  function equalityConstraint
    input Direction a;
    input Direction b;
    output Real residue[1];
  algorithm
    residue[1] := a.c*b.s - a.s*b.c;
  end equalityConstraint;
end Direction;
connector Frame
  Direction R;
  flow Real t;
end Frame;
model Disc
  Frame f;
equation
  f.t = 0;
end Disc;
model M
  Disc a;
  Disc b;
equation
  connect(a.f, b.f);
end M;)",
     .message = "example.mo:13:13: error D0257: no root or potential root is connected to a.f.R, b.f.R",
     .cure = "Say with Connections.root(frame.R) which record is given by its component, or with "
             "Connections.potentialRoot that it can be.",
     .right = R"(record Direction
  Real c;
  Real s;
  function equalityConstraint
    input Direction a;
    input Direction b;
    output Real residue[1];
  algorithm
    residue[1] := a.c*b.s - a.s*b.c;
  end equalityConstraint;
end Direction;
connector Frame
  Direction R;
  flow Real t;
end Frame;
model Ground
  Frame f;
equation
  Connections.root(f.R);
  f.R.c = 1;
  f.R.s = 0;
end Ground;
model Disc
  Frame f;
equation
  f.t = 0;
end Disc;
model M
  Ground a;
  Disc b;
equation
  connect(a.f, b.f);
end M;)"},
    {.code = Code::WrongStream,
     .title = "a stream variable without its flow",
     .reason = "A stream variable tells what the matter that leaves a connector is like. The flow of the connector "
               "carries it: there must be exactly one, and inStream and actualStream take such a variable.",
     .wrong = R"(connector Port
  Real p;
  stream Real h;
end Port;
model M
  Port a;
equation
  a.p = 1;
  a.h = 2;
end M;)",
     .message = "example.mo:3:15: error D0258: Port has the stream variable 'h', but no flow that could carry it",
     .cure = "Declare the flow in the connector, or leave out stream.",
     .right = R"(connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model M
  Port a;
equation
  a.p = 1;
  a.h = 2;
end M;)"},
    {.code = Code::WrongBus,
     .title = "a member of a bus without a value, or with two",
     .reason = "Expandable connectors that are connected share their members. A signal needs exactly one source: the "
               "output of a component, or an input of the model itself.",
     .wrong = R"(connector In = input Real;
expandable connector Bus
end Bus;
block Reader
  In u;
  Real x = 2*u;
end Reader;
model M
  Bus bus;
  Reader r;
equation
  connect(bus.speed, r.u);
end M;)",
     .message = "example.mo:12:3: error D0259: nothing gives bus.speed a value: only inputs are connected to it",
     .cure = "Connect one output to the member, in any of the connected buses.",
     .right = R"(connector In = input Real;
connector Out = output Real;
expandable connector Bus
end Bus;
block Sensor
  Out y = time;
end Sensor;
block Reader
  In u;
  Real x = 2*u;
end Reader;
model M
  Bus bus;
  Sensor s;
  Reader r;
equation
  connect(s.y, bus.speed);
  connect(bus.speed, r.u);
end M;)"},
};

}  // namespace

Entries entries_of_components() { return components_entries; }

}  // namespace driftless::diagnostics
