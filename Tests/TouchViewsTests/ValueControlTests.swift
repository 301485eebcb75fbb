import DispatchFuzzing
import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Controls with a value, against what Apple documents of UIKit's. Each row names its source; `ours` is what
/// the documentation leaves open, or an addition.
@Suite struct ValueControlTests {
  enum Step: Sendable {
    /// At a point of the window. All controls are at (100, 100), and their middle at y = 116.
    case down(Double)
    case move(Double, Double = 116)
    case up
    case cancel
    case rest(Double)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var control: @Sendable () -> ValueControl
    var steps: [Step]
    /// What the control sends.
    var sends: [Control.Action]
    /// Its value afterwards.
    var value: Double
    var testDescription: String { "\(title) (\(source))" }
  }

  private static func place(_ width: Double, _ height: Double = 32) -> LocalRect {
    LocalRect(x: 100, y: 100, width: width, height: height)
  }

  /// Its thumb is 32 units wide, and its middle 200 units from one end to the other: from 116 to 316.
  private static func slider(
    _ value: Double, step: Double = 0, _ change: @escaping @Sendable (Slider) -> Void = { _ in }
  ) -> @Sendable () -> ValueControl {
    {
      let slider = Slider(id: "c", frame: place(232))
      slider.controlValue = ControlValue(value, minimum: 0, maximum: 100, step: step)
      change(slider)
      return slider
    }
  }

  /// Its knob goes 28 units.
  private static func toggle(_ isOn: Bool) -> @Sendable () -> ValueControl {
    {
      let control = Switch(id: "c", frame: place(60))
      control.isOn = isOn
      return control
    }
  }

  /// Minus is left of 147.
  private static func stepper(
    _ value: Double, maximum: Double = 10, step: Double = 1,
    _ change: @escaping @Sendable (Stepper) -> Void = { _ in }
  ) -> @Sendable () -> ValueControl {
    {
      let stepper = Stepper(id: "c", frame: place(94))
      stepper.controlValue = ControlValue(value, minimum: 0, maximum: maximum, step: step)
      change(stepper)
      return stepper
    }
  }

  /// Three segments of 80 units.
  private static func segmented(_ chosen: Int?) -> @Sendable () -> ValueControl {
    {
      let control = SegmentedControl(id: "c", frame: place(240))
      control.segments = ["Low", "Mid", "High"]
      control.selectedIndex = chosen
      return control
    }
  }

  /// Three rows of 32 units, the first one under the finger.
  private static func list(_ chosen: Int?) -> @Sendable () -> ValueControl {
    {
      let list = ListView(id: "c", frame: place(240, 96))
      (list.rowHeight, list.rows, list.selectedRow) = (32, ["One", "Two", "Three"], chosen)
      return list
    }
  }

