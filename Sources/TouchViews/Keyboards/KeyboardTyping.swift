import TouchCore

/// What the fingers on a keyboard do.
struct KeyboardTyping {
  /// A finger that is down.
  struct Finger {
    enum State: Hashable {
      /// It is going to type the key that it is on.
      case pressing
      /// It is on the key that acted when it came down: shift, or the key of another page.
      case holding
      /// It stayed at a place on a key, and chooses one of its texts, counted from the left end of the bubble.
      case choosing(Int, from: Double)
      /// It deletes again and again, and how often it has.
      case deleting(Int)
      /// It moves the caret, and where it was when the caret moved last.
      case steering(Double)
      /// It has typed, or acted when it came down.
      case typed
    }

    let touch: Int
    var state = State.pressing
    /// The key that it is on, by its place; nil beside the keyboard.
    var key: Int?
    /// Where it came down.
    let start: LocalPoint
    /// Where it is.
    var place: LocalPoint
    /// When it has stayed so long that something happens.
    var due: Timestamp?
    /// The page that is seen again once the finger has typed: it came down on the key of another one, and
    /// slid on.
    var pageBefore: KeyboardLayout.Page?
  }

  /// In the order in which they came down.
  var fingers: [Finger] = []
  /// The finger on shift, whether a letter was typed meanwhile, and what shift did before.
  var shiftFinger: (touch: Int, hasTyped: Bool, before: KeyboardView.Shift)?
  /// When shift was tapped last.
  var lastShift: Timestamp?

  /// When the next finger has stayed long enough.
  var deadline: Timestamp? { fingers.compactMap(\.due).min() }

  /// In seconds: how long a finger stays before a key offers its variants (Android's long press; Apple gives no figure), and
  /// how soon a second tap locks shift.
  static let (stay, doubleTap) = (0.4, 0.35)
  /// In seconds: how long delete is held before it repeats, and from then on how long between two.
  static let repeatDelay = 0.45
  static func repeatInterval(after repeats: Int) -> Double { repeats < 8 ? 0.1 : repeats < 24 ? 0.06 : 0.03 }
  /// In units: how far a finger moves on the space bar before it moves the caret, and for each letter.
  static let (steerStart, steerStep) = (20.0, 11.0)
  /// The most letters that the caret goes by in one move of a finger.
  static let mostSteps = 10_000.0
}

/// The keys that fingers have left, each of which fades by itself in pictures. Time is counted in lengths of a fade.
struct KeyFades {
  /// The keys, by their places, and when each was left.
  private var left: [(key: Int, time: Double)] = []
  /// Those that fingers are on.
  private var pressed: [Int] = []
  /// When the last of them has its own colour.
  var end = 0.0
  /// The time of a picture; nil outside of one.
  var presented: Double?
  /// Each key fades evenly, however many follow it.
  static let timing = Timing(0.15, curve: .linear)

  /// How much of its pressed colour a picture shows of a key.
  func share(of key: Int) -> Double {
    guard let presented, let time = left.first(where: { $0.key == key })?.time else { return 0 }
    return min(max(0, 1 - (presented - time)), 1)
  }

  /// Fingers are on these keys now, and on no others.
  ///
  /// - Returns: whether one has been left.
  mutating func follow(_ keys: some Collection<Int>, at now: Double) -> Bool {
    left.removeAll { now - $0.time >= 1 || keys.contains($0.key) }
    let count = left.count
    for key in pressed where !keys.contains(key) { left.append((key, now)) }
    pressed.removeAll(keepingCapacity: true)
    pressed.append(contentsOf: keys)
    return left.count > count
  }

  /// The keys are other ones.
  mutating func removeAll() {
    left.removeAll(keepingCapacity: true)
    pressed.removeAll(keepingCapacity: true)
  }
}

extension KeyboardView: PartPresenting {
  /// The time since fingers left keys, which fade.
  final var ownPart: Double? { fades.end }
  final var presentedPart: Double? {
    get { fades.presented }
    set { fades.presented = newValue }
  }
}

extension KeyboardView {
  /// What is typed into.
  private var target: (any KeyInput)? {
    destination == .kernel ? typist : window?.firstResponder as? any KeyInput
  }

  /// The same, where it is a field, whose caret can be moved.
  private var field: TextField? { target as? TextField }

