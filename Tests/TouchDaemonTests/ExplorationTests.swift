import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchJSON
@testable import TouchViews

/// Touches of a person who does not see: scripts of fingers, and what is reported to be spoken and done.
@Suite struct ExplorationTests {
  /// Notes the events that clients get, in short.
  private final class Notes: DispatchObserver {
    var lines: [String] = []
    func observe(_ step: DispatchStep) {
      switch step {
      case .touch(let touch, let responder, _, _) where responder === touch.view:
        lines.append("\(touch.phase.rawValue) \(responder.id) \(touch.location.x),\(touch.location.y)")
      case .report(let report as FocusReport) where !report.isPrivate:
        guard let item = report.context.next else { return }
        let line = String(decoding: Message.focus(report.disclosed), as: UTF8.self)
        let spoken = line.split(separator: "\"accessibility\":").dropFirst().first?.prefix { $0 != "}" } ?? ""
        lines.append(
          "\(item.view.id)\(item.part.map { "[\($0)]" } ?? ""): "
            + spoken.dropFirst().replacing("\"", with: "").replacing(":", with: " "))
      case .report:
        if case .control(let control, let action, _)? = step.viewStep {
          lines.append("\(action.rawValue) \(control.id)")
        }
      default: break
      }
    }
  }

  private let notes = Notes()
  private let tree: ViewTree
  private let pipeline: InputPipeline

  init() throws {
    let configuration = try Configuration.parse(
      text: """
        display: {canvas: {size: [400, 600]}}
        window:
          touch_exploration: true
          subviews:
            - {id: title, kind: label, text: Lamps, frame: [0, 0, 400, 50]}
            - {id: lamp, kind: switch, label: Lamp, hint: For the hall, frame: [0, 50, 100, 50], value: true}
            - {id: heat, kind: slider, label: Heat, frame: [100, 50, 300, 50], maximum: 200, value: 60, step: 10}
            - {id: off, kind: button, text: "Off", enabled: false, frame: [0, 100, 100, 50]}
            - {id: day, kind: segmented, label: Day, segments: [Sun, Mon], value: 1, frame: [100, 100, 200, 50]}
            - id: card
              frame: [0, 150, 400, 50]
              gestures: [{kind: tap}]
              subviews:
                - {id: room, kind: label, text: Hall, frame: [0, 0, 100, 50]}
                - {id: warmth, kind: label, text: 21°, frame: [100, 0, 100, 50]}
            - {id: logo, kind: image, frame: [0, 200, 50, 50]}
            - {id: map, kind: image, label: Map, frame: [50, 200, 50, 50]}
            - {id: secret, kind: text_field, label: Password, text: hunter2, secure: true, frame: [0, 250, 200, 50]}
            - id: pin
              private: true
              frame: [0, 300, 200, 50]
              subviews:
                - {id: one, kind: button, text: "1", frame: [0, 0, 50, 50]}
                - {id: two, kind: button, text: "2", frame: [50, 0, 50, 50]}
            - {id: gone, kind: button, text: Gone, hidden: true, frame: [200, 300, 100, 50]}
            - id: list
              kind: scroll
              frame: [0, 350, 400, 100]
              content: [400, 200]
              subviews:
                - {id: first, kind: button, text: First, frame: [0, 0, 400, 100]}
                - {id: second, kind: button, text: Second, frame: [0, 100, 400, 100]}
        """, file: "f.yaml")
    let size = Size(width: 400, height: 600)
    tree = ViewTree(configuration, canvasSize: size)
    pipeline = InputPipeline(
      tree, geometry: DisplayGeometry(displaySize: size, canvasSize: size, scale: .stretch))
    tree.window.reducesMotion = true
    pipeline.dispatcher.observer = notes
  }

