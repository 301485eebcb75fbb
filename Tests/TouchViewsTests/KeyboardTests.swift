import StageSupport
import Testing
import TouchCore

@testable import TouchViews

/// The keyboard on the screen, under fingers.
@Suite struct KeyboardTests {
  private let stage = Stage()
  private let field = TextField(id: "f", frame: LocalRect(x: 0, y: 0, width: 300, height: 44))
  private let keyboard = KeyboardView(id: "k")

  init() {
    keyboard.placesItself = true
    field.autocapitalization = .none
    stage.add(field)
    stage.add(keyboard)
  }

  private func place(_ text: String) -> (x: Double, y: Double) { place { keyboard.text(of: $0) == text } }

  private func place(_ role: KeyboardLayout.Role) -> (x: Double, y: Double) { place { $0.role == role } }

  private func place(where isMeant: (KeyboardLayout.Key) -> Bool) -> (x: Double, y: Double) {
    guard let rect = keyboard.keys.first(where: { isMeant($0.key) })?.rect else { return (-1, -1) }
    let point = keyboard.convertToWindow(LocalPoint(x: rect.midX, y: rect.midY))
    return (point.x, point.y)
  }

  private func frame(_ finger: Int, _ kind: TouchChange.Kind, _ place: (x: Double, y: Double)) {
    stage.frame((finger, kind, place.x, place.y))
    stage.dispatcher.flush()
  }

  private func tap(_ place: (x: Double, y: Double)) { stage.tap(place.x, place.y) }

  @Test func `it comes with the first responder and goes with a tap beside both`() {
    #expect(keyboard.isHidden)
    field.becomeFirstResponder()
    #expect(!keyboard.isHidden)
    #expect(keyboard.layoutRect.maxY == 400)
    #expect(stage.window.gestureRecognizers.count == 1)
    tap(place("h"))
    stage.tap(20, 20)
    #expect(field.isFirstResponder)
    stage.tap(350, 100)
    #expect(field.isFirstResponder, "an impatient second tap, while the keyboard arrives and moves the field")
    stage.rest(seconds: 0.3)
    stage.tap(350, 100)
    #expect(!field.isFirstResponder)
    #expect(keyboard.isHidden)
    #expect(stage.window.gestureRecognizers.isEmpty)
    #expect(field.text == "h")
  }

  @Test(arguments: [
    (TextField.Autocapitalization.sentences, "hi. you", "Hi. You"), (.words, "ab c", "Ab C"),
    (.all, "ab c", "AB C"), (.none, "a. b", "a. b"), (.sentences, "a? b", "A? B"),
  ])
  func `capitals come by themselves`(rule: TextField.Autocapitalization, typed: String, text: String) {
    field.autocapitalization = rule
    field.becomeFirstResponder()
    for letter in typed {
      if letter == "." || letter == "?" {
        field.insertText(String(letter))
      } else if letter == " " {
        tap(place(.space))
      } else {
        tap(place { keyboard.text(of: $0).lowercased() == String(letter) })
      }
    }
    #expect(field.text == text)
  }

  @Test
  func `plain text begins with a capital, other fields and secrets do not, and a finger on shift counts`() {
    field.autocapitalization = .auto
    field.becomeFirstResponder()
    #expect(keyboard.shift == .once)
    tap(place(.shift))
    #expect(keyboard.shift == .off)
    tap(place("a"))
    tap(place(.delete))
    #expect(keyboard.shift == .once && field.text.isEmpty, "it is at the beginning again")
    tap(place("A"))
    #expect(keyboard.shift == .off && field.text == "A")
    field.resignFirstResponder()
    for change in [{ $0.keyboard = .email }, { $0.isSecure = true }] as [(TextField) -> Void] {
      change(field)
      field.text = ""
      field.becomeFirstResponder()
      #expect(keyboard.shift == .off)
      field.resignFirstResponder()
      field.keyboard = .text
    }
  }

