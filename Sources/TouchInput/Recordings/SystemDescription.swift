import Glibc

/// What a recording says of the computer that it was made on.
package struct SystemDescription: Hashable, Sendable {
  /// Distribution and version: `debian:12`. (`os-release(5)`.)
  package var os: String
  /// The kernel's release. (`uname(2)`.)
  package var kernel: String
  /// The board's identity; "unknown" where there is no DMI.
  package var dmi: String

  package init(os: String, kernel: String, dmi: String) {
    self.os = os
    self.kernel = kernel
    self.dmi = dmi
  }

  /// This computer.
  package static var current: SystemDescription {
    SystemDescription(
      os: os(in: firstLines(of: "/etc/os-release") ?? firstLines(of: "/usr/lib/os-release") ?? []),
      kernel: kernelRelease, dmi: firstLines(of: "/sys/class/dmi/id/modalias")?.first ?? "unknown")
  }

  private static var kernelRelease: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "unknown" }
    return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  static func os(in lines: [String]) -> String {
    func value(_ key: String) -> String {
      guard let line = lines.first(where: { $0.hasPrefix(key + "=") }) else { return "unknown" }
      return String(line.dropFirst(key.count + 1).filter { $0 != "\"" && $0 != "'" })
    }
    return "\(value("ID")):\(value("VERSION_ID"))"
  }

  private static func firstLines(of path: String) -> [String]? {
    guard let bytes = try? RecordingFile.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
