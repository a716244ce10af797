// Carries the precompiled headers of the tests (CMakeLists.txt).
int main() { return 0; }
