import Testing
import TouchExpressions

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The keys of controls that show a value.
@Suite struct ControlReadingTests {
  @Test func `each kind has the defaults of UIKit's`() throws {
    let expected: [(String, ControlValue)] = [
      ("kind: slider", ControlValue(0)), ("kind: switch", ControlValue(isOn: false)),
      ("kind: stepper", ControlValue(0, minimum: 0, maximum: 100, step: 1)),
      ("kind: segmented, segments: [a, b]", ControlValue(-1, minimum: -1, maximum: 1, step: 1)),
      ("kind: progress", ControlValue(0)), ("kind: gauge", ControlValue(0)),
      (
        "kind: slider, minimum: 5, maximum: 30, step: 0.5",
        ControlValue(5, minimum: 5, maximum: 30, step: 0.5)
      ),
    ]
    for (keys, value) in expected {
      #expect(try made(keys, as: Control.self).controlValue == value, "\(keys)")
    }
    #expect(try made("kind: control", as: Control.self).controlValue == nil)
  }

  @Test func `the tree has what the file says`() throws {
    let tree = ViewTree(
      try parse(
        """
        window:
          subviews:
            - {id: a, kind: slider, frame: [0,0,9,9], value: 0.4, jumps: true, continuous: false, tint: "#010203"}
            - {id: b, kind: switch, frame: [0,0,9,9], value: true, track: "#040506", enabled: false}
            - {id: c, kind: stepper, frame: [0,0,9,9], value: 7, wraps: true, autorepeat: false, thumb: "#070809"}
            - {id: d, kind: segmented, frame: [0,0,9,9], segments: [Low, 1.50], value: 1, font: {size: 9}}
            - {id: e, kind: progress, frame: [0,0,9,9], value: 50, maximum: 100}
            - {id: f, kind: gauge, frame: [0,0,9,9], value: 1, gauge: arc, start_angle: -90, end_angle: 90}
        """), canvasSize: Size(width: 100, height: 100))
    let slider = try #require(tree.viewsByID["a"] as? Slider)
    #expect(slider.controlValue?.number == 0.4 && slider.jumps && !slider.isContinuous)
    #expect(slider.colors.tint.hex == "#010203" && slider.colors.thumb == ValueControl.Colors().thumb)
    let toggle = try #require(tree.viewsByID["b"] as? Switch)
    #expect(toggle.isOn && toggle.colors.track.hex == "#040506" && !toggle.isEnabled && !toggle.forwards)
    let stepper = try #require(tree.viewsByID["c"] as? Stepper)
    #expect(stepper.controlValue?.number == 7 && stepper.wraps && !stepper.autorepeats)
    #expect(stepper.colors.thumb.hex == "#070809")
    let segmented = try #require(tree.viewsByID["d"] as? SegmentedControl)
    #expect(segmented.segments == ["Low", "1.50"] && segmented.selectedIndex == 1)
    #expect(segmented.textStyle.size == 9)
    let progress = try #require(tree.viewsByID["e"] as? ProgressView)
    #expect(progress.controlValue?.fraction == 0.5 && !progress.isUserInteractionEnabled && progress.forwards)
    let gauge = try #require(tree.viewsByID["f"] as? Gauge)
    #expect(gauge.style == .arc && gauge.startAngle == -90 && gauge.endAngle == 90)
    #expect(
      ["a", "b", "c", "d", "e", "f"].map { tree.viewsByID[$0]?.kind } == [
        .slider, .switch, .stepper, .segmented, .progress, .gauge,
      ])
  }

  @Test func `a scroll view and a list have what the file says, and UIKit's defaults`() throws {
    let tree = ViewTree(
      try parse(
        """
        window:
          subviews:
            - id: a
              kind: scroll
              frame: [0, 0, 100, 100]
              axis: vertical
              content: [100, 900]
              bounds_origin: [0, 50]
              paging: true
              bounces: false
              indicators: false
              delays_touches: false
              cancels_touches: never
              deceleration: fast
              directional_lock: true
            - id: b
              kind: scroll
              frame: [0, 0, 100, 100]
              subviews: [{id: c, kind: list, rows: [One, 2, true], value: 1, row_height: 50, padding: 3}]
            - {id: d, kind: list, frame: [0, 0, 9, 9]}
        """), canvasSize: Size(width: 100, height: 100))
    tree.window.layoutIfNeeded()
    let scrollView = try #require(tree.viewsByID["a"] as? ScrollView)
    var scrolling = ScrollView.Scrolling()
    (scrolling.axis, scrolling.contentSize) = (.vertical, Size(width: 100, height: 900))
    (scrolling.isPaging, scrolling.bounces, scrolling.showsIndicators) = (true, false, false)
    (scrolling.delaysTouches, scrolling.cancelsTouches) = (false, .never)
    (scrolling.deceleration, scrolling.locksDirection) = (.fast, true)
    #expect(scrollView.scrolling == scrolling && scrollView.contentOffset.y == 50 && scrollView.clipsToBounds)
    let plain = try #require(tree.viewsByID["b"] as? ScrollView)
    #expect(plain.scrolling == ScrollView.Scrolling() && plain.contentSize == Size(width: 100, height: 150))
    let list = try #require(tree.viewsByID["c"] as? ListView)
    #expect(list.rows == ["One", "2", "true"] && list.selectedRow == 1 && list.textStyle.alignment == .left)
    #expect(list.layoutRect == LocalRect(x: 0, y: 0, width: 100, height: 150))
    #expect((tree.viewsByID["d"] as? ListView)?.selectedRow == nil)
  }

  static let wrong: [(String, String)] = [
    ("kind: slider, minimum: 5", "1:70: error: minimum is 5 … maximum 1 … larger maximum"),
    ("kind: stepper, minimum: 5, maximum: 5", "1:83: error: minimum is 5 … maximum 5 … larger maximum"),
    ("kind: slider, value: 2", "1:68: error: value is 2 … from 0 to 1"),
    ("kind: progress, value: true", "1:70: error: value is true … number"),
    ("kind: switch, value: 1", "1:68: error: value is 1 … true or false"),
    ("kind: switch, maximum: 1", "1:61: error: maximum … is a key of a control … this is a switch"),
    ("kind: stepper, step: 0", "1:68: error: step is 0 … above 0"),
    ("kind: segmented", "1:21: error: needs \"segments\" … give a list of texts"),
    ("kind: segmented, segments: []", "1:74: error: segments is a list … one text at least"),
    ("kind: segmented, segments: [a], value: 1", "1:86: error: value is 1 … from -1 to 0"),
    ("kind: segmented, segments: [[a]]", "1:75: error: text 1 in segments is a list … give a text"),
    ("kind: list, rows: One", "1:65: error: rows is the text \"One\" … give a list of texts"),
    ("kind: list, rows: [One, [Two]]", "1:71: error: text 2 in rows is a list … give a text"),
    ("kind: list, rows: [One], value: 1", "1:79: error: value is 1 … from -1 to 0"),
    ("kind: list, row_height: 0", "1:71: error: row_height is 0 … above 0"),
    ("kind: list, thumb: \"#123456\"", "1:59: error: thumb … a key of a slider … this is a list"),
    (
      "kind: segmented, segments: [a], rows: [b]", "1:79: error: rows … a key of a list … a segmented control"
    ),
    ("paging: true", "1:47: error: paging … a key of a scroll view … this is a view"),
    ("kind: list, content: [1, 1]", "1:59: error: content … a key of a scroll view … this is a list"),
    ("kind: label, axis: vertical", "1:60: error: axis … a key of a stack or a scroll view"),
    (
      "kind: scroll, axis: diagonal",
      "1:67: error: axis is the text \"diagonal\" … horizontal, vertical or auto"
    ),
    ("kind: stack, axis: across", "1:66: error: axis is the text \"across\" … horizontal, vertical or auto"),
    ("kind: scroll, content: [100]", "1:70: error: content has 1 value … [width, height]"),
    ("kind: scroll, deceleration: slow", "1:75: error: deceleration is the text \"slow\" … normal or fast"),
    ("kind: scroll, cancels_touches: true", "1:78: error: cancels_touches is true … auto, always or never"),
    ("kind: gauge, gauge: bar", "1:67: error: gauge is the text \"bar\" … needle or arc"),
    (
      "kind: gauge, start_angle: 120",
      "1:73: error: start_angle is 120 and end_angle 120 … above 120, up to 480"
    ),
    ("kind: gauge, start_angle: -200, end_angle: 200", "1:90: error: up to 160"),
    ("kind: slider, jumps: 1", "1:68: error: jumps is 1 … true or false"),
    ("kind: switch, jumps: true", "1:61: error: jumps … a key of a slider … this is a switch"),
    ("kind: gauge, wraps: true", "1:60: error: wraps … a key of a stepper … this is a gauge"),
    ("kind: control, tint: \"#123456\"", "1:62: error: a slider, a switch, a stepper, a segmented control"),
    ("kind: switch, continuous: true", "1:61: error: a slider or a stepper … this is a switch"),
    ("kind: gauge, actions: {touch_down: []}", "1:60: error: actions … this is a gauge"),
    (
      "kind: slider, text: a",
      "1:61: error: text … a label, a button, a text field, a text view or a QR code … this is a slider"
    ),
    ("kind: slider, tint: bluish", "1:67: error: tint is the text \"bluish\" … give a colour"),
  ]

  @Test(arguments: wrong) func `what cannot be is reported where it stands`(keys: String, expected: String) {
    expect(findings(in: withView(keys)), state: [expected])
  }

  /// The actions of a slider `a`, with views to set.
  private func actions(_ step: String, of kind: String = "slider") -> String {
    """
    window: {subviews: [{id: a, frame: [0,0,1,1], kind: \(kind), actions: {value_changed: [
    \(step)
    ]}}, {id: g, kind: gauge, frame: [0,0,1,1]}, {id: w, kind: switch, frame: [0,0,1,1]}, {id: c, kind: control, frame: [0,0,1,1]}]}
    """
  }

  @Test func `a step sets the value that was sent`() throws {
    let configuration = try parse(actions("{set: {g: {value: \"{value}\", tint: \"#010203\", maximum: 2}}}"))
    let tint = Fill.color(Color(red: 1, green: 2, blue: 3))
    #expect(
      configuration.actions.first?.steps.map(\.step) == [
        .set(
          view: "g", [setting("tint", tint), setting("maximum", 2.0)],
          computed: [computed("value", "{value}")])
      ])
    let toggled = try parse(actions("{toggle: {w: value}}"))
    #expect(toggled.actions.first?.steps.map(\.step) == [.toggle(view: "w", .value)])
    let set = try parse(actions("{set: {w: {value: true}}}"))
    #expect(set.actions.first?.steps.map(\.step) == [.set(view: "w", [setting("value", 1.0)])])
  }

  @Test(arguments: [
    ("{set: {g: {value: \"{value}\"}}}", "button", "2:21: error: it has no value"),
    ("{set: {c: {value: \"{value}\"}}}", "slider", "2:19: error: c … has no value to set"),
    ("{set: {w: {value: 1}}}", "slider", "2:19: error: value is 1 … true or false"),
    ("{set: {w: {maximum: 1}}}", "slider", "2:12: error: only controls with limits … a switch"),
    ("{set: {g: {value: 2}}}", "slider", "2:19: error: value is 2; give a number from 0 to 1"),
    ("{set: {a: {value: -1}}}", "slider", "2:19: error: value is -1; give a number from 0 to 1"),
    ("{toggle: {g: value}}", "slider", "2:14: error: a gauge has no \"value\" that is true or false"),
  ])
  func `a step that cannot set a value is reported`(step: String, kind: String, expected: String) {
    expect(findings(in: actions(step, of: kind)), state: [expected])
  }

  @Test func `a number beyond the limits of the file is set where a step sets a limit`() throws {
    let step = "{set: {g: {value: 2}}}, {set: {g: {maximum: 3}}}"
    #expect(try parse(actions(step)).actions.first?.steps.count == 2)
  }
}
