import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Controls in scroll views and on pages: which drags are the control's, and which scroll. Apple's rule is
/// for what runs along a control: "a single finger pan gesture recognizer on the knob of a UISwitch, in a
/// direction parallel to the switch", and so for the thumb of a slider (Event Handling Guide for iOS,
/// "Interacting with Other User Interface Controls").
@Suite struct ControlScrollTests {
  enum Kind: String, CaseIterable, Sendable {
    case slider, `switch`, stepper, segmented, list, button, text

    /// Whether a drag along it is its own.
    var keepsDrags: Bool { self == .slider || self == .switch }

    /// A view with its middle at (300, 300), which is where a finger takes hold of it.
    func make() -> View {
      func place(_ width: Double, _ height: Double) -> LocalRect {
        LocalRect(x: 300 - width / 2, y: 300 - height / 2, width: width, height: height)
      }
      switch self {
      case .slider:
        let slider = Slider(id: "c", frame: place(232, 32))
        slider.controlValue = ControlValue(0.5)
        return slider
      case .switch: return Switch(id: "c", frame: place(60, 32))
      case .stepper: return Stepper(id: "c", frame: place(94, 32))
      case .segmented:
        let segmented = SegmentedControl(id: "c", frame: place(240, 32))
        segmented.segments = ["Low", "Mid", "High"]
        return segmented
      case .list:
        let list = ListView(id: "c", frame: place(240, 132))
        list.rows = ["One", "Two", "Three"]
        return list
      case .button: return Button(id: "c", frame: place(120, 40))
      case .text:
        let label = Label(id: "c", frame: place(120, 40))
        label.text = "Text"
        return label
      }
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var kind: Kind
    var transform: (name: String, matrix: AffineTransform, isUpright: Bool)
    var axis: ScrollView.Axis
    /// The way of the finger, ten units at a time.
    var way: WindowVector
    var testDescription: String {
      "\(kind) \(transform.name), scrolls \(axis), finger goes (\(way.x), \(way.y))"
    }

    /// Whether the finger goes as the control's own x axis does.
    var isAlong: Bool { transform.isUpright == (way.x == 0) }
    var scrolls: Bool {
      let isKept = kind.keepsDrags && isAlong
      return !isKept && (axis == .auto || (axis == .horizontal) == (way.x != 0))
    }
  }

  static let rows: [Row] = {
    let transforms: [(String, AffineTransform, Bool)] = [
      ("as it is", .identity, false), ("turned by 90°", .rotation(degrees: 90), true),
      ("turned by 180°", .rotation(degrees: 180), false), ("turned by 270°", .rotation(degrees: 270), true),
      ("mirrored and stretched", .scale(x: -0.8, y: 1.5), false),
    ]
    let ways = [(0, 10), (0, -10), (10, 0), (-10, 0)].map { WindowVector(x: $0.0, y: $0.1) }
    return Kind.allCases.flatMap { kind in
      transforms.flatMap { transform in
        ScrollView.Axis.allCases.flatMap { axis in
          ways.map { Row(kind: kind, transform: transform, axis: axis, way: $0) }
        }
      }
    }
  }()

  private let stage = Stage()

  /// A scroll view of 400 × 400 units in the middle of its content, with a control under (200, 200).
  private func scrollView(
    _ axis: ScrollView.Axis, _ kind: Kind, _ matrix: AffineTransform = .identity
  ) -> (ScrollView, View) {
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    scrollView.scrolling.axis = axis
    scrollView.scrolling.contentSize = Size(width: 1000, height: 1000)
    scrollView.contentOffset = LocalPoint(
      x: axis == .vertical ? 0 : 100, y: axis == .horizontal ? 0 : 100)
    let control = stage.add(kind.make(), to: scrollView)
    control.layoutRect.origin.x -= axis == .vertical ? 100 : 0
    control.layoutRect.origin.y -= axis == .horizontal ? 100 : 0
    control.transform = matrix
    return (scrollView, control)
  }

  /// Goes eight times that way, 10 ms each.
  private func drag(_ way: WindowVector, afterResting rest: Double = 0, serial: Int = 1) {
    stage.frame((serial, .began, 200, 200))
    stage.rest(seconds: rest)
    for step in 1...8 {
      stage.frame((serial, .moved, 200 + way.x * Double(step), 200 + way.y * Double(step)))
      stage.dispatcher.flush()
    }
    stage.rest(seconds: 0.2)
    stage.frame((serial, .ended, 200 + way.x * 8, 200 + way.y * 8))
  }

  private func actions() -> [String] {
    stage.diary.take().filter { $0.hasPrefix("c.touch") || $0 == "c.valueChanged" }
  }

