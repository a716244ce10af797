within;
package WrongWithin
end WrongWithin;
