import TouchCore

/// A property with its new value, checked: what the property takes, for a kind of view that has it.
///
/// It is made once and may be applied any number of times, to any view of that kind.
public enum ViewSetting: Hashable, Sendable {
  /// The rectangle before the transform, in the superview's bounds space.
  case frame(LocalRect)
  case boundsOrigin(LocalPoint)
  case transform(AffineTransform)
  case alpha(Double)
  case hidden(Bool)
  case userInteraction(Bool)
  case enabled(Bool)
  case selected(Bool)
  /// What the view is called; nil for nothing.
  case label(String?)
  case background(Color?)
  case cornerRadius(Double)
  /// What is nil stays as it is; a border that is not there yet is 1 unit wide.
  case border(color: Color?, width: Double?)
  case noBorder
  case text(String)
  case font(FontSetting)
  /// A path that is nil stays as it is, an empty one is no picture.
  case image(path: String?, mode: ImageView.Mode?)
  case z(Double)
  /// The nearest that the control's limits and step allow is taken. 1 turns a switch on, 0 off.
  case value(Double)
  /// The value of the control that sends an action: a step of its actions sets it.
  case sentValue
  /// The other limit follows where it would be on the wrong side.
  case minimum(Double)
  case maximum(Double)
  case tint(Color)
  /// The id of a direct subview.
  case page(String)
  /// Whether pages have a dot each.
  case indicator(Bool)
  /// Nil for pages that do not slide.
  case slide(ScrollView.Axis?)
  /// What the view has in a stack; nil where its content decides.
  case size(width: Double?, height: Double?)
  case axis(StackView.Axis)
  case spacing(Double)
  case insets(Insets)
  case distribution(StackView.Distribution)
  case alignment(StackView.Alignment)
  /// Nil for no grid.
  case columns(Int?)
  /// At least one.
  case segments([String])
  /// What the rows of a list show.
  case rows([String])
  /// How large the content of a scroll view is; nil where its subviews decide.
  case content(Size?)

  /// The parts of a font that change; what is nil stays as it is.
  public struct FontSetting: Hashable, Sendable {
    public var family: String?
    public var size: Double?
    public var weight: TextStyle.Weight?
    public var color: Color?
    public var alignment: TextStyle.Alignment?
    public var verticalAlignment: TextStyle.VerticalAlignment?
    public var lines: Int?

    /// Changes nothing, until it is set.
    public init() {}

    func apply(to style: inout TextStyle) {
      if let family { style.family = family }
      if let size { style.size = size }
      if let weight { style.weight = weight }
      if let color { style.color = color }
      if let alignment { style.alignment = alignment }
      if let verticalAlignment { style.verticalAlignment = verticalAlignment }
      if let lines { style.lines = lines }
    }
  }

  /// Reads a property.
  ///
  /// - Parameters:
  ///   - entry: the property's name, as in the configuration, or a part of it: `font.size`.
  ///   - kind: of the view that is going to get it.
  ///   - isText: whether every value in the entry is a text, as a command line or a plugin gives it: `true`, `0.5`,
  ///     `10, 20`, and `none` for null.
  /// - Throws: when the property does not exist, that kind of view does not have it, or the value is not valid.
  public init(_ entry: PropertyValue.Entry, for kind: ViewKind, isText: Bool = false) throws(PropertyError) {
    let entry = ViewProperty.split(entry)
    guard let property = ViewProperty(rawValue: entry.key) else {
      let known = ViewProperty.allCases.filter { $0.isProperty(of: kind) }.map(\.rawValue)
      throw PropertyError(key: entry.key, cause: .noSuchProperty(known: known))
    }
    guard property.isProperty(of: kind) else {
      throw PropertyError(
        key: entry.key, value: entry.value, cause: .notOfThisView(has: property.owners))
    }
    try self.init(property, PropertyReader(key: entry.key, value: entry.value, isText: isText), of: kind)
  }

