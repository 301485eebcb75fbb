import DispatchFuzzing
import Glibc
import SystemPackage
import TouchSystem

/// Changes files and lines at random: their bytes, their lines, their numbers, and with words that their
/// readers stumble over.
struct Mutation {
  let words: [[UInt8]]
  /// An input is cut at this length, in bytes.
  let longest: Int
  /// Whether it has lines and numbers.
  let isText: Bool

  init(_ words: [String], longest: Int = 1 << 17, isText: Bool = true) {
    self.words = (words + (isText ? Self.numbers : [])).map { Array($0.utf8) } + Self.noText
    self.longest = longest
    self.isText = isText
  }

  private static let numbers = [
    "-1", "0", "1e9", "1e308", "1e-320", "-0.0", "nan", "inf", "0x7f", "2147483648", "-2147483649",
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "99999999999999999999", "65536",
    "8193",
    "0.30000000000000004",
  ]

  /// Broken UTF-8, and what is no character.
  private static let noText: [[UInt8]] = [
    [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff, 0xfe], [0],
    [0x1b],
    [0xef, 0xbb, 0xbf], [0xc0, 0xaf],
  ]

  /// One to four changes, mostly one or two.
  func apply(to bytes: inout [UInt8], _ random: inout RandomSource) {
    let count = min(Int.random(in: 1...4, using: &random), Int.random(in: 1...4, using: &random))
    for _ in 0..<count where !bytes.isEmpty { change(&bytes, &random) }
    if bytes.count > longest { bytes.removeSubrange(longest...) }
  }

  private func change(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...24, using: &random))
    let word = random.pick(words)
    switch Int.random(in: 0..<24, using: &random) {
    case 0, 1: bytes.removeSubrange(place..<end)
    case 2, 3, 4: bytes.insert(contentsOf: word, at: place)
    case 5: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 6: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 7: bytes.removeSubrange(place...)
    case _ where !isText: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 8, 9: replaceLine(&bytes, from: place) { _ in word }
    case 10, 11: replaceLine(&bytes, from: place) { $0 + [0x0a] + $0 }
    case 12: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
    case 13:
      let copies = Int.random(in: 1...200, using: &random)
      bytes.insert(contentsOf: Array(repeating: bytes[place..<end], count: copies).joined(), at: place)
    case 14, 15, 16: replaceNumber(&bytes, with: word, from: place)
    default:
      let number = Int32.random(in: -9...70_000, using: &random)
      replaceNumber(&bytes, with: Array("\(number)".utf8), from: place)
    }
  }

  /// The next whole line becomes something else.
  private func replaceLine(_ bytes: inout [UInt8], from place: Int, with other: ([UInt8]) -> [UInt8]) {
    guard let start = bytes[place...].firstIndex(of: 0x0a), start + 1 < bytes.count else { return }
    let end = bytes[(start + 1)...].firstIndex(of: 0x0a) ?? bytes.count
    bytes.replaceSubrange(start + 1..<end, with: other(Array(bytes[start + 1..<end])))
  }

  private func replaceNumber(_ bytes: inout [UInt8], with word: [UInt8], from place: Int) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: word)
  }
}

extension RandomSource {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}

/// Files of the package: what is mutated.
public enum Corpus {
  /// The package's folder: where this file was compiled, or what `FUZZ_CORPUS` of the environment names.
  public static let package =
    getenv("FUZZ_CORPUS").map { String(cString: $0) }
    ?? String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined())

  /// Whether the package is there.
  public static var isThere: Bool { access("\(package)/config/touchtree.yaml", R_OK) == 0 }

  /// - Returns: paths of the files in a folder, by name.
  static func paths(in folder: String, endingIn suffix: String) -> [String] {
    guard let open = opendir(package + "/" + folder) else { return [] }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(suffix) { names.append(name) }
    }
    return names.sorted().map { "\(package)/\(folder)/\($0)" }
  }

  /// - Throws: `Errno`.
  static func bytes(_ path: String) throws -> [UInt8] { try FileContents.read(path, upTo: 1 << 24) }
}

/// Text whose errors have places.
enum SourceText {
  /// Returns the number of lines for YAML; a last one that is ended has none after it.
  static func lineCount(_ bytes: [UInt8]) -> Int {
    var count = 1
    var last: Unicode.Scalar = " "
    var isEnded = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isEnded, !(last == "\r" && scalar == "\n") { count += 1 }
      isEnded = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
      last = scalar
    }
    return count
  }

  /// Whether every character is one that a terminal shows, or a line's end.
  static func isShown(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isShown } }
}
