import StageSupport
import Testing
import TouchCore
import TouchViews

/// Event orders collected from the tests and documents of UIKit, its re-implementations and other toolkits.
@Suite struct EventCaseTests {
  @Test func `every collected case has a row`() throws {
    #expect(try Fixture.load().events.map(\.id) == EventRow.all.map(\.id))
    #expect(EventRow.all.count == 21)
  }

  @Test(arguments: EventRow.all)
  func `events are delivered as collected`(_ row: EventRow) throws {
    let example = try #require(Fixture.load().events.first { $0.id == row.id })
    let answer = try row.play(example)
    guard let differs = row.differs else {
      #expect(answer == example.expect, "\(example.id): \(example.title)")
      return
    }
    #expect(answer == differs.answer, "\(example.id): \(example.title); differs because \(differs.because)")
    #expect(differs.answer != example.expect, "\(example.id) differs no more")
  }
}

/// How a case is played here, and where the answer differs from the collected one, what it is and why.
struct EventRow: CustomTestStringConvertible {
  var id: String
  var differs: (answer: [String], because: String)?
  var play: @Sendable (Fixture.EventCase) throws -> [String]
  var testDescription: String { id }

  init(
    _ id: String, differs: (answer: [String], because: String)? = nil,
    _ play: @escaping @Sendable (Fixture.EventCase) throws -> [String]
  ) {
    self.id = id
    self.differs = differs
    self.play = play
  }

  static let all: [EventRow] =
    ["ev-01", "ev-02", "ev-03", "ev-04"].map { EventRow($0, playTree) } + chains + captures + hovers
    + controls + gestures
}

// MARK: The responder chain