  private init(_ property: ViewProperty, _ value: PropertyReader, of kind: ViewKind) throws(PropertyError) {
    switch property {
    case .frame:
      let numbers = try value.numbers([
        ("x", .coordinate), ("y", .coordinate), ("width", .length), ("height", .length),
      ])
      self = .frame(LocalRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    case .boundsOrigin:
      let numbers = try value.numbers([("x", .coordinate), ("y", .coordinate)])
      self = .boundsOrigin(LocalPoint(x: numbers[0], y: numbers[1]))
    case .transform: self = .transform(try AffineTransform(value))
    case .alpha: self = .alpha(try value.number(in: .fraction))
    case .hidden: self = .hidden(try value.flag())
    case .userInteraction: self = .userInteraction(try value.flag())
    case .enabled: self = .enabled(try value.flag())
    case .selected: self = .selected(try value.flag())
    case .label: self = .label(value.isNothing ? nil : try value.nonEmptyText("a text, or none"))
    case .background:
      self = .background(value.isNothing ? nil : try value.color(or: ", or none"))
    case .cornerRadius: self = .cornerRadius(try value.number(in: .length))
    case .border: self = try Self.border(value)
    case .text: self = .text(try value.text())
    case .font: self = .font(try FontSetting(value))
    case .image: self = try Self.image(value)
    case .z: self = .z(try value.number(in: .coordinate))
    case .value:
      self = .value(kind == .switch ? try value.flag() ? 1 : 0 : try value.number(in: .coordinate))
    case .minimum: self = .minimum(try value.number(in: .coordinate))
    case .maximum: self = .maximum(try value.number(in: .coordinate))
    case .tint: self = .tint(try value.color())
    case .page: self = .page(try value.nonEmptyText("the id of one of its subviews"))
    case .indicator: self = .indicator(try value.flag())
    case .slide:
      if let flag = try? value.flag() {
        self = .slide(flag ? .horizontal : nil)
      } else {
        self = .slide(value.isNothing ? nil : try value.choice(PagesView.Slide.self).axis)
      }
    case .size:
      let sides = try value.lengths("width", "height")
      self = .size(width: sides[0], height: sides[1])
    case .axis: self = .axis(try value.choice())
    case .spacing: self = .spacing(try value.number(in: .length))
    case .insets: self = .insets(try value.insets())
    case .distribution: self = .distribution(try value.choice())
    case .alignment: self = .alignment(try value.choice())
    case .columns: self = .columns(value.isNothing ? nil : try value.integer(in: 1...100))
    case .segments:
      let texts = try value.texts()
      guard !texts.isEmpty else { throw value.failure("a list of texts, such as [Low, High]") }
      self = .segments(texts)
    case .rows: self = .rows(try value.texts())
    case .content:
      let sides =
        value.isNothing ? nil : try value.numbers([("width", .length), ("height", .length)], or: " or none")
      self = .content(sides.map { Size(width: $0[0], height: $0[1]) })
    }
  }

  private static func border(_ value: PropertyReader) throws(PropertyError) -> ViewSetting {
    if value.isNothing { return .noBorder }
    var (color, width): (Color?, Double?)
    try value.fields(["color", "width"], or: " or none") { (key, value) throws(PropertyError) in
      if key == "color" { color = try value.color() } else { width = try value.number(in: .length) }
    }
    return .border(color: color, width: width)
  }

  private static func image(_ value: PropertyReader) throws(PropertyError) -> ViewSetting {
    if value.isNothing { return .image(path: "", mode: nil) }
    switch value.value {
    case .text(let path): return .image(path: path, mode: nil)
    case .map: break
    default: throw value.failure("the path of a PNG file")
    }
    var (path, mode): (String?, ImageView.Mode?)
    try value.fields(["path", "mode"]) { (key, value) throws(PropertyError) in
      if key == "path" { path = value.isNothing ? "" : try value.text() } else { mode = try value.choice() }
    }
    return .image(path: path, mode: mode)
  }

  /// The property that is set.
  public var property: ViewProperty {
    switch self {
    case .frame: .frame
    case .boundsOrigin: .boundsOrigin
    case .transform: .transform
    case .alpha: .alpha
    case .hidden: .hidden
    case .userInteraction: .userInteraction
    case .enabled: .enabled
    case .selected: .selected
    case .label: .label
    case .background: .background
    case .cornerRadius: .cornerRadius
    case .border, .noBorder: .border
    case .text: .text
    case .font: .font
    case .image: .image
    case .z: .z
    case .value, .sentValue: .value
    case .minimum: .minimum
    case .maximum: .maximum
    case .tint: .tint
    case .page: .page
    case .indicator: .indicator
    case .slide: .slide
    case .size: .size
    case .axis: .axis
    case .spacing: .spacing
    case .insets: .insets
    case .distribution: .distribution
    case .alignment: .alignment
    case .columns: .columns
    case .segments: .segments
    case .rows: .rows
    case .content: .content
    }
  }

  /// Makes the path of a picture one that can be opened from here.
  public func resolving(_ resolve: (String) -> String) -> ViewSetting {
    guard case .image(let path?, let mode) = self, !path.isEmpty else { return self }
    return .image(path: resolve(path), mode: mode)
  }
}

extension ViewSetting.FontSetting {
  fileprivate init(_ value: PropertyReader) throws(PropertyError) {
    var font = Self()
    let keys = ["family", "size", "weight", "color", "align", "valign", "lines"]
    try value.fields(keys) { (key, value) throws(PropertyError) in
      switch key {
      case "family": font.family = try value.nonEmptyText("a font family, such as sans-serif")
      case "size": font.size = try value.number(in: .fontSize)
      case "weight": font.weight = try value.weight()
      case "color": font.color = try value.color()
      case "align": font.alignment = try value.choice()
      case "valign": font.verticalAlignment = try value.choice()
      default: font.lines = try value.integer(in: 0...1000)
      }
    }
    self = font
  }
}

// MARK: - Setting

extension View {
  /// Sets properties: all of them, or none. What is so already is not changed, and not drawn again.
  ///
  /// - Parameter isText: as for `ViewSetting`.
  /// - Throws: the first that cannot be set. Then nothing has changed.
  public final func set(_ properties: [PropertyValue.Entry], isText: Bool = false) throws(PropertyError) {
    try set(settings(for: properties, isText: isText))
  }

