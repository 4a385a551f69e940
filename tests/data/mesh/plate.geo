// A plate with a round corner: one structured block and one of triangles.
Mesh.SecondOrderIncomplete = 1;
Point(1) = {0, 0, 0}; Point(2) = {2, 0, 0}; Point(3) = {2, 1, 0}; Point(4) = {0, 1, 0};
Point(5) = {3, 0, 0}; Point(6) = {3, 0.5, 0}; Point(7) = {2.5, 1, 0}; Point(8) = {2.5, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {2, 5}; Line(6) = {5, 6}; Circle(7) = {6, 8, 7}; Line(8) = {7, 3};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Curve Loop(2) = {-2, 5, 6, 7, 8}; Plane Surface(2) = {2};
Transfinite Curve {1, 3} = 4; Transfinite Curve {2, 4} = 3; Transfinite Surface {1}; Recombine Surface {1};
MeshSize {5, 6, 7} = 0.4;
Physical Surface("block") = {1};
Physical Surface("all parts") = {1, 2};
Physical Curve("clamp") = {4};
Physical Curve("round") = {7};
Physical Point("tip") = {6};
