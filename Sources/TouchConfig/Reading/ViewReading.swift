import TouchCore

extension ConfigurationReader {
  /// Reads a tree of views, without recursion: it may be thousands of views deep.
  mutating func readViews(_ subviews: Value?) {
    var waiting: [(node: YAMLNode, parent: Int?)] = []
    func wait(for subviews: Value?, parent: Int?) {
      let views = subviews?.list("give a list of views, each starting with \"- id:\"") ?? []
      for view in views.reversed() { waiting.append((view.node, parent)) }
    }
    wait(for: subviews, parent: nil)
    while let (node, parent) = waiting.popLast() {
      let value = Value(name: "a view", node: node, report: report)
      guard let fields = value.fields(ViewKey.self, "give a mapping with id and frame") else {
        if node.isNull { value.refuse("write {id: ..., frame: ...}, or remove the \"-\"") }
        continue
      }
      let index = configuration.views.count
      configuration.views.append(view(fields, parent: parent))
      readGestures(fields[.gestures], owner: index)
      wait(for: fields[.subviews], parent: index)
    }
    nameTheNameless()
    nameNamelessGestures()
  }

  private mutating func view(_ fields: Fields<ViewKey>, parent: Int?) -> Configuration.View {
    let kind = fields[.kind].map { $0.choice(Configuration.View.Kind.self) } ?? .view
    // A view of an unknown kind may have every key.
    if let kind { refuseKeysThatDoNotFit(kind, fields) }
    let written = fields[.id].flatMap(identifier)
    var view = Configuration.View(
      id: written ?? "", kind: kind ?? .view, parent: parent, place: fields.node.place)
    if let written, let place = fields[.id]?.node.place { names.add(written, .view, at: place) }
    readGeometry(fields, into: &view)
    readFlags(fields, into: &view)
    readLook(fields, into: &view)
    readHitBehavior(fields, into: &view)
    if let tracking = fields.unlessNull(.tracking)?.choice(View.Tracking.self) { view.tracking = tracking }
    view.trackingOutset = fields.unlessNull(.trackingOutset)?.number(in: .length)
    view.handlers = handlerNames(fields[.handlers])
    if let forwards = fields[.forwards]?.bool() { view.forwards = forwards }
    view.controller = fields.unlessNull(.controller).flatMap { controller($0) }
    return view
  }

  private func refuseKeysThatDoNotFit(_ kind: Configuration.View.Kind, _ fields: Fields<ViewKey>) {
    for (key, place) in fields.keys {
      let owner: String
      switch key {
      case .enabled where !kind.isControl, .selected where !kind.isControl,
        .trackingOutset where !kind.isControl:
        owner = "a control or a button"
      case .text where !kind.hasText, .font where !kind.hasText: owner = "a label or a button"
      case .image where kind != .image, .imageMode where kind != .image: owner = "an image"
      default: continue
      }
      report.add(
        at: place,
        "\"\(key.rawValue)\" is a key of \(owner), and this is \(kind.shown); change the kind or remove it")
    }
  }

  private func readGeometry(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let frame = fields.require(.frame, "give [x, y, width, height]") { readFrame(frame, into: &view) }
    if let origin = fields[.boundsOrigin]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      view.boundsOrigin = LocalPoint(x: origin[0], y: origin[1])
    }
    if let transform = fields.unlessNull(.transform).flatMap(transform) { view.transform = transform }
    if let anchor = fields[.anchor]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      view.anchor = Point(x: anchor[0], y: anchor[1])
    }
  }

  private func readFrame(_ value: Value, into view: inout Configuration.View) {
    func numbers() -> [Double]? {
      value.numbers([("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length)])
    }
    // Without four values nobody can tell what was meant; with one that has no place, just this view is nowhere.
    if let frame = value.node.items?.count == 4 ? report.ofLook(numbers) : numbers() {
      view.frame = LocalRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    } else {
      view.isHidden = true
    }
  }

  private func readFlags(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let alpha = fields[.alpha]?.number(in: .fraction) { view.alpha = alpha }
    if let hidden = fields[.hidden]?.bool(), hidden { view.isHidden = true }
    if let interaction = fields[.userInteraction]?.bool() { view.isUserInteractionEnabled = interaction }
    if let enabled = fields[.enabled]?.bool() { view.isEnabled = enabled }
    if let selected = fields[.selected]?.bool() { view.isSelected = selected }
    if let clips = fields[.clips]?.bool() { view.clips = clips }
    if let multiple = fields[.multipleTouch]?.bool() { view.isMultipleTouchEnabled = multiple }
    if let exclusive = fields[.exclusiveTouch]?.bool() { view.isExclusiveTouch = exclusive }
  }

  /// A controller, by its id alone or with more.
  private mutating func controller(_ value: Value) -> Configuration.View.Controller? {
    guard value.node.entries != nil else {
      guard let id = identifier(value) else { return nil }
      names.add(id, .controller, at: value.node.place)
      return Configuration.View.Controller(id: id)
    }
    guard let fields = value.fields(ControllerKey.self) else { return nil }
    let handlers = handlerNames(fields[.handlers])
    guard let idValue = fields.require(.id, "give a name that nothing else in the file has"),
      let id = identifier(idValue)
    else { return nil }
    names.add(id, .controller, at: idValue.node.place)
    var controller = Configuration.View.Controller(id: id, handlers: handlers)
    if let presenter = fields.unlessNull(.presentedBy), !presenter.node.isEmpty {
      controller.presentedBy = presenter.nonEmptyText("give a controller's id")
      if let name = controller.presentedBy {
        names.presenters[id] = Names.Reference(name: name, place: presenter.node.place)
      }
    }
    return controller
  }

  /// Gives every view without an id one that says what it is: the third nameless label is `label-3`.
  private mutating func nameTheNameless() {
    var counts: [Configuration.View.Kind: Int] = [:]
    for index in configuration.views.indices where configuration.views[index].id.isEmpty {
      let kind = configuration.views[index].kind
      var id: String
      repeat {
        counts[kind, default: 0] += 1
        id = "\(kind.rawValue)-\(counts[kind, default: 0])"
      } while names.isTaken(id)
      configuration.views[index].id = id
    }
  }
}

extension Configuration.View.Kind {
  /// The kind with its article.
  fileprivate var shown: String { self == .image ? "an image" : "a \(rawValue)" }
}