  @Test func `one that stands in the tree stays, and types nothing without a field`() {
    keyboard.isAlways = true
    keyboard.layoutRect = LocalRect(x: 0, y: 200, width: 400, height: 200)
    #expect(!keyboard.isHidden)
    tap(place("h"))
    #expect(field.text.isEmpty)
    field.becomeFirstResponder()
    tap(place("h"))
    #expect(field.text == "h")
    field.resignFirstResponder()
    #expect(!keyboard.isHidden)
  }

  @Test func `a second finger down types the first key, and its lift types nothing more`() {
    field.becomeFirstResponder()
    let (t, h, e) = (place("t"), place("h"), place("e"))
    frame(1, .began, t)
    #expect(field.text.isEmpty)
    frame(2, .began, h)
    #expect(field.text == "t")
    frame(3, .began, e)
    #expect(field.text == "th")
    frame(1, .ended, t)
    frame(3, .ended, e)
    #expect(field.text == "the")
    frame(2, .ended, h)
    #expect(field.text == "the")
  }

  @Test func `two fingers that come down in one frame are two letters`() {
    field.becomeFirstResponder()
    let (a, l) = (place("a"), place("l"))
    stage.frame((1, .began, a.x, a.y), (2, .began, l.x, l.y))
    stage.frame((1, .ended, a.x, a.y), (2, .ended, l.x, l.y))
    #expect(field.text == "al")
  }

  @Test func `a finger that slides types the key where it lifts`() {
    field.becomeFirstResponder()
    frame(1, .began, place("q"))
    frame(1, .moved, place("w"))
    #expect(keyboard.isPressed(1))
    frame(1, .ended, place("e"))
    #expect(field.text == "e")
    // Far above the keyboard it is on no key.
    frame(2, .began, place("q"))
    frame(2, .ended, (200, 20))
    #expect(field.text == "e")
  }

  /// "Touch the Shift key and slide your finger to a letter" (iPhone User Guide, Type with the onscreen
  /// keyboard).
  @Test func `shift slid to a letter types a capital, and goes off`() {
    field.becomeFirstResponder()
    let shift = place(.shift)
    frame(1, .began, shift)
    frame(1, .moved, place("X"))
    frame(1, .ended, place("S"))
    #expect(field.text == "S" && keyboard.shift == .off)
    tap(place("q"))
    // What is slid to no letter is a tap on shift.
    frame(1, .began, shift)
    frame(1, .ended, (200, 20))
    #expect(field.text == "Sq" && keyboard.shift == .once)
  }

  @Test func `the key of another page slid to a sign types it, and the letters are there again`() throws {
    field.becomeFirstResponder()
    let symbols = place { if case .page = $0.role { true } else { false } }
    frame(1, .began, symbols)
    #expect(keyboard.page == .symbols)
    frame(1, .moved, place("1"))
    frame(1, .ended, place("2"))
    #expect(field.text == "2" && keyboard.page == .letters)
    // Cancelled it does nothing; tapped it stays.
    frame(1, .began, symbols)
    frame(1, .cancelled, symbols)
    #expect(keyboard.page == .letters)
    tap(symbols)
    #expect(keyboard.page == .symbols)
    // A finger on it while another one types has the page stay.
    tap(place { if case .page(.letters) = $0.role { true } else { false } })
    frame(1, .began, symbols)
    frame(2, .began, place("3"))
    frame(1, .ended, symbols)
    frame(2, .ended, place("3"))
    #expect(field.text == "23" && keyboard.page == .symbols)
  }

  @Test func `the space beside a row belongs to its outermost keys, at every height of the row`() throws {
    field.becomeFirstResponder()
    let row = try #require(keyboard.keys.first { keyboard.text(of: $0.key) == "a" }?.rect)
    for (x, letter) in [(1.0, "a"), (keyboard.bounds.maxX - 1, "l")] {
      for y in [row.minY + 1, row.midY, row.maxY - 1] {
        let key = try #require(keyboard.key(at: LocalPoint(x: x, y: y)))
        #expect(keyboard.text(of: keyboard.keys[key].key) == letter)
      }
    }
  }

