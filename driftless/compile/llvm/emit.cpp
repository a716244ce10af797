#include "driftless/compile/llvm/emit.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace driftless {

namespace {

using llvm::Value;

// Emits one function. A value is a double in a single function and a vector of `lanes` doubles in a loop; in a loop,
// values common to all instances are computed before it.
class Emitter {
 public:
  Emitter(llvm::Module& module, const Shape& shape, bool is_loop)
      : module_(module),
        shape_(shape),
        width_(is_loop ? lanes : 1),
        entry_(module.getContext()),
        body_(module.getContext()),
        starts_(shape.indices.size(), nullptr) {
    llvm::Type* const pointer = llvm::PointerType::getUnqual(module.getContext());
    llvm::Type* const number = entry_.getInt64Ty();
    llvm::Type* const parameters[] = {pointer, pointer, pointer, pointer, pointer, number, number};
    function_ = llvm::Function::Create(llvm::FunctionType::get(entry_.getVoidTy(), parameters, false),
                                       llvm::Function::InternalLinkage, is_loop ? "loop" : "single", module);
    function_->setDoesNotThrow();
    for (unsigned k = 0; k < 5; ++k) function_->addParamAttr(k, llvm::Attribute::NoAlias);
    inputs_ = function_->getArg(0);
    work_ = function_->getArg(1);
    outputs_ = function_->getArg(2);
    indices_ = function_->getArg(3);
    constants_ = function_->getArg(4);
    count_ = function_->getArg(5);
    type_ = is_loop ? static_cast<llvm::Type*>(llvm::FixedVectorType::get(entry_.getDoubleTy(), lanes))
                    : entry_.getDoubleTy();
  }

  llvm::Function& single() {
    const auto block = llvm::BasicBlock::Create(module_.getContext(), "entry", function_);
    entry_.SetInsertPoint(block);
    body_.SetInsertPoint(block);
    instance_ = function_->getArg(6);
    instructions();
    results();
    body_.CreateRetVoid();
    return *function_;
  }

  // i = 0, lanes, 2 lanes, ..., count - lanes: the last window overlaps the previous one, as instances may run twice.
  llvm::Function& loop() {
    const auto entry = llvm::BasicBlock::Create(module_.getContext(), "entry", function_);
    const auto body = llvm::BasicBlock::Create(module_.getContext(), "body", function_);
    const auto exit = llvm::BasicBlock::Create(module_.getContext(), "exit", function_);
    entry_.SetInsertPoint(entry);
    body_.SetInsertPoint(body);
    Value* const last = entry_.CreateSub(count_, entry_.getInt64(lanes));
    llvm::PHINode* const instance = body_.CreatePHI(body_.getInt64Ty(), 2);
    instance_ = instance;
    instructions();
    results();
    Value* const next = body_.CreateAdd(instance, body_.getInt64(lanes));
    Value* const bounded = body_.CreateSelect(body_.CreateICmpSLT(next, last), next, last);
    instance->addIncoming(entry_.getInt64(0), entry);
    instance->addIncoming(bounded, body);
    body_.CreateCondBr(body_.CreateICmpEQ(instance, last), exit, body);
    entry_.CreateBr(body);
    llvm::ReturnInst::Create(module_.getContext(), exit);
    return *function_;
  }

 private:
  // A register; relations have a truth value, and are converted to 1 or 0 only where needed.
  struct Register {
    Value* number = nullptr;
    Value* truth = nullptr;
  };

  // --- tables

  Value* element(llvm::IRBuilder<>& at, llvm::Type* type, Value* array, Value* position) {
    return at.CreateInBoundsGEP(type, array, position);
  }

