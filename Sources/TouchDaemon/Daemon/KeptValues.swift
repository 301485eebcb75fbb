import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchExpressions
import TouchHandlers
import TouchJSON
import TouchSystem
import TouchViews

/// The values with `keep: true`, in a file for each configuration. It is replaced at most once a second.
final class KeptValues {
  let path: String
  private let host: Host
  private let loop: EventLoop
  private let log: Logger
  /// The timer for the next write; nil while the file is up to date.
  private var timer: Int?
  /// The reason why the values were not written, which is logged once; nil if they were.
  private(set) var problem: String?

  /// The time between two writes, in milliseconds.
  private static let pause = 1000
  /// The greatest length of the file, in bytes. A longer file was not written by touchtree.
  static let longest = 16 << 20
  /// The text in the file of each value, by name. A value that is too long keeps its previous text.
  private var written: [String: String] = [:]
  private var tooLong: [String] = []

  /// - Parameter file: the configuration's file.
  init(of file: String, _ host: Host, in loop: EventLoop, log: Logger) {
    path = "\(Self.folder)/\(SavedConfiguration(of: file).name).values.json"
    (self.host, self.loop, self.log) = (host, loop, log)
  }

  /// The folder for state: the service manager's, else the system's for root and `XDG_STATE_HOME` for others.
  private static var folder: String {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let folders = variable("STATE_DIRECTORY"), let first = folders.split(separator: ":").first {
      return String(first)
    }
    if geteuid() == 0 { return "/var/lib/touchtree" }
    let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" } ?? "/var/lib"
    return "\(state)/touchtree"
  }

  private var values: NamedValues { host.bindings.values }

  func load() {
    guard values.declarations.contains(where: \.isKept) else { return }
    FileContents.removeRemainders(of: path)
    let bytes: [UInt8]
    do {
      try FileTrust.ofRoot?.check(path)
      bytes = try FileContents.read(path, upTo: Self.longest, waits: false)
    } catch let error as Errno where error == .noSuchFileOrDirectory {
      return
    } catch {
      return log.warning("\(path): kept values cannot be read, so those of the file count: \(error)")
    }
    guard let members = bytes.withUnsafeBytes({ try? JSONReader.read($0) })?.members else {
      return log.warning(
        "\(path): the kept values are damaged, so those of the file count; the next change replaces them")
    }
    for member in members {
      // A value that is not kept any more, or has another type, comes from the configuration.
      guard let place = values.place(of: member.key), values.declarations[place].isKept else { continue }
      written[member.key] = member.value.json
      do throws(PropertyError) {
        try host.setValues([PropertyValue.Entry(key: member.key, value: PropertyValue(member.value))])
      } catch {
        log.warning("\(path): \(error); the value of the file counts")
      }
    }
  }

  /// Follows changes of the shown tree's values from now on.
  func follow() {
    let values = values
    guard values.declarations.contains(where: \.isKept) else { return }
    values.observe(self) { [weak self, weak values] place in
      guard let self, let values, values.declarations[place].isKept, timer == nil else { return }
      timer = loop.addTimer(milliseconds: Self.pause, repeats: false, as: .later) { [weak self] in
        self?.timer = nil
        self?.write()
      }
    }
  }

  /// Writes pending values, and those that could not be written before.
  func finish() {
    guard timer != nil || problem != nil else { return }
    if let timer { loop.cancelTimer(timer) }
    timer = nil
    write()
  }

  private func write() {
    let kept = KeptText(
      values.declarations.enumerated().filter(\.element.isKept).map { (name: $1.name, value: values[$0]) },
      before: written, longest: Self.longest)
    if kept.tooLong != tooLong, !kept.tooLong.isEmpty {
      log.warning(
        """
        \(path): not kept, since all kept values together have at most \(Self.longest >> 20) MiB: \
        \(kept.tooLong.map(\.escaped).joined(separator: ", ")); what was kept of them before stays; have them hold less
        """)
    }
    tooLong = kept.tooLong
    SavedConfiguration.makeFolder(of: path)
    do throws(SystemError) {
      try FileContents.replace(path, with: kept.bytes)
      written = kept.values
      problem = nil
    } catch {
      let isNew = problem == nil
      problem =
        "\(path): values are not kept: \(error); name a folder that touchtree may write to with STATE_DIRECTORY"
      if isNew, let problem { log.warning("\(problem)") }
    }
  }
}

/// The text of the file of kept values: an object with each of them.
struct KeptText {
  private(set) var values: [String: String] = [:]
  /// The values without room, the longest first. They keep their previous text.
  private(set) var tooLong: [String] = []
  private(set) var bytes: [UInt8] = []

  /// Makes the text of values in their order, up to a length in bytes, with their previous texts.
  init(_ current: [(name: String, value: PropertyValue)], before: [String: String], longest: Int) {
    for (name, value) in current {
      var json = JSONWriter()
      json.value(value)
      values[name] = String(decoding: json.bytes, as: UTF8.self)
    }
    bytes = text(of: current.map(\.name))
    let byLength = current.map(\.name).sorted { length(of: $0) > length(of: $1) }
    for name in byLength where bytes.count > longest {
      let old = before[name]
      guard old?.utf8.count ?? 0 < length(of: name) else { continue }
      values[name] = old
      tooLong.append(name)
      bytes = text(of: current.map(\.name))
    }
  }

  private func length(of name: String) -> Int { values[name]?.utf8.count ?? 0 }

  private func text(of names: [String]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for name in names {
        guard let value = values[name] else { continue }
        json.key(name)
        json.value(json: value)
      }
    }
    return json.bytes + [0x0A]
  }
}
