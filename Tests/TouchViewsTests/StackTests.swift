import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// A view whose content has a size that a test gives it; nil for none.
private final class Sized: View {
  var content: (width: Double?, height: Double?) { didSet { invalidateIntrinsicContentSize() } }
  private(set) var measurements = 0

  init(_ id: String, _ width: Double?, _ height: Double?) {
    content = (width, height)
    super.init(id: id)
  }

  override func contentSize(atWidth width: Double) -> ContentSize {
    measurements += 1
    return ContentSize(
      width: content.width.map { ContentLength($0, .content) } ?? .none,
      height: content.height.map { ContentLength($0, .content) } ?? .none)
  }
}

/// Text of which each line takes 10 units: what is as wide as `length` takes two lines in half the room.
private final class Paragraph: View {
  let length: Double

  init(_ id: String, length: Double) {
    self.length = length
    super.init(id: id)
  }

  override func contentSize(atWidth width: Double) -> ContentSize {
    let shown = min(width, length)
    return ContentSize(
      width: ContentLength(shown, .content),
      height: ContentLength(10 * (length / max(1, shown)).rounded(.up), .content))
  }
}

/// `UIStackView`'s documented behaviour: what it says, where, and what that means for a stack of 100 × 60
/// units.
///
/// Where UIKit asks priorities, the rows with "here:" say what takes their place.
@Suite struct StackConformanceTests {
  struct Row: CustomTestStringConvertible, Sendable {
    /// Of Apple's documentation.
    var source: String
    var rule: String
    /// Of the content, by its width and height; nil for a view without a size of its own.
    var views: [(Double?, Double?)]
    /// From left to right, or from top to bottom where the axis is vertical: start and length along it.
    var along: [(Double, Double)]
    /// The same across the axis; nil where the row does not say.
    var across: [(Double, Double)]?
    var change: @Sendable (inout StackView.Arrangement) -> Void = { _ in }
    /// Widths and heights that are set.
    var fixed: [Int: (Double?, Double?)] = [:]
    /// Custom spacing after views.
    var after: [Int: Double] = [:]

    var testDescription: String { "\(source): \(rule)" }
  }

  private static let fill = "UIStackView.Distribution.fill"
  private static let equal = "UIStackView.Distribution.fillEqually"
  private static let gaps = "UIStackView.Distribution.equalSpacing"
  private static let centers = "UIStackView.Distribution.equalCentering"
  private static let proportions = "UIStackView.Distribution.fillProportionally"
  private static let custom = "UIStackView.setCustomSpacing(_:after:)"

