import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The programs that have a card open. They name the one that keeps others from showing anything.
enum KMSCardUsers {
  /// Returns the error for a card that another program has.
  /// - Parameters:
  /// - someone: a description of that program.
  ///   - cause: nil if the card was not asked, because another touchtree has its lock.
  static func isInUse(_ card: KMSCard, by someone: String = "another program", cause: Errno? = nil)
    -> DisplayError
  {
    DisplayError(.inUse, path: card.path, detail: "\(who(has: card, or: someone)). \(advice)", cause: cause)
  }

  static let advice =
    "A card shows the pictures of one program at a time, on all its connectors: end that one, or give each a "
    + "virtual terminal of its own (--tty new), or use a display on another card"

  static func who(has card: KMSCard, or someone: String = "another program") -> String {
    let users = names(
      master: master(of: card), holders: holders(of: card.path),
      sessions: LoginSession.holding(card.number, among: LoginSession.all()))
    return users.isEmpty
      ? "\(someone) shows its picture there; as root touchtree can name it (ls -l /proc/*/fd | grep \(card.path))"
      : "\(users.joined(separator: ", ")) \(users.count == 1 ? "has" : "have") it"
  }

  struct Program: Equatable {
    let process: Int
    /// The process that started this one; nil if unknown.
    var parent: Int?
    let name: String

    var text: String { "\(name.isEmpty ? "a program" : name) (pid \(process))" }
  }

  /// Programs that open cards for compositors. The kernel names them as masters. (`drm_file_update_pid`)
  private static let seatManagers: Set = [
    "systemd-logind", "elogind", "elogind-daemon", "seatd", "weston-launch",
  ]

  /// Returns the programs that show something, by the kernel's master, the programs that this user may know
  /// to have the card open, and systemd-logind's sessions, the visible one first.
  static func names(master: Program?, holders: [Program], sessions: [LoginSession]) -> [String] {
    if let master, !seatManagers.contains(master.name) { return [master.text] }
    let others = holders.filter { !seatManagers.contains($0.name) }
    // A program that a compositor starts may inherit the card or be given it.
    let first = others.filter { other in !others.contains { $0.process == other.parent } }
    if !first.isEmpty { return first.map(\.text) }
    if let session = sessions.first { return [session.text] }
    return (master.map { [$0] } ?? holders).map(\.text)
  }

  // MARK: Programs

  /// Returns whether another program is known to have a card open, without opening it: closing it as the last
  /// program would bring the console. (`drm_lastclose`)
  static func isHeld(_ card: String) -> Bool {
    let sessions = KMSCard.status(of: card).map { node in
      LoginSession.holding(KMSCard.number(node), among: LoginSession.all())
    }
    return !holders(of: card).isEmpty || sessions?.isEmpty == false
  }

  private static func holders(of card: String) -> [Program] {
    let own = "\(getpid())"
    return FileContents.names(in: "/proc").filter { $0 != own && $0.allSatisfy(\.isNumber) }
      .filter { process in
        FileContents.names(in: "/proc/\(process)/fd").contains {
          SymbolicLink.target(of: "/proc/\(process)/fd/\($0)") == card
        }
      }
      .compactMap { Int($0).map(program) }
  }

  /// Returns the master by debugfs, which only root can read.
  private static func master(of card: KMSCard) -> Program? {
    let number = card.name.dropFirst("card".count)
    guard let bytes = try? FileContents.read("/sys/kernel/debug/dri/\(number)/clients", upTo: 1 << 16) else {
      return nil
    }
    return master(in: String(decoding: bytes, as: UTF8.self), except: Int(getpid())).map(program)
  }

  /// Returns the master in lines of command, pid, device number, master, and more. (`drm_clients_info`)
  static func master(in clients: String, except own: Int) -> Int? {
    for line in clients.split(separator: "\n").dropFirst() {
      // A command may contain blanks, and newer kernels have more columns at the end.
      let words = line.split(separator: " ")
      let isFlag = { (word: Substring) in word == "y" || word == "n" }
      guard
        let index = words.indices.dropFirst(3).first(where: {
          isFlag(words[$0]) && words.indices.contains($0 + 1) && isFlag(words[$0 + 1])
        }), words[index] == "y", let process = Int(words[index - 2]), process != own
      else { continue }
      return process
    }
    return nil
  }

  private static func program(_ process: Int) -> Program {
    let name = (try? FileContents.read("/proc/\(process)/comm", upTo: 64)) ?? []
    let status = (try? FileContents.read("/proc/\(process)/status", upTo: 1 << 12)) ?? []
    let parent = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("PPid:") }?.split(separator: "\t").last
    return Program(
      process: process, parent: parent.flatMap { Int($0) },
      name: String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

enum SymbolicLink {
  /// Returns the target; nil if the path is no link or may not be read. (readlink(2))
  static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = readlink(link, buffer.baseAddress!, buffer.count)
      guard count > 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
    }
  }
}

/// A session of systemd-logind or elogind: the user who has logged in, and the devices that the session was
/// given. Every user can read it, as libsystemd does. (`sd_session_get_type(3)` and its relatives)
struct LoginSession {
  private let fields: [String: String]

  /// - Parameter text: the text of the session's file in `/run/systemd/sessions`: lines of `NAME=value`.
  init(_ text: String) {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      fields[String(line[..<equals])] = line[line.index(after: equals)...].filter { $0 != "\"" }
    }
    self.fields = fields
  }

  static func all() -> [LoginSession] {
    let folder = "/run/systemd/sessions"
    // The folder also has a pipe for each session.
    return FileContents.names(in: folder).filter { !$0.hasSuffix(".ref") }.compactMap { name in
      (try? FileContents.read("\(folder)/\(name)", upTo: 1 << 16, waits: false)).map {
        LoginSession(String(decoding: $0, as: UTF8.self))
      }
    }
  }

  /// Returns the sessions that were given a device such as `226:0`, the visible one first.
  static func holding(_ device: String, among sessions: [LoginSession]) -> [LoginSession] {
    let holding = sessions.filter { $0["DEVICES"].split(separator: " ").contains { $0 == device } }
    return holding.filter(\.isActive) + holding.filter { !$0.isActive }
  }

  private subscript(name: String) -> String { fields[name] ?? "" }

  private var isActive: Bool { self["ACTIVE"] == "1" }

  /// A description such as `labwc, a Wayland session of pi (lightdm, pid 812)`: with that process it ends.
  var text: String {
    let kind =
      switch self["TYPE"] {
      case "wayland": "a Wayland session"
      case "x11": "an X session"
      default: "a session"
      }
    let desktop = self["DESKTOP"].isEmpty ? "" : "\(self["DESKTOP"]), "
    let leader = [self["SERVICE"], self["LEADER"].isEmpty ? "" : "pid \(self["LEADER"])"].filter {
      !$0.isEmpty
    }
    return desktop + kind + (self["USER"].isEmpty ? "" : " of \(self["USER"])")
      + (leader.isEmpty ? "" : " (\(leader.joined(separator: ", ")))")
  }
}
