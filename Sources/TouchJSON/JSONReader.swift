import CJansson
import TouchSystem

package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  case array([JSONValue])
  /// The members in the order in which they were written; no key is there twice.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  /// The member with this key; nil for none, and for a value that is no object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text; nil for a value of another type.
  package var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// The number; nil for a value of another type.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .boolean, .text, .array, .object: nil
    }
  }

  /// True or false; nil for a value of another type.
  package var boolean: Bool? {
    guard case .boolean(let flag) = self else { return nil }
    return flag
  }

  /// The members of an object; nil for a value of another type.
  package var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array; nil for a value of another type.
  package var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var json: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.string
  }
}

/// Reads one JSON object or array. (RFC 8259; libjansson) Hostile text is refused at no more cost than its
/// length: invalid UTF-8, duplicate keys, zeros, overflow, text behind, deep nesting. The error names the
/// column.
package enum JSONReader {
  /// The deepest nesting of arrays and objects. The library's own limit is 2048.
  package static let deepest = 32

  package static func read(_ text: UnsafeRawBufferPointer) throws(Failure) -> JSONValue {
    var error = json_error_t()
    guard
      let root = json_loadb(
        text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, size_t(JSON_REJECT_DUPLICATES),
        &error)
    else { throw Failure(error) }
    defer { json_decref(root) }
    return try value(root, depth: 1)
  }

  package static func read(_ text: String) throws(Failure) -> JSONValue {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try read(bytes) } }
    return try result.get()
  }

  private static func value(
    _ node: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(Failure) -> JSONValue {
    switch node.pointee.type {
    case JSON_TRUE: return .boolean(true)
    case JSON_FALSE: return .boolean(false)
    case JSON_INTEGER: return .integer(Int(json_integer_value(node)))
    case JSON_REAL: return .real(json_real_value(node))
    case JSON_STRING: return .text(text(json_string_value(node), json_string_length(node)))
    case JSON_ARRAY:
      try check(depth)
      var elements: [JSONValue] = []
      elements.reserveCapacity(json_array_size(node))
      for index in 0..<json_array_size(node) {
        if let element = json_array_get(node, index) { elements.append(try value(element, depth: depth + 1)) }
      }
      return .array(elements)
    case JSON_OBJECT:
      try check(depth)
      return .object(try members(node, depth: depth))
    default: return .null
    }
  }

  private static func members(
    _ node: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(Failure) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    members.reserveCapacity(json_object_size(node))
    var next = json_object_iter(node)
    while let current = next {
      if let member = json_object_iter_value(current) {
        let key = text(json_object_iter_key(current), json_object_iter_key_len(current))
        members.append(JSONValue.Member(key, try value(member, depth: depth + 1)))
      }
      next = json_object_iter_next(node, current)
    }
    return members
  }

  private static func check(_ depth: Int) throws(Failure) {
    guard depth <= deepest else { throw Failure(.badRecording, "nested deeper than \(deepest) levels") }
  }

  /// Returns a text, which the library has checked to be UTF-8.
  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }
}

extension Failure {
  fileprivate init(_ error: json_error_t) {
    var error = error
    let reason = withUnsafeBytes(of: &error.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(.badRecording, error.position > 0 ? "column \(error.position): \(reason)" : reason)
  }
}
