import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Every control that shows a value.
private struct Controls {
  let window = Window(size: Size(width: 320, height: 240))
  private let dispatcher: Dispatcher
  private(set) var all: [ValueControl] = []

  init(isEnabled: Bool = true) {
    window.appearance.background = hex("#101418")
    dispatcher = Dispatcher(window: window)
    for (index, value) in [0, 0.3, 1].enumerated() {
      let slider = add(Slider.init, 10, 10 + 36 * Double(index), 140, 32)
      slider.controlValue?.number = value
      if index == 2 { slider.colors.tint = hex("#2fd3b8") }
    }
    let on = add(Switch.init, 160, 10, 51, 31)
    on.isOn = true
    add(Switch.init, 220, 10, 64, 32)
    add(Switch.init, 290, 12, 24, 28).isOn = true
    let stepper = add(Stepper.init, 160, 50, 94, 32)
    stepper.controlValue?.number = 5
    add(Stepper.init, 260, 46, 54, 40)
    let segmented = add(SegmentedControl.init, 160, 92, 154, 32)
    segmented.segments = ["Low", "Mid", "High"]
    segmented.textStyle = textStyle(14, "#ffffff", .center)
    segmented.selectedIndex = 1
    for (index, value) in [0, 0.02, 0.4, 1].enumerated() {
      let progress = add(ProgressView.init, 10, 126 + 10 * Double(index), 140, index == 3 ? 5 : 6)
      progress.controlValue?.number = value
    }
    for (index, value) in [0.3, 0.7, 0, 1].enumerated() {
      let gauge = add(Gauge.init, 10 + 76 * Double(index), 168, 66, 66)
      gauge.controlValue?.number = value
      gauge.style = index == 0 ? .needle : .arc
      if index == 2 { (gauge.startAngle, gauge.endAngle) = (-90, 90) }
      if index == 3 { (gauge.startAngle, gauge.endAngle) = (0, 360) }
    }
    for control in all { control.isEnabled = isEnabled }
  }

  @discardableResult
  private mutating func add<C: ValueControl>(
    _ make: (String, LocalRect) -> C, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> C {
    let control = make("control \(all.count)", LocalRect(x: x, y: y, width: width, height: height))
    window.addSubview(control)
    all.append(control)
    return control
  }

  /// A finger comes down on each: on the thumb of a slider, on the right half of the others.
  func press() {
    dispatcher.dispatch(
      all.enumerated().map { index, control in
        let thumb = (control as? Slider)?.thumbRect
        let point = LocalPoint(x: thumb?.midX ?? control.bounds.maxX - 8, y: control.bounds.midY)
        return TouchChange(
          contact: ContactID(device: DeviceID(rawValue: 1), serial: index), kind: .began,
          location: control.convertToWindow(point))
      }, at: .zero)
  }
}

extension ValueControl {
  /// Whatever is touched by a finger is highlighted.
  fileprivate var isPressedOrNotTouched: Bool { isHighlighted || !isUserInteractionEnabled }
}

@Suite struct ControlPainterTests {
  @Test(arguments: [1, 2])
  func `every control at rest`(scale: Int) throws {
    try expectGolden(
      paint(Controls().window, width: 320 * scale, height: 240 * scale), "controls-\(scale)")
  }

  @Test(arguments: [1, 2])
  func `every control while it is pressed`(scale: Int) throws {
    let controls = Controls()
    controls.press()
    #expect(controls.all.allSatisfy { $0.isPressedOrNotTouched })
    try expectGolden(
      paint(controls.window, width: 320 * scale, height: 240 * scale), "controls-pressed-\(scale)")
  }

  @Test(arguments: [1, 2])
  func `every control while it is disabled`(scale: Int) throws {
    try expectGolden(
      paint(Controls(isEnabled: false).window, width: 320 * scale, height: 240 * scale),
      "controls-disabled-\(scale)")
  }

  @Test(arguments: [DisplayGeometry.Rotation.quarter, .half, .threeQuarters])
  func `controls on a turned display are the same picture, turned`(rotation: DisplayGeometry.Rotation) throws
  {
    let upright = try paint(Controls().window, width: 320, height: 240)
    let isAcross = rotation != .half
    let turned = try paint(
      Controls().window, width: isAcross ? 240 : 320, height: isAcross ? 320 : 240, rotation: rotation)
    // The parts whose edges are whole pixels; discs and arcs may differ by rounding.
    for (x, y) in [(130, 26), (20, 98), (172, 26), (206, 40), (200, 66), (170, 108), (240, 108), (40, 149)] {
      let place =
        switch rotation {
        case .none: (x, y)
        case .quarter: (239 - y, x)
        case .half: (319 - x, 239 - y)
        case .threeQuarters: (y, 319 - x)
        }
      #expect(turned.color(x: place.0, y: place.1) == upright.color(x: x, y: y), "\(x), \(y)")
    }
  }

