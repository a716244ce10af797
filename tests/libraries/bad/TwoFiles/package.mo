within;
package TwoFiles
end TwoFiles;