  static let rows: [Row] = [
    // Lists
    Row(
      title: "a tap chooses a row", source: "UITableViewDelegate.tableView(_:didSelectRowAt:)",
      control: list(nil), steps: [.down(130), .up], sends: [.touchDown, .valueChanged, .touchUpInside],
      value: 0),
    Row(
      title: "a tap on the chosen row is sent, too",
      source: "UITableViewDelegate.tableView(_:didSelectRowAt:)",
      control: list(0), steps: [.down(130), .up], sends: [.touchDown, .touchUpInside], value: 0),
    Row(
      title: "a finger that leaves its row chooses none", source: "ours", control: list(2),
      steps: [.down(130), .move(130, 140), .move(130, 116), .up],
      sends: [.touchDown, .touchDragExit, .touchDragOutside, .touchDragOutside, .touchUpOutside], value: 2),
    Row(
      title: "a cancelled touch chooses none", source: "UITableView scrolls with a finger on a row",
      control: list(nil), steps: [.down(130), .cancel], sends: [.touchDown, .touchCancel], value: -1),
    // Sliders
    Row(
      title: "a drag that begins on the thumb moves it as far as the finger goes",
      source: "UISlider, overview", control: slider(50), steps: [.down(216), .move(266), .up],
      sends: [.touchDown, .valueChanged, .touchDragInside, .touchUpInside], value: 75),
    Row(
      title: "a finger keeps its place on the thumb", source: "ours", control: slider(50),
      steps: [.down(226), .move(246), .up],
      sends: [.touchDown, .valueChanged, .touchDragInside, .touchUpInside], value: 60),
    Row(
      title: "a touch beside the thumb is not tracked",
      source: "UISlider.thumbRect(forBounds:trackRect:value:)",
      control: slider(50), steps: [.down(300), .move(320), .up], sends: [], value: 50),
    Row(
      title: "with jumps the thumb comes to the finger", source: "ours",
      control: slider(50) { $0.jumps = true },
      steps: [.down(296), .move(306), .up],
      sends: [.touchDown, .valueChanged, .valueChanged, .touchDragInside, .touchUpInside], value: 95),
    Row(
      title: "one that is not continuous sends valueChanged once, at the end",
      source: "UISlider.isContinuous",
      control: slider(50) { $0.isContinuous = false }, steps: [.down(216), .move(226), .move(266), .up],
      sends: [.touchDown, .touchDragInside, .touchDragInside, .valueChanged, .touchUpInside], value: 75),
    Row(
      title: "the value stays within its limits", source: "UISlider.maximumValue", control: slider(50),
      steps: [.down(216), .move(900), .up],
      sends: [.touchDown, .valueChanged, .touchDragExit, .touchDragOutside, .touchUpOutside], value: 100),
    Row(
      title: "a cancelled touch leaves the value as it is", source: "UIControl.cancelTracking(with:)",
      control: slider(50), steps: [.down(216), .move(266), .cancel],
      sends: [.touchDown, .valueChanged, .touchDragInside, .touchCancel], value: 75),
    Row(
      title: "a cancelled touch on one that is not continuous still sends its change", source: "ours",
      control: slider(50) { $0.isContinuous = false }, steps: [.down(216), .move(266), .cancel],
      sends: [.touchDown, .touchDragInside, .valueChanged, .touchCancel], value: 75),
    Row(
      title: "a finger that rests changes nothing", source: "ours", control: slider(33.3),
      steps: [.down(185), .up], sends: [.touchDown, .touchUpInside], value: 33.3),
    Row(
      title: "moves within a step send nothing", source: "ours", control: slider(50, step: 25),
      steps: [.down(216), .move(226), .move(256), .up],
      sends: [.touchDown, .touchDragInside, .valueChanged, .touchDragInside, .touchUpInside], value: 75),
    // Switches
    Row(
      title: "a tap turns it over", source: "UISwitch, overview: valueChanged when toggled",
      control: toggle(false),
      steps: [.down(130), .up], sends: [.touchDown, .valueChanged, .touchUpInside], value: 1),
    Row(
      title: "a drag moves the knob", source: "UISwitch, overview", control: toggle(true),
      steps: [.down(145), .move(105), .up],
      sends: [.touchDown, .touchDragInside, .valueChanged, .touchUpInside], value: 0),
    Row(
      title: "a knob that is dragged back changes nothing", source: "ours", control: toggle(false),
      steps: [.down(115), .move(145), .move(116), .up],
      sends: [.touchDown, .touchDragInside, .touchDragInside, .touchUpInside], value: 0),
    Row(
      title: "a tap that ends outside changes nothing", source: "UIControl.Event.touchUpOutside",
      control: toggle(false), steps: [.down(130), .move(130, 300), .up],
      sends: [.touchDown, .touchDragExit, .touchDragOutside, .touchUpOutside], value: 0),
    Row(
      title: "a cancelled drag returns", source: "UIControl.cancelTracking(with:)", control: toggle(false),
      steps: [.down(115), .move(145), .cancel], sends: [.touchDown, .touchDragInside, .touchCancel], value: 0),
    // Steppers
    Row(
      title: "plus adds a step", source: "UIStepper.stepValue", control: stepper(5),
      steps: [.down(170), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 6),
    Row(
      title: "minus takes one away", source: "UIStepper.stepValue", control: stepper(5),
      steps: [.down(110), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 4),
    Row(
      title: "at a limit nothing changes", source: "UIStepper.maximumValue", control: stepper(10),
      steps: [.down(170), .rest(2), .up], sends: [.touchDown, .touchUpInside], value: 10),
    Row(
      title: "one that wraps goes on at the other limit", source: "UIStepper.wraps",
      control: stepper(10) { $0.wraps = true }, steps: [.down(170), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 0),
    Row(
      title: "one that wraps goes back to the maximum", source: "UIStepper.wraps",
      control: stepper(0) { $0.wraps = true }, steps: [.down(110), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 10),
    Row(
      title: "the last step is as short as the maximum wants it", source: "UIStepper.maximumValue: it clamps",
      control: stepper(8, step: 4), steps: [.down(170), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 10),
    Row(
      title: "at that maximum nothing changes", source: "UIStepper.maximumValue",
      control: stepper(10, step: 4), steps: [.down(170), .up], sends: [.touchDown, .touchUpInside], value: 10),
    Row(
      title: "from there it goes back to the last step", source: "ours: values are steps from the minimum",
      control: stepper(10, step: 4), steps: [.down(110), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 8),
    Row(
      title: "a step beyond the maximum wraps", source: "UIStepper.wraps: incrementing beyond maximumValue",
      control: stepper(8, step: 4) { $0.wraps = true }, steps: [.down(170), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 0),
    Row(
      title: "a step below the minimum wraps", source: "UIStepper.wraps: decrementing below minimumValue",
      control: stepper(0, step: 4) { $0.wraps = true }, steps: [.down(110), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 10),
    Row(
      title: "a step that is larger than the range reaches both limits", source: "UIStepper.stepValue",
      control: stepper(0, step: 15), steps: [.down(170), .up, .down(110), .up, .down(170), .up],
      sends: [
        .touchDown, .valueChanged, .touchUpInside, .touchDown, .valueChanged,
        .touchUpInside,
        .touchDown, .valueChanged, .touchUpInside,
      ], value: 10),
    Row(
      title: "a finger that stays repeats the step, and its end adds none", source: "UIStepper.autorepeat",
      control: stepper(0), steps: [.down(170), .rest(0.75), .up],
      sends: [.touchDown, .valueChanged, .valueChanged, .valueChanged, .touchUpInside], value: 3),
    Row(
      title: "without autorepeat it is one step", source: "UIStepper.autorepeat",
      control: stepper(5) { $0.autorepeats = false }, steps: [.down(170), .rest(3), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 6),
    Row(
      title: "one that is not continuous sends valueChanged at the end", source: "UIStepper.isContinuous",
      control: stepper(0) { $0.isContinuous = false }, steps: [.down(170), .rest(0.75), .up],
      sends: [.touchDown, .valueChanged, .touchUpInside], value: 3),
    Row(
      title: "a finger that slid off its button does nothing", source: "ours", control: stepper(5),
      steps: [.down(170), .move(110), .rest(2), .up], sends: [.touchDown, .touchDragInside, .touchUpInside],
      value: 5),
    Row(
      title: "a cancelled press does nothing", source: "UIControl.cancelTracking(with:)", control: stepper(5),
      steps: [.down(170), .rest(0.3), .cancel, .rest(2)], sends: [.touchDown, .touchCancel], value: 5),
    // Segmented controls
    Row(
      title: "a tap chooses a segment", source: "UISegmentedControl.selectedSegmentIndex",
      control: segmented(0),
      steps: [.down(220), .up], sends: [.touchDown, .valueChanged, .touchUpInside], value: 1),
    Row(
      title: "the chosen segment stays chosen", source: "UISegmentedControl.isMomentary",
      control: segmented(0),
      steps: [.down(110), .up], sends: [.touchDown, .touchUpInside], value: 0),
    Row(
      title: "none is chosen at first", source: "UISegmentedControl.noSegment", control: segmented(nil),
      steps: [], sends: [], value: -1),
    Row(
      title: "the segment where the finger is lifted counts", source: "ours", control: segmented(0),
      steps: [.down(220), .move(300), .up],
      sends: [.touchDown, .touchDragInside, .valueChanged, .touchUpInside], value: 2),
    Row(
      title: "a finger that is lifted outside chooses nothing", source: "UIControl.Event.touchUpOutside",
      control: segmented(0), steps: [.down(220), .move(220, 300), .up],
      sends: [.touchDown, .touchDragExit, .touchDragOutside, .touchUpOutside], value: 0),
    Row(
      title: "a cancelled touch chooses nothing", source: "UIControl.cancelTracking(with:)",
      control: segmented(0), steps: [.down(220), .cancel], sends: [.touchDown, .touchCancel], value: 0),
    // What is not touched
    Row(
      title: "a progress bar is not hit", source: "UIProgressView, a display of progress",
      control: { ProgressView(id: "c", frame: place(240)) }, steps: [.down(220), .move(250), .up],
      sends: [], value: 0),
    Row(
      title: "a gauge is not hit", source: "ours", control: { Gauge(id: "c", frame: place(32)) },
      steps: [.down(110), .up], sends: [], value: 0),
    Row(
      title: "a disabled control is not hit", source: "UIControl.isEnabled",
      control: slider(50) { $0.isEnabled = false }, steps: [.down(216), .move(266), .up], sends: [], value: 50
    ),
  ]

  @Test(arguments: rows) func `a control does what UIKit documents`(row: Row) throws {
    let stage = Stage()
    let control = stage.add(row.control())
    let keeper = Keeper()
    control.handlers = [keeper]
    var point = (x: 0.0, y: 0.0)
    for step in row.steps {
      switch step {
      case .down(let x):
        point = (x, 116)
        stage.frame((1, .began, x, 116))
      case .move(let x, let y):
        point = (x, y)
        stage.frame((1, .moved, x, y))
        stage.dispatcher.flush()
      case .up: stage.frame((1, .ended, point.x, point.y))
      case .cancel: stage.frame((1, .cancelled, point.x, point.y))
      case .rest(let seconds): stage.rest(seconds: seconds)
      }
    }
    #expect(keeper.actions == row.sends)
    let value = try #require(control.controlValue)
    #expect(abs(value.number - row.value) < 1e-9)
    #expect(!control.isHighlighted && control.trackedTouch == nil)
    // A knob slides a moment longer in pictures.
    stage.rest(seconds: 0.3)
    #expect(stage.dispatcher.deadline == nil)
    #expect((control as? Switch).map { $0.knobFraction == row.value } ?? true)
  }

  @Test func `a value that a program sets sends no action, and the touch goes on from there`() {
    let stage = Stage()
    let slider = stage.add(Self.slider(50)())
    let keeper = Keeper()
    slider.handlers = [keeper]
    slider.controlValue?.number = 20
    #expect(keeper.actions.isEmpty)
    stage.drag([(156, 116), (176, 116)])
    #expect(slider.controlValue?.number == 30)
  }

  @Test func `limits that are set take the value and the other limit along`() throws {
    let slider = Slider(id: "s", frame: Self.place(200))
    func set(_ entries: (String, Double)...) throws -> [Double?] {
      try slider.set(entries.map { .init(key: $0.0, value: .number($0.1)) })
      return [slider.controlValue?.minimum, slider.controlValue?.number, slider.controlValue?.maximum]
    }
    #expect(try set(("value", 150), ("minimum", 100), ("maximum", 200)) == [100, 150, 200])
    #expect(try set(("maximum", 120)) == [100, 120, 120])
    #expect(try set(("maximum", 50)) == [50, 50, 50])
    #expect(try set(("minimum", 60), ("maximum", 80)) == [60, 60, 80])
  }

  @Test func `a value on a step is the number that people write`() {
    #expect(ControlValue(0.6, minimum: 0, maximum: 1, step: 0.1).number == 0.6)
    #expect(ControlValue(0, minimum: -0.3, maximum: 1, step: 0.1).number == 0)
    #expect(ControlValue(0.6, minimum: 0, maximum: 1, step: 1.0 / 3).number == 2.0 / 3)
    #expect(ControlValue(1e-17, minimum: 1e-17, maximum: 1, step: 0.1).number == 1e-17)
  }

  @Test func `the last step reaches the maximum, whatever rounding does`() {
    #expect(ControlValue(1, minimum: 0, maximum: 0.3, step: 0.1).number == 0.3)
    #expect(abs(ControlValue(0.94, minimum: 0, maximum: 1, step: 0.3).number - 0.9) < 1e-9)
    #expect(ControlValue(0.96, minimum: 0, maximum: 1, step: 0.3).number == 1)
    #expect(ControlValue(0.9, minimum: 0, maximum: 0.9, step: 0.3).number == 0.9)
    #expect(ControlValue(10.5, minimum: 0, maximum: 10.5, step: 4).text == "10.5")
    #expect(ControlValue(8, minimum: 0, maximum: 10.5, step: 4).text == "8")
  }

  /// How often a stepper that is held for so many seconds has repeated its step.
  private func repeats(heldFor seconds: Double) -> Double {
    let stage = Stage()
    let stepper = stage.add(Self.stepper(0, maximum: 10_000)())
    stage.frame((1, .began, 170, 116))
    stage.rest(seconds: seconds)
    let number = stepper.controlValue?.number ?? -1
    stage.frame((1, .ended, 170, 116))
    #expect(stage.dispatcher.deadline == nil)
    return number
  }

  /// "The rate of change depends on how long the user continues pressing the control." (UIStepper, overview.)
  @Test func `a stepper that is held gets faster, and then keeps its pace`() {
    let seconds = (1...8).map { repeats(heldFor: Double($0)) - repeats(heldFor: Double($0) - 1) }
    #expect(seconds[0] < seconds[1] && seconds[1] < seconds[2] && seconds[2] < seconds[4], "\(seconds)")
    #expect(seconds[6] == seconds[7] && seconds[7] <= 60, "\(seconds)")
    // A range of a hundred is through before a finger gets tired.
    #expect(repeats(heldFor: 5) >= 100)
  }

  private static let oddNumbers = [
    0, Double.leastNonzeroMagnitude, 1e-308, 1e-17, 0.1, 1, 3, 1e7, 1e17, 1e308, .greatestFiniteMagnitude,
    .infinity,
  ]

  @Test func `whatever limits and step are, a value is a number within its limits, and both are reached`() {
    for minimum in Self.oddNumbers.flatMap({ [$0, -$0] }) where minimum.isFinite {
      for maximum in Self.oddNumbers.flatMap({ [$0, -$0] }) where maximum.isFinite && maximum >= minimum {
        for step in Self.oddNumbers {
          var value = ControlValue(0, minimum: minimum, maximum: maximum, step: step)
          for number in Self.oddNumbers.flatMap({ [$0, -$0] }) {
            value.number = number
            #expect(value.number >= minimum && value.number <= maximum, "\(number) of \(value)")
            let text = value.text
            #expect(!text.isEmpty && !text.contains("inf") && !text.contains("nan"), "\(number) of \(value)")
          }
          value.number = .infinity
          #expect(value.number == maximum, "\(value)")
          value.number = -.infinity
          #expect(value.number == minimum, "\(value)")
        }
      }
    }
  }

  @Test func `a stepper that is held in a recording with no end does not keep time from running out`() {
    let stage = Stage()
    let stepper = stage.add(Self.stepper(0) { $0.wraps = true }())
    stage.frame((1, .began, 170, 116))
    #expect(stage.dispatcher.deadline != nil && stage.dispatcher.finalDeadline == nil)
    stepper.removeFromSuperview()
    #expect(stage.dispatcher.deadline == nil && stepper.controlValue?.number == 0)
  }

  // MARK: Gestures

  struct GestureRow: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var recognizer: @Sendable () -> GestureRecognizer
    var control: @Sendable () -> ValueControl
    /// Where the finger comes down, at y = 116, and where it goes before it lifts.
    var x: Double
    var ways: [WindowVector] = []
    var isRecognized: Bool
    /// In degrees, about the control's middle at (216, 116).
    var turn = 0.0

    init(
      _ title: String, _ recognizer: @autoclosure @escaping @Sendable () -> GestureRecognizer,
      _ control: @escaping @Sendable () -> ValueControl, _ x: Double, _ ways: [(Double, Double)] = [],
      turn: Double = 0, isRecognized: Bool
    ) {
      testDescription = title
      (self.recognizer, self.control, self.x, self.turn) = (recognizer, control, x, turn)
      self.ways = ways.map { WindowVector(x: $0.0, y: $0.1) }
      self.isRecognized = isRecognized
    }
  }

  private static func swipe(_ direction: SwipeGestureRecognizer.Direction) -> SwipeGestureRecognizer {
    let swipe = SwipeGestureRecognizer(id: "g")
    swipe.directions = [direction]
    return swipe
  }
  private static func taps(_ count: Int) -> TapGestureRecognizer {
    let tap = TapGestureRecognizer(id: "g")
    tap.numberOfTapsRequired = count
    return tap
  }
  private static let left = [(-20.0, 0.0), (-70, 0)]
  private static let up = [(0.0, -20.0), (0, -70)]
  private static let diagonal = [(20.0, 20.0), (40, 40)]

  // UIKit's release notes for iOS 6: a control's default action keeps overlapping recognisers from theirs.
  // Pans are told apart from their direction, as they are for the scroll view's own.
  static let gestures: [GestureRow] = [
    GestureRow(
      "a swipe along a slider, on its thumb", swipe(.left), slider(50), 216, left, isRecognized: false),
    GestureRow(
      "a swipe along a slider, beside its thumb", swipe(.left), slider(50), 300, left, isRecognized: true),
    GestureRow("a swipe across a slider", swipe(.up), slider(50), 216, up, isRecognized: true),
    GestureRow(
      "a swipe along a slider that is turned", swipe(.up), slider(50), 216, up, turn: 90, isRecognized: false),
    GestureRow(
      "a swipe across a slider that is turned", swipe(.left), slider(50), 216, left, turn: 90,
      isRecognized: true),
    GestureRow(
      "a pan along a slider", PanGestureRecognizer(id: "g"), slider(50), 216, left, isRecognized: false),
    GestureRow(
      "a pan across a slider", PanGestureRecognizer(id: "g"), slider(50), 216, up, isRecognized: true),
    GestureRow(
      "a pan as much across a slider as along", PanGestureRecognizer(id: "g"), slider(50), 216, diagonal,
      isRecognized: true
    ),
    GestureRow(
      "a pan beside a slider's thumb", PanGestureRecognizer(id: "g"), slider(50), 300, left,
      isRecognized: true),
    GestureRow(
      "a pan along a slider that jumps", PanGestureRecognizer(id: "g"), slider(50) { $0.jumps = true }, 300,
      left, isRecognized: false),
    GestureRow("a tap on a slider", taps(1), slider(50), 216, isRecognized: true),
    GestureRow("a tap on a switch", taps(1), toggle(true), 130, isRecognized: false),
    GestureRow(
      "a pan along a switch", PanGestureRecognizer(id: "g"), toggle(true), 130, left, isRecognized: false),
    GestureRow(
      "a pan across a switch", PanGestureRecognizer(id: "g"), toggle(true), 130, up, isRecognized: true),
    GestureRow("a swipe across a switch", swipe(.up), toggle(true), 130, up, isRecognized: true),
    GestureRow("a tap on a stepper", taps(1), stepper(5), 110, isRecognized: false),
    GestureRow(
      "a pan along a stepper", PanGestureRecognizer(id: "g"), stepper(5), 110, left, isRecognized: true),
    GestureRow("a tap on a list", taps(1), list(0), 110, isRecognized: false),
    GestureRow("a tap on a segmented control", taps(1), segmented(0), 110, isRecognized: false),
    GestureRow(
      "a pan along a segmented control", PanGestureRecognizer(id: "g"), segmented(0), 220, left,
      isRecognized: true),
    GestureRow("two taps on a switch", taps(2), toggle(true), 130, isRecognized: true),
  ]

  @Test(arguments: gestures) func `a recogniser of a superview gets what is not the control's own`(
    row: GestureRow
  ) {
    let stage = Stage()
    let control = stage.add(row.control())
    control.transform = .rotation(degrees: row.turn)
    let recognizer = row.recognizer()
    stage.window.addGestureRecognizer(recognizer)
    let count = (recognizer as? TapGestureRecognizer)?.numberOfTapsRequired ?? 1
    for serial in 1...count {
      let path = ([.zero] + row.ways).map { (x: row.x + $0.x, y: 116 + $0.y) }
      stage.drag(path, firstSerial: serial)
    }
    let states = stage.diary.take().filter { $0.hasPrefix("g.") }
    #expect(states.contains("g.ended") == row.isRecognized && states.contains("g.failed") != row.isRecognized)
    stage.rest(seconds: 1)
    #expect(stage.dispatcher.deadline == nil && control.trackedTouch == nil)
  }

  @Test func `a view is asked when a recogniser has found its gesture, and not before`() {
    final class Asked: View {
      var translations: [LocalVector] = []
      override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        translations.append((recognizer as? PanGestureRecognizer)?.translation(in: nil) ?? .zero)
        return false
      }
    }
    let stage = Stage()
    let view = stage.add(Asked(id: "v", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    stage.window.addGestureRecognizer(PanGestureRecognizer(id: "g"))
    stage.tap(100, 100)
    #expect(view.translations.isEmpty)
    stage.drag([(100, 100), (105, 100), (100, 112), (100, 140)], firstSerial: 2)
    #expect(view.translations == [LocalVector(x: 0, y: 12)])
    #expect(stage.diary.take().filter { $0.hasPrefix("g.") } == ["g.failed", "g.failed"])
  }

  // MARK: Hit areas

  /// A switch of 60 × 28 units with its middle at (130, 114), and what else is in the window.
  static let areas: [(String, @Sendable (Stage, Switch) -> Void, Double, Double, String)] = [
    ("in the square above it", { _, _ in }, 130, 92, "c"),
    ("above the square", { _, _ in }, 130, 91.9, "window"),
    ("the square's maximum edge is out", { _, _ in }, 130, 136, "window"),
    (
      "a label takes no touches", { stage, _ in add(Label(id: "l", frame: above), to: stage) }, 130, 93,
      "c"
    ),
    ("a button is hit", { stage, _ in add(Button(id: "b", frame: above), to: stage) }, 130, 93, "b"),
    ("a disabled control has no square", { _, control in control.isEnabled = false }, 130, 93, "window"),
    ("a hidden control has no square", { _, control in control.isHidden = true }, 130, 93, "window"),
    ("a view with a slop is hit in that", { _, control in slop(control) }, 130, 93, "window"),
    ("UIKit's hit test", { _, control in control.minimumHitSize = 0 }, 130, 99, "window"),
    ("the nearer of two", { stage, _ in add(Switch(id: "d", frame: above), to: stage) }, 130, 93, "d"),
    (
      "in the middle the one in front", { stage, _ in add(Switch(id: "d", frame: above), to: stage) },
      130, 94, "d"
    ),
    (
      "the nearer of two again", { stage, _ in add(Switch(id: "d", frame: above), to: stage) }, 130, 95,
      "c"
    ),
    (
      "with many siblings",
      { stage, _ in
        for x in 0..<20 {
          stage.add(
            View(id: "v\(x)", frame: LocalRect(x: Double(x) * 10, y: 300, width: 9, height: 9)))
        }
      },
      130, 93, "c"
    ),
  ]

  private static let above = LocalRect(x: 100, y: 60, width: 60, height: 28)
  private static func add(_ view: View, to stage: Stage) {
    view.layoutRect.size.height = view is Switch ? 28 : 40
    stage.add(view)
  }
  private static func slop(_ control: Switch) {
    var behavior = HitBehavior()
    behavior.slop.left = 1
    control.hitBehavior = behavior
  }

  @Test(arguments: areas.indices) func `a small control is hit beside its edges where nothing else is`(
    index: Int
  ) {
    let (title, change, x, y, expected) = Self.areas[index]
    let stage = Stage()
    let control = stage.add(Switch(id: "c", frame: Self.place(60, 28)))
    change(stage, control)
    let point = WindowPoint(x: x, y: y)
    #expect(stage.window.hitView(at: point, with: nil)?.id == expected, "\(title)")
    #expect(stage.window.hitView(at: point, with: Event(observer: stage.diary))?.id == expected, "\(title)")
    let all = stage.window.hitTestAll(LocalPoint(x: x, y: y), with: nil)
    #expect(all.first?.id == expected && all.last === stage.window, "\(title)")
  }

  @Test func `of two small controls that are as near the one in front is hit`() {
    let stage = Stage()
    for (id, x) in [("behind", 100.0), ("front", 130)] {
      stage.add(Stepper(id: id, frame: LocalRect(x: x, y: 100, width: 10, height: 10)))
    }
    #expect(stage.window.hitView(at: WindowPoint(x: 120, y: 105), with: nil)?.id == "front")
    #expect(stage.window.hitView(at: WindowPoint(x: 119, y: 105), with: nil)?.id == "behind")
  }

  // MARK: Random

  @Test(arguments: 0..<200) func `a value is always within its limits and on a step, and each change is sent`(
    seed: UInt64
  ) throws {
    var random = RandomSource(seed: seed)
    let stage = Stage()
    let control = Self.randomControl(&random)
    stage.add(control)
    let keeper = Keeper()
    control.handlers = [keeper]
    let first = control.controlValue?.number
    var isDown = false
    var point = (x: 0.0, y: 0.0)
    for _ in 0..<60 {
      point = (.random(in: 60...400, using: &random), random.oneIn(8) ? 350 : 116)
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where isDown, 1 where isDown:
        stage.frame((1, random.oneIn(4) ? .cancelled : .ended, point.x, point.y))
        isDown = false
      case _ where !isDown:
        stage.frame((1, .began, point.x, 116))
        isDown = true
      case 2: stage.rest(seconds: .random(in: 0...0.8, using: &random))
      default:
        stage.frame((1, .moved, point.x, point.y))
        stage.dispatcher.flush()
      }
      let value = try #require(control.controlValue)
      #expect(value.number >= value.minimum && value.number <= value.maximum, "seed \(seed)")
      if value.step > 0 {
        let steps = (value.number - value.minimum) / value.step
        #expect(value.number == value.maximum || abs(steps - steps.rounded()) < 1e-6, "seed \(seed)")
      }
      if control.isContinuous || !isDown { #expect(keeper.sent ?? first == value.number, "seed \(seed)") }
    }
    stage.dispatcher.cancelAllTouches(at: stage.time)
    #expect(keeper.actions.filter { $0 == .touchDown }.count == keeper.ends, "seed \(seed)")
    stage.rest(seconds: 0.3)
    #expect(stage.dispatcher.deadline == nil, "seed \(seed)")
  }

  private static func randomControl(_ random: inout RandomSource) -> ValueControl {
    let minimum = Double.random(in: -50...50, using: &random)
    let value = ControlValue(
      .random(in: -100...100, using: &random), minimum: minimum,
      maximum: minimum + .random(in: 0...100, using: &random),
      step: random.oneIn(2) ? 0 : .random(in: 0.01...30, using: &random))
    let place = LocalRect(
      x: 100, y: 100, width: .random(in: 1...250, using: &random), height: .random(in: 1...60, using: &random)
    )
    let control: ValueControl
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let slider = Slider(id: "c", frame: place)
      slider.jumps = random.oneIn(2)
      control = slider
    case 1: return Switch(id: "c", frame: place)
    case 2:
      let stepper = Stepper(id: "c", frame: place)
      (stepper.wraps, stepper.autorepeats) = (random.oneIn(2), random.oneIn(2))
      control = stepper
    default:
      let segmented = SegmentedControl(id: "c", frame: place)
      segmented.segments = Array(repeating: "a", count: Int.random(in: 1...6, using: &random))
      return segmented
    }
    control.controlValue = value
    control.isContinuous = random.oneIn(2)
    return control
  }
}

/// What a control sent, and its value when it last sent a change.
private final class Keeper: ControlHandler {
  let name = "keeper"
  private(set) var actions: [Control.Action] = []
  private(set) var sent: Double?
  private(set) var ends = 0

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    .forward
  }

  func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    actions.append(action)
    if action == .valueChanged { sent = control.controlValue?.number }
    if [.touchUpInside, .touchUpOutside, .touchCancel].contains(action) { ends += 1 }
  }
}

/// What a UIKit developer types first.
@Suite struct PlainNumberTests {
  @Test func `controls have their values as plain numbers, within their limits`() {
    let slider = Slider()
    slider.value = 0.3
    #expect(slider.value == 0.3)
    (slider.minimumValue, slider.maximumValue) = (20, 100)
    #expect(slider.value == 20)
    slider.value = 500
    #expect(slider.value == 100)
    slider.setValue(50, animated: true)
    #expect(slider.value == 50)
    slider.value = .nan
    #expect(slider.value == 50)
    let stepper = Stepper()
    stepper.stepValue = 5
    stepper.value = 12
    #expect(stepper.value == 10 && stepper.maximumValue == 100)
    let segments = SegmentedControl(items: ["a", "b"])
    #expect(segments.selectedIndex == nil)
    segments.selectedIndex = 1
    #expect(segments.selectedIndex == 1 && segments.value == 1)
  }

  @Test func `actions are added in UIKit's order too`() {
    let button = Button("b")
    var presses = 0
    let action = button.addAction({ presses += 1 }, for: .touchUpInside)
    button.send(.touchUpInside)
    button.removeAction(action)
    button.send(.touchUpInside)
    #expect(presses == 1)
  }

  @Test func `a view that is no longer arranged stays a subview`() {
    let (stack, one, two) = (StackView(), View(id: "one"), View(id: "two"))
    stack.addArrangedSubview(one)
    stack.insertArrangedSubview(two, at: 0)
    stack.removeArrangedSubview(one)
    #expect(stack.arrangedSubviews.map(\.id) == ["two"] && one.superview === stack)
  }

  @Test func `a view fits its content where that has a size`() {
    final class Tile: View {
      override var intrinsicContentSize: Size? { Size(width: 30, height: 20) }
    }
    let (tile, slider) = (Tile(), Slider(frame: LocalRect(x: 5, y: 6, width: 70, height: 80)))
    tile.sizeToFit()
    slider.sizeToFit()
    #expect(tile.bounds.size == Size(width: 30, height: 20))
    #expect(slider.frame == LocalRect(x: 5, y: 6, width: 70, height: 34))
    #expect(View().sizeThatFits(Size(width: 9, height: 9)) == .zero)
  }
}
