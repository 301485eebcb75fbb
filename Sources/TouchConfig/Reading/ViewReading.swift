import TouchCore
import TouchExpressions
import TouchViews

extension ConfigurationReader {
  /// Reads a tree of views, without recursion: it may be thousands of views deep.
  mutating func readViews(_ subviews: Value?) {
    var waiting: [(view: WaitingView, parent: Int?)] = []
    /// The beginnings of ids of views in instances, by the places of the views.
    var prefixes: [Int: String] = [:]
    func wait(for subviews: Value?, parent: Int?) {
      let views = subviews?.list("give a list of views, each starting with \"- id:\"") ?? []
      for view in views.reversed() { waiting.append((.node(view.node), parent)) }
    }
    wait(for: subviews, parent: nil)
    while let (next, parent) = waiting.popLast() {
      guard
        let unread = self.unread(next, { rows in waiting += rows.reversed().map { ($0, parent) } })
      else { continue }
      let entries = unread.layers.flatMap(\.self)
      guard !unread.layers.isEmpty else {
        let value = Value(name: "a view", node: unread.node, report: report)
        value.refuse(
          unread.node.isNull
            ? "write {id: ..., frame: ...}, or remove the \"-\"" : "give a mapping with id and frame")
        continue
      }
      guard countsRepeated(unread) else { break }
      let container = parent.map { configuration.views[$0].kind }
      let fields = Fields(
        unread.node, .view, layers: unread.layers, styles: styles(of: entries), report: report
      ) { name in
        let kind = entries.first { $0.key.text == "kind" }?.value.text
        return ForeignWords.layout(for: name, of: kind.flatMap(report.kind(named:)) ?? .view, in: container)
      }
      let index = configuration.views.count
      if unread.isRowOfValue || parent.map(viewsInRows.contains) ?? false {
        viewsInRows.insert(index)
        rowAmount.views += 1
        if refusesRows(at: unread.node.place) { break }
      }
      configuration.views.append(view(fields, entries, unread, parent: parent))
      configuration.views[index].slot = unread.slot ?? parent.flatMap { configuration.views[$0].slot }
      if let instance = unread.node.instance { prefixes[index] = "\(instance.id)-" }
      if let id = configuration.views[index].value(of: .page, as: String.self),
        let page = fields[.page]
      {
        names.pages[index] = Names.Reference(name: id, place: page.node.place)
      }
      if let actions = fields.unlessNull("actions"), configuration.views[index].kind.isControl {
        unreadActions.append((actions, .control(index)))
      }
      readGestures(fields["gestures"], owner: index)
      if let rows = rowViews(fields) {
        waiting += slots(rows, fields, index).reversed().map { ($0, index) }
      } else {
        wait(for: fields["subviews"], parent: index)
      }
    }
    addKeyboard()
    nameTheNameless(prefixes)
    nameNamelessGestures()
    for view in configuration.views {
      guard let parent = view.parent, configuration.views[parent].kind == .pages, view.kind != .sheet else {
        continue
      }
      names.pageIDs[parent, default: []].append(view.id)
    }
  }

  /// Counts the views that come from templates.
  /// - Returns: false where there are too many, which is reported.
  private mutating func countsRepeated(_ view: UnreadView) -> Bool {
    guard view.instance != nil || view.node.instance != nil else { return true }
    repeatedViews += 1
    guard repeatedViews > Self.mostRepeatedViews else { return true }
    report.add(
      at: view.node.place,
      "more than \(Self.mostRepeatedViews) views come from templates up to here; repeat fewer of them")
    return false
  }

  private mutating func view(
    _ fields: Fields, _ entries: [(key: YAMLNode, value: YAMLNode)], _ unread: UnreadView, parent: Int?
  ) -> Configuration.View {
    let kind = fields["kind"].map { $0.kind() } ?? .view
    // A view of an unknown kind may have every key.
    if let kind {
      refuseKeysThatDoNotFit(kind, fields)
    } else {
      names.viewsOfUnknownKind.insert(configuration.views.count)
    }
    let id = unread.instance.map { $0.id.isEmpty ? nil : $0.id } ?? fields["id"].flatMap(identifier)
    var view = Configuration.View(id: id ?? "", kind: kind ?? .view, parent: parent, place: fields.node.place)
    view.isNameless = (unread.instance ?? unread.node.instance)?.isNameless ?? false
    if let id,
      let place = unread.idPlace ?? fields["id"]?.node.place
        ?? unread.instance.map({ _ in fields.node.place })
    {
      names.add(id, .view, at: place)
    }
    readSettings(fields, of: kind, into: &view)
    if kind?.hasFont == true { view.settings.fill(.font, with: configuration.font) }
    if configuration.textScale != 1 {
      view.settings = view.settings.map { $0.scalingTexts(by: configuration.textScale) }
    }
    if let style = chartStyle(of: entries) { view.settings.append(ViewSetting(.chart, style)) }
    if kind == .chart { checkHistories(fields.unlessNull(.chartValues)) }
    checkFrame(fields, of: &view)
    if kind == nil { view.settings = [] } else { checkSettings(fields, of: &view) }
    readHits(fields, into: &view)
    view.handlers = handlerNames(fields["handlers"])
    view.controller = fields.unlessNull("controller").flatMap { controller($0) }
    return view
  }

