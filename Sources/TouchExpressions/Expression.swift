import TouchViews

/// An expression in braces, read and checked. It is computed whenever a value that it reads changes. The
/// nodes are an array in which each comes after its operands. Computing it is therefore a walk from the first
/// to the last, however deeply it is nested.
package struct Expression: Hashable, Sendable {
  /// The type of the result; null fits every type.
  package let type: ExpressionType
  /// The references that it reads, each once.
  package let references: [Reference]
  /// The text as it was written, without braces and format.
  package let source: String
  let nodes: [Node]

  init(_ source: String, type: ExpressionType, references: [Reference], nodes: [Node]) {
    (self.source, self.type, self.references, self.nodes) = (source, type, references, nodes)
  }

  /// A step of the computation. Operands are the indices of earlier nodes.
  enum Node: Hashable, Sendable {
    case constant(PropertyValue)
    case read(Int)
    case negative(Int)
    case not(Int)
    case binary(Operator, Int, Int)
    case conditional(Int, Int, Int)
    /// A call with as many operands as the function takes; the rest are -1.
    case call(Function, Int, Int, Int)
  }

  package var outcomes: [PropertyValue] {
    var (found, waiting): ([PropertyValue], [Int]) = ([], [nodes.count - 1])
    while let index = waiting.popLast() {
      switch nodes[index] {
      case .constant(let value): found.append(value)
      case .conditional(_, let yes, let no): waiting += [no, yes]
      default: break
      }
    }
    return found
  }

  /// The texts that can be its result, and those with which a longer result can begin, as they are written in
  /// it.
  package var beginnings: [(text: String, isWhole: Bool)] {
    var (found, waiting) = ([(text: String, isWhole: Bool)](), [(index: nodes.count - 1, isWhole: true)])
    while let (index, isWhole) = waiting.popLast() {
      switch nodes[index] {
      case .constant(.text(let text)): found.append((text, isWhole))
      case .conditional(_, let yes, let no): waiting += [(no, isWhole), (yes, isWhole)]
      case .binary(.plus, let left, _): waiting.append((left, false))
      default: break
      }
    }
    return found
  }

  /// The references of which its value is made, without those that it only compares or by which it chooses.
  package var content: [Reference] {
    var (found, waiting): ([Reference], [Int]) = ([], [nodes.count - 1])
    while let index = waiting.popLast() {
      switch nodes[index] {
      case .constant, .not: break
      case .read(let reference): found.append(references[reference])
      case .negative(let operand): waiting.append(operand)
      case .binary(let symbol, let left, let right): if symbol.isComputed { waiting += [left, right] }
      case .conditional(_, let yes, let no): waiting += [yes, no]
      case .call(_, let first, let second, let third): waiting += [first, second, third].filter { $0 >= 0 }
      }
    }
    return found
  }

  /// Returns the present value.
  /// - Parameter stack: the storage for the values of the nodes, which is reused.
  /// - Parameter read: returns the value of a reference, by its index in `references`.
  /// - Returns: null if a value is null, or not of the type that is needed.
  package func value(
    in stack: inout [PropertyValue], _ read: (Int) -> PropertyValue
  ) -> PropertyValue {
    // Most expressions are a single reference.
    if nodes.count == 1, case .read(let reference) = nodes[0] { return read(reference) }
    stack.removeAll(keepingCapacity: true)
    for node in nodes {
      let value: PropertyValue
      switch node {
      case .constant(let constant): value = constant
      case .read(let reference): value = read(reference)
      case .negative(let operand): value = stack[operand].number.map { .number(-$0) } ?? .null
      case .not(let operand): value = .flag(!stack[operand].isTrue)
      case .binary(let symbol, let left, let right): value = symbol.value(stack[left], stack[right])
      case .conditional(let condition, let yes, let no): value = stack[stack[condition].isTrue ? yes : no]
      case .call(let function, let first, let second, let third):
        let nothing = PropertyValue.null
        value = function.value(
          first < 0 ? nothing : stack[first], second < 0 ? nothing : stack[second],
          third < 0 ? nothing : stack[third])
      }
      stack.append(value)
    }
    return stack[stack.count - 1]
  }
}

extension PropertyValue {
  /// Whether the value is true. Null and values of other types are not.
  package var isTrue: Bool { self == .flag(true) }

  /// The number; nil for a value of another type.
  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The length of the texts in it, in bytes.
  var textLength: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .list(let items): items.reduce(0) { $0 + $1.textLength }
    case .map(let entries): entries.reduce(0) { $0 + $1.value.textLength }
    case .null, .flag, .number: 0
    }
  }

  /// The number, or null if it is not finite.
  static func finite(_ number: Double) -> PropertyValue { number.isFinite ? .number(number) : .null }
}

// MARK: Operators

extension Expression {
  enum Operator: String, Hashable, Sendable, CaseIterable {
    case or, and
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case moreOrEqual = ">="
    case less = "<"
    case more = ">"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
    case remainder = "%"

    /// The precedence; operators that bind tighter have a larger one.
    var precedence: Int {
      switch self {
      case .or: 1
      case .and: 2
      case .equal, .unequal, .lessOrEqual, .moreOrEqual, .less, .more: 4
      case .plus, .minus: 5
      case .times, .over, .remainder: 6
      }
    }

    /// Whether the value is made of the operands, and not only true or false.
    var isComputed: Bool { precedence > Self.less.precedence }

    /// The precedence of `not`, which binds tighter than `and`, and looser than a comparison.
    static let precedenceOfNot = 3

    func value(_ left: PropertyValue, _ right: PropertyValue) -> PropertyValue {
      switch self {
      case .or: return .flag(left.isTrue || right.isTrue)
      case .and: return .flag(left.isTrue && right.isTrue)
      case .equal: return .flag(left == right)
      case .unequal: return .flag(left != right)
      case .lessOrEqual, .moreOrEqual, .less, .more: return .flag(compares(left, right))
      case .plus, .minus, .times, .over, .remainder: return computed(left, right)
      }
    }

    /// Compares two numbers, or two texts by their letters. Other values are neither less nor more.
    private func compares(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
      func compares<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Bool {
        switch self {
        case .less: left < right
        case .more: left > right
        case .lessOrEqual: left <= right
        default: left >= right
        }
      }
      if case .number(let left) = left, case .number(let right) = right { return compares(left, right) }
      if case .text(let left) = left, case .text(let right) = right { return compares(left, right) }
      return false
    }

    private func computed(_ left: PropertyValue, _ right: PropertyValue) -> PropertyValue {
      if self == .plus, case .text(let left) = left, case .text(let right) = right {
        return left.utf8.count + right.utf8.count > Function.longestText ? .null : .text(left + right)
      }
      guard case .number(let left) = left, case .number(let right) = right else { return .null }
      switch self {
      case .plus: return .finite(left + right)
      case .minus: return .finite(left - right)
      case .times: return .finite(left * right)
      case .over: return right == 0 ? .null : .finite(left / right)
      default:
        // The result has the sign of the divisor, as for hours and days: -1 % 24 is 23.
        guard right != 0 else { return .null }
        let rest = left.truncatingRemainder(dividingBy: right)
        return .finite(rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest)
      }
    }
  }
}
