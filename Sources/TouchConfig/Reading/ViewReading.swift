import TouchCore
import TouchViews

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
      let value = Value(name: "a view", node: node, styles: styles(of: node), report: report)
      guard let fields = value.fields(ViewKey.self, "give a mapping with id and frame") else {
        if node.isNull { value.refuse("write {id: ..., frame: ...}, or remove the \"-\"") }
        continue
      }
      let index = configuration.views.count
      configuration.views.append(view(fields, parent: parent))
      if let page = fields.unlessNull(.page), configuration.views[index].kind == .pages,
        let id = page.nonEmptyText("give the id of one of its subviews")
      {
        configuration.views[index].page = id
        names.pages[index] = Names.Reference(name: id, place: page.node.place)
      }
      if let actions = fields.unlessNull(.actions), configuration.views[index].kind.isControl {
        unreadActions.append((actions, .control(index)))
      }
      readGestures(fields[.gestures], owner: index)
      wait(for: fields[.subviews], parent: index)
    }
    nameTheNameless()
    nameNamelessGestures()
    for view in configuration.views {
      guard let parent = view.parent, configuration.views[parent].kind == .pages else { continue }
      names.pageIDs[parent, default: []].append(view.id)
    }
  }

  private mutating func view(_ fields: Fields<ViewKey>, parent: Int?) -> Configuration.View {
    let kind = fields[.kind].map { $0.choice(among: ViewKind.declared) } ?? .view
    // A view of an unknown kind may have every key.
    if let kind {
      refuseKeysThatDoNotFit(kind, fields)
    } else {
      names.viewsOfUnknownKind.insert(configuration.views.count)
    }
    let written = fields[.id].flatMap(identifier)
    var view = Configuration.View(
      id: written ?? "", kind: kind ?? .view, parent: parent, place: fields.node.place)
    if let written, let place = fields[.id]?.node.place { names.add(written, .view, at: place) }
    readGeometry(fields, into: &view)
    checkFrame(fields, of: &view)
    readArrangement(fields, into: &view)
    readFlags(fields, into: &view)
    readAppearance(fields, into: &view)
    readHitBehavior(fields, into: &view)
    readTracking(fields, into: &view)
    if view.kind.hasValue { readControl(fields, into: &view) }
    view.handlers = handlerNames(fields[.handlers])
    if let forwards = fields[.forwards]?.bool() { view.forwards = forwards }
    view.controller = fields.unlessNull(.controller).flatMap { controller($0) }
    return view
  }

  private func refuseKeysThatDoNotFit(_ kind: Configuration.View.Kind, _ fields: Fields<ViewKey>) {
    for entry in fields.entries {
      let owner: String
      switch entry.key {
      case .enabled where !kind.isControl, .selected where !kind.isControl,
        .trackingOutset where !kind.isControl:
        owner = "a control or a button"
      case .actions where !kind.isControl:
        report.add(
          at: entry.place,
          "\"actions\" is a key of a control or a button, and this is \(kind.row.one); change the kind, "
            + "or give it gestures: [{kind: tap, actions: ...}]")
        continue
      case let key where key.controlKinds.map({ !$0.contains(kind) }) ?? false:
        owner = key.controlOwner
      case .page where kind != .pages, .indicator where kind != .pages, .slide where kind != .pages:
        owner = "a view of pages"
      case .axis where kind != .stack && kind != .scroll: owner = "a stack or a scroll view"
      case .content where kind != .scroll, .paging where kind != .scroll, .bounces where kind != .scroll,
        .indicators where kind != .scroll, .delaysTouches where kind != .scroll,
        .cancelsTouches where kind != .scroll, .deceleration where kind != .scroll,
        .directionalLock where kind != .scroll:
        owner = "a scroll view"
      case .spacing where kind != .stack, .insets where kind != .stack,
        .distribution where kind != .stack, .alignment where kind != .stack, .columns where kind != .stack:
        owner = "a stack"
      case .text where !kind.hasText: owner = "a label or a button"
      case .padding where !kind.hasText && kind != .list: owner = "a label, a button or a list"
      case .font where !kind.hasFont: owner = "a label, a button, a segmented control or a list"
      case .image where kind != .image, .imageMode where kind != .image: owner = "an image"
      default: continue
      }
      if entry.isOfStyle, let style = fields[.style] {
        style.complain(
          "the style gives \(kind.row.one) the key \"\(entry.key.rawValue)\", which only \(owner) has; "
            + "change the kind, or remove the key from the style")
      } else {
        fields.refuse(entry.key, at: entry.place, of: owner, in: kind.row.one)
      }
    }
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
  private func checkFrame(_ fields: Fields<ViewKey>, of view: inout Configuration.View) {
    let parent = view.parent.map { configuration.views[$0] }
    let hasFrame = fields.unlessNull(.frame) != nil
    if view.kind == .stack, stacks(around: view.parent) == Self.mostStacks {
      report.add(
        at: view.place, "more than \(Self.mostStacks) stacks are nested here; make the tree flatter")
    }
    if let index = view.parent, names.viewsOfUnknownKind.contains(index) {
      view.isArranged = !hasFrame
      return
    }
    if !hasFrame {
      switch parent?.kind {
      case nil, .stack, .pages, .scroll: view.isArranged = true
      default:
        _ = fields.require(
          .frame,
          "give [x, y, width, height]; only a view in a stack, in pages, in a scroll view or in the window needs none"
        )
      }
    }
    guard let size = fields.unlessNull(.size) else { return }
    if parent?.kind != .stack {
      size.complain(
        "size is for a view in a stack, which gives it a place; give frame: [x, y, width, height]")
    } else if hasFrame {
      size.complain(
        "size is set, and so is frame: a view with a frame keeps it, and the stack does not arrange it; "
          + "remove one of them")
    }
  }

  /// How a stack arranges its views, and what a view has to say about its size there.
  func readArrangement(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let size = fields.unlessNull(.size)?.lengths("width", "height") {
      (view.fixedWidth, view.fixedHeight) = (size[0], size[1])
    }
    if view.kind == .scroll {
      readScrolling(fields, into: &view.scrolling)
    } else if let axis = fields.unlessNull(.axis)?.choice(StackView.Axis.self) {
      view.arrangement.axis = axis
    }
    if let spacing = fields.unlessNull(.spacing)?.number(in: .length) { view.arrangement.spacing = spacing }
    if let insets = fields.unlessNull(.insets).flatMap(insets) { view.arrangement.insets = insets }
    if let distribution = fields.unlessNull(.distribution)?.choice(StackView.Distribution.self) {
      view.arrangement.distribution = distribution
    }
    if let alignment = fields.unlessNull(.alignment)?.choice(StackView.Alignment.self) {
      view.arrangement.alignment = alignment
    }
    guard let columns = fields.unlessNone(.columns) else { return }
    view.arrangement.columns = columns.integer(in: 1...100)
    if let axis = fields.unlessNull(.axis), view.arrangement.axis == .horizontal {
      axis.complain("axis is horizontal, and columns makes a grid of rows; remove one of them")
    }
  }

  /// How a scroll view scrolls.
  private func readScrolling(_ fields: Fields<ViewKey>, into scrolling: inout ScrollView.Scrolling) {
    if let size = fields.unlessNone(.content)?.numbers([("width", .length), ("height", .length)]) {
      scrolling.contentSize = Size(width: size[0], height: size[1])
    }
    if let axis = fields.unlessNull(.axis)?.choice(ScrollView.Axis.self) { scrolling.axis = axis }
    if let paging = fields[.paging]?.bool() { scrolling.isPaging = paging }
    if let bounces = fields[.bounces]?.bool() { scrolling.bounces = bounces }
    if let indicators = fields[.indicators]?.bool() { scrolling.showsIndicators = indicators }
    if let delays = fields[.delaysTouches]?.bool() { scrolling.delaysTouches = delays }
    if let cancels = fields.unlessNull(.cancelsTouches)?.choice(ScrollView.TouchCancelling.self) {
      scrolling.cancelsTouches = cancels
    }
    if let deceleration = fields.unlessNull(.deceleration)?.choice(ScrollView.Deceleration.self) {
      scrolling.deceleration = deceleration
    }
    if let locks = fields[.directionalLock]?.bool() { scrolling.locksDirection = locks }
  }

  func readGeometry(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let frame = fields.unlessNull(.frame) { readFrame(frame, into: &view) }
    if let origin = fields[.boundsOrigin]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      view.boundsOrigin = LocalPoint(x: origin[0], y: origin[1])
    }
    if let transform = fields.unlessNone(.transform).flatMap(transform) { view.transform = transform }
    if let anchor = fields[.anchor]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      view.anchor = Point(x: anchor[0], y: anchor[1])
    }
  }

  private func readFrame(_ value: Value, into view: inout Configuration.View) {
    func numbers() -> [Double]? {
      value.numbers([("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length)])
    }
    // With four values only this view has no place, and the rest can be shown; otherwise the file is rejected.
    if let frame = value.node.items?.count == 4 ? report.cosmetic(numbers) : numbers() {
      view.frame = LocalRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    } else {
      view.isHidden = true
    }
  }

  func readTracking(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let tracking = fields.unlessNull(.tracking)?.choice(View.Tracking.self) { view.tracking = tracking }
    view.trackingOutset = fields.unlessNull(.trackingOutset)?.number(in: .length)
  }

  func readFlags(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    if let alpha = fields[.alpha]?.number(in: .fraction) { view.alpha = alpha }
    if let shown = fields[.indicator]?.bool() { view.showsIndicator = shown }
    if let slide = fields.unlessNull(.slide)?.choice(PagesView.Slide.self) {
      view.slideAxis = slide.axis
      view.clips = slide.axis != nil
    }
    if let hidden = fields[.hidden]?.bool(), hidden { view.isHidden = true }
    if let interaction = fields[.userInteraction]?.bool() { view.isUserInteractionEnabled = interaction }
    if let enabled = fields[.enabled]?.bool() { view.isEnabled = enabled }
    if let selected = fields[.selected]?.bool() { view.isSelected = selected }
    if let clips = fields[.clips]?.bool() { view.clips = clips }
    if let multiple = fields[.multipleTouch]?.bool() { view.isMultipleTouchEnabled = multiple }
    if let exclusive = fields[.exclusiveTouch]?.bool() { view.isExclusiveTouch = exclusive }
    if let isPrivate = fields[.isPrivate]?.bool() { view.isPrivate = isPrivate }
    view.label = fields.unlessNull(.label)?.nonEmptyText("give a name for people, such as Warmer")
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
      configuration.views[index].isNameless = true
    }
  }
}

extension ConfigurationReader {
  func readAppearance(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    report.cosmetic { readAppearanceValues(fields, into: &view) }
  }

  private func readAppearanceValues(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    view.appearance.background = fields.unlessNone(.background)?.color()
    if let radius = fields[.cornerRadius]?.number(in: .length) { view.appearance.cornerRadius = radius }
    if let border = fields.unlessNone(.border)?.fields(BorderKey.self) {
      view.appearance.border = self.border(border)
    }
    if let text = fields[.text]?.shownText("give a text, or \"\" for none") { view.text = text }
    if let font = fields[.font]?.fields(FontKey.self) {
      readFont(font, into: &view.textStyle)
      view.fontPlace = font[.family]?.node.place
    }
    if let padding = fields.unlessNull(.padding).flatMap(insets) { view.textStyle.padding = padding }
    readImage(fields, into: &view)
  }

  private func border(_ fields: Fields<BorderKey>) -> Appearance.Border? {
    let color = fields.require(.color, Value.colorAdvice)?.color()
    let width = fields[.width].map { $0.number(in: .length) } ?? 1
    guard let color, let width else { return nil }
    return Appearance.Border(color: color, width: width)
  }

  private func readFont(_ fields: Fields<FontKey>, into style: inout TextStyle) {
    if let family = fields[.family]?.nonEmptyText("give a font family, such as sans-serif") {
      style.family = family
    }
    if let size = fields[.size]?.number(in: .fontSize) { style.size = size }
    if let weight = fields[.weight]?.weight() { style.weight = weight }
    if let color = fields[.color]?.color() { style.color = color }
    if let alignment = fields[.align]?.choice(TextStyle.Alignment.self) { style.alignment = alignment }
    if let alignment = fields[.valign]?.choice(TextStyle.VerticalAlignment.self) {
      style.verticalAlignment = alignment
    }
    if let lines = fields[.lines]?.integer(in: 0...1000) { style.lines = lines }
  }

  /// `image: logo.png` with `image_mode: fit`, or `image: {path: logo.png, mode: fit}`.
  private func readImage(_ fields: Fields<ViewKey>, into view: inout Configuration.View) {
    let separate = fields[.imageMode].map { ($0, $0.choice(ImageView.Mode.self)) }
    guard let value = fields.unlessNone(.image) else {
      // A program sets the picture later.
      if let (value, mode) = separate, let mode {
        view.image = Configuration.View.Image(path: "", mode: mode, place: value.node.place)
      }
      return
    }
    let advice = "give the path of a PNG file"
    var (pathValue, mode) = (Optional(value), separate?.1)
    if value.node.entries != nil, let image = value.fields(ImageKey.self) {
      pathValue = image.require(.path, advice)
      if let inside = image[.mode] {
        mode = inside.choice()
        if let (other, _) = separate {
          other.complain("image_mode is set, and so is mode; remove one of them")
        }
      }
    }
    guard let pathValue, let path = pathValue.nonEmptyText(advice) else { return }
    view.image = Configuration.View.Image(
      path: configuration.resolve(path), mode: mode ?? .fit, place: pathValue.node.place)
  }
}

extension ConfigurationReader {
  /// Six numbers in `CGAffineTransform`'s order, or steps that are done in the order scale, rotate, translate.
  func transform(_ value: Value) -> AffineTransform? {
    if value.node.entries != nil {
      return value.fields(TransformKey.self).map(steps)
    }
    let names = ["a", "b", "c", "d", "tx", "ty"]
    guard
      let matrix = value.numbers(
        names.map { ($0, .coordinate) }, or: "{rotate: ..., scale: ..., translate: ...}")
    else { return nil }
    return AffineTransform(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], tx: matrix[4], ty: matrix[5])
  }

  private func steps(_ fields: Fields<TransformKey>) -> AffineTransform {
    var transform = AffineTransform.identity
    if let value = fields[.scale], let scale = scale(value) {
      transform = .scale(x: scale.x, y: scale.y)
    }
    if let degrees = fields[.rotate]?.number(in: .coordinate) {
      transform = transform.then(.rotation(degrees: degrees))
    }
    if let move = fields[.translate]?.numbers([("x", .coordinate), ("y", .coordinate)]) {
      transform = transform.then(.translation(x: move[0], y: move[1]))
    }
    return transform
  }

  /// One factor, or one for each axis.
  private func scale(_ value: Value) -> (x: Double, y: Double)? {
    if value.finiteNumber != nil { return value.number(in: .coordinate).map { ($0, $0) } }
    return value.numbers([("x", .coordinate), ("y", .coordinate)], or: "one number for both")
      .map { ($0[0], $0[1]) }
  }
}