  /// Reports keys that only views of other kinds have, or lists with rows of the other sort.
  func refuseKeysThatDoNotFit(_ kind: ViewKind, _ fields: Fields) {
    let hasViews = rowViews(fields) != nil
    for entry in fields.entries {
      if entry.key == "actions", !kind.isControl {
        report.add(
          at: entry.place,
          "\"actions\" is a key of a control or a button, and this is \(kind.one); change the kind, "
            + "or give it gestures: [{kind: tap, actions: ...}]")
      }
      guard let property = entry.property(of: kind) else { continue }
      let isOfOtherRows =
        kind == .list
        && (hasViews
          ? [.rows, .icons].contains(property) : fields["rows"] != nil && property.owners == .scrolling)
      guard isOfOtherRows || !kind.has(property) else { continue }
      let this = isOfOtherRows ? "a list whose rows are \(hasViews ? "views" : "texts")" : kind.one
      let owners = ViewProperty.owners(of: property.name)
      if entry.isOfStyle, owners.contains(kind) { continue }
      let owner = owners.kinds.isEmpty ? report.ownKinds.first { $0.has(property) }?.one ?? "" : owners.one
      if entry.isOfStyle, let style = fields["style"] {
        style.complain(
          "the style gives \(this) the key \"\(entry.key)\", which only \(owner) has; "
            + "change the kind, or remove the key from the style")
      } else {
        fields.refuse(entry.key, at: entry.place, of: owner, in: this)
      }
    }
  }

  /// Reads the properties that views of a kind have.
  /// - Parameter kind: nil where it is not known; then every property is read.
  mutating func readSettings(
    _ fields: Fields, of kind: ViewKind?, into view: inout Configuration.View
  ) {
    for entry in fields.entries {
      guard let property = entry.property(of: kind), kind.map({ $0.has(property) }) ?? true else { continue }
      let value = fields.value(of: entry)
      if property.isNullable, value.node.isNull, !value.node.isEmpty || property.shape.parts != nil {
        continue
      }
      value.warnOfOpenBraces(property.shape)
      let expressions = value.expressions(of: property)
      if !expressions.isEmpty {
        bind(property, expressions, at: value, into: &view)
        if expressions.contains(where: { $0.part == nil }) {
          view.settings += placeholders(property, value)
          continue
        }
      }
      guard let setting = setting(property, value, of: kind) else { continue }
      let resolved = setting.resolving { configuration.resolve($0, from: value.node.place) }
      openPicture(resolved, value)
      view.settings.append(resolved)
      if property.isSettable, let list = TemplateInstance.list(filledInto: value.node) {
        view.filled.append(Configuration.View.Filled(property: property, list: list))
      }
      switch property {
      case .image: view.picturePlace = (value.part("path")?.value ?? value.node).place
      case .keyboardLayout: checkLayout(value)
      case .font: view.fontPlace = value.part("family")?.value.place
      default: break
      }
    }
    let hasPlace = view.settings.contains { $0.property == .frame } || view.bound.contains(.frame)
    if !hasPlace, fields.unlessNull(.frame) != nil { view.settings.append(ViewSetting(.hidden, true)) }
  }

  /// Notes expressions, which are read when all views are known.
  private mutating func bind(
    _ property: ViewProperty, _ expressions: [(part: String?, value: Value)], at value: Value,
    into view: inout Configuration.View
  ) {
    guard property.isSettable else {
      return value.complain(
        "\(property.name) is how the view is made, and follows nothing; give a value, or \"{{\" for a brace")
    }
    view.bound.append(property)
    unreadBindings += expressions.map {
      UnreadBinding(view: configuration.views.count, property: property, part: $0.part, value: $0.value)
    }
  }

  /// Returns as many empty texts as rows or segments that follow something have at first, so that one of them
  /// can be chosen.
  private func placeholders(_ property: ViewProperty, _ value: Value) -> [ViewSetting] {
    guard property == .rows || property == .segments else { return [] }
    var count = value.node.items?.count ?? 0
    if let name = value.node.text.flatMap(Formula.firstBraces),
      case .list(let items)? = configuration.values.first(where: { $0.name == name })?.initial
    {
      count = items.count
    }
    return count == 0 ? [] : [ViewSetting(property, Array(repeating: "", count: count))]
  }

