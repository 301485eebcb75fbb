import CYAML
import TouchCore

package struct YAMLEvent {
  package enum Kind {
    case documentStart
    case scalar(text: String, isPlain: Bool)
    case listStart, mappingStart, collectionEnd
    case alias(String)
    case streamEnd
  }

  package var kind: Kind
  package var place: SourceLocation
  /// The name after `&`, or nil.
  package var anchor: String?
  /// The tag as the standard resolves it, such as `tag:yaml.org,2002:str`.
  package var tag: String?
}

/// The owner of libyaml's parser. (`yaml_parser_t`.)
package struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeBufferPointer<UInt8>

  /// Parses UTF-8, with or without a mark, that outlives the parser; throws without memory.
  package init(_ input: UnsafeBufferPointer<UInt8>) throws(Diagnostic) {
    self.input = input
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw Diagnostic(place: .start, message: Self.outOfMemory)
    }
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Returns the next event until `streamEnd`, or throws fault, place and advice.
  package func next() throws(Diagnostic) -> YAMLEvent {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
      defer { yaml_event_delete(&event) }
      if let event = YAMLEvent(event) { return event }
    }
  }

  private func problem() -> Diagnostic {
    let parser = parser.pointee
    switch parser.error {
    case YAML_MEMORY_ERROR: return Diagnostic(place: SourceLocation(parser.mark), message: Self.outOfMemory)
    case YAML_READER_ERROR:
      return Diagnostic(
        place: SourceLocation(offset: parser.problem_offset, in: input),
        message: YAMLErrorText.reader(character: Int(parser.problem_value)))
    default:
      return YAMLErrorText(
        problem: text(parser.problem) ?? "", context: text(parser.context) ?? "",
        stop: SourceLocation(parser.problem_mark), start: SourceLocation(parser.context_mark),
        character: character(at: parser.problem_mark), previous: byte(before: parser.problem_mark),
        hiddenColor: hiddenColor(before: Int(parser.problem_mark.line) + 1)
      ).translated
    }
  }

  /// Returns the character at which the parser stopped; libyaml's marks count characters, not bytes.
  private func character(at mark: yaml_mark_t) -> Unicode.Scalar? {
    var decoder = UTF8()
    var bytes = input.makeIterator()
    var index = 0
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      if scalar == "\u{FEFF}" && index == 0 { continue }
      if index == mark.index { return scalar }
      index += 1
    }
    return nil
  }

  /// Returns the byte before a place in the same line, without blanks; nil at the start of a line.
  private func byte(before mark: yaml_mark_t) -> UInt8? {
    let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(Int(mark.line)) else { return nil }
    let line = String(decoding: lines[Int(mark.line)], as: UTF8.self).unicodeScalars.prefix(Int(mark.column))
    return line.reversed().first { $0 != " " && $0 != "\t" }.flatMap { UInt8(exactly: $0.value) }
  }

  /// Returns the place of the last colour without quotes up to a line: `{background: #112233}`.
  private func hiddenColor(before end: Int) -> SourceLocation? {
    var found: SourceLocation?
    for (index, line) in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .prefix(end).enumerated()
    {
      if let column = Self.hiddenColor(in: line) { found = SourceLocation(line: index + 1, column: column) }
    }
    return found
  }

  /// Returns the column of a comment that is a colour in the place of a value: after a `:`, `,` or `[`.
  private static func hiddenColor(in line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var quote: UInt8?
    var last = UInt8(ascii: "\n")
    var isAfterSpace = true
    for index in line.indices {
      let byte = line[index]
      let startsValue = last == UInt8(ascii: "[") || last == UInt8(ascii: "{") || last == UInt8(ascii: ",")
      if let open = quote {
        if byte == open { (quote, last) = (nil, byte) }
      } else if byte == UInt8(ascii: "#"), isAfterSpace || startsValue {
        let digits = line[(index + 1)...].prefix { Character(UnicodeScalar($0)).isHexDigit }
        guard [UInt8](":,[".utf8).contains(last), [3, 4, 6, 8].contains(digits.count) else { return nil }
        return SourceLocation(offset: index - line.startIndex, in: line).column
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        isAfterSpace || startsValue || last == byte
      {
        quote = byte
      }
      isAfterSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      if !isAfterSpace { last = byte }
    }
    return nil
  }

  /// Returns a text with JSON's `\ud83d\ude00` as YAML's `\U0001F600`; nil without such. (RFC 8259, 7)
  package static func joiningSurrogates(in bytes: [UInt8]) -> [UInt8]? {
    func half(_ place: Int, _ range: ClosedRange<UInt32>) -> UInt32? {
      guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
        bytes[place + 1] == UInt8(ascii: "u"),
        let code = UInt32(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
      else { return nil }
      return range.contains(code) ? code : nil
    }
    var (joined, place, isJoined) = ([UInt8](), 0, false)
    joined.reserveCapacity(bytes.count)
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\\") else {
        joined.append(bytes[place])
        place += 1
        continue
      }
      if let high = half(place, 0xd800...0xdbff), let low = half(place + 6, 0xdc00...0xdfff) {
        let code = String(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00), radix: 16)
        joined += "\\U\(String(repeating: "0", count: 8 - code.count))\(code)".utf8
        place += 12
        isJoined = true
      } else {
        // An escaped backslash begins nothing.
        joined += bytes[place..<min(place + 2, bytes.count)]
        place += 2
      }
    }
    return isJoined ? joined : nil
  }

  private static let outOfMemory = "there is not enough memory to read the file; free some and try again"
}

extension YAMLEvent {
  /// Makes an event of libyaml's; nil for those that are not used.
  fileprivate init?(_ event: yaml_event_t) {
    place = SourceLocation(event.start_mark)
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
    case YAML_ALIAS_EVENT: kind = .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      kind = .scalar(
        text: String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      (anchor, tag) = (text(scalar.anchor), text(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let list = event.data.sequence_start
      kind = .listStart
      (anchor, tag) = (text(list.anchor), text(list.tag))
    case YAML_MAPPING_START_EVENT:
      let mapping = event.data.mapping_start
      kind = .mappingStart
      (anchor, tag) = (text(mapping.anchor), text(mapping.tag))
    default: return nil
    }
  }
}

extension SourceLocation {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}

private func text(_ cString: UnsafePointer<CChar>?) -> String? { cString.map { String(cString: $0) } }

private func text(_ cString: UnsafeMutablePointer<yaml_char_t>?) -> String? {
  cString.map { String(cString: $0) }
}

extension Diagnostic {
  /// Finds the fault that keeps bytes from being the UTF-8 text that a parser needs; nil for none.
  package init?(encodingOf bytes: [UInt8]) {
    if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
      self.init(place: .start, message: "the file is UTF-16 text; save it as UTF-8")
      return
    }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      let offset = error.byteOffsets.lowerBound
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      self.init(
        place: SourceLocation(offset: offset, in: bytes),
        message: "the byte 0x\(byte) is not UTF-8 text; save the file as UTF-8")
    }
  }
}
