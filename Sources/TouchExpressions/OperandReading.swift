import TouchViews

/// The operands: numbers, texts, names and calls of functions.
extension ExpressionReader {
  mutating func operand() throws(ExpressionError) -> Int {
    skipSpaces()
    guard let letter = peek() else { throw unexpected("here") }
    if letter == UInt8(ascii: "-") {
      place += 1
      let start = place
      let operand = try descend { (reader) throws(ExpressionError) in try reader.operand() }
      try require(.number, types[operand], at: start)
      if case .constant(.number(let number)) = nodes[operand], operand == nodes.count - 1 {
        nodes[operand] = .constant(.number(-number))
        return operand
      }
      return add(.negative(operand), .number)
    }
    if letter == UInt8(ascii: "(") {
      place += 1
      let inside = try descend { (reader) throws(ExpressionError) in try reader.conditional() }
      guard take(")") else {
        throw place < end ? unexpected("in the parentheses") : ExpressionError(place, "a \")\" is missing")
      }
      return inside
    }
    if letter == UInt8(ascii: "'") { return try text() }
    if letter.isDigit || letter == UInt8(ascii: ".") && (peek(1)?.isDigit ?? false) { return try numeral() }
    if letter.isOfName { return try word() }
    throw unexpected("here")
  }

  /// Reads a text between single quotes; two of them are one.
  mutating func text() throws(ExpressionError) -> Int {
    let start = place
    place += 1
    var letters: [UInt8] = []
    while let letter = peek() {
      place += 1
      if letter == UInt8(ascii: "'") {
        guard peek() == letter else {
          return add(.constant(.text(String(decoding: letters, as: UTF8.self))), .text)
        }
        place += 1
      }
      letters.append(letter)
    }
    throw ExpressionError(start, "the text has no second quote; write 'text', and '' for a quote in it")
  }