  /// Reads properties for this kind of view, and sets none.
  ///
  /// - Throws: the first that is wrong.
  public final func settings(
    for properties: [PropertyValue.Entry], isText: Bool = false
  ) throws(PropertyError) -> [ViewSetting] {
    var settings: [ViewSetting] = []
    settings.reserveCapacity(properties.count)
    do throws(PropertyError) {
      for entry in properties { settings.append(try ViewSetting(entry, for: kind, isText: isText)) }
    } catch {
      throw error.of(self)
    }
    return settings
  }

  /// Sets what was read before for this kind of view: all of it, or nothing.
  ///
  /// - Throws: when one cannot be set on this view: a page that it does not have, a border without a color.
  public final func set(_ settings: [ViewSetting]) throws(PropertyError) {
    for setting in settings { try check(setting) }
    for setting in settings where setting.property != .value { apply(setting) }
    // The limits come first: they would change the value.
    for setting in settings where setting.property == .value { apply(setting) }
  }

  /// Takes over what was set on another view that this one replaces, unless that was made with another value than this one.
  ///
  /// - Parameters:
  ///   - old: the view as it is now.
  ///   - original: the same view as it was made.
  package final func keepSettings(of old: View, madeAs original: View) {
    // All are read before one is set: a limit that is kept may move the other one.
    let kept = ViewProperty.allCases.compactMap { property -> PropertyValue.Entry? in
      guard let made = property.value(of: original), let now = property.value(of: old), now != made,
        let own = property.value(of: self)
      else { return nil }
      return PropertyValue.Entry(key: property.rawValue, value: own.keeping(now, insteadOf: made))
    }
    // The value comes last, as in `set`: limits and segments that are kept may allow it.
    let value = ViewProperty.value.rawValue
    for entry in kept.filter({ $0.key != value }) + kept.filter({ $0.key == value }) {
      // What this view cannot be, such as showing a page that is gone, stays as it is.
      try? set([entry])
    }
  }

  private func check(_ setting: ViewSetting) throws(PropertyError) {
    let key = setting.property.rawValue
    func failure(_ cause: PropertyError.Cause, _ value: PropertyValue? = nil) -> PropertyError {
      PropertyError(view: id, key: key, value: value, cause: cause)
    }
    guard setting.property.isProperty(of: kind) else {
      throw failure(.notOfThisView(has: setting.property.owners))
    }
    switch setting {
    case .frame(let rect) where isArranged && rect != layoutRect:
      throw failure(
        .badValue(
          expected: superview is StackView
            ? "size [width, height], since the stack \(superview?.id ?? "") places the view"
            : "the view a frame in the file, since without one it fills its superview"))
    case .border(nil, _) where appearance.border == nil:
      throw failure(.badValue(expected: "it a color too: {color: \"#ffffff\", width: 2}"))
    case .value where (self as? Control)?.value == nil, .sentValue where (self as? Control)?.value == nil,
      .minimum where (self as? Control)?.value == nil, .maximum where (self as? Control)?.value == nil:
      throw failure(.notOfThisView(has: setting.property.owners))
    case .page(let page) where !((self as? PagesView)?.pages.contains { $0.id == page } ?? false):
      let pages = ((self as? PagesView)?.pages ?? []).map(\.id).joined(separator: ", ")
      throw failure(.badValue(expected: "the id of one of its subviews: \(pages)"), .text(page))
    default: break
    }
  }

