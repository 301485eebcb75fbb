import SystemPackage
import TouchConfig
import TouchCore
import TouchExpressions
import TouchInspection
import TouchPixels
import TouchSystem
import TouchViews

/// Performs a rehearsal, case by case.
package struct Rehearser {
  /// The result of one case.
  package struct Result: Sendable {
    package let name: String
    /// The first step that failed; nil if the case passed.
    package let failure: Diagnostic?
    /// The pictures to compare with that are missing.
    package let missing: [Diagnostic]
    /// The time that passed on the panel's clock, in seconds.
    package let seconds: Double
  }

  private let rehearsal: Rehearsal
  /// The path of the rehearsal's file.
  private let file: String
  private let configuration: Configuration
  /// The folder that gets all pictures; nil for none.
  package var folder: String?
  /// Whether the pictures to compare with are written, and not compared.
  package var records = false

  /// Reads a rehearsal and its panel.
  ///
  /// - Throws: `ConfigurationError`.
  package init(file: String) throws {
    self.file = file
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileContents.read(file, upTo: Configuration.largestFile + 1)
    } catch {
      throw ConfigurationError.unreadable(path: file, cause: error)
    }
    rehearsal = try Rehearsal(bytes, file: file)
    configuration = try Configuration.load(path: Configuration.path(rehearsal.panel, from: file))
  }

  /// Makes the folder for pictures if it is missing.
  /// - Throws: `SystemError` if it cannot be made.
  package static func makeFolder(_ path: String) throws { try PictureSeries.makeFolder(path) }

  /// The names of the cases, in their order.
  package var names: [String] { rehearsal.cases.map(\.name) }

  /// Performs one case, with a panel of its own.
  ///
  /// - Throws: errors of the machine, such as a picture that cannot be written.
  package func perform(_ index: Int) throws -> Result {
    let current = rehearsal.cases[index]
    let panel = try RehearsedPanel(configuration, size: rehearsal.size, start: rehearsal.start)
    var (failure, missing, seconds): (Diagnostic?, [Diagnostic], Double) = (nil, [], 0)
    do {
      try set(rehearsal.values, on: panel)
      for step in current.steps {
        seconds += step.kind.duration
        try perform(step, on: panel, in: current.name, &missing)
      }
    } catch let found as Diagnostic {
      failure = found
    }
    return Result(name: current.name, failure: failure, missing: missing, seconds: seconds)
  }

  private func diagnostic(at place: SourceLocation, _ message: String) -> Diagnostic {
    Diagnostic(file: file, place: place, message: message)
  }

  // MARK: Steps

  private func perform(
    _ step: Rehearsal.Step, on panel: RehearsedPanel, in name: String, _ missing: inout [Diagnostic]
  ) throws {
    func point(_ spot: Rehearsal.Spot?, isTouched: Bool = true) throws -> WindowPoint {
      try self.point(spot, at: step.place, on: panel, isTouched: isTouched)
    }
    switch step.kind {
    case .touch(let touch): try panel.tap(try point(touch.spot), times: touch.taps, hold: touch.hold)
    case .drag(let drag):
      try panel.drag(
        from: try point(drag.from), to: try point(drag.to, isTouched: false), over: drag.seconds,
        hold: drag.hold)
    case .type(let typing): try type(typing, at: step.place, on: panel)
    case .key(let command): try panel.press(command)
    case .set(let settings): try set(settings, on: panel)
    case .page(let pages): try show(pages, on: panel)
    case .wait(let seconds): try panel.wait(seconds: seconds)
    case .expect(let expectations): try expect(expectations, of: panel)
    case .picture(let picture):
      if let found = try compare(picture, at: step.place, on: panel, in: name) { missing.append(found) }
    }
  }

  private func view(_ id: String, at place: SourceLocation, on panel: RehearsedPanel) throws -> View {
    if let view = panel.host.view(id: id) { return view }
    let ids = panel.host.tree.viewsByID.keys.sorted()
    let nearest = Suggestion.nearest(to: id, among: ids)
    throw diagnostic(
      at: place,
      "no view has the id \"\(id.escaped)\"; "
        + (nearest.map { "did you mean \"\($0.escaped)\"?" }
          ?? "`touchtree tree \(configuration.file)` lists them"))
  }

  /// - Parameter isTouched: whether a touch there has to meet the view.
  private func point(
    _ spot: Rehearsal.Spot?, at place: SourceLocation, on panel: RehearsedPanel, isTouched: Bool
  ) throws -> WindowPoint {
    switch spot {
    case nil: return WindowPoint(x: 0, y: 0)
    case .point(let point): return point
    case .view(let id):
      let view = try view(id, at: place, on: panel)
      panel.window.layoutIfNeeded()
      if isTouched, let hidden = sequence(first: view, next: \.superview).first(where: \.isHidden) {
        throw diagnostic(at: place, "\(hidden.id) is hidden; show it first")
      }
      let bounds = view.bounds
      let point = view.convertToWindow(
        LocalPoint(x: (bounds.minX + bounds.maxX) / 2, y: (bounds.minY + bounds.maxY) / 2))
      guard isTouched else { return point }
      guard let hit = panel.window.hitTest(LocalPoint(x: point.x, y: point.y), with: nil) else {
        throw diagnostic(
          at: place,
          "a touch on \(id) at \(point.x.plain),\(point.y.plain) is outside the window; show it first")
      }
      guard hit.isDescendant(of: view) || view.isDescendant(of: hit) && hit !== panel.window else {
        throw diagnostic(
          at: place,
          "a touch on \(id) at \(point.x.plain),\(point.y.plain) meets \(hit.id); show \(id) first, or touch \(hit.id)"
        )
      }
      return point
    }
  }

  private func type(_ typing: Rehearsal.Typing, at place: SourceLocation, on panel: RehearsedPanel) throws {
    if let id = typing.field, !(try view(id, at: place, on: panel)).becomeFirstResponder() {
      throw diagnostic(
        at: place, "\(id) takes no text now; name a text field that is shown and enabled")
    }
    let rest = try panel.type(typing.text)
    guard rest.isEmpty else {
      let why =
        rest.count == typing.text.count ? "no text field is edited" : "a line break ended editing"
      throw diagnostic(
        at: place,
        "\(why), so \"\(String(rest).escaped)\" is not typed; touch a text field first, or name one: "
          + "type: {text: …, into: FIELD}")
    }
  }

  private func set(_ settings: [Rehearsal.NamedSetting], on panel: RehearsedPanel) throws {
    for setting in settings {
      do throws(PropertyError) {
        if !setting.properties.isEmpty {
          try panel.host.set(
            setting.properties.map { .init(key: $0.name, value: $0.value) }, on: setting.name)
        } else {
          try panel.host.setValues([.init(key: setting.name, value: setting.value)])
        }
      } catch {
        throw diagnostic(at: setting.place, "\(error)")
      }
    }
    try panel.wait(seconds: 0)
  }

  private func show(_ pages: [Rehearsal.NamedSetting], on panel: RehearsedPanel) throws {
    for page in pages {
      guard case .text(let name) = page.value else {
        throw diagnostic(at: page.place, "give a page: {\(page.name): home}")
      }
      do throws(PropertyError) {
        try panel.host.show(PagesView.Target(name), in: page.name)
      } catch {
        throw diagnostic(at: page.place, "\(error)")
      }
    }
    try panel.wait(seconds: 0)
  }

  // MARK: Expectations

  private func expect(_ expectations: [Rehearsal.NamedSetting], of panel: RehearsedPanel) throws {
    try panel.wait(seconds: 0)
    let values = panel.host.bindings.values
    for expectation in expectations {
      if expectation.properties.isEmpty {
        guard values.place(of: expectation.name) != nil else {
          throw diagnostic(at: expectation.place, unknown(value: expectation.name, on: panel))
        }
        try require(
          values.value(expectation.name) ?? .null, is: expectation.value, named: expectation.name,
          at: expectation.place)
        continue
      }
      let view = try view(expectation.name, at: expectation.place, on: panel)
      for property in expectation.properties {
        let name = String(property.name.prefix { $0 != "." })
        guard let row = ViewProperty.named(name, of: view.kind), view.kind.has(row) else {
          let names = ViewProperty.table.filter { view.kind.has($0) }.map(\.name)
          let nearest = Suggestion.nearestKey(to: name, among: names)
          throw diagnostic(
            at: property.place,
            "\(view.kind.one) has no \"\(name.escaped)\"; "
              + (nearest.map { "did you mean \"\($0)\"?" } ?? "`man touchtree.yaml` lists its properties"))
        }
        try require(
          ReadProperty(property.name, of: view.kind).value(of: view), is: property.value,
          named: "\(expectation.name).\(property.name)", at: property.place)
      }
    }
  }

  private func unknown(value name: String, on panel: RehearsedPanel) -> String {
    if panel.host.view(id: name) != nil {
      return "\(name) is a view: name its properties, as in {\(name): {text: Hello}}"
    }
    let names = panel.host.bindings.values.declarations.map(\.name)
    return "no value is called \"\(name.escaped)\"; "
      + (Suggestion.nearest(to: name, among: names).map { "did you mean \"\($0.escaped)\"?" }
        ?? "the panel has \(names.isEmpty ? "none" : names.joined(lastWith: "and"))")
  }

  private func require(
    _ found: PropertyValue, is expected: PropertyValue, named name: String, at place: SourceLocation
  ) throws {
    guard !found.isNear(expected) else { return }
    throw diagnostic(at: place, "\(name) is \(found), and not \(expected)")
  }

  // MARK: Pictures

  /// - Returns: a warning about a picture to compare with that is missing.
  private func compare(
    _ picture: Rehearsal.Picture, at place: SourceLocation, on panel: RehearsedPanel, in name: String
  ) throws -> Diagnostic? {
    let found: Surface
    do {
      found = try panel.picture(of: try picture.view.map { try view($0, at: place, on: panel) })
    } catch let failure as Failure {
      throw diagnostic(at: place, failure.message)
    }
    let path = Configuration.path(picture.file, from: file)
    if let folder {
      try PNGWriter.write(found, to: "\(folder)/\(fileName(of: name))-\(fileName(of: picture.file))")
    }
    if records {
      try PNGWriter.write(found, to: path)
      return nil
    }
    let expected: Surface
    do throws(DisplayError) {
      expected = try PNGReader.read(path: path)
    } catch  where error.cause == .noSuchFileOrDirectory {
      var warning = diagnostic(
        at: place, "the picture \(path) is not there; `touchtree rehearse --record \(file)` writes it")
      warning.severity = .warning
      return warning
    } catch {
      throw diagnostic(at: place, "\(error)")
    }
    if let difference = PictureDifference(found, expected, shades: picture.shades),
      let words = difference.words(tolerating: picture.tolerance)
    {
      throw diagnostic(at: place, "the picture is not that of \(path): \(words)")
    }
    return nil
  }

  /// A name that is safe in a folder: letters, digits, dots and dashes.
  private func fileName(of name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    return String(last.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
  }
}

extension Rehearsal.Kind {
  /// The duration on the panel's clock, in seconds.
  fileprivate var duration: Double {
    switch self {
    case .touch(let touch): touch.hold * Double(touch.taps)
    case .drag(let drag): drag.seconds + drag.hold
    case .wait(let seconds): seconds
    case .type, .key, .set, .page, .expect, .picture: 0
    }
  }
}

extension PropertyValue {
  /// Whether it is the same. Numbers are as near as their computation allows.
  fileprivate func isNear(_ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): abs(one - other) <= 1e-6 * max(1, abs(one), abs(other))
    // A text of digits alone is a number to YAML.
    case (.text(let text), .number(let number)): Double(text) == number
    case (.text(let text), .flag(let flag)): text == (flag ? "true" : "false")
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isNear($1) }
    case (.map(let own), .map(let wanted)):
      // Parts that are not named may be anything.
      wanted.allSatisfy { part in own.first { $0.key == part.key }?.value.isNear(part.value) ?? false }
    default: self == other
    }
  }
}
