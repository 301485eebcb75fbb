import FolderSupport
import Foundation
import Testing

@testable import TouchCore
@testable import TouchExpressions
@testable import TouchHandlers
@testable import TouchSystem
@testable import TouchViews

/// Actions on their way up the responder chain.
@Suite struct ActionChainTests {
  private let stage = Stage()

  /// Writes down the actions that it hears.
  private final class Listener: ControlHandler {
    let name: String
    let captures: Bool
    private let hear: (String) -> Void

    init(_ name: String, captures: Bool = false, _ hear: @escaping (String) -> Void) {
      self.name = name
      self.captures = captures
      self.hear = hear
    }

    func handle(
      _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
    ) -> Disposition { .forward }

    func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
      hear("\(name) \(action.rawValue) \(control.id)")
    }
  }

  @Test func `an action goes from the control up to the application, though its touches do not`() {
    var diary: [String] = []
    let controller = ViewController(id: "main")
    stage.root.viewController = controller
    let responders: [Responder] = [stage.ok, stage.root, controller, stage.window, stage.application]
    for responder in responders {
      responder.handlers = [Listener(responder.id) { diary.append($0) }]
    }
    stage.tap(x: 210, y: 110)
    let names = ["ok", "root", "main", "window", "application"]
    #expect(diary == ["touchDown", "touchUpInside"].flatMap { action in names.map { "\($0) \(action) ok" } })
  }

  @Test func `a handler that is named several times in the chain hears an action once, at its first place`() {
    var diary: [String] = []
    let twice = Listener("twice") { diary.append($0) }
    let other = Listener("other", captures: true) { diary.append($0) }
    stage.root.handlers = [other, twice]
    stage.window.handlers = [twice, other]
    stage.application.handlers = [twice]
    stage.tap(x: 210, y: 110)
    #expect(diary.filter { $0.hasSuffix("touchDown ok") } == ["other touchDown ok", "twice touchDown ok"])
    diary = []
    stage.ok.handlers = [twice]
    stage.tap(x: 210, y: 110)
    #expect(diary.filter { $0.hasSuffix("touchDown ok") } == ["twice touchDown ok", "other touchDown ok"])
  }

  @Test func `a touch on a view that is no control sends nothing up`() {
    var diary: [String] = []
    stage.window.handlers = [Listener("window") { diary.append($0) }]
    stage.tap(x: 450, y: 150)
    #expect(diary == [])
  }

  @Test func `the chain is the one of the touch, whatever a handler does to the tree`() {
    var diary: [String] = []
    stage.ok.handlers = [
      Listener("ok") { [stage] what in
        diary.append(what)
        if what.contains("touchUpInside") { stage.ok.removeFromSuperview() }
      }
    ]
    stage.window.handlers = [Listener("window") { diary.append($0) }]
    stage.tap(x: 210, y: 110)
    #expect(diary.suffix(2) == ["ok touchUpInside ok", "window touchUpInside ok"])
  }

  @Test func `a control over which a finger slides sends up its own chain`() {
    var diary: [String] = []
    let row = View(id: "row", frame: Rect(x: 0, y: 200, width: 300, height: 100))
    let (left, right) = (
      Button(id: "left", frame: Rect(x: 0, y: 0, width: 100, height: 100)),
      Button(id: "right", frame: Rect(x: 0, y: 0, width: 100, height: 100))
    )
    let box = View(id: "box", frame: Rect(x: 100, y: 0, width: 100, height: 100))
    stage.root.addSubview(row)
    row.addSubview(left)
    row.addSubview(box)
    box.addSubview(right)
    for key in [left, right] { key.tracking = .slideOver }
    box.handlers = [Listener("box") { diary.append($0) }]
    row.handlers = [Listener("row") { diary.append($0) }]
    stage.frame(.began, [(1, 50, 250)])
    stage.frame(.moved, [(1, 150, 250)])
    stage.frame(.ended, [(1, 150, 250)])
    #expect(diary.contains("box touchDragEnter right") && diary.contains("row touchUpInside right"))
    #expect(!diary.contains { $0.hasPrefix("box") && $0.hasSuffix("left") })
  }

  @Test func `the file's actions of a control are not done for a control in it`() throws {
    let children = ChildProcesses(environment: [], host: stage)
    let card = Control(id: "card", frame: Rect(x: 0, y: 0, width: 300, height: 300))
    let inner = Button(id: "inner", frame: Rect(x: 0, y: 0, width: 50, height: 50))
    stage.root.addSubview(card)
    card.addSubview(inner)
    let step = try ActionHandler.Step(.set(view: "caption", [.init(.text, "card")]), path: "", trust: nil)
    card.handlers = [
      ActionHandler(of: "card", control: [.touchUpInside: [step]], children: children, host: stage)
    ]
    stage.tap(x: 10, y: 10)
    #expect(stage.caption.text != "card")
    stage.tap(x: 200, y: 250)
    #expect(stage.caption.text == "card")
  }

  // MARK: Circles

  /// A text field that does steps when it begins to be edited, and when it ends.
  private func field(_ children: ChildProcesses, began: [ActionStep], ended: [ActionStep]) throws -> TextField
  {
    let field = TextField(id: "f", frame: Rect(x: 0, y: 400, width: 100, height: 40))
    stage.root.addSubview(field)
    stage.extra = field
    func steps(_ steps: [ActionStep]) throws -> [ActionHandler.Step] {
      try steps.map { try ActionHandler.Step($0, path: "", trust: nil) }
    }
    field.handlers = [
      ActionHandler(
        of: "f", control: [.editingBegan: try steps(began), .editingEnded: try steps(ended)],
        children: children, host: stage)
    ]
    return field
  }

  private static func edits(_ isEditing: Bool) -> ActionStep {
    .set(view: "f", [.init(.editing, isEditing)])
  }

  private static let circle =
    "warning actions of f: steps begin each other without end, and stop after 32 times: "
    + "editingBegan on f → editingEnded on f → editingBegan on f"

  @Test func `steps that begin each other stop after a limit, and are reported with their path`() throws {
    let children = ChildProcesses(environment: [], host: stage)
    let after = ActionStep.set(view: "caption", [.init(.text, "after")])
    let field = try field(children, began: [Self.edits(false), after], ended: [Self.edits(true), after])
    field.becomeFirstResponder()
    #expect(stage.takeLog() == [Self.circle])
    #expect(stage.caption.text == "", "none of them goes on")
    field.isEditing.toggle()
    #expect(stage.takeLog().count == 1, "the next time they are begun and stopped again")
  }

  @Test func `so do steps that begin each other by way of a timer`() throws {
    let children = ChildProcesses(environment: [], host: stage)
    func later(_ step: ActionStep) -> ActionStep { .after(seconds: 1, [step], timer: 1) }
    let field = try field(
      children, began: [later(Self.edits(false))], ended: [later(Self.edits(true))])
    field.becomeFirstResponder()
    for turn in 1...40 where !stage.timers.isEmpty {
      #expect(turn < 33)
      stage.fireTimers()
    }
    #expect(stage.timers.isEmpty && stage.takeLog() == [Self.circle])
  }

  /// - Parameter isAtOnce: whether the steps read a view, so that what follows values is computed in the
  ///   middle of them.
  @Test(arguments: [true, false])
  func `so do steps that begin each other by way of a value`(isAtOnce: Bool) throws {
    let children = ChildProcesses(environment: [], host: stage)
    func sets(_ isOn: Bool) -> [ActionStep] {
      [
        .setValue("on", .constant(.flag(isOn))),
        .either(that: stage.formula(isAtOnce ? "{caption.text == ''}" : "{on}"), then: [], otherwise: []),
      ]
    }
    stage.bound = [Binding(view: "f", stage.computed(.editing, "{on}"), at: .start)]
    _ = try field(children, began: sets(false), ended: sets(true))
    try stage.values.set([.init(key: "on", value: .flag(true))], at: .zero)
    var reported: [String] = []
    stage.bindings.report = { message, _, _ in reported.append(message) }
    stage.bindings.settle()
    let log = stage.takeLog()
    #expect(log.allSatisfy { $0 == Self.circle } && log.isEmpty == !isAtOnce, "\(log)")
    #expect(reported.allSatisfy { $0.hasPrefix("f.editing follows \"{on}\", which changes each time") })
    if !isAtOnce { #expect(reported.count == 1) }
    reported = []
    stage.bindings.settle()
    #expect(stage.takeLog() == [] && reported == [], "it waits for the next change")
  }

  /// Whether the touch of the button reaches the window by itself, too.
  @Test(arguments: [false, true])
  func `a command of the window that waits for presses starts once for a press of a button`(forwards: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    let record = folder.file("record")
    let children = ChildProcesses(environment: ["PATH=/usr/bin:/bin"], host: stage)
    let command = try Command(
      words: ["sh", "-c", "echo $TOUCHTREE_VIEW >>\(record)"], path: "/usr/bin:/bin", trust: nil)
    stage.ok.forwards = forwards
    stage.window.handlers = [
      ExecHandler(
        name: "chime", triggers: [.pressed], command: command, timeLimit: 10, children: children,
        logger: stage.logger)
    ]
    stage.tap(x: 210, y: 110)
    // Lifted beside the button, within the window: no press of the button.
    stage.frame(.began, [(2, 210, 110)])
    stage.frame(.moved, [(2, 210, 400)])
    stage.frame(.ended, [(2, 210, 400)])
    children.endAndReap()
    let pressed = (try? contents(of: record)) ?? ""
    #expect(pressed == (forwards ? "ok\nok\n" : "ok\n"))
  }
}
