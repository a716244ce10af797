within TwoFiles;
package Inner
end Inner;
