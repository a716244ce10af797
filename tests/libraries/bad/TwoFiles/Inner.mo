within TwoFiles;
model Inner
end Inner;