  func began(_ touch: Touch, at time: Timestamp) {
    // The order of the fingers is the order of the letters.
    typeAll(before: touch.id)
    let point = touch.location(in: self)
    let index = key(at: point)
    var finger = KeyboardTyping.Finger(touch: touch.id, key: index, start: point, place: point)
    guard let index else {
      finger.state = .typed
      typing.fingers.append(finger)
      return changed()
    }
    let key = keys[index].key
    switch key.role {
    case .shift:
      finger.state = .holding
      pressShift(touch.id, at: time)
    case .page(let other):
      finger.state = .holding
      finger.pageBefore = page
      page = other
      finger.key = self.key(at: point)
    case .delete:
      finger.state = .deleting(0)
      finger.due = time.advanced(bySeconds: KeyboardTyping.repeatDelay)
      typing.fingers.append(finger)
      target?.deleteBackward()
      return changed()
    case .text:
      if !key.variants.isEmpty { finger.due = time.advanced(bySeconds: KeyboardTyping.stay) }
    case .space, .enter, .hide, .script, .gap: break
    }
    typing.fingers.append(finger)
    changed()
  }

  func moved(_ touch: Touch, at time: Timestamp) {
    guard let place = typing.fingers.firstIndex(where: { $0.touch == touch.id }) else { return }
    let point = touch.location(in: self)
    typing.fingers[place].place = point
    switch typing.fingers[place].state {
    case .typed, .deleting: return
    case .holding:
      // The key under it may be another one, of another page; what counts is whether it has left that place.
      let start = typing.fingers[place].start
      guard let index = self.key(at: point), index != self.key(at: start) else { return }
      typing.fingers[place].state = .pressing
      slide(place, to: index, at: time)
    case .steering(let last):
      // A program may have made the keyboard so small that a finger goes further on it than any text is long.
      let way = ((point.x - last) / KeyboardTyping.steerStep).rounded(.towardZero)
      let steps = Int(saturating: max(-KeyboardTyping.mostSteps, min(KeyboardTyping.mostSteps, way)))
      guard steps != 0 else { return }
      typing.fingers[place].state = .steering(last + Double(steps) * KeyboardTyping.steerStep)
      field?.moveCaret(by: steps)
    case .choosing(let chosen, let start):
      let next = choice(of: typing.fingers[place], from: start)
      guard next != chosen else { return }
      typing.fingers[place].state = .choosing(next, from: start)
      changed()
    case .pressing:
      let finger = typing.fingers[place]
      if let index = finger.key, keys.indices.contains(index), keys[index].key.role == .space,
        field != nil,
        abs(point.x - finger.start.x) > KeyboardTyping.steerStart, self.key(at: finger.start) == index
      {
        typing.fingers[place].state = .steering(point.x)
        return changed()
      }
      let index = self.key(at: point)
      if index != finger.key { slide(place, to: index, at: time) }
    }
  }

  /// A finger comes onto another key: what it slides onto can be stayed on as well.
  private func slide(_ place: Int, to index: Int?, at time: Timestamp) {
    typing.fingers[place].key = index
    let hasVariants = index.map { !keys[$0].key.variants.isEmpty } ?? false
    typing.fingers[place].due = hasVariants ? time.advanced(bySeconds: KeyboardTyping.stay) : nil
    changed()
  }

  func ended(_ touch: Touch, at time: Timestamp) {
    moved(touch, at: time)
    if let place = typing.fingers.firstIndex(where: { $0.touch == touch.id }) {
      type(typing.fingers.remove(at: place))
    }
    if let shiftFinger = typing.shiftFinger, shiftFinger.touch == touch.id {
      typing.shiftFinger = nil
      if shiftFinger.hasTyped, shift == .once { shift = .off }
    }
    changed()
  }

  /// Fingers have stayed where they are.
  func stayed(until time: Timestamp) {
    for place in typing.fingers.indices {
      guard let due = typing.fingers[place].due, due <= time else { continue }
      switch typing.fingers[place].state {
      case .deleting(let repeats):
        typing.fingers[place].state = .deleting(repeats + 1)
        typing.fingers[place].due = due.advanced(bySeconds: KeyboardTyping.repeatInterval(after: repeats))
        target?.deleteBackward()
      case .pressing:
        typing.fingers[place].due = nil
        let finger = typing.fingers[place]
        typing.fingers[place].state = .choosing(
          choice(of: finger, from: finger.place.x), from: finger.place.x)
      case .choosing, .holding, .steering, .typed: typing.fingers[place].due = nil
      }
      // What is typed into may have taken the keyboard away.
      guard place + 1 < typing.fingers.count else { break }
    }
    changed()
  }