  static let rows: [Row] = [
    Row(
      source: "UIStackView.axis", rule: "horizontal is the default", views: [(100, 20)], along: [(0, 100)],
      across: [(0, 60)]),
    Row(
      source: "UIStackView.axis", rule: "vertical arranges from the top down", views: [(30, 20), (30, 40)],
      along: [(0, 20), (20, 40)], across: [(0, 100), (0, 100)], change: { $0.axis = .vertical }),
    Row(
      source: "UIStackView.arrangedSubviews", rule: "the order of the array is that of the row",
      views: [(40, 1), (60, 1)], along: [(0, 40), (40, 60)]),
    Row(
      source: "UIStackView.spacing", rule: "the distance between adjacent edges", views: [(40, 1), (50, 1)],
      along: [(0, 40), (50, 50)], change: { $0.spacing = 10 }),
    Row(
      source: "UIStackView.isLayoutMarginsRelativeArrangement", rule: "views lie inside the margins",
      views: [(1, 1)], along: [(4, 90)], across: [(3, 52)],
      change: { $0.insets = Insets(top: 3, left: 4, bottom: 5, right: 6) }),
    Row(
      source: fill, rule: "views fill the room; the one that hugs its content least stretches",
      views: [(30, 1), (nil, nil), (20, 1)], along: [(0, 30), (30, 50), (80, 20)]),
    Row(
      source: fill, rule: "here: where the hugging is equal, the last one stretches",
      views: [(30, 1), (20, 1)], along: [(0, 30), (30, 70)]),
    Row(
      source: fill, rule: "here: views without a content size share what is left",
      views: [(nil, nil), (20, 1), (nil, nil)], along: [(0, 40), (40, 20), (60, 40)]),
    Row(
      source: "NSLayoutDimension.constraint(equalToConstant:)",
      rule: "a fixed width stays, and another view stretches",
      views: [(30, 1), (20, 1)], along: [(0, 75), (75, 25)], fixed: [1: (25, nil)]),
    Row(
      source: fill, rule: "views that do not fit are compressed; here: in proportion",
      views: [(150, 1), (50, 1)], along: [(0, 75), (75, 25)]),
    Row(
      source: fill, rule: "a required width resists compression",
      views: [(150, 1), (50, 1)], along: [(0, 50), (50, 50)], fixed: [1: (50, nil)]),
    Row(
      source: "UIView.noIntrinsicMetric",
      rule: "here: a view without a content size is compressed to nothing",
      views: [(100, 1), (nil, nil)], along: [(0, 100), (100, 0)]),
    Row(
      source: equal, rule: "views have the same size along the axis",
      views: [(10, 1), (70, 1), (nil, nil), (3, 1)],
      along: [(0, 25), (25, 25), (50, 25), (75, 25)], change: { $0.distribution = .fillEqually }),
    Row(
      source: equal, rule: "spacing is taken off before", views: [(10, 1), (70, 1)],
      along: [(0, 45), (55, 45)],
      change: {
        $0.distribution = .fillEqually
        $0.spacing = 10
      }),
    Row(
      source: gaps, rule: "the rest goes between the views evenly", views: [(10, 1), (20, 1), (30, 1)],
      along: [(0, 10), (30, 20), (70, 30)], change: { $0.distribution = .equalSpacing }),
    Row(
      source: "UIStackView.spacing",
      rule: "the least spacing for equalSpacing; what does not fit is compressed",
      views: [(60, 1), (60, 1)], along: [(0, 40), (60, 40)],
      change: {
        $0.distribution = .equalSpacing
        $0.spacing = 20
      }),
    Row(
      source: gaps, rule: "first and last touch the edges, so that one alone fills the room",
      views: [(10, 1)],
      along: [(0, 100)], change: { $0.distribution = .equalSpacing }),
    Row(
      source: centers, rule: "centres are equally far from each other", views: [(10, 1), (20, 1), (30, 1)],
      along: [(0, 10), (35, 20), (70, 30)], change: { $0.distribution = .equalCentering }),
    Row(
      source: centers, rule: "the spacing is kept between views; here: the other centres stay equally far",
      views: [(60, 1), (10, 1), (10, 1)], along: [(0, 60), (65, 10), (90, 10)],
      change: {
        $0.distribution = .equalCentering
        $0.spacing = 5
      }),
    Row(
      source: centers, rule: "what does not fit with the spacing is compressed", views: [(60, 1), (60, 1)],
      along: [(0, 40), (60, 40)],
      change: {
        $0.distribution = .equalCentering
        $0.spacing = 20
      }),
    Row(
      source: proportions, rule: "views are resized in proportion to their content",
      views: [(10, 1), (30, 1)],
      along: [(0, 20), (40, 60)],
      change: {
        $0.distribution = .fillProportionally
        $0.spacing = 20
      }),
    Row(
      source: proportions, rule: "they are compressed in proportion, too", views: [(150, 1), (50, 1)],
      along: [(0, 75), (75, 25)], change: { $0.distribution = .fillProportionally }),
    Row(
      source: proportions, rule: "here: a fixed width stays", views: [(10, 1), (10, 1), (30, 1)],
      along: [(0, 20), (20, 20), (40, 60)], change: { $0.distribution = .fillProportionally },
      fixed: [0: (20, nil)]),
    Row(
      source: custom, rule: "the space after a view, in place of the spacing",
      views: [(20, 1), (20, 1), (20, 1)], along: [(0, 20), (50, 20), (80, 20)], change: { $0.spacing = 10 },
      after: [0: 30, 2: 50]),
    Row(
      source: custom, rule: "it is taken off before views are equally long", views: [(1, 1), (1, 1), (1, 1)],
      along: [(0, 20), (20, 20), (80, 20)], change: { $0.distribution = .fillEqually }, after: [1: 40]),
    Row(
      source: custom, rule: "it is the least space where the rest goes between the views",
      views: [(10, 1), (10, 1), (10, 1)], along: [(0, 10), (60, 10), (90, 10)],
      change: { $0.distribution = .equalSpacing }, after: [0: 50]),
    Row(
      source: "UIStackView.Alignment.fill", rule: "views fill the room across the axis", views: [(100, 20)],
      along: [(0, 100)], across: [(0, 60)]),
    Row(
      source: "UIStackView.Alignment.top", rule: "leading of a row is its top", views: [(100, 20)],
      along: [(0, 100)], across: [(0, 20)], change: { $0.alignment = .leading }),
    Row(
      source: "UIStackView.Alignment.center", rule: "centres are aligned", views: [(100, 20)],
      along: [(0, 100)], across: [(20, 20)], change: { $0.alignment = .center }),
    Row(
      source: "UIStackView.Alignment.bottom", rule: "trailing of a row is its bottom", views: [(100, 20)],
      along: [(0, 100)], across: [(40, 20)], change: { $0.alignment = .trailing }),
    Row(
      source: "UIStackView.Alignment.leading", rule: "leading of a column is its left", views: [(30, 60)],
      along: [(0, 60)], across: [(0, 30)],
      change: {
        $0.axis = .vertical
        $0.alignment = .leading
      }),
    Row(
      source: "UIStackView.Alignment.trailing", rule: "trailing of a column is its right", views: [(30, 60)],
      along: [(0, 60)], across: [(70, 30)],
      change: {
        $0.axis = .vertical
        $0.alignment = .trailing
      }),
    Row(
      source: "UIStackView.Alignment.center", rule: "a view is not larger than the stack", views: [(100, 90)],
      along: [(0, 100)], across: [(0, 60)], change: { $0.alignment = .center }),
    Row(
      source: "NSLayoutDimension.constraint(equalToConstant:)", rule: "a fixed height holds across the axis",
      views: [(100, 20)], along: [(0, 100)], across: [(0, 15)], fixed: [0: (nil, 15)]),
  ]

