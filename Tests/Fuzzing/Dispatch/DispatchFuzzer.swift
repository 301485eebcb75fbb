import TouchCore
import TouchViews

/// Plays random fingers to a random tree with gestures, and checks what the views and the buttons hear of
/// them. A seed names a sequence for ever.
public struct DispatchFuzzer {
  private var random: RandomSource
  private let window = Window(size: Size(width: 300, height: 300))
  private let application = ApplicationResponder()
  private let dispatcher: Dispatcher
  private let checker: OrderChecker
  private var views: [View] = []
  private var recognizers: [GestureRecognizer] = []
  private var time = Timestamp.zero
  private var down: [(contact: ContactID, location: WindowPoint)] = []
  private var nextSerial = 1

  /// What came of a sequence.
  public struct Result {
    /// The first thing that was wrong.
    public var fault: String?
    /// How many presses of buttons were whole.
    public var presses: Int
    /// How many phases a view heard of later than they came about.
    public var delays: Int
  }

  /// Plays the sequence of a seed.
  public static func run(seed: UInt64) -> Result {
    var fuzzer = DispatchFuzzer(seed: seed)
    return fuzzer.run()
  }

  private init(seed: UInt64) {
    random = RandomSource(seed: seed)
    dispatcher = Dispatcher(window: window)
    checker = OrderChecker()
    dispatcher.observer = checker
    window.application = application
  }

  private mutating func run() -> Result {
    makeTree()
    makeGestures()
    // Most sequences leave the tree alone: then a touch that is neither taken nor cancelled must be heard of
    // whole.
    let isRough = random.oneIn(4)
    for _ in 0..<number(in: 4...40) {
      switch number(in: 0...11) {
      case 0: time.microseconds += Int64(number(in: 0...800_000))
      case 1: pass(microseconds: number(in: 0...(random.oneIn(8) ? 8_000_000 : 800_000)))
      case 2, 3: dispatcher.flush()
      case 4 where isRough: disturb()
      default: playFrame()
      }
    }
    for finger in down { checker.contacts[finger.contact]?.end = time.advanced(bySeconds: 0.008) }
    frame(down.map { change($0.contact, .ended, at: $0.location) })
    down.removeAll()
    dispatcher.flush()
    for _ in 0..<100 {
      guard let due = dispatcher.deadline else { break }
      time = max(time, due)
      dispatcher.advance(to: due)
    }
    if dispatcher.deadline != nil { checker.fail("a gesture waits for ever") }
    checker.checkEnd()
    return Result(fault: checker.fault, presses: checker.presses, delays: checker.delays)
  }

  // MARK: The tree

  private mutating func makeTree() {
    for index in 0..<number(in: 1...7) {
      let parent = views.filter { !($0 is Control) }.randomElement(using: &random) ?? window
      let side = parent.bounds.size
      // Mostly large, and often with the same place: fingers should meet on a view.
      let rect = LocalRect(
        x: .random(in: -10...side.width / 3, using: &random),
        y: .random(in: -10...side.height / 3, using: &random),
        width: .random(in: side.width / 3...side.width, using: &random),
        height: .random(in: side.height / 3...side.height, using: &random))
      let view: View
      switch number(in: 0...4) {
      case 0, 1: view = Button(id: "button\(index)", frame: rect)
      case 2: view = Control(id: "control\(index)", frame: rect)
      default:
        view = View(id: "view\(index)", frame: rect)
        view.forwards = !random.oneIn(4)
      }
      view.isMultipleTouchEnabled = random.oneIn(3)
      view.isExclusiveTouch = random.oneIn(16)
      parent.addSubview(view)
      views.append(view)
    }
  }

  private mutating func makeGestures() {
    for index in 0..<number(in: 0...4) {
      let recognizer = makeRecognizer("gesture\(index)")
      recognizer.cancelsTouchesInView = !random.oneIn(3)
      recognizer.delaysTouchesBegan = random.oneIn(3)
      recognizer.delaysTouchesEnded = !random.oneIn(4)
      if random.oneIn(3), let other = recognizers.randomElement(using: &random) {
        recognizer.require(toFail: other)
      }
      if random.oneIn(4), let other = recognizers.randomElement(using: &random) {
        recognizer.recognizeSimultaneously(with: other)
      }
      (random.oneIn(4) ? window : views.randomElement(using: &random) ?? window).addGestureRecognizer(
        recognizer)
      recognizers.append(recognizer)
    }
  }

