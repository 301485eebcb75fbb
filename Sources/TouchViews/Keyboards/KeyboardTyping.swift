import TouchCore

struct KeyboardTyping {
  struct Finger {
    enum State: Hashable {
      case pressing
      /// The finger is on a key that acted when it came down: shift, or the key of another page.
      case holding
      /// The finger stayed at a place on a key, and chooses one of its texts, counted from the left.
      case choosing(Int, from: Double)
      /// The finger deletes repeatedly, with the number of deletions.
      case deleting(Int)
      /// The finger moves the caret, with its own place at the caret's last move.
      case steering(Double)
      /// The finger has typed, or acted when it came down.
      case typed
    }

    let touch: Int
    var state = State.pressing
    /// The index of the key under the finger; nil beside the keyboard.
    var key: Int?
    let start: LocalPoint
    var place: LocalPoint
    /// The time when staying takes effect.
    var due: Timestamp?
    /// The page that is shown again once the finger has typed, because it slid on from the key of a page.
    var pageBefore: KeyboardLayout.Page?
  }

  /// The fingers in the order in which they came down.
  var fingers: [Finger] = []
  /// The finger on shift, whether a letter was typed meanwhile, and the former state of shift.
  var shiftFinger: (touch: Int, hasTyped: Bool, before: KeyboardView.Shift)?
  var lastShift: Timestamp?

  /// The time when the next finger has stayed long enough.
  var deadline: Timestamp? { fingers.compactMap(\.due).min() }

  /// The time in seconds until a held key offers its variants (Android's long press;
  /// Apple gives no figure), and the greatest time before a second tap that locks shift.
  static let (stay, doubleTap) = (0.4, 0.35)
  /// The time in seconds until a held delete key repeats, and between two repetitions from then on.
  static let repeatDelay = 0.45
  static func repeatInterval(after repeats: Int) -> Double { repeats < 8 ? 0.1 : repeats < 24 ? 0.06 : 0.03 }
  /// The distance in units before a finger on the space bar moves the caret, and for each letter then.
  static let (steerStart, steerStep) = (20.0, 11.0)
  /// The most letters that one move of a finger moves the caret by.
  static let mostSteps = 10_000.0
}

/// The keys that fingers have left. Each fades by itself in pictures. Times are in lengths of a fade.
struct KeyFades {
  /// The indices of the keys, and the times when they were left.
  private var left: [(key: Int, time: Double)] = []
  /// The indices of the keys under fingers.
  private var pressed: [Int] = []
  /// The time when the last key has its own colour again.
  var end = 0.0
  /// The time of the picture being painted; nil outside of one.
  var presented: Double?
  /// The timing of each key, which fades evenly, however many follow it.
  static let timing = Timing(0.15, curve: .linear)

  /// Returns the share of its pressed colour that a picture shows of a key.
  func share(of key: Int) -> Double {
    guard let presented, let time = left.first(where: { $0.key == key })?.time else { return 0 }
    return min(max(0, 1 - (presented - time)), 1)
  }

  /// Sets the keys that fingers are on now.
  /// - Returns: whether a key was left.
  mutating func follow(_ keys: some Collection<Int>, at now: Double) -> Bool {
    left.removeAll { now - $0.time >= 1 || keys.contains($0.key) }
    let count = left.count
    for key in pressed where !keys.contains(key) { left.append((key, now)) }
    pressed.removeAll(keepingCapacity: true)
    pressed.append(contentsOf: keys)
    return left.count > count
  }

  /// Forgets all keys, because others take their places.
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
  private var target: (any KeyInput)? {
    destination == .kernel ? typist : window?.firstResponder as? any KeyInput
  }

  /// The same, where it is a field, whose caret can be moved.
  private var field: TextInput? { destination == .kernel ? nil : window?.editedInput }

