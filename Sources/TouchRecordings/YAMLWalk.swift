import TouchCore
import TouchYAML

/// Walks once through a recording's YAML. Each method takes the next value: a table would be large.
final class YAMLWalk {
  private(set) var place = SourceLocation.start
  private let parser: YAMLParser
  private var ahead: YAMLEvent?

  /// The deepest nesting of a skipped value: libinput writes three levels.
  private static let deepest = 64

  init(_ input: UnsafeBufferPointer<UInt8>) throws(Diagnostic) { parser = try YAMLParser(input) }

  /// Goes to the first value of the only document. Returns false when there is none.
  func start() throws(Diagnostic) -> Bool {
    guard case .documentStart = try next().kind else { return false }
    return true
  }

  /// Takes the end of the stream, which may not hold another document.
  func end() throws(Diagnostic) {
    let event = try next()
    guard case .streamEnd = event.kind else {
      throw Diagnostic(place: event.place, message: "a second document begins here; a recording is one")
    }
  }

  /// Takes a mapping: `body` gets each key and takes its value. Nothing at all counts as an empty mapping.
  func eachKey(of what: String, _ body: (String) throws(Diagnostic) -> Void) throws(Diagnostic) {
    let event = try next()
    if event.isNull { return }
    guard case .mappingStart = event.kind else { throw Self.wrong(event, what, is: "a mapping") }
    while true {
      let event = try next()
      switch event.kind {
      case .collectionEnd: return
      case .scalar(let key, isPlain: _): try body(key)
      default: throw Self.wrong(event, "a key of \(what)", is: "a text")
      }
    }
  }

  /// Takes a list: `body` takes each item. Nothing at all counts as an empty list.
  func eachItem(of what: String, _ body: () throws(Diagnostic) -> Void) throws(Diagnostic) {
    let event = try next()
    if event.isNull { return }
    guard case .listStart = event.kind else { throw Self.wrong(event, what, is: "a list") }
    while true {
      let event = try next()
      if case .collectionEnd = event.kind { return }
      ahead = event
      try body()
    }
  }

  func text(_ what: String) throws(Diagnostic) -> String {
    let event = try next()
    guard case .scalar(let text, isPlain: _) = event.kind else { throw Self.wrong(event, what, is: "a text") }
    return text
  }

  func number<Number: FixedWidthInteger>(
    _ what: String, in range: ClosedRange<Number> = Number.min...Number.max
  ) throws(Diagnostic) -> Number {
    let event = try next()
    guard case .scalar(let text, isPlain: true) = event.kind else {
      throw Self.wrong(event, what, is: "a number")
    }
    return try number(in: text, what, range)
  }

  func number<Number: FixedWidthInteger>(
    in text: String, _ what: String, _ range: ClosedRange<Number>
  ) throws(Diagnostic) -> Number {
    guard let number = Number(text), range.contains(number) else {
      throw Diagnostic(
        place: place,
        message: "\(what) is \"\(text.escaped)\", not a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  func skip() throws(Diagnostic) {
    var depth = 0
    repeat {
      let event = try next(allowingAliases: true)
      switch event.kind {
      case .listStart, .mappingStart: depth += 1
      case .collectionEnd: depth -= 1
      case .scalar, .alias: break
      case .documentStart, .streamEnd: throw Self.wrong(event, "the value", is: "there")
      }
      guard depth <= Self.deepest else {
        throw Diagnostic(
          place: event.place, message: "lists and mappings are nested too deep for a recording")
      }
    } while depth > 0
  }

  private func next(allowingAliases: Bool = false) throws(Diagnostic) -> YAMLEvent {
    if let event = ahead.take() { return event }
    let event = try parser.next()
    place = event.place
    if case .alias = event.kind, !allowingAliases {
      throw Diagnostic(place: place, message: "an alias stands here; no recorder writes one")
    }
    return event
  }

  private static func wrong(_ event: YAMLEvent, _ what: String, is expected: String) -> Diagnostic {
    let found =
      switch event.kind {
      case .scalar(let text, isPlain: _): text.isEmpty ? "nothing" : "\"\(text.escaped)\""
      case .listStart: "a list"
      case .mappingStart: "a mapping"
      case .alias: "an alias"
      case .documentStart, .collectionEnd, .streamEnd: "missing"
      }
    return Diagnostic(place: event.place, message: "\(what) is \(found), not \(expected)")
  }
}

extension YAMLEvent {
  fileprivate var isNull: Bool {
    if case .scalar("", isPlain: true) = kind { return true }
    if case .scalar("null", isPlain: true) = kind { return true }
    if case .scalar("~", isPlain: true) = kind { return true }
    return false
  }
}