  /// Plays fingers: each change is a time in milliseconds, `+`, `=`, `-` or `x` with a finger, and a place.
  /// - Returns: what was reported.
  private func play(_ script: String) -> [String] {
    notes.lines = []
    for change in script.split(separator: " ") {
      let parts = change.split(separator: ",").compactMap { Double($0) }
      guard let sign = change.split(separator: ",")[1].first, parts.count == 3 || parts.count == 4 else {
        continue
      }
      let time = Timestamp(microseconds: Int64(parts[0] * 1000) + 1_000_000)
      let kind: TouchChange.Kind =
        sign == "+" ? .began : sign == "-" ? .ended : sign == "x" ? .cancelled : .moved
      let serial = Int(String(change.split(separator: ",")[1].dropFirst())) ?? 0
      let place = WindowPoint(x: parts[parts.count - 2], y: parts[parts.count - 1])
      pipeline.advance(to: time)
      pipeline.apply(
        [
          TouchChange(
            contact: ContactID(device: DeviceID(rawValue: 1), serial: serial), kind: kind, location: place)
        ],
        at: time)
      pipeline.endTurn()
    }
    pipeline.runOut()
    return notes.lines
  }

  @Test(arguments: [
    ("a held finger finds what is under it", "0,+1,50,75", ["lamp: label Lamp,value on,hint For the hall"]),
    (
      "and what it moves to, once",
      "0,+1,50,25 300,=1,60,25 310,=1,50,75 320,=1,60,75 330,=1,150,75 400,-1,150,75",
      [
        "title: label Lamps", "lamp: label Lamp,value on,hint For the hall",
        "heat: label Heat,value 30 %,traits [adjustable]",
      ]
    ),
    (
      "a tap finds, when no second one comes", "0,+1,50,125 80,-1,50,125",
      ["off: label Off,traits [disabled]"]
    ),
    ("a finger between views finds nothing", "0,+1,350,225 300,-1,350,225", []),
    ("a part of a control", "0,+1,250,125", ["day[1]: label Day,value Mon,traits [selected]"]),
    ("another part", "0,+1,150,125", ["day[0]: label Day,value Mon"]),
    ("a view that waits for a tap is its texts", "0,+1,50,175", ["card: label Hall, 21°"]),
    ("a picture without a label is none", "0,+1,25,225 300,=1,75,225", ["map: label Map"]),
    ("a secure field has a name and no text", "0,+1,50,275", ["secret: label Password"]),
    ("what is in a private view is that view", "0,+1,25,325 300,=1,75,325 310,=1,25,225", ["pin: "]),
    ("what is hidden is not found", "0,+1,250,325", []),
    ("nor what is scrolled out", "0,+1,50,475", []),
    ("a touch that is cancelled finds nothing", "0,+1,50,75 100,x1,50,75", []),
  ])
  func `what a finger finds is reported`(what: String, script: String, reports: [String]) {
    #expect(play(script) == reports, "\(what)")
  }

  @Test func `the window is no element, though it waits for a tap while a keyboard is shown`() {
    tree.window.addGestureRecognizer(TapGestureRecognizer(id: "outside"))
    #expect(play("0,+1,50,25 300,-1,50,25") == ["title: label Lamps"])
    #expect(play("0,+1,350,225 300,-1,350,225") == [])
  }

  private static let right = "0,+1,100,550 60,=1,200,550 90,-1,250,550"
  private static let left = "0,+1,250,550 60,=1,150,550 90,-1,100,550"

  @Test func `flicks lead from element to element, scroll, and go round`() {
    let order = [
      "title", "lamp", "heat", "off", "day[0]", "day[1]", "card", "map", "secret", "pin", "first", "second",
      "title",
    ]
    var found: [String] = []
    for _ in 0..<14 { found += play(Self.right).map { String($0.prefix { $0 != ":" }) } }
    // The second button in the private view is that view once more, which is not reported.
    #expect(found == order, "\(found)")
    #expect(play(Self.left).first?.hasPrefix("second") ?? false)
    #expect(tree.viewsByID["list"]?.bounds.origin.y ?? 0 > 50)
    #expect(play("0,+1,100,550 90,-1,120,550").isEmpty, "that is a tap beside every view")
  }