  private func setting(_ property: ViewProperty, _ value: Value, of kind: ViewKind?) -> ViewSetting? {
    func read() -> ViewSetting? {
      let setting = value.setting(property, for: kind)
      value.requireParts(of: property)
      return setting?.withShownTexts
    }
    // With four values that are wrong only this view has no place, and the rest can be shown.
    let isCosmetic = property.isCosmetic || property == .frame && value.node.items?.count == 4
    return isCosmetic ? report.cosmetic(read) : read()
  }

  /// Each stack measures the stacks in it, level by level on the program's stack.
  private static let mostStacks = 64

  private func stacks(around parent: Int?) -> Int {
    var (count, ancestor) = (0, parent)
    while let index = ancestor {
      if configuration.views[index].kind == .stack { count += 1 }
      ancestor = configuration.views[index].parent
    }
    return count
  }

  /// A view needs a frame where its superview does not lay it out, and a size only where a stack does.
  private mutating func checkFrame(_ fields: Fields, of view: inout Configuration.View) {
    let parent = view.parent.map { configuration.views[$0] }
    let hasFrame = fields.unlessNull(.frame) != nil
    if view.kind == .stack, stacks(around: view.parent) == Self.mostStacks {
      report.add(at: view.place, "more than \(Self.mostStacks) stacks are nested here; make the tree flatter")
    }
    if let index = view.parent, names.viewsOfUnknownKind.contains(index) {
      view.isArranged = !hasFrame
      return
    }
    if !hasFrame {
      switch parent?.kind {
      case _ where view.kind == .sheet: view.isArranged = true
      case nil, .stack, .pages, .scroll, .sheet: view.isArranged = true
      case .list where parent?.rows != nil: view.isArranged = true
      case .gauge:
        view.isArranged = true
        view.parent.map { letSubviewsBeTouched(in: $0) }
      default:
        _ = fields.require(
          ViewProperty.frame.name,
          "give [x, y, width, height]; only a sheet, and a view in a stack, in pages, in a scroll view, in a sheet, in a "
            + "gauge or in the window needs none")
      }
    }
    guard let size = fields.unlessNull(.size) else { return }
    if parent?.kind != .stack, view.kind != .sheet {
      size.complain(
        "size is for a sheet, and for a view in a stack, which gives it a place; give frame: [x, y, width, height]"
      )
    } else if hasFrame {
      size.complain(
        "size is set, and so is frame: a view with a frame keeps it, and nothing arranges it; remove one of them"
      )
    }
  }

  /// A gauge is not touched itself; what lies in its middle is.
  private mutating func letSubviewsBeTouched(in gauge: Int) {
    for (name, value) in [
      ("user_interaction", PropertyValue.flag(true)), ("pointer_events", .text("box-none")),
    ] {
      guard let property = ViewProperty.named(name),
        !configuration.views[gauge].settings.contains(where: { $0.property == property }),
        let setting = try? ViewSetting(property, value, for: .gauge)
      else { continue }
      configuration.views[gauge].settings.append(setting)
    }
  }

  /// A controller, by its id alone or with more.
  private mutating func controller(_ value: Value) -> Configuration.View.Controller? {
    guard value.node.entries != nil else {
      guard let id = identifier(value) else { return nil }
      names.add(id, .controller, at: value.node.place)
      return Configuration.View.Controller(id: id)
    }
    guard let fields = value.fields(.controller) else { return nil }
    let handlers = handlerNames(fields["handlers"])
    guard let idValue = fields.require("id"), let id = identifier(idValue) else { return nil }
    names.add(id, .controller, at: idValue.node.place)
    var controller = Configuration.View.Controller(id: id, handlers: handlers)
    if let presenter = fields.unlessNull("presented_by"), !presenter.node.isEmpty {
      controller.presentedBy = presenter.nonEmptyText("give a controller's id").map(presenter.node.global)
      if let name = controller.presentedBy {
        names.presenters[id] = Names.Reference(name: name, place: presenter.node.place)
      }
    }
    return controller
  }

  /// Gives every view without an id one that says what it is: the third nameless label is `label-3`, and the
  /// first one in an instance `kitchen-label-1`.
  private mutating func nameTheNameless(_ prefixes: [Int: String]) {
    var counts: [String: Int] = [:]
    for index in configuration.views.indices where configuration.views[index].id.isEmpty {
      let name = (prefixes[index] ?? "") + configuration.views[index].kind.name
      var id: String
      repeat {
        counts[name, default: 0] += 1
        id = "\(name)-\(counts[name, default: 0])"
      } while names.isTaken(id)
      configuration.views[index].id = id
      configuration.views[index].isNameless = true
    }
  }
}