  @Test(arguments: rows) func `a stack arranges its views as UIKit's documentation says`(row: Row) {
    let stack = StackView(id: "stack", frame: LocalRect(x: 0, y: 0, width: 100, height: 60))
    row.change(&stack.arrangement)
    for (index, size) in row.views.enumerated() {
      let view = Sized("v\(index)", size.0, size.1)
      (view.fixedWidth, view.fixedHeight) = row.fixed[index] ?? (nil, nil)
      stack.addArrangedSubview(view)
      row.after[index].map { stack.setCustomSpacing($0, after: view) }
    }
    stack.layoutIfNeeded()
    let isRow = stack.arrangement.axis == .horizontal
    let frames = stack.subviews.map(\.layoutRect)
    #expect(
      frames.map { isRow ? [$0.minX, $0.size.width] : [$0.minY, $0.size.height] }
        == row.along.map { [$0.0, $0.1] })
    guard let across = row.across else { return }
    #expect(
      frames.map { isRow ? [$0.minY, $0.size.height] : [$0.minX, $0.size.width] }
        == across.map { [$0.0, $0.1] })
  }
}

@Suite struct StackTests {
  private let stage = Stage()
  private let stack = StackView(id: "stack", frame: LocalRect(x: 0, y: 0, width: 300, height: 100))
  private let first = Sized("first", 50, 20)
  private let second = Sized("second", 50, 20)
  private let third = Sized("third", 50, 20)

  init() {
    stage.add(stack)
    for view in [first, second, third] { stack.addArrangedSubview(view) }
    stack.arrangement.distribution = .fillEqually
    stage.window.layoutIfNeeded()
    stage.window.damage.removeAll()
  }

  private func hit(_ x: Double, _ y: Double) -> String? {
    stage.window.hitView(at: WindowPoint(x: x, y: y), with: nil)?.id
  }

  @Test func `a hidden view takes no room, and the next hit test knows`() {
    #expect(hit(110, 50) == "second")
    first.isHidden = true
    #expect(hit(110, 50) == "second" && hit(10, 50) == "second" && hit(160, 50) == "third")
    first.isHidden = false
    #expect(hit(10, 50) == "first")
  }