  @Test(arguments: [
    (
      "lamp", "50,75",
      [
        "began lamp 50.0,75.0", "touchDown lamp", "ended lamp 50.0,75.0", "touchUpInside lamp",
        "valueChanged lamp",
      ]
    ),
    ("day", "150,125", ["began day 150.0,125.0", "touchDown day", "ended day 150.0,125.0"]),
    ("second", "50,400", []),
    ("title", "50,25", []), ("off", "50,125", []),
  ])
  func `two taps anywhere press what was found last, at its middle`(
    name: String, place: String, reports: [String]
  ) {
    _ = play("0,+1,\(place) 300,-1,\(place)")
    let lines = play("1000,+1,390,590 1050,-1,390,590 1150,+2,10,590 1200,-2,10,590")
    if name == "second" { return #expect(lines.contains("touchUpInside first")) }
    #expect(Array(Set(reports).subtracting(lines)) == [] && (lines.isEmpty == reports.isEmpty), "\(lines)")
  }

  @Test func `a tap beside a finger that stays presses, too, and two slow taps do not`() {
    #expect(play("0,+1,50,75 400,+2,300,500 450,-2,300,500 500,-1,50,75").contains("valueChanged lamp"))
    #expect(
      !play("1000,+1,390,590 1050,-1,390,590 1700,+1,10,590 1750,-1,10,590").contains("valueChanged lamp"))
    #expect(
      !play("3000,+1,390,590 3050,-1,390,590 3100,+1,10,590 3600,-1,10,590").contains("valueChanged lamp"))
  }

  @Test func `flicks up and down change a value by a step, and nothing else`() {
    let slider = tree.viewsByID["heat"]?.control
    _ = play("0,+1,250,75 300,-1,250,75")
    #expect(
      play("1000,+1,250,590 1090,-1,250,500") == ["valueChanged heat"] && slider?.controlValue?.number == 70)
    #expect(
      play("2000,+1,250,500 2090,-1,250,590") == ["valueChanged heat"] && slider?.controlValue?.number == 60)
    _ = play("3000,+1,50,75 3300,-1,50,75")
    #expect(play("4000,+1,250,590 4090,-1,250,500").isEmpty)
  }

  @Test func `each touch that began ends, when exploration begins and ends with fingers down`() {
    tree.window.isExplored = false
    #expect(tree.window.focusSystem.exploration == nil)
    #expect(play("0,+1,50,75").contains("began lamp 50.0,75.0"))
    tree.window.isExplored = true
    #expect(play("500,+2,150,75 600,-1,50,75").contains("ended lamp 50.0,75.0"))
    tree.window.isExplored = false
    #expect(play("900,-2,150,75").isEmpty && pipeline.dispatcher.touches.isEmpty)
    tree.window.isExplored = true
    #expect(play("1000,+3,50,75").count == 1)
    pipeline.suspend(at: Timestamp(microseconds: 3_000_000))
    pipeline.resume()
    #expect(play("3000,=3,150,75 3100,-3,150,75").isEmpty && pipeline.deadline == nil)
  }

  @Test func `a file, a step and an expression turn it on and off`() throws {
    let configuration = try Configuration.parse(
      text: """
        values: {speech: false}
        window: {id: all, touch_exploration: "{speech}", subviews: []}
        """, file: "f.yaml")
    let tree = ViewTree(configuration, canvasSize: Size(width: 100, height: 100))
    #expect(!tree.window.isExplored && tree.window.usedFocusSystem == nil)
    try tree.bindings.values.set([PropertyValue.Entry(key: "speech", value: .flag(true))], at: .zero)
    tree.bindings.settle()
    #expect(tree.window.isExplored)
    #expect(ViewProperty.touchExploration.value(of: tree.window) == .flag(true))
  }
}
