#include "driftless/compile/llvm/jit.hpp"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <cassert>
#include <new>
#include <string>
#include <utility>

#include "driftless/compile/llvm/emit.hpp"
#include "driftless/compile/machine_code_use.hpp"
#include "driftless/compile/object_code.hpp"

namespace driftless {

namespace {

using Code = void (*)(const double* inputs, double* work, double* outputs, const std::int32_t* indices,
                      const double* constants, std::int64_t count, std::int64_t first);

// The machine code of a tape, by shape; null where no group needs it.
struct Library {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<Code> single;
  std::vector<Code> loop;
};

class CompiledKernel final : public Kernel {
 public:
  CompiledKernel(std::shared_ptr<const Tape> tape, std::shared_ptr<const Library> library, std::size_t number)
      : tape_(std::move(tape)), library_(std::move(library)) {
    const Program& program = tape_->programs[number];
    inputs_ = tape_->inputs;
    outputs_ = program.outputs;
    work_size_ = program.work;
    for (const Group& group : program.groups) {
      const bool is_loop = group.count >= lanes;
      steps_.push_back({.code = (is_loop ? library_->loop : library_->single)[group.shape],
                        .indices = program.indices.data() + group.indices,
                        .constants = program.constants.data() + group.constants,
                        .count = group.count,
                        .runs = is_loop ? 1 : group.count});
    }
  }

  void operator()(const double* inputs, double* outputs, double* work) const override {
    machine_code_was_called = true;
    for (const Step& step : steps_)
      for (std::int32_t first = 0; first < step.runs; ++first)
        step.code(inputs, work, outputs, step.indices, step.constants, step.count, first);
  }

 private:
  struct Step {
    Code code;
    const std::int32_t* indices;
    const double* constants;
    std::int32_t count;
    std::int32_t runs;
  };

  std::shared_ptr<const Tape> tape_;
  std::shared_ptr<const Library> library_;
  std::vector<Step> steps_;
};

// Straight code is used once per call of a kernel and there may be much of it: LLVM's fast path makes it in a fifth of
// the time, at most a quarter slower to run. Loops are few and run long (docs/compile.md has the measurements).
constexpr const char* straight = "straight";
constexpr const char* loops = "loops";

class CompilerByModule final : public llvm::orc::IRCompileLayer::IRCompiler {
 public:
  explicit CompilerByModule(llvm::orc::JITTargetMachineBuilder machine)
      : IRCompiler(llvm::orc::irManglingOptionsFromTargetOptions(machine.getOptions())), machine_(std::move(machine)) {}

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> operator()(llvm::Module& module) override {
    const bool fast = module.getModuleIdentifier() == straight;
    machine_.setCodeGenOptLevel(fast ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default);
    auto machine = machine_.createTargetMachine();
    if (!machine) return machine.takeError();
    return llvm::orc::SimpleCompiler(**machine)(module);
  }

 private:
  llvm::orc::JITTargetMachineBuilder machine_;
};

// The target is this machine and the modules are our own: a failure here is a bug, not a condition.
llvm::orc::JITTargetMachineBuilder this_machine() {
  // Throws as everywhere else; LLVM would end the process.
  static const bool throws = [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
    return true;
  }();
  assert(throws);
  static_cast<void>(throws);
  static const bool initialized = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  assert(initialized);
  static_cast<void>(initialized);
  llvm::orc::JITTargetMachineBuilder machine = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  machine.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return machine;
}

// Defines the addresses of external names in the code of this tape.
std::unique_ptr<llvm::orc::LLJIT> make_jit(const Tape& tape) {
  auto jit = llvm::cantFail(
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(this_machine())
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .setCompileFunctionCreator(
              [](llvm::orc::JITTargetMachineBuilder builder) -> llvm::Expected<std::unique_ptr<CompilerByModule>> {
                return std::make_unique<CompilerByModule>(std::move(builder));
              })
          .create());
  llvm::orc::SymbolMap symbols;
  const auto define = [&](const std::string& name, const void* address) {
    symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  };
  for (const RuntimeFunction& function : runtime_functions()) define(function.name, function.address);
  define(tape_name, &tape);
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  return jit;
}

// Which shapes are run in which way.
struct Needs {
  std::vector<bool> single, loop;

