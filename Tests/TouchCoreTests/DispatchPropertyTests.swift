import DispatchFuzzing
import Testing
import TouchCore
import TouchViews

/// Random touches, tree edits and device losses. Every responder that saw a touch begin sees it end
/// once, no responder gets a touch that did not begin there, and no touch changes its view.
@Suite struct DispatchPropertyTests {
  @Test(arguments: [1, 20, 300, UInt64.random(in: 0 ... .max)])
  func `every began has exactly one end`(seed: UInt64) {
    var random = RandomSource(seed: seed)
    for _ in 0..<2500 { playOne(&random, seed: seed) }
  }

  private func playOne(_ random: inout RandomSource, seed: UInt64) {
    let ledger = Ledger()
    let window = Window(size: Size(width: 100, height: 100))
    let application = ApplicationResponder()
    window.application = application
    var views = randomTree(in: window, using: &random)
    let dispatcher = Dispatcher(window: window)
    dispatcher.observer = ledger
    let moody = Moody(random: random.next(), window: window)
    let eager = Moody(random: random.next(), window: window, captures: true)
    for view in views {
      view.handlers = random.oneIn(3) ? [moody, eager] : [moody]
      if random.oneIn(4) { view.tracking = .slideOver }
    }
    let recognizers = randomGestures(on: views, handler: moody, using: &random)
    window.handlers = [moody]
    var contacts = Contacts()
    var time = Timestamp.zero
    for _ in 0..<Int.random(in: 5...40, using: &random) {
      time.microseconds += 8000
      switch Int.random(in: 0..<20, using: &random) {
      case 0: views.randomElement(using: &random)?.removeFromSuperview()
      case 1: dispatcher.dispatch(contacts.lose(DeviceID(rawValue: 1)), at: time)
      case 2:
        let view = View(id: "late", frame: LocalRect(x: 0, y: 0, width: 60, height: 60))
        view.handlers = [moody]
        window.addSubview(view)
        views.append(view)
      case 3: views.randomElement(using: &random)?.isHidden.toggle()
      case 4, 5: dispatcher.flush()
      case 6:
        time.microseconds += Int64.random(in: 0...800_000, using: &random)
        dispatcher.advance(to: time)
      case 7: recognizers.randomElement(using: &random)?.isEnabled.toggle()
      // As for a new configuration, or a console that is switched away; the fingers stay down.
      case 9: dispatcher.cancelAllTouches(at: time)
      case 8:
        if let recognizer = recognizers.randomElement(using: &random) {
          views.randomElement(using: &random)?.addGestureRecognizer(recognizer)
        }
      default: dispatcher.dispatch(contacts.frame(using: &random), at: time)
      }
    }
    dispatcher.cancelAllTouches(at: time)
    #expect(dispatcher.touches.isEmpty)
    #expect(ledger.problems.isEmpty, "seed \(seed): \(ledger.problems)")
    #expect(ledger.open.isEmpty, "seed \(seed): never ended: \(ledger.open)")
    #expect(ledger.openGestures == 0, "seed \(seed): a gesture never ended")
    #expect(dispatcher.deadline == nil, "seed \(seed): something still waits")
    #expect(recognizers.allSatisfy { $0.state == .possible && $0.touches.isEmpty }, "seed \(seed)")
  }

  private func randomGestures(
    on views: [View], handler: Moody, using random: inout RandomSource
  ) -> [GestureRecognizer] {
    var recognizers: [GestureRecognizer] = []
    for index in 0..<Int.random(in: 0...4, using: &random) {
      let recognizer: GestureRecognizer
      switch Int.random(in: 0..<6, using: &random) {
      case 0: recognizer = TapGestureRecognizer(id: "tap\(index)")
      case 1:
        let twice = TapGestureRecognizer(id: "twice\(index)")
        twice.numberOfTapsRequired = 2
        twice.allowableMovement = 100
        recognizer = twice
      case 2: recognizer = LongPressGestureRecognizer(id: "press\(index)")
      case 3: recognizer = PanGestureRecognizer(id: "pan\(index)")
      case 4: recognizer = SwipeGestureRecognizer(id: "swipe\(index)")
      default: recognizer = PinchGestureRecognizer(id: "pinch\(index)")
      }
      recognizer.cancelsTouchesInView = !random.oneIn(3)
      recognizer.delaysTouchesBegan = random.oneIn(3)
      recognizer.delaysTouchesEnded = random.oneIn(2)
      recognizer.handlers = [handler]
      if random.oneIn(3), let other = recognizers.randomElement(using: &random) {
        recognizer.require(toFail: other)
        other.require(toFail: recognizer)
      }
      if random.oneIn(3), let other = recognizers.randomElement(using: &random) {
        recognizer.recognizeSimultaneously(with: other)
      }
      views.randomElement(using: &random)?.addGestureRecognizer(recognizer)
      recognizers.append(recognizer)
    }
    return recognizers
  }

  private func randomTree(in window: Window, using random: inout RandomSource) -> [View] {
    var views: [View] = []
    for index in 0..<Int.random(in: 1...8, using: &random) {
      let rect = LocalRect(
        x: .random(in: -10...60, using: &random), y: .random(in: -10...60, using: &random),
        width: .random(in: 0...100, using: &random), height: .random(in: 0...100, using: &random))
      let view =
        random.oneIn(3) ? Control(id: "c\(index)", frame: rect) : View(id: "v\(index)", frame: rect)
      view.isMultipleTouchEnabled = random.oneIn(2)
      view.isExclusiveTouch = random.oneIn(8)
      view.forwards = !random.oneIn(4)
      (views.randomElement(using: &random) ?? window).addSubview(view)
      views.append(view)
    }
    return views
  }
}

