within;
package Syntax
end Syntax;