  @Test(arguments: rows) func `a control keeps what runs along it, and the rest scrolls`(row: Row) {
    let (scrollView, control) = scrollView(row.axis, row.kind, row.transform.matrix)
    let (offset, value) = (scrollView.contentOffset, (control as? Control)?.controlValue)
    drag(row.way)
    let actions = actions()
    #expect((scrollView.contentOffset != offset) == row.scrolls)
    guard row.kind != .text else { return }
    if row.scrolls {
      #expect((control as? Control)?.controlValue == value)
      #expect(!actions.contains("c.touchUpInside") && !actions.contains("c.valueChanged"))
    } else {
      #expect(actions.first == "c.touchDown" && !actions.contains("c.touchCancel"))
    }
    if row.kind == .slider && row.isAlong { #expect((control as? Control)?.controlValue != value) }
  }

  @Test(arguments: rows.filter { $0.transform.name.hasSuffix("90°") && $0.axis == .auto })
  func `a control that was held keeps its finger, unless cancels_touches is always`(row: Row) {
    for cancelling in [ScrollView.TouchCancelling.auto, .always] {
      let (scrollView, control) = scrollView(row.axis, row.kind, row.transform.matrix)
      scrollView.scrolling.cancelsTouches = cancelling
      let offset = scrollView.contentOffset
      drag(row.way, afterResting: 0.2)
      let givesUp = cancelling == .always ? row.scrolls : row.kind == .list || row.kind == .text
      #expect((scrollView.contentOffset != offset) == givesUp, "\(cancelling)")
      if row.kind != .text { #expect(actions().contains("c.touchCancel") == givesUp, "\(cancelling)") }
      stage.dispatcher.cancelAllTouches(at: stage.time)
      control.removeFromSuperview()
      scrollView.removeFromSuperview()
    }
  }

  @Test func `of a page of settings every place scrolls, and none turns a switch`() {
    let page = stage.add(ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 240)))
    page.scrolling.contentSize = Size(width: 200, height: 1000)
    var switches: [Switch] = []
    for row in 0..<20 {
      let top = Double(row) * 48 + 8
      stage.add(Label(id: "l\(row)", frame: LocalRect(x: 8, y: top, width: 100, height: 31)), to: page)
      switches.append(
        stage.add(
          Switch(id: "w\(row)", frame: LocalRect(x: 141, y: top, width: 51, height: 31)), to: page))
    }
    var serial = 0
    for x in stride(from: 120.0, to: 200, by: 10) {
      for y in stride(from: 100.0, to: 220, by: 20) {
        serial += 1
        page.contentOffset = LocalPoint(x: 0, y: 100)
        stage.frame((serial, .began, x, y))
        for step in 1...3 {
          stage.frame((serial, .moved, x, y - 20 * Double(step)))
          stage.dispatcher.flush()
        }
        stage.frame((serial, .ended, x, y - 60))
        #expect(page.contentOffset.y > 100 && switches.allSatisfy { !$0.isOn }, "from (\(x), \(y))")
      }
    }
    #expect(serial == 48)
  }

  // MARK: Pages

  @Test(arguments: Kind.allCases, [false, true])
  func `a page slides with a finger on it, unless the finger drags a control along`(
    kind: Kind, isUpright: Bool
  ) {
    let pages = stage.add(PagesView(id: "p", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    pages.slideAxis = .horizontal
    for id in ["one", "two"] {
      stage.add(View(id: id, frame: LocalRect(x: 0, y: 0, width: 400, height: 400)), to: pages)
    }
    let control = stage.add(kind.make(), to: pages.pages[0])
    control.layoutRect.origin.x -= 100
    control.layoutRect.origin.y -= 100
    if isUpright { control.transform = .rotation(degrees: 90) }
    drag(WindowVector(x: -40, y: 0))
    stage.rest(seconds: 2)
    #expect((pages.page?.id == "two") == (!kind.keepsDrags || isUpright))
  }

  @Test func `a slider that the finger drags at once need not wait for the scroll view's delay`() {
    let (_, control) = scrollView(.vertical, .slider)
    stage.frame((1, .began, 200, 200))
    for x in [206.0, 212] {
      stage.frame((1, .moved, x, 200))
      stage.dispatcher.flush()
    }
    #expect((control as? Slider)?.controlValue?.number == 0.56)
  }

  @Test(arguments: [Kind.slider, .switch, .button])
  func `a second finger scrolls while the first one holds a control`(kind: Kind) {
    let (scrollView, control) = scrollView(.vertical, kind)
    stage.frame((1, .began, 200, 200))
    stage.rest(seconds: 0.2)
    stage.frame((2, .began, 50, 300))
    for y in stride(from: 290.0, through: 200, by: -10) {
      stage.frame((2, .moved, 50, y))
      stage.dispatcher.flush()
    }
    #expect(scrollView.contentOffset.y > 150 && (control as? Control)?.trackedTouch != nil)
    stage.frame((2, .ended, 50, 200))
    stage.frame((1, .ended, 200, 200))
    #expect(!actions().contains("c.touchCancel"))
    stage.rest(seconds: 5)
    #expect(stage.dispatcher.deadline == nil)
  }

  @Test func `a second finger scrolls while the first one drags a slider`() {
    let (scrollView, control) = scrollView(.vertical, .slider)
    stage.frame((1, .began, 200, 200))
    for x in [206.0, 212] {
      stage.frame((1, .moved, x, 200))
      stage.dispatcher.flush()
    }
    stage.frame((2, .began, 50, 300))
    stage.frame((2, .moved, 50, 260))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 220, 200))
    stage.dispatcher.flush()
    #expect(scrollView.contentOffset.y == 130)
    #expect((control as? Slider)?.controlValue?.number == 0.6)
  }
}
