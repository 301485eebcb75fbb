import Glibc
import SystemPackage
import TouchJSON
import TouchSystem

/// The messages of the Language Server Protocol on two descriptors, each behind its length.
struct MessageStream {
  private let input: FileDescriptor
  private let output: FileDescriptor
  private var bytes: [UInt8] = []
  /// The bytes of `bytes` that were read as messages.
  private var taken = 0

  /// The longest message that is read, in bytes: a file of the greatest length, with escapes.
  static let longest = 64 << 20
  /// The longest head of a message, in bytes.
  private static let longestHead = 4096

  init(input: FileDescriptor, output: FileDescriptor) { (self.input, self.output) = (input, output) }

  /// Whether more can be read without waiting.
  var hasMore: Bool {
    if taken < bytes.count { return true }
    var descriptor = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Waits for the next message. Returns nil at the end of the input.
  ///
  /// - Throws: `Failure` for a head that is none, or a message that is too long: what follows cannot be
  ///   found.
  mutating func next() throws -> [UInt8]? {
    var length: Int?
    while length == nil {
      if let end = headEnd {
        length = try Self.length(in: bytes[taken..<end])
        taken = end
      } else if bytes.count - taken > Self.longestHead {
        throw Failure(
          "a message has a head of more than \(Self.longestHead) bytes; is this a language client?")
      } else if try !readMore() {
        return nil
      }
    }
    let end = taken + (length ?? 0)
    while bytes.count < end { if try !readMore() { return nil } }
    defer { taken = end }
    return Array(bytes[taken..<end])
  }

  /// The place behind the empty line that ends the head; nil if it is not there yet.
  private var headEnd: Int? {
    let end = Array("\r\n\r\n".utf8)
    let last = min(bytes.count, taken + Self.longestHead) - end.count
    guard last >= taken else { return nil }
    return (taken...last).first { bytes[$0..<$0 + end.count].elementsEqual(end) }.map { $0 + end.count }
  }

  private static func length(in head: ArraySlice<UInt8>) throws(Failure) -> Int {
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].drop { $0 == " " }
      guard let length = UInt32(digits), Int(length) <= longest else {
        throw Failure(
          "Content-Length is \(String(digits.prefix(40)).escaped); messages have at most \(longest) bytes")
      }
      return Int(length)
    }
    throw Failure(
      "a message has no Content-Length; `touchtree language-server` is for editors: see its manual page")
  }

  private mutating func readMore() throws -> Bool {
    if taken > 0 {
      bytes.removeFirst(taken)
      taken = 0
    }
    let count = bytes.count
    let room = 1 << 16
    bytes.append(contentsOf: repeatElement(0, count: room))
    var read = 0
    defer { bytes.removeLast(room - read) }
    read = try bytes.withUnsafeMutableBytes { try input.read(into: .init(rebasing: $0[count...])) }
    return read > 0
  }

  func send(_ fields: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter()
    writer.object {
      $0.field("jsonrpc", "2.0")
      fields(&$0)
    }
    let head = Array("Content-Length: \(writer.bytes.count)\r\n\r\n".utf8)
    _ = try output.writeAll(head + writer.bytes)
  }
}