  // The position in lane `lane` of a column: a 64-bit integer.
  Value* position(std::size_t k, std::int32_t lane) {
    const IndexColumn& column = shape_.indices[k];
    Value*& start = starts_[k];
    llvm::Type* const entry = body_.getInt32Ty();
    switch (column.kind) {
      case IndexColumn::Kind::Uniform: return integer(column.value);
      case IndexColumn::Kind::Affine:
        if (!start) {
          Value* const base = entry_.CreateLoad(entry, element(entry_, entry, indices_, integer(column.slot)));
          start = body_.CreateNSWAdd(entry_.CreateSExt(base, entry_.getInt64Ty()),
                                     body_.CreateNSWMul(instance_, integer(column.value)));
        }
        return body_.CreateNSWAdd(start, integer(std::int64_t{column.value} * lane));
      default:
        if (!start) start = element(body_, entry, table_column(indices_, entry, shape_.bases, column.slot), instance_);
        return body_.CreateSExt(body_.CreateLoad(entry, element(body_, entry, start, integer(lane))),
                                body_.getInt64Ty());
    }
  }

  // Where a table column begins: `before` entries, then whole columns.
  Value* table_column(Value* table, llvm::Type* type, std::uint32_t before, std::uint32_t slot) {
    return element(entry_, type, table,
                   entry_.CreateNSWAdd(integer(before), entry_.CreateNSWMul(count_, integer(slot))));
  }

  bool is_stretch(const IndexColumn& column) const {
    return width_ > 1 && column.kind == IndexColumn::Kind::Affine && column.value == 1;
  }

  Value* load(Value* array, std::size_t k) {
    const IndexColumn& column = shape_.indices[k];
    llvm::Type* const number = body_.getDoubleTy();
    if (column.kind == IndexColumn::Kind::Uniform)
      return spread(entry_.CreateLoad(number, element(entry_, number, array, integer(column.value))));
    if (width_ == 1 || is_stretch(column))
      return body_.CreateAlignedLoad(type_, element(body_, number, array, position(k, 0)), llvm::Align(8));
    return each_lane(
        [&](std::int32_t lane) { return body_.CreateLoad(number, element(body_, number, array, position(k, lane))); });
  }

  void store(Value* array, std::size_t k, Value* value) {
    llvm::Type* const number = body_.getDoubleTy();
    if (width_ == 1 || is_stretch(shape_.indices[k])) {
      body_.CreateAlignedStore(value, element(body_, number, array, position(k, 0)), llvm::Align(8));
      return;
    }
    for (std::int32_t lane = 0; lane < width_; ++lane)
      body_.CreateStore(lane_of(value, lane), element(body_, number, array, position(k, lane)));
  }

  Value* constant(const ConstantColumn& column) {
    if (column.uniform) return number(column.value);
    Value* const start = table_column(constants_, body_.getDoubleTy(), 0, column.slot);
    return body_.CreateAlignedLoad(type_, element(body_, body_.getDoubleTy(), start, instance_), llvm::Align(8));
  }

  llvm::ConstantInt* integer(std::int64_t value) { return body_.getInt64(static_cast<std::uint64_t>(value)); }

  // --- lanes

  Value* spread(Value* value) { return width_ == 1 ? value : entry_.CreateVectorSplat(lanes, value); }

  Value* lane_of(Value* value, std::int32_t lane) {
    return width_ == 1 ? value : body_.CreateExtractElement(value, static_cast<std::uint64_t>(lane));
  }

  Value* each_lane(const std::function<Value*(std::int32_t lane)>& compute) {
    if (width_ == 1) return compute(0);
    Value* all = llvm::PoisonValue::get(type_);
    for (std::int32_t lane = 0; lane < width_; ++lane)
      all = body_.CreateInsertElement(all, compute(lane), static_cast<std::uint64_t>(lane));
    return all;
  }

  // --- operations

  Value* number(double value) { return llvm::ConstantFP::get(type_, value); }

  Value* number_of(std::uint32_t from) {
    Register& reg = registers_[from];
    if (!reg.number) reg.number = body_.CreateSelect(reg.truth, number(1.0), number(0.0));
    return reg.number;
  }