  @Test func `a cancelled finger types nothing`() {
    field.becomeFirstResponder()
    frame(1, .began, place("q"))
    frame(1, .cancelled, place("q"))
    tap(place("w"))
    #expect(field.text == "w")
  }

  @Test func `a cancelled finger on shift leaves it as it was`() {
    field.becomeFirstResponder()
    let shift = place(.shift)
    frame(1, .began, shift)
    frame(1, .cancelled, shift)
    for letter in ["q", "w"] { tap(place(letter)) }
    #expect(field.text == "qw" && keyboard.shift == .off)
    // Two taps do not count where one was broken off.
    tap(shift)
    #expect(keyboard.shift == .once)
    frame(1, .began, shift)
    frame(2, .began, place("E"))
    frame(2, .ended, place("E"))
    frame(1, .cancelled, shift)
    #expect(field.text == "qwE" && keyboard.shift == .off)
  }

  @Test(arguments: KeyboardLayout.names, [320.0, 480, 800])
  func `a finger that stays on a key and lifts types the key, wherever on it the finger is`(
    name: String, width: Double
  ) throws {
    stage.window.layoutRect.size = Size(width: width, height: 400)
    keyboard.layout = try #require(KeyboardLayout.shipped[name])
    field.becomeFirstResponder()
    for page in KeyboardLayout.Page.allCases where keyboard.layout.pages[page] != nil {
      keyboard.page = page
      for placed in keyboard.keys {
        guard case .text(let text) = placed.key.role else { continue }
        for x in [placed.rect.minX + 1, placed.rect.midX, placed.rect.maxX - 1] {
          let point = keyboard.convertToWindow(LocalPoint(x: x, y: placed.rect.midY))
          frame(1, .began, (point.x, point.y))
          stage.rest(seconds: 0.6)
          frame(1, .ended, (point.x, point.y))
          #expect(field.text == text)
          field.text = ""
        }
      }
    }
  }

  @Test func `each variant of a key at the right end can be reached`() {
    field.becomeFirstResponder()
    let (o, cell) = (place("o"), 40.0)
    for step in [-5, -4, -3, -2, -1, 0, 1] {
      frame(1, .began, o)
      stage.rest(seconds: 0.5)
      frame(1, .moved, (o.x + Double(step) * cell, o.y))
      frame(1, .ended, (o.x + Double(step) * cell, o.y))
    }
    // One has room to the right.
    #expect(field.text == "œøöôòoó")
  }