  @Test func `an automatic axis follows the shape of the window, and so does what its stack needs`() {
    let (outer, inner) = (StackView(id: "outer"), StackView(id: "inner"))
    let window = Window(size: Size(width: 400, height: 240))
    (outer.axis, inner.axis, inner.spacing) = (.vertical, .auto, 10)
    let parts = [Sized("a", 40, 20), Sized("b", 40, 20)]
    for part in parts { inner.addArrangedSubview(part) }
    outer.addArrangedSubview(inner)
    outer.addArrangedSubview(Sized("rest", nil, nil))
    outer.isArranged = true
    window.addSubview(outer)
    window.layoutIfNeeded()
    #expect(parts.map(\.layoutRect.minY) == [0, 0] && inner.layoutRect.size.height == 20)
    window.layoutRect.size = Size(width: 240, height: 400)
    window.layoutIfNeeded()
    #expect(parts.map(\.layoutRect.minY) == [0, 30] && inner.layoutRect.size.height == 50)
    #expect(parts[0].layoutRect.size.width == 240)
  }

  @Test func `a touch in the same turn finds the tree that was just set`() throws {
    try stack.set([.init(key: "axis", value: .text("vertical"))])
    stage.frame((1, .began, 250, 10))
    #expect(stage.dispatcher.touches.map { $0.view?.id } == ["first"])
    try second.set([.init(key: "hidden", value: .flag(true))])
    stage.frame((2, .began, 250, 60))
    #expect(stage.dispatcher.touches.map { $0.view?.id } == ["first", "third"])
  }

  @Test func `what moved is drawn again, and nothing else`() {
    third.isHidden = true
    var damage = Damage()
    stage.window.takeDamage(into: &damage)
    #expect(damage.rects == [WindowRect(x: 0, y: 0, width: 300, height: 100)])
    // Nothing moves, so only what the text itself needs is drawn.
    damage.removeAll()
    first.content.width = 70
    stage.window.takeDamage(into: &damage)
    #expect(damage.isEmpty)
  }