  private mutating func numeral() throws(ExpressionError) -> Int {
    let start = place
    while let letter = peek(), letter.isDigit || letter == UInt8(ascii: ".") { place += 1 }
    if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
      let sign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+") ? 2 : 1
      if peek(sign)?.isDigit ?? false {
        place += sign
        while let letter = peek(), letter.isDigit { place += 1 }
      }
    }
    let written = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let number = Double(written), number.isFinite, !(peek()?.isOfName ?? false) else {
      throw ExpressionError(start, "\"\(written)\" is no number; write one such as 21.5")
    }
    return add(.constant(.number(number)), .number)
  }

  /// Reads a word of the language, a function, a name, or `view.property`.
  private mutating func word() throws(ExpressionError) -> Int {
    let start = place
    if take(word: "not") {
      let inside = place
      let operand = try descend { (reader) throws(ExpressionError) in
        try reader.binary(above: Operator.precedenceOfNot)
      }
      try require(.flag, types[operand], at: inside + 1)
      return add(.not(operand), .flag)
    }
    if take(word: "true") { return add(.constant(.flag(true)), .flag) }
    if take(word: "false") { return add(.constant(.flag(false)), .flag) }
    if take(word: "null") { return add(.constant(.null), .null) }
    let name = longestName()
    if peek() == UInt8(ascii: "(") { return try call(name, at: start) }
    if peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false, !(peek(1)?.isDigit ?? true) {
      return try member(of: name, at: start)
    }
    if let node = try use(scope.resolve(name), at: start) { return node }
    if name == "now" { return reading(.now, .time) }
    throw ExpressionError(start, "nothing is called \"\(name)\"; \(scope.advice(for: name))")
  }

  private mutating func use(_ resolution: Resolution?, at start: Int) throws(ExpressionError) -> Int? {
    switch resolution {
    case .constant(let value)?: return add(.constant(value), ExpressionType(of: value))
    case .reads(let reference, let type)?: return reading(reference, type)
    case .unknown(let message)?: throw ExpressionError(start, message)
    case nil: return nil
    }
  }

  /// Takes a name. A `-` with a letter on both sides belongs to it, if such a name exists: `volume-text`.
  private mutating func longestName() -> String {
    let start = place
    var stop = place
    while stop < end, bytes[stop].isOfName || bytes[stop] == UInt8(ascii: "-") { stop += 1 }
    var candidate = stop
    while candidate > start {
      if bytes[candidate - 1] != UInt8(ascii: "-") {
        let name = String(decoding: bytes[start..<candidate], as: UTF8.self)
        guard name.contains("-") else { break }
        place = candidate
        if isKnown(name) { return name }
      }
      candidate -= 1
      while candidate > start, bytes[candidate] != UInt8(ascii: "-") { candidate -= 1 }
    }
    place = start
    while place < stop, bytes[place].isOfName { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func isKnown(_ name: String) -> Bool {
    guard peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false else { return scope.resolve(name) != nil }
    return scope.resolve(name, "id") != nil
  }

  /// Reads the part of a property: `font.size` of `title.font.size`.
  private mutating func member(of name: String, at start: Int) throws(ExpressionError) -> Int {
    let part = place + 1
    while peek() == UInt8(ascii: "."), peek(1)?.isOfName ?? false {
      place += 1
      while peek()?.isOfName ?? false { place += 1 }
    }
    let path = String(decoding: bytes[part..<place], as: UTF8.self)
    let resolution = scope.resolve(name, path)
    if case .unknown(let message)? = resolution { throw ExpressionError(part, message) }
    if let node = try use(resolution, at: start) { return node }
    throw ExpressionError(start, "no view has the id \"\(name)\"; \(scope.advice(for: name))")
  }

  /// Reads a view's id and a property, if they are the whole text. An id may have any characters, and need
  /// not look like a name then.
  mutating func wholeName() throws(ExpressionError) -> Int? {
    var stop = end
    while stop > place, bytes[stop - 1] == 0x20 { stop -= 1 }
    guard let dot = bytes[place..<stop].lastIndex(of: UInt8(ascii: ".")), dot > place, dot + 1 < stop,
      bytes[dot + 1..<stop].allSatisfy(\.isOfName), !bytes[dot + 1].isDigit
    else { return nil }
    let owner = String(decoding: bytes[place..<dot], as: UTF8.self)
    // A text that looks like a name is read, and reported, by the rest of the reader.
    guard !owner.utf8.allSatisfy(\.isOfName) || owner.utf8.first.map(\.isDigit) ?? false,
      let resolution = scope.resolve(owner, String(decoding: bytes[dot + 1..<stop], as: UTF8.self))
    else { return nil }
    defer { place = stop }
    if case .unknown(let message) = resolution { throw ExpressionError(dot + 1, message) }
    return try use(resolution, at: place)
  }

  // MARK: Functions

  private mutating func call(_ name: String, at start: Int) throws(ExpressionError) -> Int {
    place += 1
    if name == "now" {
      guard take(")") else { throw ExpressionError(place, "now takes nothing; write now") }
      return reading(.now, .time)
    }
    guard let function = Function(rawValue: name) else {
      let names = Function.allCases.map(\.rawValue) + ["now"]
      let help =
        Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        ?? "there are \(names.joined(separator: ", "))"
      throw ExpressionError(start, "there is no function \"\(name)\"; \(help)")
    }
    let arguments = try descend { (reader) throws(ExpressionError) in try reader.arguments(of: function) }
    let wanted = function.parameters.count
    guard arguments.count == wanted || function.takesMore && arguments.count > wanted else {
      throw ExpressionError(
        start,
        "\(name) is given \(arguments.count) value\(arguments.count == 1 ? "" : "s"); write \(function.signature)"
      )
    }
    // min(a, b, c) is min(min(a, b), c).
    guard function.takesMore else {
      let padded = arguments + [-1, -1]
      return add(.call(function, padded[0], padded[1], padded[2]), function.result)
    }
    return arguments.dropFirst().reduce(arguments[0]) { add(.call(function, $0, $1, -1), function.result) }
  }

  private mutating func arguments(of function: Function) throws(ExpressionError) -> [Int] {
    var arguments: [Int] = []
    guard !take(")") else { return arguments }
    let parameters = function.parameters
    repeat {
      skipSpaces()
      let start = place
      let argument = try conditional()
      let wanted = parameters[min(arguments.count, parameters.count - 1)]
      // A value that is a number already is left as it is.
      if function != .number || types[argument] != .number { try require(wanted, types[argument], at: start) }
      arguments.append(argument)
    } while take(",")
    guard take(")") else {
      throw place < end
        ? unexpected("in the call") : ExpressionError(place, "the call of \(function.rawValue) has no \")\"")
    }
    return arguments
  }
}
