import TouchCore
import TouchViews

/// Reads a document into a configuration, and reports everything that is wrong on the way.
struct ConfigurationReader {
  let report: Report
  var configuration: Configuration
  var names = Names()
  /// The mappings of `styles:`, by name.
  var styles: [String: YAMLNode] = [:]
  /// Actions are read last, since they refer to views that may stand anywhere.
  var unreadActions: [(value: Value, owner: ActionOwner)] = []
  /// The same holds for the pages of `idle:`.
  var unreadIdle: Value?
  /// Expressions are read when all views are known, too.
  var unreadBindings: [UnreadBinding] = []
  /// So are those that named values follow.
  var unreadValues: [(name: String, value: Value)] = []
  /// The parameters of templates that are expressions.
  var unreadParameters: [LiveParameter] = []
  var refusedValues: Set<String> = []
  /// The views of `templates:`, by name.
  var templates: [String: Template] = [:]
  var usedTemplates: Set<String> = []
  /// The current values of named values from which rows are made, in place of the file's.
  var lists: [String: PropertyValue] = [:]
  /// The number of views from templates so far.
  var repeatedViews = 0
  /// The views and texts of rows of values so far. Rows of lists do not count: only those that are seen
  /// exist.
  var rowAmount = RowAmount()
  /// The most that they may make; nil where the file is read first, which may ask for more than a program.
  var rowLimit: RowAmount?
  var viewsInRows: Set<Int> = []
  var hasRowsToCome = false
  /// Whether such a `repeat` gets a row, to be checked.
  var checksRowsToCome = false
  /// The number of instances without an id of their own, by the template.
  var namelessInstances: [String: Int] = [:]
  /// The places of each `repeat` whose rows have no ids of their own, counted from 1, by what these ids begin
  /// with.
  var namelessRepeats: [String: [SourceLocation: Int]] = [:]
  /// The look of views where the file does not say it; nil for a file without a theme.
  var theme: Theme?
  var wantedTheme: String?
  /// Whether a file that shows nothing can be used where this one is: quirks, or a theme.
  var takesOthers = false

  /// - Parameter original: if this file is a copy, the path of the original; else nil.
  init(file: String, copyOf original: String? = nil, report: Report) {
    self.report = report
    configuration = Configuration(file: file, copyOf: original)
  }

  /// Reads a file once more.
  init(_ configuration: Configuration, report: Report) {
    self.report = report
    self.configuration = Configuration(file: configuration.file, folder: configuration.folder)
    self.configuration.origins.files = configuration.origins.files
    self.configuration.files = configuration.files
    self.configuration.firstRows = configuration.firstRows
    rowLimit = RowAmount(
      views: max(RowAmount.most.views, configuration.firstRows.views),
      bytes: max(RowAmount.most.bytes, configuration.firstRows.bytes))
  }

  /// A panel's test: `touchtree rehearse` has its rows.
  private mutating func readRehearsal(_ root: YAMLNode) {
    configuration.contents = .rehearsal
    guard !takesOthers else { return }
    report.add(
      at: root.place,
      "this is a rehearsal; give the file that its \"panel:\" names, or type: touchtree rehearse")
  }

  mutating func read(_ root: YAMLNode) {
    if Theme.isOne(root) { return readThemeAlone(root) }
    let keys = (root.entries ?? []).compactMap(\.key.text)
    if keys.contains("cases"), !keys.contains("window") { return readRehearsal(root) }
    guard let fields = Fields(root, .root, report: report) else {
      if !root.isBroken {
        report.add(
          at: root.place, "the file is \(root.shown); start it with \"version: 1\" and a \"window:\"")
      }
      return
    }
    readVersion(fields)
    if let quirks = fields["quirks"] { return readQuirks(quirks, fields) }
    readFiles(fields["files"], in: root)
    // First: what follows is read with the colours of the theme.
    readTheme(fields)
    readDisplay(fields["display"])
    fields["input"]?.read(Configuration.Input.keys, into: &configuration.input)
    if let highlight = fields["highlight"]?.fields(.highlight) {
      report.cosmetic { configuration.highlight.read(highlight) }
    }
    readHandlers(fields["handlers"])
    readValues(fields["values"])
    readStrings(fields["strings"], fields.unlessNull("language"))
    readLocale(fields["locale"])
    readStyles(fields["styles"])
    readTemplates(fields["templates"])
    readKeyboards(fields["keyboards"], fields["keyboard"])
    let application = fields["application"]?.fields(.application)
    configuration.applicationHandlers = handlerNames(application?["handlers"])
    if let keys = application?["keys"] { unreadActions.append((keys, .keys(.application))) }
    if let steps = application?["scanned"] { unreadActions.append((steps, .scan(.application))) }
    unreadIdle = fields["idle"]
    readWindow(fields)
    reportUnusedTemplates(fields["templates"])
    readBindings()
    readActions()
    openHeldFiles()
    resolveNames()
  }