/// Fingers that come, move and go, as a tracker reports them.
private struct Contacts {
  private var down: [ContactID] = []
  private var nextSerial = 1

  mutating func frame(using random: inout RandomSource) -> [TouchChange] {
    var changes: [TouchChange] = []
    for contact in down where random.oneIn(2) {
      let kinds: [ContactChange.Kind] = [.moved, .moved, .moved, .ended, .cancelled]
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      changes.append(change(contact, kind, using: &random))
      if kind != .moved { down.removeAll { $0 == contact } }
    }
    while down.count < 5 && random.oneIn(2) {
      let contact = ContactID(device: DeviceID(rawValue: random.oneIn(3) ? 2 : 1), serial: nextSerial)
      nextSerial += 1
      changes.append(change(contact, .began, using: &random))
      if random.oneIn(8) {
        changes.append(change(contact, .ended, using: &random))
      } else {
        down.append(contact)
      }
    }
    return changes
  }

  /// A device goes, and its contacts with it.
  mutating func lose(_ device: DeviceID) -> [TouchChange] {
    let lost = down.filter { $0.device == device }
    down.removeAll { $0.device == device }
    return lost.map { TouchChange(contact: $0, kind: .cancelled, location: .zero) }
  }

  private func change(
    _ contact: ContactID, _ kind: ContactChange.Kind, using random: inout RandomSource
  ) -> TouchChange {
    TouchChange(
      contact: contact, kind: kind,
      location: WindowPoint(
        x: .random(in: -20...120, using: &random), y: .random(in: -20...120, using: &random)))
  }
}

/// Answers as it likes, and sometimes changes the tree while it is asked.
private final class Moody: Handler {
  let name = "moody"
  private var random: RandomSource
  private let window: Window
  let captures: Bool

  init(random seed: UInt64, window: Window, captures: Bool = false) {
    self.captures = captures
    random = RandomSource(seed: seed)
    self.window = window
  }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    changeTheTree(responder)
    return random.oneIn(5) ? .handled : random.oneIn(12) ? .claim : .forward
  }

  func handle(_ gesture: GestureRecognizer, event: Event) {
    changeTheTree(gesture.view)
    if random.oneIn(30) { gesture.isEnabled = false }
  }

  private func changeTheTree(_ responder: Responder?) {
    if random.oneIn(40) { (responder as? View)?.removeFromSuperview() }
    if random.oneIn(40) { window.subviews.first?.removeFromSuperview() }
  }
}

/// Keeps account of the phases that each responder received of each touch, and of each gesture's states.
private final class Ledger: DispatchObserver {
  private(set) var problems: [String] = []
  /// What began and has not ended, as "responder/touch".
  private(set) var open: Set<String> = []
  private var seen: Set<String> = []
  private var entered: Set<String> = []
  private var gestures: [ObjectIdentifier: GestureRecognizer.State] = [:]
  private var views: [Int: View] = [:]

  func observe(_ step: DispatchStep) {
    switch step {
    case .touch(let touch, let responder, _, let captured): note(touch, responder, captured)
    case .gesture(let gesture): note(gesture)
    default: break
    }
  }

  private func note(_ gesture: GestureRecognizer) {
    let key = ObjectIdentifier(gesture)
    let isOpen = gestures[key] != nil
    switch gesture.state {
    case .possible: problems.append("\(gesture.id) was found to be possible")
    case .began where isOpen: problems.append("\(gesture.id) began twice")
    case .began: gestures[key] = .began
    case .changed where !isOpen: problems.append("\(gesture.id) changed without began")
    case .changed: break
    case .ended where gesture.isContinuous != isOpen: problems.append("\(gesture.id) ended without began")
    case .cancelled where !isOpen: problems.append("\(gesture.id) cancelled without began")
    case .failed where isOpen: problems.append("\(gesture.id) failed after began")
    case .ended, .cancelled, .failed: gestures[key] = nil
    }
  }

  var openGestures: Int { gestures.count }

  private func note(_ touch: Touch, _ responder: Responder, _ captured: Bool) {
    let key = "\(captured)/\(responder.id)/\(ObjectIdentifier(responder))/\(touch.id)"
    if let view = views[touch.id], view !== touch.view { problems.append("\(key) changed its view") }
    views[touch.id] = touch.view
    switch touch.phase {
    case .began:
      if !seen.insert(key).inserted { problems.append("\(key) began twice") }
      open.insert(key)
    case .moved:
      if !open.contains(key) { problems.append("\(key) moved without began") }
    case .ended, .cancelled:
      if open.remove(key) == nil { problems.append("\(key) ended without began, or twice") }
    case .entered:
      if !entered.insert(key).inserted { problems.append("\(key) entered twice") }
    case .left:
      if entered.remove(key) == nil && responder !== touch.view {
        problems.append("\(key) left without entered")
      }
    case .stationary: problems.append("\(key) was told it is stationary")
    }
  }
}

/// A few of the sequences that `make test` plays by the hundred thousand.
@Suite struct DispatchFuzzTests {
  @Test func `random fingers on trees with gestures are heard of in order, and no press is lost`() {
    var presses = 0
    for seed in 1...5000 as ClosedRange<UInt64> {
      let result = DispatchFuzzer.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
      presses += result.presses
    }
    #expect(presses > 2500)
  }

  @Test
  func `whatever lengths a program sets, pages turn, content scrolls and values stay within their limits`() {
    for seed in 1...1000 as ClosedRange<UInt64> {
      #expect(LengthFuzzer.run(seed: seed).fault == nil, "seed \(seed)")
    }
  }
}