  private mutating func makeRecognizer(_ id: String) -> GestureRecognizer {
    switch number(in: 0...8) {
    case 0, 1, 2:
      let tap = TapGestureRecognizer(id: id)
      tap.numberOfTapsRequired = number(in: 1...3)
      tap.numberOfTouchesRequired = random.oneIn(4) ? 2 : 1
      return tap
    case 3:
      let press = LongPressGestureRecognizer(id: id)
      press.numberOfTapsRequired = number(in: 0...1)
      press.numberOfTouchesRequired = number(in: 1...3)
      return press
    case 4, 5:
      let pan = PanGestureRecognizer(id: id)
      pan.minimumNumberOfTouches = number(in: 1...2)
      return pan
    case 6:
      let swipe = SwipeGestureRecognizer(id: id)
      swipe.numberOfTouchesRequired = number(in: 1...2)
      return swipe
    case 7: return PinchGestureRecognizer(id: id)
    default: return RotationGestureRecognizer(id: id)
    }
  }

  /// What ends touches without a finger that lifts.
  private mutating func disturb() {
    checker.isDisturbed = true
    switch number(in: 0...4) {
    case 0: views.randomElement(using: &random)?.removeFromSuperview()
    case 1: dispatcher.cancelAllTouches(at: time)
    case 2: recognizers.randomElement(using: &random)?.isEnabled.toggle()
    case 3: views.randomElement(using: &random)?.isHidden.toggle()
    default:
      frame(down.map { change($0.contact, .cancelled, at: $0.location) })
      down.removeAll()
    }
  }

  // MARK: Fingers

  private mutating func playFrame() {
    var changes: [TouchChange] = []
    for index in down.indices.reversed() where random.oneIn(2) {
      let contact = down[index].contact
      if random.oneIn(2) { down[index].location = near(down[index].location) }
      if random.oneIn(3) {
        changes.append(change(contact, .ended, at: down[index].location))
        down.remove(at: index)
      } else {
        changes.append(change(contact, .moved, at: down[index].location))
      }
    }
    while down.count < 4 && random.oneIn(2) {
      let contact = ContactID(device: DeviceID(rawValue: 1), serial: nextSerial)
      nextSerial += 1
      // Often where a finger was just now, as in taps.
      let place = random.oneIn(2) ? near(checker.lastPlace) : anywhere()
      changes.append(change(contact, .began, at: place))
      if random.oneIn(6) {
        changes.append(change(contact, .ended, at: place))
      } else {
        down.append((contact, place))
      }
      checker.lastPlace = place
    }
    frame(changes)
    if random.oneIn(2) { dispatcher.flush() }
  }

  private mutating func frame(_ changes: [TouchChange]) {
    time.microseconds += 8000
    for change in changes {
      switch change.kind {
      case .began: checker.contacts[change.contact] = OrderChecker.Life(began: time)
      case .ended: checker.contacts[change.contact]?.end = time
      case .moved, .cancelled: break
      }
    }
    dispatcher.dispatch(changes, at: time)
  }

  private mutating func pass(microseconds: Int) {
    time.microseconds += Int64(microseconds)
    dispatcher.advance(to: time)
    checker.checkPatience(at: time)
  }

  private func change(_ contact: ContactID, _ kind: ContactChange.Kind, at location: WindowPoint)
    -> TouchChange
  {
    TouchChange(contact: contact, kind: kind, location: location)
  }

  /// Nearer than a tap or a pan minds, or a little farther.
  private mutating func near(_ point: WindowPoint) -> WindowPoint {
    let reach = random.oneIn(3) ? 60.0 : 4.0
    return WindowPoint(
      x: point.x + .random(in: -reach...reach, using: &random),
      y: point.y + .random(in: -reach...reach, using: &random))
  }

  private mutating func anywhere() -> WindowPoint {
    WindowPoint(x: .random(in: -10...310, using: &random), y: .random(in: -10...310, using: &random))
  }

  private mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}
