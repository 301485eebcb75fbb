import SystemPackage
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// The files that a value may name which was set from outside: that of a picture, or of a theme. Clients,
/// process handlers and MQTT set values, and the daemon opens files with its own rights. It opens what the
/// configuration names itself, and what lies in a folder of `files:`; nothing else is looked at.
package struct OpenedFiles: Hashable, Sendable {
  private var plainNames: Set<FilePath> = []
  /// Folders, with a slash at the end, and the letters with which an expression begins.
  package private(set) var beginnings: Set<String> = []

  /// The absolute paths of single files and folders.
  package var names: [String] { plainNames.map(\.string) }

  mutating func add(_ path: String) { plainNames.insert(FileContents.plain(path)) }

  /// Opens everything that begins with some letters: `covers/`, or `covers/large-`.
  mutating func add(beginning letters: String) {
    beginnings.insert(FileContents.plain(letters).string + (letters.hasSuffix("/") ? "/" : ""))
  }

  func allows(_ path: String) -> Bool {
    // A path ends at a zero, so it would name another file.
    guard !path.utf8.contains(0) else { return false }
    let plain = FileContents.plain(path)
    return plainNames.contains(plain) || beginnings.contains { plain.string.utf8.starts(with: $0.utf8) }
  }
}

extension Configuration {
  /// A path that was set from outside, as it is opened.
  /// - Parameter place: of what follows the path, if it stands in the file: the path is relative to that
  ///   file.
  /// - Returns: nil for a file that the configuration does not open.
  package func opened(_ path: String, from place: SourceLocation = .start) -> String? {
    [path, resolve(path, from: place)].first(where: files.allows)
  }

  package func opensTheme(_ name: String) -> Bool { !Self.isFile(theme: name) || files.allows(resolve(name)) }

  /// Whether a theme is a file, and not built in.
  package static func isFile(theme name: String) -> Bool { !Theme.names.contains(name) }

  /// Why a theme that was set from outside is not read.
  package static func refusal(ofTheme name: String) -> String {
    let meant = Suggestion.nearest(to: name, among: Theme.names).map { "did you mean \"\($0)\"? " } ?? ""
    return "the theme \"\(name.escaped)\" is not opened; \(meant)give dark, light, or a file that the "
      + "configuration names or has under \"files:\""
  }
}

extension ConfigurationReader {
  /// Reads `files:`, and opens the pictures and themes that stand in the file as they are.
  mutating func readFiles(_ value: Value?, in root: YAMLNode) {
    let listed = value.map { $0.node.isNull ? [] : $0.node.items ?? [$0.node] }
    for node in listed ?? [] {
      let item = Value(name: "a path of files", node: node, report: report)
      guard let path = item.nonEmptyText("give the path of a file or a folder") else { continue }
      let resolved = configuration.resolve(path, from: node.place)
      configuration.files.add(resolved)
      configuration.files.add(beginning: resolved.hasSuffix("/") ? resolved : resolved + "/")
    }
    var waiting = [root]
    while let node = waiting.popLast() {
      waiting += node.items ?? []
      for (key, value) in node.entries ?? [] {
        waiting.append(value)
        guard [ViewProperty.image.name, "theme"].contains(key.text) else { continue }
        let inner = value.entries?.first { ["path", "value"].contains($0.key.text) }
        open(writtenIn: inner?.value ?? value)
      }
    }
  }

  /// Opens what a text can become or begin with, before anything is filled in.
  private mutating func open(writtenIn node: YAMLNode) {
    guard let text = node.written, let formula = try? Formula(text, scope: NameCollector()) else { return }
    for (text, isWhole) in formula.beginnings { open(text, isWhole: isWhole, from: node.place) }
  }

  private mutating func open(_ text: String, isWhole: Bool = true, from place: SourceLocation) {
    guard !text.isEmpty else { return }
    let path = configuration.resolve(text, from: place)
    if isWhole { configuration.files.add(path) } else { configuration.files.add(beginning: path) }
  }

  /// Opens the picture of a view; reports one of a row that was set from outside, unless it is opened.
  mutating func openPicture(_ setting: ViewSetting, _ value: Value) {
    guard let path = setting.picturePath, !path.isEmpty else { return }
    if value.pathNode.isGiven {
      configuration.requireOpened(setting, value)
    } else {
      configuration.files.add(path)
    }
  }