  @Test func `what changes nothing in a stack lays nothing out`() {
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .ended, 10, 10))
    first.appearance.background = Color(red: 1, green: 2, blue: 3)
    stack.layoutRect.origin.x = 7
    let label = stage.add(Label(id: "label", frame: LocalRect(x: 0, y: 200, width: 50, height: 20)))
    label.text = "Hello"
    label.isHidden = true
    #expect(!stage.window.needsLayout)
    let before = second.measurements
    stage.window.layoutIfNeeded()
    #expect(second.measurements == before)
  }

  @Test func `controls are as large as iOS draws them, and sliders take the width`() {
    let column = StackView(id: "column", frame: LocalRect(x: 0, y: 0, width: 300, height: 200))
    column.arrangement.axis = .vertical
    column.arrangement.alignment = .leading
    let controls = [
      Slider(id: "slider"), Switch(id: "switch"), Stepper(id: "stepper"), SegmentedControl(id: "modes"),
      ProgressView(id: "progress"),
    ]
    for control in controls { column.addArrangedSubview(control) }
    stage.add(column)
    stage.window.layoutIfNeeded()
    #expect(controls.map(\.bounds.size.height) == [34, 31, 32, 32, 4 + 67])
    #expect(controls.map(\.bounds.size.width) == [300, 51, 94, 300, 300])
  }

  /// A label's content hugging is lower than that of a switch. (`UILayoutPriority.defaultLow` and
  /// `defaultHigh`.)
  @Test(arguments: ["switch", "stepper", "text_field", "slider", "segmented"])
  func `a control keeps its size beside a text, which takes the room`(kind: String) throws {
    let control = try #require(ViewKind.named(kind)).make("c")
    for axis in [StackView.Axis.horizontal, .vertical] {
      let row = StackView(id: "row", frame: LocalRect(x: 0, y: 0, width: 300, height: 200))
      row.arrangement.axis = axis
      let text = Sized("text", 40, 20)
      row.addArrangedSubview(text)
      row.addArrangedSubview(control)
      stage.add(row)
      stage.window.layoutIfNeeded()
      let own = control.contentSize(atWidth: 300)
      if axis == .vertical {
        #expect(control.bounds.size.height == own.height.units)
        #expect(text.bounds.size.height == 200 - own.height.units)
      } else if own.width.hugging == .high {
        #expect(
          control.bounds.size.width == own.width.units && text.bounds.size.width == 300 - own.width.units)
      } else {
        #expect(
          control.bounds.size.width == 260 && text.bounds.size.width == 40, "it has no width of its own")
      }
      row.removeFromSuperview()
    }
  }

  @Test func `a view that leaves makes room, and one that comes takes it`() {
    second.removeFromSuperview()
    #expect(hit(160, 50) == "third" && stack.arrangedSubviews.map(\.id) == ["first", "third"])
    stack.insertSubview(second, at: 0)
    #expect(hit(10, 50) == "second")
    second.isArranged = false
    #expect(hit(10, 50) == "first")
  }

  @Test func `a subview that is not arranged keeps its frame`() {
    let badge = stage.add(
      View(id: "badge", frame: LocalRect(x: 280, y: 0, width: 20, height: 20)), to: stack)
    stage.window.layoutIfNeeded()
    #expect(badge.layoutRect == LocalRect(x: 280, y: 0, width: 20, height: 20))
    #expect(third.layoutRect == LocalRect(x: 200, y: 0, width: 100, height: 100))
    #expect(hit(290, 10) == "badge")
  }

  @Test func `the frame of an arranged view cannot be set, and its size can`() throws {
    let frame = PropertyValue.Entry(key: "frame", value: .list([1, 2, 3, 4].map { .number($0) }))
    #expect {
      try first.set([frame])
    } throws: {
      "\($0)"
        == "view first: frame is not set; give size [width, height], since the stack stack places the view"
    }
    stack.arrangement.distribution = .fill
    try first.set([.init(key: "size", value: .text("80, none"))], isText: true)
    stage.window.layoutIfNeeded()
    #expect(first.layoutRect == LocalRect(x: 0, y: 0, width: 80, height: 100))
    try first.set([.init(key: "size", value: .list([.null, .number(30)]))])
    stage.window.layoutIfNeeded()
    #expect(first.layoutRect == LocalRect(x: 0, y: 0, width: 50, height: 30))
    #expect {
      try first.set([.init(key: "size", value: .list([.number(1), .number(-1)]))])
    } throws: {
      "\($0)" == "view first: height in size cannot be -1; give a number from 0 to 10000000"
    }
  }

  @Test func `arranged views of a window and of pages fill them, and follow their size`() {
    let pages = PagesView(id: "pages")
    pages.isArranged = true
    let page = View(id: "page")
    page.isArranged = true
    pages.addSubview(page)
    stage.add(pages)
    #expect(hit(399, 399) == "page")
    stage.window.layoutRect.size = Size(width: 120, height: 90)
    stage.window.layoutIfNeeded()
    #expect(page.layoutRect == LocalRect(x: 0, y: 0, width: 120, height: 90))
  }

  /// On 1920 × 1080 pixels, a canvas of 480 units is 853.33 units wide.
  @Test func `edges are at whole pixels, and the last one is at the end of the display`() {
    let window = Window(size: Size(width: 1920 / 2.25, height: 480))
    let row = StackView(id: "row")
    let parts = (0..<3).map { Sized("\($0)", nil, nil) }
    for part in parts { row.addArrangedSubview(part) }
    (row.isArranged, row.distribution) = (true, .fillEqually)
    window.addSubview(row)
    window.layoutIfNeeded()
    #expect(parts.map(\.layoutRect.maxX) == [284, 569, 853])
    window.pixelsPerUnit = Size(width: 2.25, height: 2.25)
    window.layoutIfNeeded()
    #expect(parts.map { $0.layoutRect.maxX * 2.25 } == [640, 1280, 1920])
    // A pixel is larger than a unit.
    window.pixelsPerUnit = Size(width: 0.4, height: 0.4)
    window.layoutIfNeeded()
    #expect(parts.map(\.layoutRect.maxX) == [284, 569, 853])
  }

  @Test func `columns make a grid whose rows are distributed`() {
    stack.arrangement.columns = 2
    stack.arrangement.spacing = 10
    stage.window.layoutIfNeeded()
    #expect(
      [first, second, third].map(\.layoutRect) == [
        LocalRect(x: 0, y: 0, width: 145, height: 45), LocalRect(x: 155, y: 0, width: 145, height: 45),
        LocalRect(x: 0, y: 55, width: 145, height: 45),
      ])
    // Rows of a filling grid are as high as their highest view, and the last one takes the rest.
    stack.arrangement.distribution = .fill
    second.content.height = 30
    first.isHidden = false
    stage.window.layoutIfNeeded()
    #expect([first, second].map(\.layoutRect.size.height) == [30, 30] && third.layoutRect.minY == 40)
    first.isHidden = true
    stage.window.layoutIfNeeded()
    #expect(second.layoutRect.minX == 0 && third.layoutRect.minX == 155)
  }

  @Test func `text of several lines gets the height that its width needs`() {
    stack.arrangement = StackView.Arrangement()
    stack.arrangement.axis = .vertical
    let text = Paragraph("text", length: 600)
    stack.insertSubview(text, at: 0)
    text.isArranged = true
    stage.window.layoutIfNeeded()
    #expect(text.layoutRect == LocalRect(x: 0, y: 0, width: 300, height: 20))
    stack.layoutRect.size.width = 200
    stage.window.layoutIfNeeded()
    #expect(text.layoutRect == LocalRect(x: 0, y: 0, width: 200, height: 30))
  }

  @Test func `a stack in a stack has the size of what is in it`() {
    stack.arrangement = StackView.Arrangement()
    let inner = StackView(id: "inner")
    inner.arrangement.axis = .vertical
    inner.arrangement.spacing = 5
    inner.arrangement.insets = Insets(top: 1, left: 2, bottom: 3, right: 4)
    inner.addArrangedSubview(Sized("a", 30, 20))
    inner.addArrangedSubview(Sized("b", 60, 20))
    inner.isArranged = true
    stack.insertSubview(inner, at: 0)
    stage.window.layoutIfNeeded()
    #expect(inner.layoutRect == LocalRect(x: 0, y: 0, width: 66, height: 100))
    #expect(inner.subviews[1].layoutRect == LocalRect(x: 2, y: 26, width: 60, height: 71))
    // A change deep inside moves what is outside.
    (inner.subviews[0] as? Sized)?.content.width = 94
    #expect(hit(95, 50) == "b" && hit(101, 50) == "first")
    // With a view that takes any room, the inner stack does too.
    inner.addArrangedSubview(Sized("open", nil, nil))
    stack.arrangement.alignment = .center
    stage.window.layoutIfNeeded()
    #expect(inner.layoutRect.size.height == 100 && first.layoutRect.size.height == 20)
    for view in inner.subviews { view.isHidden = true }
    stage.window.layoutIfNeeded()
    #expect(inner.layoutRect.size.width == 6 && first.layoutRect.minX == 6)
  }

  @Test func `a deep nest of stacks is measured once for each width`() {
    var outer = StackView(id: "outer", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    stage.add(outer)
    for level in 0..<20 {
      let inner = StackView(id: "level \(level)")
      inner.arrangement.axis = level.isMultiple(of: 2) ? .vertical : .horizontal
      outer.addArrangedSubview(inner)
      outer = inner
    }
    let leaf = Sized("leaf", 10, 10)
    outer.addArrangedSubview(leaf)
    stage.window.layoutIfNeeded()
    #expect(leaf.layoutRect.size == Size(width: 400, height: 400))
    // Without what is kept, each level would double or triple it.
    #expect(leaf.measurements < 20 * 20)
  }
}