  /// A finger was broken off: it types nothing, and what it did to shift or to the page is undone.
  func cancelled(_ touch: Touch) {
    if let before = typing.fingers.first(where: { $0.touch == touch.id })?.pageBefore { page = before }
    typing.fingers.removeAll { $0.touch == touch.id }
    if let finger = typing.shiftFinger, finger.touch == touch.id {
      (typing.shiftFinger, typing.lastShift) = (nil, nil)
      shift = finger.hasTyped ? .off : finger.before
    }
    changed()
  }

  /// Has the fingers that are down type nothing more: editing has moved between a private field and a public one.
  func abandonFingers() {
    guard !typing.fingers.isEmpty else { return }
    for place in typing.fingers.indices {
      typing.fingers[place].state = .typed
      (typing.fingers[place].key, typing.fingers[place].due) = (nil, nil)
      typing.fingers[place].pageBefore = nil
    }
    changed()
  }

  /// Types what the fingers that are down would type if they lifted now.
  func typeAll(before touch: Int) {
    for touch in typing.fingers.map(\.touch) {
      // What one of them types may have others type nothing.
      guard let place = typing.fingers.firstIndex(where: { $0.touch == touch }) else { continue }
      let finger = typing.fingers[place]
      switch finger.state {
      case .pressing, .choosing: break
      case .holding:
        // The other finger types on this page, or with this shift, which stay.
        typing.fingers[place].state = .typed
        typing.fingers[place].pageBefore = nil
        continue
      case .typed, .steering, .deleting: continue
      }
      typing.fingers[place].state = .typed
      (typing.fingers[place].due, typing.fingers[place].pageBefore) = (nil, nil)
      type(finger)
    }
  }

  /// Types what a finger is on. It is called once for each finger.
  private func type(_ finger: KeyboardTyping.Finger) {
    guard let index = finger.key, keys.indices.contains(index) else { return }
    let key = keys[index].key
    switch (finger.state, key.role) {
    case (.typed, _), (.holding, _), (.steering, _), (.deleting, _): return
    case (.choosing(let choice, _), .text):
      let texts = choices(of: keys[index]).texts
      insert(texts.indices.contains(choice) ? texts[choice] : text(of: key), by: finger)
    case (_, .text): insert(text(of: key), by: finger)
    case (_, .space): insert(" ", by: finger)
    case (_, .enter): target?.insertText("\n")
    case (_, .page(let page)): self.page = page
    case (_, .hide): window?.endEditing(true)
    case (_, .script): changeScript()
    // A finger that slid there presses neither.
    case (_, .shift), (_, .delete), (_, .gap): return
    }
  }

  private func insert(_ text: String, by finger: KeyboardTyping.Finger) {
    typing.lastShift = nil
    if let before = finger.pageBefore { page = before }
    // Before what is typed changes anything: it may take the keyboard away.
    if typing.shiftFinger != nil {
      typing.shiftFinger?.hasTyped = true
    } else if shift == .once, text != " " {
      shift = .off
    }
    target?.insertText(text)
  }

  private func pressShift(_ touch: Int, at time: Timestamp) {
    let before = shift
    let isDouble = typing.lastShift.map { time.seconds(since: $0) <= KeyboardTyping.doubleTap } ?? false
    typing.lastShift = isDouble ? nil : time
    switch shift {
    case .locked: shift = .off
    case .once, .off: shift = isDouble ? .locked : shift == .once ? .off : .once
    }
    typing.shiftFinger = (touch, false, before)
  }

  /// Which of the texts of its key a finger has moved to: its own is where the finger stayed, wherever on the key that was.
  private func choice(of finger: KeyboardTyping.Finger, from start: Double) -> Int {
    guard let index = finger.key, keys.indices.contains(index) else { return 0 }
    let (texts, own) = choices(of: keys[index])
    let steps = (finger.place.x - start) / KeyBubble.cell(above: keys[index].rect)
    return min(max(0, own + Int(saturating: steps.rounded())), texts.count - 1)
  }
}