  func began(_ touch: Touch, at time: Timestamp) {
    // The order of the fingers is the order of the letters.
    typeAll(before: touch.id)
    // A program may have typed since.
    capitalize()
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
      capitalize()
      return changed()
    case .text: if !key.variants.isEmpty { finger.due = time.advanced(bySeconds: KeyboardTyping.stay) }
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
      // The key under the finger may be another one, of another page, so its place counts.
      let start = typing.fingers[place].start
      guard let index = self.key(at: point), index != self.key(at: start) else { return }
      typing.fingers[place].state = .pressing
      slide(place, to: index, at: time)
    case .steering(let last):
      // A program may have made the keyboard so small that a finger moves by more letters than any text has.
      let way = ((point.x - last) / KeyboardTyping.steerStep).rounded(.towardZero)
      let steps = Int(saturating: max(-KeyboardTyping.mostSteps, min(KeyboardTyping.mostSteps, way)))
      guard steps != 0 else { return }
      typing.fingers[place].state = .steering(last + Double(steps) * KeyboardTyping.steerStep)
      field?.moveCaret(by: steps)
      capitalize()
    case .choosing(let chosen, let start):
      let next = choice(of: typing.fingers[place], from: start)
      guard next != chosen else { return }
      typing.fingers[place].state = .choosing(next, from: start)
      changed()
    case .pressing:
      let finger = typing.fingers[place]
      if let index = finger.key, keys.indices.contains(index), keys[index].key.role == .space, field != nil,
        abs(point.x - finger.start.x) > KeyboardTyping.steerStart, self.key(at: finger.start) == index
      {
        typing.fingers[place].state = .steering(point.x)
        return changed()
      }
      let index = self.key(at: point)
      if index != finger.key { slide(place, to: index, at: time) }
    }
  }

  /// Moves a finger onto another key, which can also be held.
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

  /// Handles fingers that have stayed long enough.
  func stayed(until time: Timestamp) {
    for place in typing.fingers.indices {
      guard let due = typing.fingers[place].due, due <= time else { continue }
      switch typing.fingers[place].state {
      case .deleting(let repeats):
        typing.fingers[place].state = .deleting(repeats + 1)
        typing.fingers[place].due = due.advanced(bySeconds: KeyboardTyping.repeatInterval(after: repeats))
        target?.deleteBackward()
        capitalize()
      case .pressing:
        typing.fingers[place].due = nil
        let finger = typing.fingers[place]
        typing.fingers[place].state = .choosing(
          choice(of: finger, from: finger.place.x), from: finger.place.x)
      case .choosing, .holding, .steering, .typed: typing.fingers[place].due = nil
      }
      // The input may have hidden the keyboard.
      guard place + 1 < typing.fingers.count else { break }
    }
    changed()
  }

  /// Handles a cancelled finger. It types nothing, and its effect on shift or on the page is undone.
  func cancelled(_ touch: Touch) {
    if let before = typing.fingers.first(where: { $0.touch == touch.id })?.pageBefore { page = before }
    typing.fingers.removeAll { $0.touch == touch.id }
    if let finger = typing.shiftFinger, finger.touch == touch.id {
      (typing.shiftFinger, typing.lastShift) = (nil, nil)
      shift = finger.hasTyped ? .off : finger.before
    }
    changed()
  }

  /// Has the present fingers type nothing more, because editing moved between a private and a public field.
  func abandonFingers() {
    guard !typing.fingers.isEmpty else { return }
    for place in typing.fingers.indices {
      typing.fingers[place].state = .typed
      (typing.fingers[place].key, typing.fingers[place].due) = (nil, nil)
      typing.fingers[place].pageBefore = nil
    }
    changed()
  }

  /// Types the texts that the present fingers would type if they lifted now.
  func typeAll(before touch: Int) {
    for touch in typing.fingers.map(\.touch) {
      // One finger's text may stop the others from typing.
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

  /// Types the key under a finger. It is called once for each finger.
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
    case (_, .enter):
      target?.insertText("\n")
      capitalize()
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
    // This precedes the text, which may hide the keyboard.
    if typing.shiftFinger != nil {
      typing.shiftFinger?.hasTyped = true
    } else if shift == .once, text != " " {
      shift = .off
    }
    target?.insertText(text)
    capitalize()
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
    isShiftAutomatic = false
  }

  /// Returns the index of the text that a finger has moved to. Its own text is at the place where it stayed.
  private func choice(of finger: KeyboardTyping.Finger, from start: Double) -> Int {
    guard let index = finger.key, keys.indices.contains(index) else { return 0 }
    let (texts, own) = choices(of: keys[index])
    let steps = (finger.place.x - start) / KeyBubble.cell(above: keys[index].rect)
    return min(max(0, own + Int(saturating: steps.rounded())), texts.count - 1)
  }
}
