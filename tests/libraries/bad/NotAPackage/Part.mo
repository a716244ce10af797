within NotAPackage;
model Part
end Part;