extension EventRow {
  fileprivate static func playTree(_ example: Fixture.EventCase) throws -> [String] {
    let stage = Stage()
    let tree = FixtureTree(try #require(example.tree))
    stage.window.addSubview(tree.root)
    let handlers = try #require(example.handlers)
    for (id, answer) in handlers where answer == "log+stop" { tree.views[id]?.forwards = false }
    for change in try #require(example.touches) {
      let kinds: [String: ContactChange.Kind] = ["began": .began, "moved": .moved, "ended": .ended]
      stage.frame((change.touch, try #require(kinds[change.phase]), change.point[0], change.point[1]))
      stage.dispatcher.flush()
    }
    // "blue.began 1"; what controls send has no number.
    return stage.diary.take().compactMap { line in
      let name = line.split(separator: " ")[0]
      return !line.contains(" ") || handlers[String(name.split(separator: ".")[0])] == nil
        ? nil : String(name)
    }
  }

  fileprivate static let chains = [
    EventRow("ev-05") { _ in
      let stage = Stage()
      stage.drag([(100, 100), (101, 101)])
      return ["\(stage.diary.hitTests) hit test"]
    },
    EventRow(
      "ev-06",
      differs: (
        ["leaf", "panel", "childVC", "rootView", "rootVC", "window", "application"],
        "there is one window and no delegate: the chain ends at the application"
      )
    ) { example in
      let node = try #require(example.tree)
      let tree = FixtureTree(try #require(node.children?.first))
      let stage = Stage()
      stage.window.addSubview(tree.root)
      let probe = try #require(example.probe)
      let hit = try #require(stage.window.hitView(at: WindowPoint(x: probe[0], y: probe[1]), with: nil))
      return ResponderChain(from: hit).responders.map(\.id)
    },
    EventRow(
      "ev-07",
      differs: (
        [
          "leaf", "stack", "pink", "view", "presentedVC", "presentingVC", "transitionView", "window",
          "application",
        ], "there is one window and no delegate: the chain ends at the application"
      )
    ) { _ in
      let stage = Stage()
      var parent: View = stage.window
      var views: [String: View] = [:]
      for id in ["transitionView", "presentingView", "view", "pink", "stack", "leaf"] {
        let view = View(id: id)
        // The presented view is a sibling of the presenting one in the transition view.
        (id == "view" ? views["transitionView"] ?? parent : parent).addSubview(view)
        views[id] = view
        parent = view
      }
      let presenting = ViewController(id: "presentingVC")
      let presented = ViewController(id: "presentedVC")
      presented.presentingViewController = presenting
      views["presentingView"]?.viewController = presenting
      views["view"]?.viewController = presented
      return ResponderChain(from: try #require(views["leaf"])).responders.map(\.id)
    },
  ]
}

// MARK: Capture and claim

extension EventRow {
  /// A > B > C with a handler that captures and one that does not; C has two of the latter, since the target
  /// is a phase of its own in GTK.
  private static func press(claiming claimant: String? = nil) -> [String] {
    let stage = Stage()
    let notes = Notes()
    var parent: View = stage.window
    for name in ["a", "b", "c"] {
      let view = stage.add(View(id: name, frame: stage.window.bounds), to: parent)
      let names =
        name == "c" ? ["capture c1", "target c2", "bubble c3"] : ["capture \(name)1", "bubble \(name)3"]
      view.handlers = names.map { Noting($0, notes, claims: claimant.map($0.hasSuffix) ?? false) }
      parent = view
    }
    stage.frame((1, .began, 200, 200))
    return notes.lines
  }

  fileprivate static let captures = [
    EventRow("ev-10") { _ in press() },
    EventRow(
      "ev-12",
      differs: (
        ["capture a1", "capture b1", "capture c1", "c1 state claimed", "b1 cancelled", "a1 cancelled"],
        "every responder that saw began sees an end, so a claim cancels those before it too; GTK leaves them waiting"
      )
    ) { _ in press(claiming: "c1") },
    EventRow(
      "ev-13",
      differs: (
        [
          "capture a1", "capture b1", "capture c1", "target c2", "c2 state claimed", "bubble c3",
          "c1 cancelled",
          "b1 cancelled", "a1 cancelled",
        ],
        "all handlers of one responder see a touch, whatever one of them answers; a claim cancels all others that saw it"
      )
    ) { _ in press(claiming: "c2") },
    EventRow(
      "ev-14",
      differs: (
        [
          "capture a1", "capture b1", "capture c1", "target c2", "bubble c3", "bubble b3", "b3 state claimed",
          "c2 cancelled", "c3 cancelled", "c1 cancelled", "b1 cancelled", "a1 cancelled",
        ],
        "a claim cancels all others that saw the touch, on the way down too, the last responder first and the handlers "
          + "of a responder in their order; it is noted when it is made"
      )
    ) { _ in press(claiming: "b3") },
  ]
}

// MARK: Pointers

extension EventRow {
  /// root > [A > AA, B > BB], under a pointer and fingers.
  private struct PointerRoom {
    let stage = Stage()
    let notes = Notes()
    let pointers: PointerDispatcher
    static let places = ["A": (50.0, 300.0), "AA": (50, 50), "BB": (250, 50)]

    init() {
      pointers = PointerDispatcher(window: stage.window)
      let root = stage.add(View(id: "root", frame: stage.window.bounds))
      var views = [root]
      for (id, x) in [("A", 0.0), ("B", 200)] {
        let view = stage.add(
          View(id: id, frame: LocalRect(x: x, y: 0, width: 200, height: 400)), to: root)
        // The cases tell of what the hit view hears of a press.
        view.forwards = false
        let inner = View(id: id + id, frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
        views += [view, stage.add(inner, to: view)]
      }
      for view in views { view.handlers = [Noting(view.id, notes)] }
    }

    /// What a step comes to, on one line. A press is a contact besides.
    func play(_ kind: PointerChange.Kind?, _ contact: ContactChange.Kind? = nil, at place: String) -> String {
      let (x, y) = Self.places[place] ?? (0, 0)
      if let kind {
        let change = PointerChange(
          kind: kind, device: DeviceID(rawValue: 1), location: WindowPoint(x: x, y: y))
        pointers.dispatch([change], at: stage.time)
      }
      if let contact { stage.frame((1, contact, x, y)) }
      stage.dispatcher.flush()
      pointers.flush()
      return notes.take()
    }

    func leave() -> String {
      pointers.rest(at: stage.time)
      return notes.take()
    }
  }

  fileprivate static let hovers = [
    EventRow(
      "ev-20",
      differs: (
        [
          "root.enter A.enter AA.enter", "AA.leave A.leave root.move B.enter BB.enter",
          "BB.move B.move root.move", "BB.leave B.leave root.leave",
        ],
        "enter and leave are told to each responder, so there is no over and out besides, and entering says where; a move "
          + "is told to the chain"
      )
    ) { _ in
      let room = PointerRoom()
      return [
        room.play(.moved, at: "AA"), room.play(.moved, at: "BB"), room.play(.moved, at: "BB"), room.leave(),
      ]
    },
    EventRow(
      "ev-21",
      differs: (
        ["A.down", "A.up"], "a finger does not hover, as in UIKit: a view hears of its touches alone"
      )
    ) { _ in
      let room = PointerRoom()
      return [room.play(nil, .began, at: "A"), room.play(nil, .ended, at: "A")]
    },
    EventRow(
      "ev-22",
      differs: (
        ["root.enter A.enter", "A.leave root.leave A.down", "A.up root.enter A.enter"],
        "a pressed pointer is a touch, as on a touchscreen, and hovers again when it is released"
      )
    ) { _ in
      let room = PointerRoom()
      return [
        room.play(.moved, at: "A"), room.play(.pressed, .began, at: "A"),
        room.play(.released, .ended, at: "A"),
      ]
    },
  ]
}

// MARK: Multiple touch and controls

extension EventRow {
  /// A control of 100×100, with 70 around it; the actions of each step, in the order in which they are sent.
  private static func press(_ steps: [(ContactChange.Kind, Double)]) -> [String] {
    let stage = Stage()
    stage.add(Control(id: "ok", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
    var serial = 0
    return steps.map { kind, x in
      if kind == .began { serial += 1 }
      stage.wait(seconds: kind == .began ? 1 : 0)
      stage.frame((serial, kind, x, 50))
      stage.dispatcher.flush()
      let actions = stage.diary.take().filter { $0.hasPrefix("ok.touch") }.map { line in
        // "touchUpInside" is called "upInside" there.
        let action = line.dropFirst("ok.".count)
        guard !["touchDown", "touchCancel"].contains(action) else { return String(action) }
        return action.dropFirst("touch".count).prefix(1).lowercased() + action.dropFirst("touch".count + 1)
      }
      return actions.joined(separator: "+")
    }
  }

  fileprivate static let controls = [
    EventRow("ev-40") { _ in
      let stage = Stage()
      let view = stage.add(View(id: "v", frame: stage.window.bounds))
      view.forwards = false
      stage.frame((1, .began, 10, 10))
      stage.frame((2, .began, 20, 20))
      stage.frame((2, .moved, 30, 30))
      stage.frame((1, .ended, 10, 10))
      stage.frame((2, .ended, 30, 30))
      return stage.diary.take().filter { $0.hasPrefix("v.") }.map { line in
        let words = line.split(separator: " ")
        return "\(words[0]){t\(words[1])}"
      }
    },
    EventRow(
      "ev-42",
      differs: (
        [
          "touchDown", "dragInside", "dragExit+dragOutside", "dragOutside", "dragEnter+dragInside",
          "upInside",
        ],
        "the crossing comes before the place that it leads to, as WinObjC has it and the case recommends"
      )
    ) { _ in press([(.began, 50), (.moved, 60), (.moved, 300), (.moved, 310), (.moved, 60), (.ended, 60)]) },
    EventRow(
      "ev-43",
      differs: (
        ["touchDown", "dragExit+dragOutside", "upOutside", "touchDown", "touchCancel"],
        "the crossing comes before the place that it leads to, as in ev-42"
      )
    ) { _ in press([(.began, 50), (.moved, 300), (.ended, 300), (.began, 50), (.cancelled, 50)]) },
  ]
}

// MARK: Gestures and taps

extension EventRow {
  /// What a view hears of a finger that goes 5 units, where a pan needs no more.
  private static func pan(cancels: Bool) -> [String] {
    let stage = Stage()
    let view = stage.add(View(id: "view", frame: stage.window.bounds))
    view.forwards = false
    let pan = PanGestureRecognizer(id: "pan")
    pan.minimumMovement = 5
    pan.cancelsTouchesInView = cancels
    view.addGestureRecognizer(pan)
    stage.drag([(10, 10), (15, 10)])
    return stage.diary.take().filter { $0.hasPrefix("view.") }.map { String($0.split(separator: " ")[0]) }
  }

  fileprivate static let gestures = [
    EventRow(
      "ev-45",
      differs: (
        ["view.began", "view.cancelled"],
        "UIKit sends touchesCancelled when the gesture is found; the toolkit of the case leaves the view without an end"
      )
    ) { _ in pan(cancels: true) },
    EventRow("ev-46") { _ in pan(cancels: false) },
    EventRow("ev-47") { _ in
      let stage = Stage()
      let ancestor = stage.add(View(id: "ancestor", frame: stage.window.bounds))
      let descendant = stage.add(View(id: "descendant", frame: stage.window.bounds), to: ancestor)
      for view in [ancestor, descendant] {
        view.addGestureRecognizer(PanGestureRecognizer(id: "\(view.id).pan"))
      }
      stage.drag([(10, 10), (50, 10)])
      let lines = stage.diary.take()
      return ["ancestor.pan", "descendant.pan"].map {
        $0 + (lines.contains($0 + ".began") ? " fired" : " not fired")
      }
    },
    EventRow(
      "ev-49",
      differs: (
        ["1", "2", "3", "4", "1", "2", "wait", "1", "2"],
        "a touch has its tap count when it begins, and may still become a tap: a press that comes down near the last tap "
          + "is its second one, however long it lasts then (`UITouch.tapCount`)"
      )
    ) { _ in
      let stage = Stage()
      stage.dispatcher.tapSettings.interval = 0.4
      stage.dispatcher.tapSettings.distance = 10
      var counts: [String] = []
      let places: [(Double, Double)?] = [
        (50, 50), (47, 52), (49, 55), (50, 50), (10, 10), (12, 14), nil, (12, 14), (12, 14),
      ]
      for (index, place) in places.enumerated() {
        guard let (x, y) = place else {
          stage.wait(seconds: 1)
          counts.append("wait")
          continue
        }
        stage.frame((index, .began, x, y))
        counts.append("\(stage.dispatcher.touches.first?.tapCount ?? 0)")
        if index == places.count - 1 { stage.wait(seconds: 1) }
        stage.frame((index, .ended, x, y))
      }
      return counts
    },
  ]
}

// MARK: Notes

private final class Notes {
  var lines: [String] = []

  /// What was noted since, on one line.
  func take() -> String {
    defer { lines = [] }
    return lines.joined(separator: " ")
  }
}

/// Records what it gets: a name such as "capture a1" when a touch begins, "a1 cancelled" when that is undone;
/// of a view, what its pointer does.
private final class Noting: Handler {
  let name: String
  private let notes: Notes
  private let claims: Bool

  init(_ name: String, _ notes: Notes, claims: Bool = false) {
    self.name = name
    self.notes = notes
    self.claims = claims
  }

  var captures: Bool { name.hasPrefix("capture") }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    let own = String(name.split(separator: " ").last ?? "")
    guard own != name else {
      if phase == .began || phase == .ended { notes.lines.append(name + (phase == .began ? ".down" : ".up")) }
      return .forward
    }
    notes.lines.append(phase == .began ? name : "\(own) \(phase)")
    if phase == .began && claims { notes.lines.append("\(own) state claimed") }
    return phase == .began && claims ? .claim : .forward
  }

  func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    switch pointer.kind {
    case .entered: notes.lines.append("\(name).enter")
    case .left: notes.lines.append("\(name).leave")
    case .moved: notes.lines.append("\(name).move")
    case .wheel, .pressed, .released, .cancelled: break
    }
    return .forward
  }
}
