import Testing

@testable import TouchCore
@testable import TouchExpressions
@testable import TouchViews

/// Properties that follow values and each other.
@Suite struct BindingTests {
  /// A window with labels `a` to `d` and a slider, whose properties follow expressions.
  private final class Stage: ExpressionScope {
    let window = Window(size: Size(width: 800, height: 480))
    let slider = Slider(id: "slider", frame: Rect(x: 0, y: 0, width: 200, height: 30))
    let bar = ProgressView(id: "bar", frame: Rect(x: 300, y: 0, width: 200, height: 30))
    var views: [String: View] = [:]
    let values: NamedValues
    private(set) var bindings: Bindings!
    var time = LocalTime(
      year: 2024, month: 3, day: 5, hour: 9, minute: 7, second: 3, weekday: 2, dayOfYear: 65,
      seconds: 1_709_626_023, offset: 3600)
    var reported: [String] = []

    init(_ values: [NamedValue], _ bound: [(view: String, property: String, text: String)]) throws {
      self.values = NamedValues(values)
      slider.controlValue = ControlValue(0, maximum: 100, step: 0.5)
      window.addSubview(slider)
      views["slider"] = slider
      window.addSubview(bar)
      views["bar"] = bar
      for id in ["a", "b", "c", "d"] {
        let label = Label(id: id, frame: Rect(x: 0, y: 40, width: 100, height: 20))
        window.addSubview(label)
        views[id] = label
      }
      let all = try bound.map { view, property, text in
        let row = try #require(ViewProperty.named(property, of: views[view]?.kind ?? .view))
        return Binding(
          view: view, BoundSetting(row, .formula(try Formula(text, scope: self))), at: .start)
      }
      bindings = Bindings(
        try Binding.ordered(all), values: self.values, view: { views[$0] }, clock: { [unowned self] in time })
      bindings.settle()
    }

    func listen() {
      bindings.report = { [unowned self] message, _, place in
        reported.append((place.map { "\($0.line):\($0.column) " } ?? "") + message)
      }
    }

    func resolve(_ name: String) -> Resolution? {
      values.place(of: name).map { .reads(.value(name), values.declarations[$0].type) }
    }
    func resolve(_ owner: String, _ part: String) -> Resolution? {
      views[owner].map { _ in .reads(.property(view: owner, part), .any) }
    }
    func advice(for name: String) -> String { "" }

    func set(_ name: String, _ value: PropertyValue) throws {
      try values.set([.init(key: name, value: value)], at: .zero)
    }
    func text(_ id: String) -> String? { (views[id] as? Label)?.text }
  }

  private static let numbers = ["x", "y", "z"].map { NamedValue(name: $0, initial: .number(0)) }

  @Test func aPropertyFollowsWhateverItReads() throws {
    let stage = try Stage(
      Self.numbers,
      [
        ("a", "text", "{x + y:.1f} °C"), ("b", "text", "<{a.text}>"), ("c", "hidden", "{x > 3}"),
        ("slider", "value", "{y * 2}"), ("d", "text", "{slider.value}"),
      ])
    #expect(stage.text("a") == "0.0 °C" && stage.text("b") == "<0.0 °C>" && stage.text("d") == "0.0")
    try stage.set("x", .number(4))
    try stage.set("y", .number(0.5))
    #expect(stage.text("a") == "0.0 °C", "nothing is set before the turn ends")
    stage.bindings.settle()
    #expect(stage.text("a") == "4.5 °C" && stage.text("b") == "<4.5 °C>" && stage.text("d") == "1.0")
    #expect(stage.views["c"]?.isHidden == true && stage.slider.controlValue?.number == 1)
    // Anybody may change what is read.
    stage.slider.controlValue?.number = 50
    stage.bindings.settle()
    #expect(stage.slider.controlValue?.number == 1, "it goes back to what it follows")
  }

  @Test func eachIsComputedOnceAndNothingWhereNothingChanged() throws {
    let stage = try Stage(
      Self.numbers, [("c", "text", "{b.text}{a.text}"), ("b", "text", "{a.text}!"), ("a", "text", "{x}{y}")])
    #expect(stage.bindings.computations == 3)
    stage.bindings.settle()
    #expect(stage.bindings.computations == 3)
    try stage.set("x", .number(1))
    try stage.set("y", .number(2))
    stage.bindings.settle()
    #expect(stage.bindings.computations == 6 && stage.text("c") == "12!12")
    try stage.set("x", .number(1))
    try stage.set("z", .number(9))
    stage.bindings.settle()
    #expect(stage.bindings.computations == 6)
  }

  /// Bindings of the label `a` to another view.
  private func bindings(_ text: String, of read: View, in stage: Stage) throws -> Bindings {
    stage.views[read.id] = read
    let binding = Binding(
      view: "a", BoundSetting(.text, .formula(try Formula(text, scope: stage))), at: .start)
    let bindings = Bindings(
      [binding], values: stage.values, view: { stage.views[$0] }, clock: { stage.time })
    bindings.settle()
    return bindings
  }

