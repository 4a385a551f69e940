// A foot of 20 x 20 mm whose sole is an arc of radius 50 mm. In millimetres.
//   gmsh -2 foot.geo
R = 50;
w = 10;
rise = R - Sqrt(R^2 - w^2);
fine = 0.1;
Point(1) = {0, 0, 0, fine};
Point(2) = {w, rise, 0, 20*fine};
Point(3) = {w, 20, 0, 40*fine};
Point(4) = {-w, 20, 0, 40*fine};
Point(5) = {-w, rise, 0, 20*fine};
Point(6) = {0, R, 0};
// Where it will touch the mesh is fine, 1.5 mm to either side.
Point(7) = {1.5, R - Sqrt(R^2 - 1.5^2), 0, fine};
Point(8) = {-1.5, R - Sqrt(R^2 - 1.5^2), 0, fine};
Circle(1) = {5, 6, 8};
Circle(2) = {8, 6, 1};
Circle(3) = {1, 6, 7};
Circle(4) = {7, 6, 2};
Line(5) = {2, 3};
Line(6) = {3, 4};
Line(7) = {4, 5};
Curve Loop(1) = {1, 2, 3, 4, 5, 6, 7};
Plane Surface(1) = {1};
Recombine Surface {1};
// What the deck calls by name.
Physical Surface("foot") = {1};
Physical Curve("sole") = {2, 3};
Physical Curve("head") = {6};