  /// Opens what the values hold that pictures and the theme follow: what the file gives them at first, and
  /// what its steps set.
  mutating func openHeldFiles() {
    let steps = configuration.actions.flatMap(\.steps)
    for (path, _) in steps.flatMap(\.pictures) { configuration.files.add(path) }
    /// The values, and where each is read.
    var holders: [String: [SourceLocation]] = [:]
    if configuration.theme != nil { holders[Theme.valueName] = [.start] }
    for binding in configuration.bindings where binding.setting.isPath {
      let isNamed = openSources(of: binding.setting, from: binding.place, &holders)
      if !isNamed { warnOfUnopened(binding) }
    }
    for step in steps {
      for case .set(_, _, let computed) in step.step.all {
        for setting in computed where setting.isPath {
          _ = openSources(of: setting, from: step.place, &holders)
        }
      }
    }
    for declared in configuration.values {
      guard case .text(let text) = declared.initial else { continue }
      for place in holders[declared.name] ?? [] { open(text, from: place) }
    }
    // What a row fills in may have been set from outside.
    for step in steps where lists.isEmpty || step.place.instance == 0 {
      for case .setValue(let name, let content) in step.step.all {
        for place in holders[name] ?? [] { open(content, from: place) }
      }
    }
  }

  private mutating func open(_ content: BoundSetting.Content, from place: SourceLocation) {
    if case .constant(.text(let text)) = content { open(text, from: place) }
    for (text, isWhole) in content.formulas.flatMap(\.beginnings) {
      open(text, isWhole: isWhole, from: place)
    }
  }

  /// Opens the texts and the rows of the file that a path is read from, and notes the values.
  /// - Returns: whether the file names anything that the path can be.
  private mutating func openSources(
    of setting: BoundSetting, from place: SourceLocation, _ holders: inout [String: [SourceLocation]]
  ) -> Bool {
    var isNamed = setting.content.formulas.contains { $0.beginnings.contains { !$0.text.isEmpty } }
    for reference in setting.references {
      switch reference {
      case .value(let name), .parameter(let name):
        let isNew = holders[name] == nil
        holders[name, default: []].append(place)
        let followed = configuration.bindings.first { $0.target != .property && $0.view == name }
        if let followed {
          // Each once: a chain of them may meet again and again.
          guard isNew else { continue }
          open(followed.setting.content, from: followed.place)
          if openSources(of: followed.setting, from: followed.place, &holders) { isNamed = true }
          continue
        }
        let initial = configuration.values.first { $0.name == name }?.initial
        if case .text(let text)? = initial, !text.isEmpty { isNamed = true }
      case .string(let key):
        for texts in configuration.translations.texts.values { open(texts[key] ?? "", from: place) }
        isNamed = true
      case .row(let field):
        // Later they may have been set from outside.
        guard lists.isEmpty else { continue }
        let rows = configuration.views.lazy.compactMap(\.rows).first { $0.list == field.list }
        for case .text(let text) in rows?.column(field.name) ?? [] {
          open(text, from: place)
          isNamed = true
        }
      case .property, .sent, .now: break
      }
    }
    return isNamed
  }

  /// Nothing in the file says which pictures an expression can give, so none of them would be shown.
  private func warnOfUnopened(_ binding: Binding) {
    guard lists.isEmpty, configuration.files == OpenedFiles() else { return }
    report.add(
      .warning, at: binding.place,
      "\"\(binding.setting.content.source.escaped)\" can name any file, and only those are opened that the file names; "
        + "begin it with their folder, as in \"covers/{name}\", or open that: files: [covers]")
  }
}

extension Configuration {
  /// Reports a picture of a row that was set from outside, unless it is opened.
  func requireOpened(_ setting: ViewSetting, _ value: Value) {
    guard value.pathNode.isGiven else { return }
    do throws(PropertyError) {
      _ = try setting.opening { files.allows($0) ? $0 : nil }
    } catch {
      value.complain("\(error)")
    }
  }
}

extension Value {
  /// The path of a picture, which may be alone.
  fileprivate var pathNode: YAMLNode { part("path")?.value ?? node }
}

extension BoundSetting {
  fileprivate var isPath: Bool { property == .image && (part == nil || part == "path") }
}

extension Configuration.View.Rows {
  fileprivate func column(_ name: String) -> [PropertyValue] {
    names.firstIndex(of: name).map { column in values.map { $0[column] } } ?? []
  }
}
