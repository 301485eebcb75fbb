import TouchCore
import TouchViews

/// Watches over what responders hear of touches, and over what controls send:
///
/// - What happened on one view is heard of in the order in which it happened, by each responder. What
///   happened on different views is too, except while a gesture that has not made up its mind keeps the
///   earlier one back.
/// - A view without `isMultipleTouchEnabled` never has two touches at once.
/// - Each began has exactly one end, and each press of a button a touchDown and a touchUp or touchCancel, in
///   order.
/// - A touch that no gesture took and that nothing cancelled is heard of whole, soon after its finger lifted.
public final class OrderChecker: DispatchObserver {
  /// When a finger came down and lifted.
  struct Life {
    var began: Timestamp
    var end: Timestamp?
  }

  /// What was heard of a touch by its view.
  private struct Record {
    var touch: Touch
    var view: View
    var heardBegan = false
    var heardEnd: Touch.Phase?
    var downs = 0
    var ups = 0
    var cancels = 0
  }

  private struct Place: Hashable {
    var responder: ObjectIdentifier
    var view: ObjectIdentifier
  }

  private struct Heard: Hashable {
    var responder: ObjectIdentifier
    var touch: Int
  }

  /// By contact; the fuzzer fills it.
  var contacts: [ContactID: Life] = [:]
  /// Whether touches may be cancelled for other reasons than a gesture.
  var isDisturbed = false
  /// Where the last finger came down.
  var lastPlace = WindowPoint(x: 100, y: 100)

  /// The first thing that was wrong.
  public private(set) var fault: String?
  private(set) var presses = 0
  private(set) var delays = 0
  /// The touches that were let to their views, in the order in which they began.
  private var records: [Record] = []
  /// When what a responder last heard from a view had happened: began or end, and moved.
  private var lastEdge: [Place: Timestamp] = [:]
  private var lastMove: [Place: Timestamp] = [:]
  private var open: Set<Heard> = []
  private var closed: Set<Heard> = []
  private var tracked: [ObjectIdentifier: Int] = [:]

  func fail(_ what: @autoclosure () -> String) {
    if fault == nil { fault = what() }
  }

  public func observe(_ step: DispatchStep) {
    switch step {
    case .chain(let touch, _):
      if let view = touch.view { records.append(Record(touch: touch, view: view)) }
    case .touch(let touch, let responder, _, _):
      checkLife(of: touch, at: responder)
      checkOrder(of: touch, at: responder)
      if responder === touch.view { noteView(touch) }
    case .report:
      if case .control(let control, let action, let touch)? = step.viewStep { note(control, action, touch) }
    case .hitTest, .pointInside, .hit, .dropped, .delivery, .gesture, .pointer, .press: break
    }
  }

  // MARK: Phases

  private func checkLife(of touch: Touch, at responder: Responder) {
    let key = Heard(responder: ObjectIdentifier(responder), touch: touch.id)
    switch touch.phase {
    case .began:
      if open.contains(key) || closed.contains(key) { fail("\(responder.id) heard began \(touch.id) twice") }
      open.insert(key)
    case .moved:
      if !open.contains(key) { fail("\(responder.id) heard moved \(touch.id) outside its life") }
    case .ended, .cancelled:
      if open.remove(key) == nil { fail("\(responder.id) heard \(touch.phase) \(touch.id) outside its life") }
      closed.insert(key)
    case .stationary, .entered, .left: fail("\(responder.id) heard \(touch.phase)")
    }
  }

  private func checkOrder(of touch: Touch, at responder: Responder) {
    guard let view = touch.view, touch.phase != .cancelled else { return }
    let place = Place(responder: ObjectIdentifier(responder), view: ObjectIdentifier(view))
    let edge = lastEdge[place] ?? .zero
    if touch.timestamp < edge { fail("\(responder.id) heard \(touch.phase) \(touch.id) too late") }
    if touch.phase == .moved {
      lastMove[place] = max(lastMove[place] ?? .zero, touch.timestamp)
    } else {
      let move = lastMove[place] ?? .zero
      if touch.timestamp < move {
        fail("\(responder.id) heard \(touch.phase) \(touch.id) after a later move")
      }
      lastEdge[place] = max(edge, touch.timestamp)
    }
  }

  private func noteView(_ touch: Touch) {
    guard let index = records.firstIndex(where: { $0.touch === touch }) else {
      return fail("\(touch.id) was not let to its view")
    }
    switch touch.phase {
    case .began:
      checkAlone(touch, on: records[index].view)
      records[index].heardBegan = true
      if records[index].view is Control { checkTracking(touch, isDown: true, records[index]) }
    case .ended, .cancelled:
      records[index].heardEnd = touch.phase
      if records[index].view is Control { checkTracking(touch, isDown: false, records[index]) }
    case .moved, .stationary, .entered, .left: break
    }
    if touch.phase != .cancelled { checkOverdue(before: touch) }
  }