  Value* truth_of(std::uint32_t from) {
    Register& reg = registers_[from];
    if (!reg.truth) reg.truth = body_.CreateFCmpUNE(reg.number, number(0.0));
    return reg.truth;
  }

  Value* elementary(Op op, std::initializer_list<Value*> arguments) {
    const std::vector<llvm::Type*> types(arguments.size(), body_.getDoubleTy());
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(runtime_name(op), llvm::FunctionType::get(body_.getDoubleTy(), types, false));
    auto* const function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    return each_lane([&](std::int32_t lane) {
      std::vector<Value*> own;
      for (Value* argument : arguments) own.push_back(lane_of(argument, lane));
      return body_.CreateCall(callee, own);
    });
  }

  // Sine and cosine of one argument, by one call.
  std::pair<Value*, Value*> sine_and_cosine(Value* argument) {
    llvm::Type* const number = body_.getDoubleTy();
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        sine_and_cosine_name, llvm::FunctionType::get(llvm::StructType::get(number, number), {number}, false));
    auto* const function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    std::vector<Value*> both;
    for (std::int32_t lane = 0; lane < width_; ++lane)
      both.push_back(body_.CreateCall(callee, lane_of(argument, lane)));
    const auto part = [&](unsigned k) {
      return each_lane([&](std::int32_t lane) { return body_.CreateExtractValue(both[lane], k); });
    };
    return {part(0), part(1)};
  }

  Value* call(const ShapeCall& call) {
    llvm::FunctionCallee callee = module_.getOrInsertFunction("driftless.call", body_.getDoubleTy(), body_.getPtrTy(),
                                                              body_.getInt32Ty(), body_.getPtrTy(), body_.getPtrTy());
    Value* const tape = module_.getOrInsertGlobal(tape_name, body_.getInt8Ty());
    return each_lane([&](std::int32_t lane) {
      std::uint64_t local = 0;
      for (const std::uint32_t argument : call.arguments)
        body_.CreateStore(lane_of(number_of(argument), lane),
                          element(body_, body_.getDoubleTy(), work_, body_.getInt64(local++)));
      return body_.CreateCall(callee, {tape, body_.getInt32(call.callee), inputs_, work_});
    });
  }

  Value* extremum(llvm::CmpInst::Predicate better, Value* a, Value* b) {
    Value* const takes_b = body_.CreateOr(body_.CreateFCmp(better, b, a), body_.CreateFCmpUNO(b, b));
    return body_.CreateSelect(takes_b, b, a);
  }

  Register relation(llvm::CmpInst::Predicate predicate, const Instruction& i) {
    return {.truth = body_.CreateFCmp(predicate, number_of(i.a), number_of(i.b))};
  }

