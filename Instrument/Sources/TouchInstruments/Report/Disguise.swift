import Glibc
import TouchInput

/// Removes serial numbers, hardware addresses, names of user and computer, and the home folder.
struct Disguise {
  /// The words with their replacements, the longest first.
  private var replacements: [(secret: String, mask: String)] = []

  /// The shortest word to replace. A shorter one would be found inside other words.
  private static let shortest = 4
  /// The texts before a serial number, which reaches to the end of a word.
  private static let serialKeys = [
    "ID_SERIAL=", "ID_SERIAL_SHORT=", "ID_USB_SERIAL=", "ID_USB_SERIAL_SHORT=", "SerialNumber: ", "serialno=",
    "serial=",
  ]

  /// Removes devices' serial numbers, and further words by replacements.
  init(devices: [DeviceDescription], names: [(secret: String, mask: String)]) {
    replacements =
      (devices.map { ($0.uniq, "(serial number)") } + names).filter { $0.0.utf8.count >= Self.shortest }
      .sorted { $0.0.utf8.count > $1.0.utf8.count }
  }

  static func namesHere() -> [(secret: String, mask: String)] {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    var host = [CChar](repeating: 0, count: 256)
    let hasHost = gethostname(&host, host.count - 1) == 0
    let hostName = hasHost ? String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) : ""
    let home = variable("HOME")
    return [
      (home == "/root" ? "" : home, "~"), (variable("SUDO_USER"), "(user)"), (variable("USER"), "(user)"),
    ]
    .filter { $0.0 != "root" } + [(hostName == "localhost" ? "" : hostName, "(computer)")]
  }

  func apply(to line: String) -> String {
    var line = line
    for (secret, mask) in replacements { line = Self.replace(secret, in: line, by: mask) }
    for key in Self.serialKeys { line = Self.maskValue(after: key, in: line) }
    return Self.maskAddresses(in: line)
  }

  private static func replace(_ secret: String, in line: String, by mask: String) -> String {
    guard line.utf8.count >= secret.utf8.count, line.contains(secret) else { return line }
    return line.split(separator: secret, omittingEmptySubsequences: false).joined(separator: mask)
  }

  private static func maskValue(after key: String, in line: String) -> String {
    let parts = line.split(separator: key, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return line }
    let rest = parts[1].drop { $0 != " " && $0 != "\"" && $0 != "," }
    return parts[0] + key + "(serial number)" + rest
  }

  /// Masks addresses of network cards and Bluetooth devices: six pairs of hexadecimal digits with colons.
  private static func maskAddresses(in line: String) -> String {
    var bytes = Array(line.utf8)
    let length = 17
    func isHex(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
    func isAddress(at start: Int) -> Bool {
      (0..<length).allSatisfy { offset in
        let byte = bytes[start + offset]
        return offset % 3 == 2 ? byte == UInt8(ascii: ":") : isHex(byte)
      }
    }
    var start = 0
    while start + length <= bytes.count {
      if isAddress(at: start) {
        bytes.replaceSubrange(start..<(start + length), with: Array("(address)".utf8))
      }
      start += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
