import Glibc
import SystemPackage
import TouchConfig
import TouchHandlers
import TouchInspection
import TouchJSON
import TouchSystem

/// The program behind `touchtree push`: sends a panel to a board, which checks it and shows it.
///
/// On the board, a folder has what was sent in a folder of its own, and a link `shown` to it that is replaced
/// at once. The file that the board's daemon shows includes the panel through that link; the first time it is
/// written so, and the one before is kept beside it.
package final class Push {
  package struct Settings {
    package var host: String
    package var file: String
    /// ssh and its options.
    package var ssh = ["ssh"]
    /// The folder on the board; nil for the usual one.
    package var folder: String?

    package init(host: String, file: String) { (self.host, self.file) = (host, file) }
  }

  package let board: Board
  /// Gets the lines that are printed.
  private let report: (String) -> Void
  /// The file's name in its folder, which is the working folder.
  private let name: String
  /// The folder on the board.
  private let folder: String
  private var watch: ConfigurationWatch?
  /// Whether the board's daemon is known to include what is sent.
  private var isIncluded = false

  /// Connects to the board, and enters the folder of the file.
  /// - Throws: `Failure`, `SystemError`.
  package init(_ settings: Settings, report: @escaping (String) -> Void) throws {
    self.report = report
    let path = FilePath(settings.file)
    name = path.lastComponent?.string ?? settings.file
    let place = path.removingLastComponent().string
    if !place.isEmpty, chdir(place) != 0 {
      throw ConfigurationError.unreadable(path: settings.file, cause: Errno(rawValue: errno))
    }
    do throws(Errno) {
      _ = try FileContents.read(name, upTo: 1, waits: false)
    } catch {
      throw ConfigurationError.unreadable(path: settings.file, cause: error)
    }
    board = try Board(settings.host, ssh: settings.ssh)
    let usual =
      "test $(id -u) = 0 && echo /var/lib/touchtree-push || echo ~/.local/share/touchtree-push"
    let wanted = settings.folder.map { "echo \(Self.quoted($0))" } ?? usual
    let answer = try board.run("umask 022; d=$(\(wanted)); mkdir -p \"$d\" && cd \"$d\" && pwd")
    guard answer.status == 0, let folder = answer.lines.last else {
      throw Failure(.unavailable, lines: answer.lines.map { "\(settings.host): \($0)" })
    }
    self.folder = folder
  }

  /// Sends the panel once.
  /// - Throws: `ConfigurationError` if the file has errors, `Failure` if the board does not show it.
  package func push() throws {
    let configuration = try Configuration.load(path: name)
    for warning in configuration.warnings { report("\(warning)") }
    let files = try PanelFiles(of: configuration)
    try? watch?.follow(name, others: files.others)
    let new = "files.\(AccessToken().text.prefix(12))"
    let panel = Self.quoted("\(new)/\(files.panel)")
    let path = "\(folder)/shown/\(files.panel)"
    let receiving = """
      { mkdir \(new) && head -c \(files.archive.bytes.count) | tar -xf - -C \(new) && touchtree check \(panel) \
      || { rm -rf \(new); (exit 65); }; }
      """
    // A message names files as they are called here.
    func run(_ line: String, reading data: [UInt8] = []) throws -> Int32 {
      let answer = try board.run(line, reading: data)
      for line in answer.lines { report("\(board.host): \(line.replacing(new + "/", with: ""))") }
      return answer.status
    }
    var status: Int32
    if isIncluded {
      status = try run("\(receiving) && { \(Self.showing(new)); }", reading: files.archive.bytes)
    } else {
      status = try run(receiving, reading: files.archive.bytes)
      if status == 0 {
        try include(path)
        status = try run(Self.showing(new))
      }
    }
    switch status {
    case 0: report("\(board.host) shows \(name)")
    case ExitStatus.unavailable.rawValue:
      report("\(board.host) has the files, and no touchtree runs there; type there: touchtree run \(path)")
    default: throw Failure(.badConfiguration, "\(board.host) does not take \(name); what it shows stays")
    }
  }

  /// Returns the command that makes the link lead to new files, and has the daemon read them. What the daemon
  /// refuses is taken back. Without a daemon the files stay.
  private static func showing(_ new: String) -> String {
    """
    old=$(readlink shown); ln -s \(new) next && mv -T next shown && touchtree ctl reload; s=$?; \
    if test $s = 0 || test $s = 69; then test -z "$old" || rm -rf "$old"; \
    else if test -n "$old"; then ln -s "$old" next && mv -T next shown && touchtree ctl reload; else rm shown; fi; \
    rm -rf \(new); fi; (exit $s)
    """
  }

  /// Has the file that the board's daemon shows include the panel, unless it does.
  private func include(_ path: String) throws {
    guard !isIncluded else { return }
    let answer = try board.run("touchtree ctl stats --json")
    guard answer.status == 0, let line = answer.lines.last, let stats = try? JSONReader.read(line),
      let file = stats["configuration"]?["file"]?.text
    else { return }
    let (shown, kept) = (Self.quoted(file), Self.quoted(file + ".before-push"))
    let lines = [
      "# `touchtree push` shows these files. What was here is in \(file).before-push.", "version: 1",
      "include: [\(path.inYAMLQuotes)]",
    ]
    let text = lines.map(Self.quoted).joined(separator: " ")
    let written = try board.run(
      """
      f=$(readlink -f \(shown)); case "$f" in \(Self.quoted(folder))/*) exit=0;; *) grep -qF \(Self.quoted(path)) "$f" || \
      { cp -p "$f" \(kept) && printf '%s\\n' \(text) >"$f.new" && mv "$f.new" "$f"; };; esac
      """)
    guard written.status == 0 else {
      throw Failure(
        .notPermitted,
        lines: written.lines.map { "\(board.host): \($0)" } + [
          "\(file) on \(board.host) cannot be written; push as root, or put this line into it: \(lines[2])"
        ])
    }
    isIncluded = true
  }

  /// A word for a shell.
  private static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

  // MARK: Saves

  /// Sends the panel, and goes on until a signal ends it.
  /// - Parameters:
  ///   - watches: whether to send it again at each save.
  ///   - previews: whether to show the board's screen in a browser, and print the address of the page.
  ///   - onFailure: gets what is wrong with a save; the next one is awaited.
  /// - Throws: `Failure`, `SystemError` if it cannot go on.
  package func stay(
    watching watches: Bool, previewing previews: Bool, onFailure: @escaping (any Error) -> Void
  ) throws {
    let preview = previews ? try Preview(Preview.Settings(.board(board))) : nil
    let loop = try preview?.loop ?? EventLoop()
    let push = { [weak self] in
      do {
        try self?.push()
      } catch {
        onFailure(error)
      }
    }
    if watches {
      let watch = try ConfigurationWatch(in: loop)
      watch.onChange = push
      try watch.follow(name, others: [])
      self.watch = watch
    }
    push()
    if let preview {
      try preview.announce(opening: false)
      return try preview.run()
    }
    let endSignals = try EndSignals(logHead: "touchtree")
    try loop.watch(endSignals.descriptor) {
      endSignals.take()
      loop.stop()
    }
    try loop.run()
  }
}