  Register instruction(const Instruction& i) {
    using Predicate = llvm::CmpInst;
    const auto a = [&] { return number_of(i.a); };
    const auto b = [&] { return number_of(i.b); };
    const auto intrinsic = [&](llvm::Intrinsic::ID id) { return body_.CreateUnaryIntrinsic(id, a()); };
    switch (i.op) {
      case Op::Variable: return {load(inputs_, i.a)};
      case Op::Local: return {load(work_, i.a)};
      case Op::Constant: return {constant(shape_.constants[i.a])};
      case Op::Neg: return {body_.CreateFNeg(a())};
      case Op::Add: return {body_.CreateFAdd(a(), b())};
      case Op::Sub: return {body_.CreateFSub(a(), b())};
      case Op::Mul: return {body_.CreateFMul(a(), b())};
      case Op::Div: return {body_.CreateFDiv(a(), b())};
      case Op::Sqrt: return {intrinsic(llvm::Intrinsic::sqrt)};
      case Op::Abs: return {intrinsic(llvm::Intrinsic::fabs)};
      case Op::Floor: return {intrinsic(llvm::Intrinsic::floor)};
      case Op::Ceil: return {intrinsic(llvm::Intrinsic::ceil)};
      case Op::Sign: {
        Value* const zero = number(0.0);
        Value* const negative = body_.CreateSelect(body_.CreateFCmpOLT(a(), zero), number(-1.0), a());
        return {body_.CreateSelect(body_.CreateFCmpOGT(a(), zero), number(1.0), negative)};
      }
      case Op::Min: return {extremum(Predicate::FCMP_OLT, a(), b())};
      case Op::Max: return {extremum(Predicate::FCMP_OGT, a(), b())};
      case Op::Less: return relation(Predicate::FCMP_OLT, i);
      case Op::LessEqual: return relation(Predicate::FCMP_OLE, i);
      case Op::Equal: return relation(Predicate::FCMP_OEQ, i);
      case Op::NotEqual: return relation(Predicate::FCMP_UNE, i);
      case Op::And: return {.truth = body_.CreateAnd(truth_of(i.a), truth_of(i.b))};
      case Op::Or: return {.truth = body_.CreateOr(truth_of(i.a), truth_of(i.b))};
      case Op::Not: return {.truth = body_.CreateNot(truth_of(i.a))};
      case Op::IfElse: return {body_.CreateSelect(truth_of(i.a), b(), number_of(i.c))};
      case Op::Call: return {call(shape_.calls[i.a])};
      case Op::Pow:
      case Op::Atan2: return {elementary(i.op, {a(), b()})};
      default: return {elementary(i.op, {a()})};
    }
  }

  void instructions() {
    const std::vector<std::uint32_t> partner = partners();
    registers_.resize(shape_.code.size());
    for (std::uint32_t n = 0; n < shape_.code.size(); ++n) {
      const Instruction& i = shape_.code[n];
      if (registers_[n].number) continue;  // together with its partner
      if (partner[n] == n) {
        registers_[n] = instruction(i);
        continue;
      }
      const auto [sine, cosine] = sine_and_cosine(number_of(i.a));
      registers_[n].number = i.op == Op::Sin ? sine : cosine;
      registers_[partner[n]].number = i.op == Op::Sin ? cosine : sine;
    }
  }

  // The sine that belongs to a cosine, and the cosine that belongs to a sine; any other instruction is its own partner.
  std::vector<std::uint32_t> partners() const {
    std::vector<std::uint32_t> partner(shape_.code.size());
    std::map<std::uint32_t, std::uint32_t> sines, cosines;  // by argument
    for (std::uint32_t n = 0; n < shape_.code.size(); ++n) {
      partner[n] = n;
      const Instruction& i = shape_.code[n];
      if (i.op == Op::Sin) sines.emplace(i.a, n);
      if (i.op == Op::Cos) cosines.emplace(i.a, n);
    }
    for (const auto& [argument, sine] : sines)
      if (const auto cosine = cosines.find(argument); cosine != cosines.end())
        partner[sine] = cosine->second, partner[cosine->second] = sine;
    return partner;
  }

  void results() {
    std::size_t destination = shape_.index_leaves();
    for (const Result& result : shape_.results)
      store(result.to_output ? outputs_ : work_, destination++, number_of(result.from));
  }

  llvm::Module& module_;
  const Shape& shape_;
  const std::int32_t width_;
  llvm::IRBuilder<> entry_, body_;
  llvm::Function* function_ = nullptr;
  llvm::Type* type_ = nullptr;
  Value *inputs_ = nullptr, *work_ = nullptr, *outputs_ = nullptr, *indices_ = nullptr, *constants_ = nullptr;
  Value *count_ = nullptr, *instance_ = nullptr;
  std::vector<Value*> starts_;  // by index column: where the current instances begin
  std::vector<Register> registers_;
};

}  // namespace

llvm::Function& emit_single(llvm::Module& module, const Shape& shape) { return Emitter(module, shape, false).single(); }

llvm::Function& emit_loop(llvm::Module& module, const Shape& shape) { return Emitter(module, shape, true).loop(); }

}  // namespace driftless
