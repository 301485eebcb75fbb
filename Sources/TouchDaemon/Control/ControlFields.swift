/// How requests and the heads of answers are written in a packet: words, with a zero byte between each two.
package enum ControlFields {
  /// In bytes; a packet that is longer is refused.
  package static let longest = 1 << 16

  package static func encode(_ words: [String]) -> [UInt8] {
    Array(words.joined(separator: "\0").utf8)
  }

  package static func decode(_ bytes: some Collection<UInt8>) -> [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