  @Test(arguments: ["russian", "greek", "arabic", "german"])
  func `an address and a password are typed with latin letters`(name: String) throws {
    keyboard.layout = try #require(KeyboardLayout.shipped[name])
    for (kind, isSecure) in [(TextField.Keyboard.email, false), (.url, false), (.text, true)] {
      (field.keyboard, field.isSecure) = (kind, isSecure)
      field.becomeFirstResponder()
      tap(place("w"))
      #expect(field.text == "w", "\(name)")
      field.resignFirstResponder()
      field.text = ""
    }
    (field.keyboard, field.isSecure) = (.text, false)
    field.becomeFirstResponder()
    #expect((place("q").x > 0) == (name == "german"))
    // A key changes that, and back.
    guard name != "german" else { return #expect(!keyboard.keys.contains { $0.key.role == .script }) }
    for _ in 0..<2 {
      tap(place(.script))
      tap(place("q"))
      tap(place(.script))
      tap(place(keyboard.layout.sample.first.map(String.init) ?? ""))
    }
    #expect(field.text.count == 4 && field.text.filter(\.isASCII) == "qq")
  }

  @Test func `between two keys there is no place for none`() {
    field.becomeFirstResponder()
    for place in keyboard.keys.filter({ $0.key.role == .text("g") || $0.key.role == .text("h") }) {
      stage.tap(place.rect.minX + 0.5, place.rect.minY + keyboard.layoutRect.minY + 1)
    }
    #expect(field.text == "gh")
    // Nor beside the last key of a row.
    stage.tap(1, keyboard.layoutRect.minY + keyboard.keys[12].rect.midY)
    #expect(field.text == "gha")
  }

  @Test func `shift makes one capital, two taps lock it, and a finger on it makes capitals`() {
    field.becomeFirstResponder()
    tap(place(.shift))
    tap(place("A"))
    tap(place("b"))
    #expect(field.text == "Ab")
    tap(place(.shift))
    tap(place(.shift))
    #expect(keyboard.shift == .locked)
    tap(place("C"))
    tap(place("D"))
    tap(place(.shift))
    tap(place("e"))
    #expect(field.text == "AbCDe")
    stage.rest(seconds: 1)
    let shift = place(.shift)
    frame(1, .began, shift)
    for letter in ["F", "G"] {
      frame(2, .began, place(letter))
      frame(2, .ended, place(letter))
    }
    frame(1, .ended, shift)
    tap(place("h"))
    #expect(field.text == "AbCDeFGh")
  }

  @Test func `delete repeats and accelerates`() {
    field.text = String(repeating: "x", count: 100)
    field.becomeFirstResponder()
    let delete = place(.delete)
    frame(1, .began, delete)
    #expect(field.text.count == 99)
    stage.rest(seconds: 0.4)
    #expect(field.text.count == 99)
    stage.rest(seconds: 1)
    let slow = 99 - field.text.count
    stage.rest(seconds: 1)
    let fast = 99 - slow - field.text.count
    #expect(slow >= 8)
    #expect(fast > slow)
    let left = field.text.count
    frame(1, .ended, delete)
    stage.rest(seconds: 1)
    #expect(field.text.count == left)
  }

  @Test func `a finger that stays on a key chooses one of its texts`() {
    field.becomeFirstResponder()
    let e = place("e")
    frame(1, .began, e)
    stage.rest(seconds: 0.5)
    frame(1, .ended, e)
    #expect(field.text == "e")
    frame(1, .began, e)
    stage.rest(seconds: 0.5)
    frame(1, .moved, (e.x + 45, e.y))
    frame(1, .ended, (e.x + 45, e.y))
    #expect(field.text == "eé")
    tap(place(.shift))
    frame(1, .began, e)
    stage.rest(seconds: 0.5)
    frame(1, .moved, (e.x + 45, e.y))
    frame(2, .began, place("T"))
    #expect(field.text == "eéÉ")
    frame(1, .ended, e)
    frame(2, .ended, place("t"))
    #expect(field.text == "eéÉt")
  }

  @Test func `a finger that moves along the space bar moves the caret`() {
    field.text = "0123456789"
    field.becomeFirstResponder()
    let space = place(.space)
    frame(1, .began, space)
    frame(1, .moved, (space.x - 21, space.y))
    frame(1, .moved, (space.x - 21 - 34, space.y))
    #expect(field.selection == 7..<7)
    frame(1, .ended, (space.x - 21 - 34, space.y))
    #expect(field.text == "0123456789")
    tap(space)
    #expect(field.text == "0123456 789")
  }

  @Test func `the caret stays in the text when a program makes the keyboard tiny under a finger`() {
    field.text = "0123456789"
    field.becomeFirstResponder()
    let space = place(.space)
    frame(1, .began, space)
    frame(1, .moved, (space.x - 21, space.y))
    keyboard.transform = AffineTransform.scale(x: 1e-22, y: 1e-22)
    frame(1, .moved, (space.x - 60, space.y))
    #expect(field.selection == 0..<0)
    frame(1, .moved, (space.x + 200, space.y))
    #expect(field.selection == 10..<10)
    frame(1, .ended, (space.x, space.y))
    #expect(field.text == "0123456789")
  }

  @Test func `the return key is the field's`() {
    let next = stage.add(TextField(id: "n", frame: LocalRect(x: 0, y: 60, width: 300, height: 44)))
    field.returnKey = .next
    field.becomeFirstResponder()
    tap(place(.enter))
    #expect(next.isFirstResponder)
    #expect(!keyboard.isHidden)
    tap(place(.enter))
    #expect(keyboard.isHidden)
  }

  @Test func `pages, digits, and the signs that a text needs`() {
    field.becomeFirstResponder()
    tap(place(.page(.symbols)))
    tap(place("7"))
    tap(place(.page(.letters)))
    tap(place("q"))
    #expect(field.text == "7q")
    field.resignFirstResponder()
    field.keyboard = .pin
    field.becomeFirstResponder()
    #expect(keyboard.keys.count == 12)
    tap(place("7"))
    tap(place(.delete))
    tap(place("8"))
    #expect(field.text == "7q8")
    field.resignFirstResponder()
    field.keyboard = .email
    field.becomeFirstResponder()
    tap(place("@"))
    #expect(field.text == "7q8@")
  }

  @Test func `a field below its edge is shifted into view, and comes back`() {
    let root = stage.add(View(id: "root", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    let low = stage.add(TextField(id: "l", frame: LocalRect(x: 0, y: 350, width: 300, height: 44)), to: root)
    low.autocapitalization = .none
    low.becomeFirstResponder()
    #expect(low.windowFrame.maxY <= keyboard.layoutRect.minY)
    #expect(keyboard.windowFrame.maxY == 400)
    tap(place("h"))
    #expect(low.text == "h")
    low.resignFirstResponder()
    #expect(low.windowFrame.maxY == 394)
    #expect(root.transform == .identity)
  }

  @Test func `a field in a scroll view is scrolled into view`() {
    let list = stage.add(ScrollView(id: "list", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    list.scrolling.contentSize = Size(width: 400, height: 1000)
    let low = stage.add(TextField(id: "l", frame: LocalRect(x: 0, y: 350, width: 300, height: 44)), to: list)
    low.becomeFirstResponder()
    #expect(list.contentOffset.y > 0)
    #expect(list.transform == .identity)
    #expect(low.windowFrame.maxY <= keyboard.layoutRect.minY)
  }

  /// Another program, at the other end of a keyboard of the kernel.
  private final class OtherProgram: Responder, KeyInput {
    var text = ""
    var hasText: Bool { true }
    func insertText(_ text: String) { self.text += text }
    func deleteBackward() { text += "<" }
  }

  @Test func `one for other programs types there, whatever is edited`() {
    let program = OtherProgram(id: "program")
    keyboard.destination = .kernel
    tap(place("h"))
    keyboard.typist = program
    field.becomeFirstResponder()
    tap(place("i"))
    tap(place(.delete))
    tap(place(.enter))
    field.resignFirstResponder()
    tap(place(.space))
    #expect(program.text == "i<\n " && field.text.isEmpty)
    #expect(!keyboard.isHidden && keyboard.isPrivate)
  }

  /// What a picture shows of a view now: whether it is seen, and where it begins in the window.
  private func seen(_ view: View) -> (isSeen: Bool, y: Double) {
    stage.window.animator?.step(to: stage.time)
    func read() -> (Bool, Double) { (!view.isConcealed, view.windowFrame.minY) }
    return stage.window.animator?.presenting(read) ?? read()
  }

  @Test func `pictures show it slide in and out, with what it moves, and touches find it at once`() {
    let root = stage.add(View(id: "root", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    let low = stage.add(TextField(id: "l", frame: LocalRect(x: 0, y: 350, width: 300, height: 44)), to: root)
    low.autocapitalization = .none
    low.becomeFirstResponder()
    stage.rest(seconds: 0.001)
    let (top, place) = (keyboard.layoutRect.minY, low.windowFrame.minY)
    #expect(seen(keyboard) == (true, 400) && seen(low).y == 350)
    tap(self.place("h"))
    #expect(low.text == "h" && top < 300 && place < 300)
    stage.rest(seconds: 0.1)
    #expect(seen(keyboard).y > top && seen(keyboard).y < 400)
    #expect(seen(low).y > place && seen(low).y < 350)
    // It turns round on its way, without a jump.
    let middle = seen(keyboard).y
    low.resignFirstResponder()
    stage.rest(seconds: 0.001)
    #expect(keyboard.isHidden && low.windowFrame.minY == 350)
    #expect(seen(keyboard) == (true, middle))
    stage.rest(seconds: 0.3)
    #expect(!seen(keyboard).isSeen && seen(low).y == 350)
    #expect(stage.window.animator?.nextStep == nil)
  }

  @Test func `where motion is reduced, pictures show it at once`() {
    stage.window.reducesMotion = true
    field.becomeFirstResponder()
    #expect(seen(keyboard) == (true, keyboard.layoutRect.minY))
    field.resignFirstResponder()
    #expect(!seen(keyboard).isSeen)
  }

  @Test func `it is private with a private field`() {
    field.isSecure = true
    field.becomeFirstResponder()
    #expect(keyboard.isPrivate)
    field.resignFirstResponder()
    let other = stage.add(TextField(id: "o", frame: LocalRect(x: 0, y: 60, width: 300, height: 44)))
    #expect(keyboard.isPrivate)
    other.becomeFirstResponder()
    #expect(!keyboard.isPrivate)
  }

  /// What others than the keyboard learn of touches on it: with the place, but for that of an end.
  private final class Others: DispatchObserver, Handler {
    let name = "others"
    let captures = true
    var seen: [String] = []
    var heard: [String] = []
    private var asked: [String] = []

    /// As a trace does: what is asked in a hit test is told with what comes of it.
    func observe(_ step: DispatchStep) {
      switch step {
      case .hitTest(let view, let point):
        if view is Window { asked.append("hit test at \(Int(point.x))") }
        return
      case .pointInside: return
      default: break
      }
      if !step.isPrivate {
        seen += asked
        if case .delivery(let touch, let responder, false) = step, responder === touch.view {
          seen.append(line(touch))
        }
      }
      asked = []
    }

    func handle(
      _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
    ) -> Disposition {
      for touch in touches { heard.append(line(touch)) }
      return .forward
    }

    private func line(_ touch: Touch) -> String {
      "\(touch.id) \(touch.phase.rawValue) at \(Int(touch.location.x))"
    }
  }

  /// A field whose return key leads to another one.
  private final class LeadingField: TextField {
    var following: TextField?

    override func insertText(_ text: String) {
      if text == "\n" { following?.becomeFirstResponder() } else { super.insertText(text) }
    }
  }

  private func inFields(_ body: (_ name: LeadingField, _ password: TextField, _ others: Others) -> Void) {
    let name = stage.add(LeadingField(id: "name", frame: LocalRect(x: 0, y: 50, width: 300, height: 44)))
    let password = stage.add(
      TextField(id: "password", frame: LocalRect(x: 0, y: 100, width: 300, height: 44)))
    password.isSecure = true
    name.autocapitalization = .none
    name.following = password
    keyboard.isAlways = true
    keyboard.layoutRect = LocalRect(x: 0, y: 200, width: 400, height: 200)
    let others = Others()
    stage.window.handlers = [others]
    stage.dispatcher.observer = others
    body(name, password, others)
  }

  @Test
  func
    `a finger that leads to a password is told of to its end, and the next one is not, not even where it is`()
  {
    inFields { name, password, others in
      name.becomeFirstResponder()
      let (enter, g) = (place(.enter), place("g"))
      frame(1, .began, enter)
      #expect(others.heard == ["1 began at \(Int(enter.x))"])
      frame(2, .began, g)
      #expect(password.isFirstResponder && keyboard.isPrivate)
      frame(1, .ended, (enter.x - 3, enter.y))
      frame(2, .ended, g)
      #expect(password.text == "g")
      let told = ["1 began at \(Int(enter.x))", "1 cancelled at \(Int(enter.x))"]
      #expect(others.heard == told)
      #expect(others.seen.filter { !$0.hasPrefix("hit test") } == told)
      #expect(others.seen.filter { $0.hasPrefix("hit test") } == ["hit test at \(Int(enter.x))"])
    }
  }

  @Test
  func `where a program leads to a password, a finger that is down types nothing, and only its end is told`()
  {
    inFields { name, password, others in
      name.becomeFirstResponder()
      let (g, h) = (place("g"), place("h"))
      frame(1, .began, g)
      password.becomeFirstResponder()
      frame(1, .moved, h)
      frame(1, .ended, h)
      #expect(password.text == "" && name.text == "")
      #expect(others.heard == ["1 began at \(Int(g.x))", "1 cancelled at \(Int(g.x))"])
      #expect(others.seen.suffix(1) == ["1 cancelled at \(Int(g.x))"])
    }
  }

  @Test
  func `a finger that came down for a password is told of never, and types nothing into the next field`() {
    inFields { name, password, others in
      password.becomeFirstResponder()
      frame(1, .began, place("g"))
      name.becomeFirstResponder()
      frame(1, .moved, place("h"))
      frame(1, .ended, place("h"))
      #expect(password.text == "" && name.text == "")
      #expect(others.heard == [] && others.seen == [])
      tap(place("h"))
      #expect(others.heard.count == 2 && name.text == "h")
    }
  }

  @Test func `of two fingers that come down at once the second one types no letter of a password`() {
    inFields { name, password, others in
      name.becomeFirstResponder()
      let (enter, g) = (place(.enter), place("g"))
      stage.frame((1, .began, enter.x, enter.y), (2, .began, g.x, g.y))
      stage.frame((1, .ended, enter.x, enter.y), (2, .ended, g.x, g.y))
      #expect(password.isFirstResponder && password.text == "" && name.text == "")
      #expect(others.heard.filter { $0.contains("began") }.count == 2)
      #expect(others.heard.filter { $0.contains("ended") || $0.contains("cancelled") }.count == 2)
    }
  }

  @Test func `it takes no drag from its keys, and lets none through`() {
    let back = stage.add(ScrollView(id: "back", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
    back.scrolling.contentSize = Size(width: 400, height: 1000)
    field.becomeFirstResponder()
    stage.drag([(200, 380), (200, 340), (200, 300)])
    #expect(back.contentOffset.y == 0)
  }

  /// Sixty words a minute are five letters a second. Each finger stays 60 to 260 ms, so that it often lifts
  /// after the next one, or the one after that, has come down; it comes down beside the middle of its key,
  /// and trembles. One in ten stays up to 700 ms, so that the variants of its key come up.
  @Test(arguments: [UInt64(1), 2, 3])
  func `ten thousand letters of overlapping fingers are the same ten thousand letters`(seed: UInt64) {
    var random = Seeded(state: seed)
    field.becomeFirstResponder()
    let letters = "abcdefghijklmnopqrstuvwxyz ".map(String.init)
    var expected = ""
    /// In milliseconds.
    struct Step { let time, finger, order: Int, kind: TouchChange.Kind, place: (x: Double, y: Double) }
    var steps: [Step] = []
    var clock = 0
    for number in 0..<10_000 {
      let letter = letters[Int(random.next() % UInt64(letters.count))]
      expected += letter
      let middle = letter == " " ? place(.space) : place(letter)
      let down = (middle.x + random.number(-10...10), middle.y + random.number(-12...12))
      let stay = 60 + Int(random.next() % (random.next() % 10 == 0 ? 640 : 200))
      steps.append(Step(time: clock, finger: number, order: 2, kind: .began, place: down))
      let trembling = (down.0 + random.number(-3...3), down.1 + random.number(-3...3))
      steps.append(Step(time: clock + stay / 2, finger: number, order: 1, kind: .moved, place: trembling))
      steps.append(Step(time: clock + stay, finger: number, order: 0, kind: .ended, place: trembling))
      // Bursts, and pauses between words.
      clock += 20 + Int(random.next() % 360)
    }
    steps.sort { ($0.time, $0.finger, -$0.order) < ($1.time, $1.finger, -$1.order) }
    var (overlaps, down, written) = (0, 0, "")
    for step in steps {
      stage.dispatcher.advance(to: Timestamp(microseconds: Int64(step.time) * 1000 + 1_000_000))
      stage.dispatcher.dispatch(
        [
          TouchChange(
            contact: ContactID(device: DeviceID(rawValue: 1), serial: step.finger), kind: step.kind,
            location: WindowPoint(x: step.place.x, y: step.place.y))
        ], at: Timestamp(microseconds: Int64(step.time) * 1000 + 1_000_000))
      stage.dispatcher.flush()
      if step.kind == .began {
        if down > 0 { overlaps += 1 }
        down += 1
      }
      if step.kind == .ended { down -= 1 }
      // A short text is quicker to edit.
      if field.text.count > 100 {
        written += field.text
        field.text = ""
      }
    }
    #expect(overlaps > 3_000)
    written += field.text
    #expect(written.count == 10_000)
    #expect(written == expected)
  }

  private struct Seeded {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    mutating func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + Double(next() % 1000) / 1000 * (range.upperBound - range.lowerBound)
    }
  }
}

/// Rows of keys, as files have them.
@Suite struct KeyboardLayoutTests {
  @Test func `every shipped layout has keys, letters once, and is named`() {
    #expect(KeyboardLayout.names.count == 12)
    #expect(Set(KeyboardLayout.names) == Set(KeyboardLayout.shipped.keys))
    for (name, layout) in KeyboardLayout.shipped {
      let keys = (layout.pages[.letters] ?? []).flatMap(\.self)
      let texts = keys.compactMap { key in if case .text(let text) = key.role { text } else { nil } }
      #expect(texts.count == Set(texts).count, "\(name)")
      #expect(keys.contains { $0.role == .enter }, "\(name)")
      #expect(keys.contains { $0.role == .delete }, "\(name)")
    }
    #expect(KeyboardLayout.name(for: "de") == "german")
    #expect(KeyboardLayout.name(for: "de-AT") == "german")
    #expect(KeyboardLayout.name(for: "en") == "english_us")
    #expect(KeyboardLayout.name(for: "en_GB") == "english_uk")
    #expect(KeyboardLayout.name(for: "xx") == nil)
  }

  @Test(arguments: [
    (["a b", "shfit c"], 1, 0, "did you mean shift?"), (["a b qwertz"], 0, 4, "no key is called qwertz"),
    (["a shift*x"], 0, 2, "width"), (["a", "  "], 1, 0, "no keys"), (["ÄÖÜÄÖÜÄÖÜ"], 0, 0, "more than 8"),
  ])
  func `a wrong row is told with its place`(rows: [String], row: Int, offset: Int, words: String) {
    #expect {
      try KeyboardLayout(rows: rows)
    } throws: { error in
      guard let problem = error as? KeyboardLayout.Problem else { return false }
      return problem.row == row && problem.offset == offset && problem.message.contains(words)
    }
  }

  @Test func `a key may be wider, and type a text of its own`() throws {
    let layout = try KeyboardLayout(rows: ["a*2 .com shift*1 * **2"], shifted: ["a": "@"])
    let keys = try #require(layout.pages[.letters]?.first)
    #expect(keys.map(\.width) == [2, 1, 1, 1, 2])
    #expect(keys.map(\.role) == [.text("a"), .text(".com"), .shift, .text("*"), .text("*")])
    #expect(keys[0].shifted == "@")
    #expect(KeyboardLayout.capital(of: "ß") == "ß")
  }
}