  /// A file without a version is version 1; later versions must be given.
  private func readVersion(_ fields: Fields) {
    guard let version = fields["version"], version.node.scalar != .integer(1) else { return }
    version.refuseNumber("this touchtree reads version 1, so write 1")
  }

  /// The names of handlers that a responder has; each must be declared.
  mutating func handlerNames(_ value: Value?) -> [String] {
    let advice = "give a list of handler names, such as [log]"
    return (value?.list(advice, of: "a handler's name") ?? []).compactMap { item in
      guard let name = item.nonEmptyText("give a handler's name, such as log") else { return nil }
      names.handlerReferences.append(Names.Reference(name: name, place: item.node.place))
      return name
    }
  }
}

extension ConfigurationReader {
  mutating func readDisplay(_ value: Value?) {
    guard let fields = value?.read(DisplaySettings.keys, into: &configuration.display) else { return }
    // The window of a theme covers it, and what the file says wins.
    if theme != nil, fields["background"] != nil {
      configuration.window.background = configuration.display.background
    }
    if let font = fields.unlessNull("font") { readFont(font) }
    guard let backlight = fields["backlight"] else { return }
    let light =
      backlight.node.entries == nil
      ? backlight : backlight.part("light").map { Value(name: "light", node: $0.value, report: report) }
    guard let light, light.hasExpression(ViewProperty.backlight.shape) else { return }
    unreadBindings.append(UnreadBinding(view: nil, property: .backlight, part: nil, value: light))
  }

  mutating func readWindow(_ fields: Fields) {
    guard let value = fields["window"] else {
      // A file may have layouts of keyboards alone.
      if fields["keyboards"] != nil {
        return names.add(configuration.window.id, .window, at: fields.node.place)
      }
      report.add(at: fields.node.place, "the file has no window; add \"window:\" with \"subviews:\"")
      return
    }
    guard let fields = value.fields(Configuration.Window.keys.table, missing: "give it \"subviews:\"")
    else { return }
    fields.read(Configuration.Window.keys, into: &configuration.window)
    var place = value.node.place
    if let id = fields["id"], let text = identifier(id) {
      configuration.window.id = text
      place = id.node.place
    }
    names.add(configuration.window.id, .window, at: place)
    configuration.window.handlers = handlerNames(fields["handlers"])
    if let target = fields.unlessNull("fixed_target"), !target.node.isEmpty {
      names.fixedTarget = target.nonEmptyText("give a view's id, or null").map {
        Names.Reference(name: $0, place: target.node.place)
      }
      configuration.window.fixedTarget = names.fixedTarget?.name
    }
    if let value = fields["touch_exploration"], value.hasExpression(ViewProperty.touchExploration.shape) {
      unreadBindings.append(UnreadBinding(view: nil, property: .touchExploration, part: nil, value: value))
    }
    if let keys = fields["keys"] { unreadActions.append((keys, .keys(.window))) }
    if let steps = fields["scanned"] { unreadActions.append((steps, .scan(.window))) }
    readGestures(fields["gestures"], owner: nil)
    readViews(fields["subviews"])
  }

  /// An id as it was written, or nil and a report.
  func identifier(_ value: Value) -> String? {
    guard let id = value.nonEmptyText("give a name that nothing else in the file has") else { return nil }
    if id == "none" {
      value.complain("the id \"none\" is what a hit test that finds no view prints; give another one")
    } else if id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      value.complain("the id \"\(id.escaped)\" has a control character; use letters and digits")
    } else {
      return value.node.global(id)
    }
    return nil
  }
}