  private func checkAlone(_ touch: Touch, on view: View) {
    guard !view.isMultipleTouchEnabled else { return }
    for other in records where other.view === view && other.heardBegan && other.heardEnd == nil {
      fail("\(view.id) has \(other.touch.id) and \(touch.id) at once")
    }
  }

  /// What happened before this, and was not heard of yet, must be kept by a gesture that is undecided.
  private func checkOverdue(before touch: Touch) {
    for record in records where record.touch !== touch && record.heardEnd == nil && !record.touch.isTaken {
      // One that was cancelled before its view heard of it is never heard of.
      guard record.touch.phase != .cancelled, let life = contacts[record.touch.contact] else { continue }
      let isLate =
        record.heardBegan ? (life.end.map { $0 < touch.timestamp } ?? false) : life.began < touch.timestamp
      guard isLate else { continue }
      delays += 1
      if record.view === touch.view && record.touch.id < touch.id && touch.phase == .began {
        fail("\(record.view.id) heard began \(touch.id) before all of \(record.touch.id)")
      }
      if !isKept(record.view) {
        fail("\(record.view.id) heard late of \(record.touch.id), and nothing kept it")
      }
    }
  }

  private func isKept(_ view: View) -> Bool {
    records.contains { record in
      record.view === view && record.heardEnd == nil
        && record.touch.gestureRecognizers.contains {
          $0.state == .possible && ($0.delaysTouchesBegan || $0.delaysTouchesEnded)
        }
    }
  }

  /// Nothing that a lifted finger did may be kept for long: a gesture that rests on other fingers has no
  /// deadline. Only one that waits for another one to fail may take that one's time.
  func checkPatience(at now: Timestamp) {
    for record in records
    where record.heardEnd == nil && !record.touch.isTaken && record.touch.phase != .cancelled {
      guard let end = contacts[record.touch.contact]?.end, now.seconds(since: end) > 5 else { continue }
      let waits = records.contains { other in
        other.view === record.view && other.heardEnd == nil
          && other.touch.gestureRecognizers.contains {
            $0.delaysTouchesBegan || !$0.failureRequirements.isEmpty
          }
      }
      if !waits { fail("\(record.view.id) hears nothing of the end of \(record.touch.id)") }
    }
  }

  // MARK: Controls

  private func note(_ control: Control, _ action: Control.Action, _ touch: Touch) {
    guard let index = records.firstIndex(where: { $0.touch === touch }) else {
      return fail("\(control.id) sent \(action) for a touch that is not its own")
    }
    let key = ObjectIdentifier(control)
    switch action {
    case .touchDown:
      if tracked[key] != nil { fail("\(control.id) sent two touchDowns") }
      tracked[key] = touch.id
      records[index].downs += 1
    case .touchUpInside, .touchUpOutside, .touchCancel:
      if tracked[key] != touch.id { fail("\(control.id) sent \(action) without touchDown") }
      tracked[key] = nil
      if action == .touchCancel { records[index].cancels += 1 } else { records[index].ups += 1 }
    case .touchDownRepeat, .touchDragInside, .touchDragOutside, .touchDragEnter, .touchDragExit,
      .valueChanged:
      if tracked[key] != touch.id { fail("\(control.id) sent \(action) without touchDown") }
    // A swipe takes its touch from the list, and what is typed has none.
    case .rowAction, .editingBegan, .editingChanged, .editingEnded, .returned: break
    }
  }

  /// A control without multiple touch tracks every touch that it hears of; one with it tracks one at a time.
  private func checkTracking(_ touch: Touch, isDown: Bool, _ record: Record) {
    if record.view.isMultipleTouchEnabled && record.downs == 0 { return }
    if record.downs != 1 { fail("\(record.view.id) lost the press of \(touch.id)") }
    guard !isDown else { return }
    let isWhole =
      touch.phase == .ended ? (record.ups, record.cancels) == (1, 0) : (record.ups, record.cancels) == (0, 1)
    if !isWhole { fail("\(record.view.id) lost the end of the press of \(touch.id)") }
    if touch.phase == .ended { presses += 1 }
  }

  // MARK: The end

  /// Every finger is up, and no gesture waits for anything.
  func checkEnd() {
    if let left = open.first { fail("touch \(left.touch) never ended") }
    for record in records where !record.touch.isTaken {
      if !isDisturbed && record.heardEnd != .ended {
        fail("\(record.view.id) did not hear the whole of \(record.touch.id)")
      }
      if record.heardBegan && record.heardEnd == nil { fail("\(record.touch.id) never ended") }
    }
  }
}