/// What holds for every arrangement, on random ones.
@Suite struct StackPropertyTests {
  private struct Random {
    var state: UInt64

    /// (SplitMix64.)
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }

    mutating func number(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func one<Choice: CaseIterable>(of type: Choice.Type) -> Choice
    where Choice.AllCases == [Choice] {
      type.allCases[number(type.allCases.count)]
    }
  }

  private func makeStack(_ random: inout Random, depth: Int) -> StackView {
    let stack = StackView(id: "stack")
    // What an automatic one is depends on the window.
    stack.arrangement.axis = [.horizontal, .vertical][random.number(2)]
    stack.arrangement.distribution = random.one(of: StackView.Distribution.self)
    stack.arrangement.alignment = random.one(of: StackView.Alignment.self)
    stack.arrangement.spacing = Double(random.number(12))
    if random.number(4) == 0 { stack.arrangement.columns = 1 + random.number(4) }
    if random.number(3) == 0 {
      let sides = (0..<4).map { _ in Double(random.number(20)) }
      stack.arrangement.insets = Insets(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
    }
    for index in 0..<random.number(8) {
      let view: View
      if depth > 0, random.number(3) == 0 {
        view = makeStack(&random, depth: depth - 1)
      } else {
        let sides = (0..<2).map { _ in random.number(4) == 0 ? nil : Double(random.number(120)) }
        view = Sized("v\(index)", sides[0], sides[1])
      }
      if random.number(5) == 0 { view.fixedWidth = Double(random.number(60)) }
      if random.number(5) == 0 { view.fixedHeight = Double(random.number(60)) }
      view.isHidden = random.number(6) == 0
      stack.addArrangedSubview(view)
    }
    return stack
  }

  private func stacks(in stack: StackView) -> [StackView] {
    [stack] + stack.subviews.compactMap { $0 as? StackView }.flatMap(stacks)
  }

  private func frames(in view: View) -> [LocalRect] {
    [view.layoutRect] + view.subviews.flatMap(frames)
  }

  @Test(arguments: 1...150) func `views never overlap, and laying out twice changes nothing`(seed: UInt64) {
    var random = Random(state: seed)
    let root = makeStack(&random, depth: 3)
    let window = Window(
      size: Size(width: 50 + Double(random.number(600)), height: 50 + Double(random.number(400))))
    root.isArranged = true
    window.addSubview(root)
    window.layoutIfNeeded()
    for stack in stacks(in: root) where !stack.isHidden { check(stack) }
    let before = frames(in: window)
    for stack in stacks(in: root) { stack.setNeedsLayout() }
    window.layoutIfNeeded()
    #expect(frames(in: window) == before && !window.needsLayout)
  }

  private func check(_ stack: StackView) {
    let arrangement = stack.arrangement
    let views = stack.arrangedSubviews.filter { !$0.isHidden }
    for (index, view) in views.enumerated() {
      #expect(view.layoutRect.size.width >= 0 && view.layoutRect.size.height >= 0)
      for other in views[..<index] {
        #expect(
          !view.layoutRect.intersects(other.layoutRect),
          "\(arrangement): \(other.layoutRect) \(view.layoutRect)")
      }
    }
    guard arrangement.distribution == .fillEqually, arrangement.columns == nil, !views.isEmpty else { return }
    let isRow = arrangement.axis == .horizontal
    let insets = arrangement.insets
    let room =
      isRow
      ? stack.bounds.size.width - insets.left - insets.right
      : stack.bounds.size.height - insets.top - insets.bottom
    let lengths = views.map { isRow ? $0.layoutRect.size.width : $0.layoutRect.size.height }
    let gaps = arrangement.spacing * Double(views.count - 1)
    guard room >= gaps else { return }
    #expect(abs(lengths.reduce(gaps, +) - room) < 1e-9, "\(arrangement) in \(room): \(lengths)")
    #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
  }

  @Test(arguments: 1...100) func `a hidden view is as if it were not there`(seed: UInt64) {
    var random = Random(state: seed)
    let root = makeStack(&random, depth: 2)
    let window = Window(size: Size(width: 400, height: 300))
    root.isArranged = true
    window.addSubview(root)
    let all = stacks(in: root)
    window.layoutIfNeeded()
    func shown(_ view: View) -> [LocalRect] {
      [view.layoutRect] + view.subviews.filter { !$0.isHidden }.flatMap(shown)
    }
    let before = shown(root)
    for stack in all { for view in stack.subviews where view.isHidden { view.removeFromSuperview() } }
    window.layoutIfNeeded()
    #expect(shown(root) == before)
  }
}