  /// Changes nothing on a view that does not have the property.
  private func apply(_ setting: ViewSetting) {
    switch setting {
    case .frame(let rect): layoutRect = rect
    case .boundsOrigin(let origin):
      if kind == .scroll, let scrollView = self as? ScrollView {
        scrollView.contentOffset = origin
      } else {
        bounds.origin = origin
      }
    case .transform(let transform): self.transform = transform
    case .alpha(let alpha): self.alpha = alpha
    case .hidden(let hidden): isHidden = hidden
    case .userInteraction(let enabled): isUserInteractionEnabled = enabled
    case .enabled(let enabled): (self as? Control)?.isEnabled = enabled
    case .selected(let selected): (self as? Control)?.isSelected = selected
    case .label(let label): accessibilityLabel = label
    case .background(let color): appearance.background = color
    case .cornerRadius(let radius): appearance.cornerRadius = radius
    case .border(let color, let width): setBorder(color, width)
    case .noBorder: appearance.border = nil
    case .text(let text): setText(text)
    case .font(let font): setFont(font)
    case .image(let path, let mode):
      if let path { (self as? ImageView)?.path = path }
      if let mode { (self as? ImageView)?.mode = mode }
    case .z(let z): setZ(z)
    case .value(let number): (self as? Control)?.value?.number = number
    case .sentValue: break
    case .minimum(let number): (self as? Control)?.value?.setLimits(minimum: number)
    case .maximum(let number): (self as? Control)?.value?.setLimits(maximum: number)
    case .tint(let color): (self as? ValueControl)?.colors.tint = color
    case .page(let id): (self as? PagesView)?.page = subviews.first { $0.id == id }
    case .indicator(let isShown): (self as? PagesView)?.showsIndicator = isShown
    case .slide(let axis): (self as? PagesView)?.slideAxis = axis
    case .size(let width, let height): (fixedWidth, fixedHeight) = (width, height)
    case .axis(let axis): (self as? StackView)?.arrangement.axis = axis
    case .spacing(let spacing): (self as? StackView)?.arrangement.spacing = spacing
    case .insets(let insets): (self as? StackView)?.arrangement.insets = insets
    case .distribution(let distribution): (self as? StackView)?.arrangement.distribution = distribution
    case .alignment(let alignment): (self as? StackView)?.arrangement.alignment = alignment
    case .columns(let columns): (self as? StackView)?.arrangement.columns = columns
    case .segments(let segments): (self as? SegmentedControl)?.segments = segments
    case .rows(let rows): (self as? ListView)?.rows = rows
    case .content(let size): (self as? ScrollView)?.scrolling.contentSize = size
    }
  }

  private func setBorder(_ color: Color?, _ width: Double?) {
    guard let color = color ?? appearance.border?.color else { return }
    appearance.border = Appearance.Border(color: color, width: width ?? appearance.border?.width ?? 1)
  }

  private func setText(_ text: String) {
    (self as? Label)?.text = text
    (self as? Button)?.text = text
  }

  private func setFont(_ font: ViewSetting.FontSetting) {
    if let label = self as? Label { font.apply(to: &label.textStyle) }
    if let button = self as? Button { font.apply(to: &button.textStyle) }
    if let segmented = self as? SegmentedControl { font.apply(to: &segmented.textStyle) }
    if let list = self as? ListView { font.apply(to: &list.textStyle) }
  }

  private func setZ(_ z: Double) {
    guard z != self.z else { return }
    var behavior = hitBehavior ?? HitBehavior()
    behavior.z = z
    hitBehavior = behavior
  }
}

extension PropertyError {
  /// The same error, of a certain view.
  fileprivate func of(_ view: View) -> PropertyError {
    var error = self
    error.view = view.id
    return error
  }
}