  @Test func aViewThatHasNotChangedIsNotAsked() throws {
    final class Asked: Label {
      var count = 0
      override var shownText: String? {
        count += 1
        return text
      }
    }
    let (stage, label) = (try Stage(Self.numbers, []), Asked(id: "asked"))
    let bindings = try bindings("{asked.text}", of: label, in: stage)
    let count = label.count
    bindings.settle()
    #expect(label.count == count)
    label.text = "new"
    bindings.settle()
    #expect(stage.text("a") == "new")
  }

  @Test func aPropertyOfAProgramIsComparedInEachTurn() throws {
    final class Knob: View { var notches = 3.0 }
    let kind = ViewKind("knob", properties: [.number("notches", in: 0...60, \Knob.notches)]) { Knob(id: $0) }
    let (stage, knob) = (try Stage(Self.numbers, []), try #require(kind.make("knob") as? Knob))
    let bindings = try bindings("{knob.notches}", of: knob, in: stage)
    #expect(stage.text("a") == "3")
    knob.notches = 4
    bindings.settle()
    #expect(stage.text("a") == "4")
  }

  @Test func whatCannotBeSetIsReportedAndThePropertyIsAsItWas() throws {
    let stage = try Stage(Self.numbers, [("a", "alpha", "{x}"), ("b", "font", "{x}")].dropLast())
    stage.listen()
    #expect(stage.views["a"]?.alpha == 0)
    try stage.set("x", .number(7))
    stage.bindings.settle()
    #expect(stage.views["a"]?.alpha == 1 && stage.reported.count == 1)
    #expect(stage.reported.first?.hasPrefix("1:1 view a: alpha cannot be 7; give ") == true)
    try stage.set("x", .null)
    stage.bindings.settle()
    #expect(stage.views["a"]?.alpha == 1 && stage.reported.count == 1)
  }

  @Test func whatCannotBeSetWhenTheTreeIsMadeIsReportedToWhoComesLater() throws {
    let stage = try Stage([NamedValue(name: "x", initial: .number(7))], [("a", "alpha", "{x}")])
    #expect(stage.reported == [])
    stage.listen()
    stage.listen()
    #expect(stage.reported.count == 1)
  }

  @Test func aCircleIsFoundWithItsPath() throws {
    do {
      _ = try Stage(
        Self.numbers,
        [
          ("a", "text", "{b.text}"), ("b", "text", "{x}{c.text}"), ("c", "text", "{a.text}"),
          ("d", "text", "{a.text}"),
        ])
      Issue.record("there is a circle")
    } catch let circle as BindingCircle {
      #expect(circle.description == "a.text follows b.text follows c.text follows a.text")
    }
    #expect(throws: BindingCircle.self) { try Stage(Self.numbers, [("a", "text", "{a.text}x")]) }
  }

  @Test func aClockIsComputedWhenItsTextChangesAndOnlyWhileItIsSeen() throws {
    let stage = try Stage(Self.numbers, [("a", "text", "{now:%H:%M}"), ("b", "text", "{x}")])
    #expect(stage.text("a") == "09:07" && stage.bindings.nextChange() == 1_709_626_080)
    stage.time.second = 30
    stage.time.seconds += 27
    stage.bindings.settle()
    #expect(stage.bindings.computations == 2)
    stage.views["a"]?.isHidden = true
    #expect(stage.bindings.nextChange() == nil && stage.bindings.nextChange(isSeen: false) == nil)
    stage.time.minute = 8
    stage.time.seconds += 60
    stage.bindings.settle()
    #expect(stage.text("a") == "09:07")
    stage.views["a"]?.isHidden = false
    stage.bindings.settle()
    #expect(stage.text("a") == "09:08")
  }

  @Test func `a clock that something shows in the same turn has the time of that turn`() throws {
    let stage = try Stage(Self.numbers, [("a", "text", "{now:%H:%M}"), ("a", "hidden", "{x == 1}")])
    try stage.set("x", .number(1))
    stage.bindings.settle()
    stage.time.minute = 8
    stage.time.seconds += 57
    try stage.set("x", .number(2))
    stage.bindings.settle()
    #expect(stage.text("a") == "09:08")
    #expect(stage.bindings.nextChange() == stage.time.seconds + 57)
  }

  @Test func `a clock that was set back is computed, and what comes next is that of its time`() throws {
    let stage = try Stage(Self.numbers, [("a", "text", "{now:%d %H:%M}"), ("b", "text", "{now:%S}")])
    stage.time.hour = 8
    stage.time.seconds -= 3600
    stage.bindings.settle()
    #expect(stage.text("a") == "05 08:07")
    #expect(stage.bindings.nextChange() == stage.time.seconds + 1)
  }

  @Test(arguments: [false, true])
  func whatALimitCutsOffComesBackWhenThereIsRoomAgain(isLimitLast: Bool) throws {
    var bound = [("slider", "maximum", "{y}"), ("slider", "minimum", "{z}"), ("slider", "value", "{x}")]
    if isLimitLast { bound.reverse() }
    let numbers = zip(["x", "y", "z"], [21.5, 30.0, 0.0]).map { NamedValue(name: $0, initial: .number($1)) }
    let stage = try Stage(numbers, bound)
    #expect(stage.slider.controlValue?.number == 21.5 && stage.bindings.computations == 3)
    for (name, limit, shown) in [
      ("y", 10.0, 10.0), ("y", 30, 21.5), ("z", 25, 25), ("z", 0, 21.5), ("y", 21, 21), ("y", 100, 21.5),
    ] {
      try stage.set(name, .number(limit))
      stage.bindings.settle()
      #expect(stage.slider.controlValue?.number == shown, "\(name) is \(limit)")
    }
  }

  @Test func whatAnUnboundLimitCutsOffComesBackToo() throws {
    let stage = try Stage([NamedValue(name: "x", initial: .number(21.5))], [("slider", "value", "{x}")])
    for (maximum, shown) in [(12.0, 12.0), (21.3, 21.3), (30, 21.5)] {
      stage.slider.controlValue?.setLimits(maximum: maximum)
      stage.bindings.settle()
      #expect(stage.slider.controlValue?.number == shown)
      let computations = stage.bindings.computations
      stage.bindings.settle()
      #expect(stage.bindings.computations == computations, "what is cut off is not computed again and again")
    }
  }

  @Test func aValueMayLimitWhatItFollows() throws {
    // The minimum follows the value, so it cannot come before it.
    let stage = try Stage(
      Self.numbers, [("slider", "value", "{x}"), ("slider", "minimum", "{slider.value - 5}")])
    try stage.set("x", .number(20))
    stage.bindings.settle()
    #expect(stage.slider.controlValue?.number == 20 && stage.slider.controlValue?.minimum == 15)
    try stage.set("x", .number(5))
    stage.bindings.settle()
    #expect(stage.slider.controlValue?.number == 5 && stage.slider.controlValue?.minimum == 0)
  }

  /// After any sequence of changes, each property is what its expression is when everything is made again.
  @Test(arguments: UInt64(1)...20)
  func aBoundPropertyIsWhatItsExpressionIsComputedAfresh(seed: UInt64) throws {
    let bound = [
      ("a", "text", "{x} {y:.2f}"), ("b", "text", "{a.text}/{z}"), ("c", "alpha", "{x / 10}"),
      ("d", "text", "{slider.value} {length(b.text)}"), ("slider", "value", "{min(x + y, 40)}"),
      ("c", "hidden", "{slider.value > 20 or z == null}"), ("d", "hidden", "{not c.hidden}"),
      ("slider", "maximum", "{y + 20}"), ("bar", "value", "{x + 5}"), ("bar", "minimum", "{z}"),
      ("bar", "maximum", "{slider.value}"),
    ]
    let stage = try Stage(Self.numbers, bound)
    var generator = Seeded(state: seed)
    for _ in 0..<200 {
      let name = ["x", "y", "z"].randomElement(using: &generator) ?? "x"
      let value: PropertyValue =
        Int.random(in: 0..<5, using: &generator) == 0
        ? .null : .number(Double(Int.random(in: -5...30, using: &generator)) / 2)
      try stage.set(name, value)
      if Int.random(in: 0..<3, using: &generator) == 0 { stage.slider.controlValue?.number = 77 }
      if Int.random(in: 0..<3, using: &generator) == 0 { stage.bar.controlValue?.number = -3 }
      guard Bool.random(using: &generator) else { continue }
      stage.bindings.settle()
      let fresh = try Stage(
        Self.numbers.map { NamedValue(name: $0.name, initial: $0.initial) }, bound)
      for value in Self.numbers { try fresh.set(value.name, stage.values.value(value.name) ?? .null) }
      fresh.bindings.settle()
      for (view, property, _) in bound {
        let row = try #require(ViewProperty.named(property, of: stage.views[view]?.kind))
        let one = try #require(stage.views[view])
        let other = try #require(fresh.views[view])
        #expect(row.value(of: one) == row.value(of: other), "\(view).\(property)")
      }
    }
  }

  @Test func aValueTakesWhatItsTypeIs() throws {
    let number = NamedValue(name: "n", initial: .number(1))
    let any = NamedValue(name: "any", initial: .null)
    #expect(try number.checked(.text("21.5"), isText: true) == .number(21.5))
    #expect(try any.checked(.text("21.5"), isText: true) == .number(21.5))
    #expect(try any.checked(.text("on"), isText: true) == .text("on"))
    #expect(
      try NamedValue(name: "t", initial: .text("")).checked(.text("true"), isText: true) == .text("true"))
    #expect(throws: PropertyError.self) { try number.checked(.text("21.5")) }
    #expect(throws: PropertyError.self) { try number.checked(.flag(true)) }
    let values = NamedValues([number, any])
    #expect(throws: PropertyError.self) {
      try values.set([.init(key: "n", value: .number(5)), .init(key: "no", value: .null)], at: .zero)
    }
    #expect(values.value("n") == .number(1))
  }
}
