within Oscillators;
package Examples
end Examples;