  @Test(arguments: 0..<60)
  func `what a changed value damages is all that has to be painted`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let controls = Controls()
    for control in controls.all where random.chance(0.3) {
      control.transform = random.chance(0.5) ? rotation(90) : rotation(random.number(0...360))
      control.bounds.origin = LocalPoint(x: random.number(-20...20), y: random.number(-20...20))
    }
    let scale = random.chance(0.5) ? 1 : random.number(0.4...2.5)
    let size = Size(width: (320 * scale).rounded(), height: (240 * scale).rounded())
    let geometry = DisplayGeometry(
      displaySize: size, canvasSize: controls.window.bounds.size,
      rotation: random.chance(0.3) ? .quarter : .none)
    let painter = try Painter(geometry: geometry)
    let followed = try Surface(width: Int(size.width), height: Int(size.height))
    let fresh = try Surface(width: Int(size.width), height: Int(size.height))
    painter.paintAll(controls.window, highlights: nil, on: followed)
    var damage = Damage()
    controls.window.takeDamage(into: &damage)
    for _ in 0..<6 {
      for control in controls.all where random.chance(0.5) {
        guard let value = control.controlValue else { continue }
        control.controlValue?.number = random.number(value.minimum...max(value.minimum, value.maximum))
      }
      damage.removeAll()
      controls.window.takeDamage(into: &damage)
      painter.paint(controls.window, highlights: nil, damage: damage, on: followed)
      painter.paintAll(controls.window, highlights: nil, on: fresh)
      #expect(firstDifference(followed, fresh) == nil, "seed \(seed)")
    }
  }

  @Test func `the dots of pages are painted over the page, the brighter one first`() throws {
    let window = Window(size: Size(width: 100, height: 60))
    let pages = PagesView(id: "p", frame: LocalRect(x: 0, y: 0, width: 100, height: 60))
    window.addSubview(pages)
    pages.showsIndicator = true
    for id in ["a", "b"] {
      let page = View(id: id, frame: LocalRect(x: 0, y: 0, width: 100, height: 60))
      page.appearance.background = hex("#203040")
      pages.addSubview(page)
    }
    let picture = try paint(window, width: 100, height: 60)
    let colors = [42, 50, 58, 10].map { picture.color(x: $0, y: 47) }
    #expect(colors == ["#f2f6fa", "#203040", "#344354", "#203040"].map(hex))
  }

  @Test
  func `a thumb that moves damages its old and its new place with their shadows, and the track between`() {
    let window = Window(size: Size(width: 400, height: 100))
    let slider = Slider(id: "s", frame: LocalRect(x: 100, y: 30, width: 232, height: 32))
    slider.controlValue = ControlValue(50, minimum: 0, maximum: 100)
    window.addSubview(slider)
    window.damage.removeAll()
    slider.controlValue?.number = 60
    #expect(window.damage.rects == [WindowRect(x: 192, y: 30, width: 68, height: 32)])
  }

  @Test func `of thousands of rows and segments, those that are lower or narrower than a pixel cost nothing`()
    throws
  {
    let window = Window(size: Size(width: 100, height: 100))
    let texts = (0..<10_000).map { "\($0)" }
    let list = ListView(id: "l", frame: LocalRect(x: 0, y: 0, width: 100, height: 40))
    (list.rows, list.rowHeight) = (texts, 0.004)
    let segmented = SegmentedControl(id: "s", frame: LocalRect(x: 0, y: 40, width: 100, height: 30))
    segmented.segments = texts
    let picker = PickerView(id: "p", frame: LocalRect(x: 0, y: -1000, width: 100, height: 1e7))
    (picker.mode, picker.rows) = (.list, texts)
    for view in [list, segmented, picker] { window.addSubview(view) }
    let painter = try Painter(
      geometry: DisplayGeometry(
        displaySize: Size(width: 100, height: 100), canvasSize: nil, scale: .fit, rotation: .none))
    painter.paintAll(window, highlights: nil, on: try Surface(width: 100, height: 100))
    // Some hundreds for the rows of the wheel, of ten thousand each.
    #expect(painter.work < 700, "\(painter.work)")
  }
}
