import Glibc
import Logging
import TouchConfig
import TouchExpressions
import TouchJSON
import TouchSystem
import TouchViews

/// The values with `keep: true`, in a file for each configuration. It is replaced at most once a second.
final class KeptValues {
  private let file: StateFile
  private let host: Host
  private let log: Logger
  /// The reason why the values were not written, which is logged once; nil if they were.
  private(set) var problem: String?

  /// The text in the file of each value, by name. A value that is too long keeps its previous text.
  private var written: [String: String] = [:]
  private var tooLong: [String] = []

  /// - Parameter file: the configuration's file.
  init(of file: String, _ host: Host, in loop: EventLoop, log: Logger) {
    let name = SavedConfiguration(of: file).name
    self.file = StateFile("\(Self.folder)/\(name).values.json", pause: 1000, in: loop, log: log)
    (self.host, self.log) = (host, log)
    self.file.write = { [weak self] in self?.write() }
  }

  var path: String { file.path }

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
    guard values.declarations.contains(where: \.isKept),
      let members = file.read("kept values", otherwise: "those of the file count")?.members
    else { return }
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
      if let self, let values, values.declarations[place].isKept { file.changed() }
    }
  }

  func finish() { file.finish(isForced: problem != nil) }

  private func write() {
    let kept = KeptText(
      values.declarations.enumerated().filter(\.element.isKept).map { (name: $1.name, value: values[$0]) },
      before: written, longest: StateFile.longest)
    if kept.tooLong != tooLong, !kept.tooLong.isEmpty {
      log.warning(
        """
        \(path): not kept, since all kept values together have at most \(StateFile.longest >> 20) MiB: \
        \(kept.tooLong.map(\.escaped).joined(separator: ", ")); what was kept of them before stays; have them hold less
        """)
    }
    tooLong = kept.tooLong
    do throws(SystemError) {
      try file.replace(with: kept.bytes)
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
