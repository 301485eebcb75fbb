import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The programs that have a card open, to name the one that does not let others show anything.
enum KMSCardUsers {
  /// Another program shows its picture with the card.
  ///
  /// - Parameters:
  ///   - someone: what is known of it.
  ///   - cause: nil if the card was not asked, because another touchtree has its lock.
  static func isInUse(_ card: KMSCard, by someone: String = "another program", cause: Errno? = nil)
    -> DisplayError
  {
    let users = users(of: card)
    let who =
      users.isEmpty
      ? "\(someone) shows its picture there; as root touchtree can name it (ls -l /proc/*/fd | grep \(card.path))"
      : "\(users.joined(separator: ", ")) \(users.count == 1 ? "has" : "have") it"
    return DisplayError(
      .inUse, path: card.path,
      detail:
        "\(who). A card shows the pictures of one program at a time, on all its connectors: end that one, or give each a "
        + "virtual terminal of its own (--tty new), or use a display on another card",
      cause: cause)
  }

  /// `Xorg (pid 812)`: the master if the kernel names it, else every other program that has the card open and may be looked at.
  private static func users(of card: KMSCard) -> [String] {
    if let master = master(of: card) { return [master] }
    let own = "\(getpid())"
    return FileContents.names(in: "/proc").filter { $0 != own && $0.allSatisfy(\.isNumber) }
      .filter { process in
        FileContents.names(in: "/proc/\(process)/fd").contains {
          target(of: "/proc/\(process)/fd/\($0)") == card.path
        }
      }
      .map(program)
  }

  /// From debugfs, which only root can read: lines of command, pid, device number, master, and more. (`drm_clients_info`)
  private static func master(of card: KMSCard) -> String? {
    let number = card.name.dropFirst("card".count)
    guard let bytes = try? FileContents.read("/sys/kernel/debug/dri/\(number)/clients", upTo: 1 << 16) else {
      return nil
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
      // A command may have blanks, and newer kernels have more columns at the end.
      let words = line.split(separator: " ")
      let isFlag = { (word: Substring) in word == "y" || word == "n" }
      guard
        let index = words.indices.dropFirst(3).first(where: {
          isFlag(words[$0]) && words.indices.contains($0 + 1) && isFlag(words[$0 + 1])
        }), words[index] == "y", let process = Int(words[index - 2]), process != Int(getpid())
      else { continue }
      return program("\(process)")
    }
    return nil
  }

  private static func program(_ process: String) -> String {
    let bytes = (try? FileContents.read("/proc/\(process)/comm", upTo: 64)) ?? []
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return "\(name.isEmpty ? "a program" : name) (pid \(process))"
  }

  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink(link, buffer.baseAddress!, buffer.count)
      guard count > 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
    }
  }
}
