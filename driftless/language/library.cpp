#include "driftless/language/library.hpp"

#include <limits>
#include <numbers>
#include <unordered_map>

#include "driftless/language/builtins.hpp"
#include "driftless/model/model.hpp"

namespace driftless::language {

namespace {

using Constants = std::unordered_map<std::string_view, double>;
using Units = std::unordered_map<std::string_view, std::string_view>;

bool strip(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

// The 2018 CODATA values, as in Modelica.Constants 4.0.
const Constants& constants_of_nature() {
  static const Constants table{
      {"pi", std::numbers::pi},
      {"e", std::numbers::e},
      {"D2R", std::numbers::pi / 180},
      {"R2D", 180 / std::numbers::pi},
      {"gamma", std::numbers::egamma},
      {"eps", std::numeric_limits<double>::epsilon()},
      {"small", 1e-60},
      {"inf", 1e60},
      {"Integer_inf", 2147483647},
      {"c", 299792458},
      {"g_n", 9.80665},
      {"G", 6.67430e-11},
      {"h", 6.62607015e-34},
      {"k", 1.380649e-23},
      {"q", 1.602176634e-19},
      {"R", 1.380649e-23 * 6.02214076e23},
      {"N_A", 6.02214076e23},
      {"F", 1.602176634e-19 * 6.02214076e23},
      {"sigma", 5.670374419e-8},
      {"mu_0", 4 * std::numbers::pi * 1.00000000055e-7},
      {"epsilon_0", 8.8541878128e-12},
      {"T_zero", -273.15},
  };
  return table;
}

const Units& si_units() {
  static const Units table{
      {"Angle", "rad"},
      {"SolidAngle", "sr"},
      {"Length", "m"},
      {"Distance", "m"},
      {"Position", "m"},
      {"Height", "m"},
      {"Thickness", "m"},
      {"Radius", "m"},
      {"Diameter", "m"},
      {"Breadth", "m"},
      {"Area", "m2"},
      {"Volume", "m3"},
      {"Time", "s"},
      {"Duration", "s"},
      {"Period", "s"},
      {"Frequency", "Hz"},
      {"AngularFrequency", "rad/s"},
      {"AngularVelocity", "rad/s"},
      {"AngularAcceleration", "rad/s2"},
      {"AngularJerk", "rad/s3"},
      {"Velocity", "m/s"},
      {"Acceleration", "m/s2"},
      {"Jerk", "m/s3"},
      {"Mass", "kg"},
      {"Density", "kg/m3"},
      {"SpecificVolume", "m3/kg"},
      {"Inertia", "kg.m2"},
      {"MomentOfInertia", "kg.m2"},
      {"Momentum", "kg.m/s"},
      {"AngularMomentum", "kg.m2/s"},
      {"Impulse", "N.s"},
      {"Force", "N"},
      {"Weight", "N"},
      {"Torque", "N.m"},
      {"MomentOfForce", "N.m"},
      {"Pressure", "Pa"},
      {"AbsolutePressure", "Pa"},
      {"Stress", "Pa"},
      {"ModulusOfElasticity", "Pa"},
      {"DynamicViscosity", "Pa.s"},
      {"KinematicViscosity", "m2/s"},
      {"Energy", "J"},
      {"Work", "J"},
      {"PotentialEnergy", "J"},
      {"KineticEnergy", "J"},
      {"Power", "W"},
      {"TranslationalSpringConstant", "N/m"},
      {"TranslationalDampingConstant", "N.s/m"},
      {"RotationalSpringConstant", "N.m/rad"},
      {"RotationalDampingConstant", "N.m.s/rad"},
      {"MassFlowRate", "kg/s"},
      {"VolumeFlowRate", "m3/s"},
      {"Temperature", "K"},
      {"ThermodynamicTemperature", "K"},
      {"TemperatureDifference", "K"},
      {"Heat", "J"},
      {"HeatFlowRate", "W"},
      {"ThermalConductivity", "W/(m.K)"},
      {"ThermalConductance", "W/K"},
      {"ThermalResistance", "K/W"},
      {"HeatCapacity", "J/K"},
      {"SpecificHeatCapacity", "J/(kg.K)"},
      {"CoefficientOfHeatTransfer", "W/(m2.K)"},
      {"Enthalpy", "J"},
      {"SpecificEnthalpy", "J/kg"},
      {"Entropy", "J/K"},
      {"SpecificEntropy", "J/(kg.K)"},
      {"InternalEnergy", "J"},
      {"SpecificInternalEnergy", "J/kg"},
      {"ElectricCurrent", "A"},
      {"Current", "A"},
      {"ElectricCharge", "C"},
      {"Charge", "C"},
      {"ElectricPotential", "V"},
      {"Voltage", "V"},
      {"ElectricFieldStrength", "V/m"},
      {"Resistance", "Ohm"},
      {"Conductance", "S"},
      {"Capacitance", "F"},
      {"Inductance", "H"},
      {"MagneticFlux", "Wb"},
      {"MagneticFluxDensity", "T"},
      {"AmountOfSubstance", "mol"},
      {"MolarMass", "kg/mol"},
      {"MolarVolume", "m3/mol"},
      {"MolarFlowRate", "mol/s"},
      {"Concentration", "mol/m3"},
      {"MolarHeatCapacity", "J/(mol.K)"},
      {"MassFraction", "1"},
      {"MoleFraction", "1"},
      {"Efficiency", "1"},
      {"DimensionlessRatio", "1"},
      {"CoefficientOfFriction", "1"},
  };
  return table;
}

using Conversions = std::unordered_map<std::string_view, LibraryConversion>;

// The unit in the name -> SI.
const Conversions& conversions_to_si() {
  static const Conversions table{
      {"degC", {1.0, 273.15}},
      {"degF", {5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0}},
      {"degRk", {5.0 / 9.0, 0.0}},
      {"deg", {std::numbers::pi / 180.0, 0.0}},
      {"rpm", {2.0 * std::numbers::pi / 60.0, 0.0}},
      {"Hz", {2.0 * std::numbers::pi, 0.0}},
      {"kmh", {1.0 / 3.6, 0.0}},
      {"day", {86400.0, 0.0}},
      {"hour", {3600.0, 0.0}},
      {"minute", {60.0, 0.0}},
      {"litre", {1e-3, 0.0}},
      {"kWh", {3.6e6, 0.0}},
      {"bar", {1e5, 0.0}},
      {"gps", {1e-3, 0.0}},
      {"mmHg", {133.322387415, 0.0}},
  };
  return table;
}

const std::string state_select_name = "StateSelect", assertion_level_name = "AssertionLevel";

bool strip_units(std::string_view& name) {
  return strip(name, "Modelica.Units.SI.") || strip(name, "Modelica.SIunits.");
}

std::optional<double> enumeration_literal(std::string_view name) {
  if (strip(name, "StateSelect.")) {
    if (name == "never") return static_cast<double>(StateSelect::Never);
    if (name == "avoid") return static_cast<double>(StateSelect::Avoid);
    if (name == "default") return static_cast<double>(StateSelect::Default);
    if (name == "prefer") return static_cast<double>(StateSelect::Prefer);
    if (name == "always") return static_cast<double>(StateSelect::Always);
  } else if (strip(name, "AssertionLevel.")) {
    if (name == "error") return assertion_level_error;
    if (name == "warning") return assertion_level_warning;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LibraryConstant> library_constant(std::string_view name) {
  if (const auto literal = enumeration_literal(name))
    return LibraryConstant{Type::Enumeration, *literal,
                           name.starts_with(state_select_name) ? &state_select_name : &assertion_level_name};
  if (!strip(name, "Modelica.Constants.")) return std::nullopt;
  const auto place = constants_of_nature().find(name);
  if (place == constants_of_nature().end()) return std::nullopt;
  return LibraryConstant{name == "Integer_inf" ? Type::Integer : Type::Real, place->second};
}

std::optional<LibraryType> library_type(std::string_view name) {
  if (name == "Real") return LibraryType{Type::Real, {}};
  if (name == "Integer") return LibraryType{Type::Integer, {}};
  if (name == "Boolean") return LibraryType{Type::Boolean, {}};
  if (name == "String") return LibraryType{Type::String, {}};
  if (name == "Clock") return LibraryType{Type::Boolean, {}};
  if (name == "StateSelect" || name == "AssertionLevel") return LibraryType{Type::Enumeration, {}};
  const auto looks_like_type = [&] {
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' && name.find('.') == std::string_view::npos;
  };
  if (strip(name, "Modelica.Units.NonSI.") || strip(name, "Modelica.SIunits.Conversions.NonSIunits."))
    return !name.empty() ? std::optional(LibraryType{Type::Real, {}}) : std::nullopt;
  if (strip_units(name)) {
    const auto place = si_units().find(name);
    if (place != si_units().end()) return LibraryType{Type::Real, place->second};
    if (looks_like_type()) return LibraryType{Type::Real, {}};
  }
  return std::nullopt;
}

std::optional<std::string_view> library_function(std::string_view name) {
  strip(name, "Modelica.Math.");
  return is_builtin_function(name) ? std::optional(name) : std::nullopt;
}

std::optional<LibraryConversion> library_conversion(std::string_view name) {
  if (!strip(name, "Modelica.Units.Conversions.") && !strip(name, "Modelica.SIunits.Conversions.")) return std::nullopt;
  const bool from = strip(name, "from_");
  if (!from && !strip(name, "to_")) return std::nullopt;
  const auto place = conversions_to_si().find(name);
  if (place == conversions_to_si().end()) return std::nullopt;
  const LibraryConversion& to_si = place->second;
  return from ? to_si : LibraryConversion{1.0 / to_si.factor, -to_si.offset / to_si.factor};
}

bool is_library_name(std::string_view name) {
  return library_constant(name) || library_type(name) || library_function(name) || library_conversion(name);
}

bool is_listed_library_name(std::string_view name) {
  std::string_view unit = name;
  if (strip_units(unit)) return si_units().contains(unit);
  return is_library_name(name);
}

}  // namespace driftless::language