  explicit Needs(const Tape& tape) : single(tape.shapes.size(), false), loop(tape.shapes.size(), false) {
    for (const Program& program : tape.programs)
      for (const Group& group : program.groups) (group.count >= lanes ? loop : single)[group.shape] = true;
  }
};

bool any(const std::vector<bool>& wanted) { return std::find(wanted.begin(), wanted.end(), true) != wanted.end(); }

using Emit = llvm::Function& (*)(llvm::Module&, const Shape&);

std::string table_of(const char* name) { return std::string(name) + "_table"; }

// One module with the code of all shapes that are `wanted`. Its only symbol is the table of their addresses: looking
// up one symbol is cheaper than many.
llvm::orc::ThreadSafeModule module_of(const Tape& tape, const char* name, const std::vector<bool>& wanted, Emit emit,
                                      const llvm::DataLayout& layout, const llvm::Triple& triple) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>(name, *context);
  module->setDataLayout(layout);
  module->setTargetTriple(triple.str());
  std::vector<llvm::Constant*> functions;
  for (std::size_t s = 0; s < tape.shapes.size(); ++s)
    if (wanted[s]) functions.push_back(&emit(*module, tape.shapes[s]));
  auto* const type = llvm::ArrayType::get(llvm::PointerType::getUnqual(*context), functions.size());
  new llvm::GlobalVariable(*module, type, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, functions), table_of(name));
  return {std::move(module), std::move(context)};
}

// The addresses of the code, by shape.
std::vector<Code> code_of(llvm::orc::LLJIT& jit, const Tape& tape, const char* name, const std::vector<bool>& wanted,
                          Emit emit) {
  std::vector<Code> code(tape.shapes.size(), nullptr);
  if (!any(wanted)) return code;
  llvm::cantFail(jit.addIRModule(module_of(tape, name, wanted, emit, jit.getDataLayout(), jit.getTargetTriple())));
  const Code* next = llvm::cantFail(jit.lookup(table_of(name))).toPtr<const Code*>();
  for (std::size_t s = 0; s < tape.shapes.size(); ++s)
    if (wanted[s]) code[s] = *next++;
  return code;
}

}  // namespace

std::vector<std::string> object_code(const Tape& tape) {
  // The default settings of LLJIT: position-independent code with far addresses in a table.
  llvm::orc::JITTargetMachineBuilder machine = this_machine();
  machine.setRelocationModel(llvm::Reloc::PIC_).setCodeModel(llvm::CodeModel::Small);
  const llvm::DataLayout layout = llvm::cantFail(machine.getDefaultDataLayoutForTarget());
  const llvm::Triple triple = machine.getTargetTriple();
  CompilerByModule compiler(std::move(machine));
  const Needs needs(tape);
  std::vector<std::string> objects;
  const auto add = [&](const char* name, const std::vector<bool>& wanted, Emit emit) {
    if (!any(wanted)) return;
    llvm::orc::ThreadSafeModule module = module_of(tape, name, wanted, emit, layout, triple);
    objects.push_back(
        module.withModuleDo([&](llvm::Module& m) { return llvm::cantFail(compiler(m))->getBuffer().str(); }));
  };
  add(straight, needs.single, emit_single);
  add(loops, needs.loop, emit_loop);
  return objects;
}

std::vector<std::unique_ptr<Kernel>> generate_code(const std::shared_ptr<const Tape>& tape) {
  const Needs needs(*tape);
  const auto library = std::make_shared<Library>();
  library->jit = make_jit(*tape);
  library->single = code_of(*library->jit, *tape, straight, needs.single, emit_single);
  library->loop = code_of(*library->jit, *tape, loops, needs.loop, emit_loop);

  std::vector<std::unique_ptr<Kernel>> kernels;
  for (std::size_t k = 0; k < tape->programs.size(); ++k)
    kernels.push_back(std::make_unique<CompiledKernel>(tape, library, k));
  return kernels;
}

}  // namespace driftless
