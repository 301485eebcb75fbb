import CTouchtree
import FolderSupport
import Testing

@testable import TouchCore
@testable import TouchHandlers

/// Plugins as they are called, by one that logs everything.
@Suite struct PluginHandlerTests {
  private let folder: TemporaryFolder
  private let library: String
  private let stage = Stage()

  init() throws {
    folder = try TemporaryFolder()
    library = folder.file("probe.so")
    try Fixture.build("probe.c", as: library)
  }

  /// - Parameter budget: no call of a quick one is too slow. Suites run side by side, and the process knows
  ///   one call at a time, so one may seem as long as the machine has run.
  private func makeProbe(_ script: String = "", budget: Double = 1e8) throws -> PluginHandler {
    try PluginHandler(
      name: "probe", path: library, configJSON: "{\"script\":\"\(script)\"}", budget: budget, host: stage)
  }

  @Test func `it gets the ABI and its configuration when it is created`() throws {
    let probe = try makeProbe("x")
    #expect(stage.takeLog() == ["info handler probe: host abi 1 1 size 1 config {\"script\":\"x\"}"])
    withExtendedLifetime(probe) {}
  }

  @Test func `a touch comes in the space of the responder that is asked`() throws {
    stage.panel.handlers = [try makeProbe()]
    stage.application.handlers = stage.panel.handlers
    _ = stage.takeLog()
    var attributes = ContactAttributes()
    attributes.pressure = 40
    stage.frame(.began, [(1, 412.5, 103)], saying: attributes, at: 1_000_000)
    #expect(
      stage.takeLog() == [
        "info handler probe: touch phase=began responder=panel view=panel time=1000000 count=1 sizes=1",
        "info handler probe:   touch=1 device=7 time=1000000 at=12.5,3 from=12.5,3 window=412.5,103 "
          + "from=412.5,103 taps=1 pressure=40 inside=1 size=1",
        "info handler probe: touch phase=began responder=application view=panel time=1000000 count=1 sizes=1",
        "info handler probe:   touch=1 device=7 time=1000000 at=412.5,103 from=412.5,103 window=412.5,103 "
          + "from=412.5,103 taps=1 pressure=40 inside=1 size=1",
      ])
    stage.frame(.moved, [(1, 390, 103)], at: 1_010_000)
    #expect(
      stage.takeLog().prefix(2) == [
        "info handler probe: touch phase=moved responder=panel view=panel time=1010000 count=1 sizes=1",
        "info handler probe:   touch=1 device=7 time=1010000 at=-10,3 from=12.5,3 window=390,103 "
          + "from=412.5,103 taps=1 pressure=nan inside=0 size=1",
      ])
  }

  @Test func `what the device says of the contact comes with it, and nothing where it says nothing`() throws {
    stage.panel.handlers = [try makeProbe()]
    _ = stage.takeLog()
    var attributes = ContactAttributes()
    attributes.touchMajor = 12
    attributes.touchMinor = 9
    attributes.distance = 0
    attributes.tool = .pen
    stage.frame(.began, [(1, 410, 110)], saying: attributes)
    #expect(stage.takeLog().last == "info handler probe:   says major=12 minor=9 distance=0 tool=1")
    attributes = ContactAttributes()
    attributes.tool = .other(10)
    stage.frame(.moved, [(1, 411, 110)], saying: attributes)
    #expect(stage.takeLog().last == "info handler probe:   says major=nan minor=nan distance=nan tool=10")
    stage.frame(.moved, [(1, 412, 110)])
    #expect(stage.takeLog().last?.contains("says") == false, "a finger of which nothing is said")
  }

  @Test func `two fingers of one frame on one view come in one call`() throws {
    stage.panel.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.frame(.began, [(1, 410, 110), (2, 420, 120)])
    let log = stage.takeLog()
    #expect(log.count == 3)
    #expect(log.first?.contains("count=2") == true)
    #expect(log.dropFirst().map { $0.contains("touch=1 ") || $0.contains("touch=2 ") } == [true, true])
  }

  @Test func `more fingers than there was memory for come whole`() throws {
    stage.panel.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.frame(.began, (1...40).map { ($0, 405 + Double($0), 110) })
    let log = stage.takeLog()
    #expect(log.first?.contains("count=40") == true)
    #expect(log.last?.contains("touch=40 device=7 time=1000000 at=45,10 ") == true)
  }

  @Test func `the place is not a number where a transform has no inverse`() throws {
    stage.panel.handlers = [try makeProbe()]
    stage.frame(.began, [(1, 410, 110)])
    stage.panel.transform = .scale(x: 0, y: 1)
    _ = stage.takeLog()
    stage.frame(.moved, [(1, 411, 110)])
    let line = try #require(stage.takeLog().last)
    #expect(line.contains("at=nan,nan"))
    #expect(line.contains("window=411,110"))
    #expect(line.contains("inside=0"))
  }

  @Test(arguments: [("", 2), ("handled", 1), ("nonsense", 2)])
  func `the verdict stops the chain or lets it go on, and anything else lets it go on`(
    script: String, calls: Int
  ) throws {
    stage.panel.handlers = [try makeProbe(script)]
    stage.root.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.takeLog().filter { $0.contains("touch phase=began") }.count == calls)
  }

  @Test func `a control's actions come before its touches, in the control's space`() throws {
    stage.ok.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.tap(x: 210, y: 105)
    #expect(
      stage.takeLog().filter { !$0.contains("  ") } == [
        "info handler probe: touchDown phase=began responder=ok view=ok time=1000000 count=1 sizes=1",
        "info handler probe: touch phase=began responder=ok view=ok time=1000000 count=1 sizes=1",
        "info handler probe: touchUpInside phase=ended responder=ok view=ok time=1000000 count=1 sizes=1",
        "info handler probe: touch phase=ended responder=ok view=ok time=1000000 count=1 sizes=1",
      ])
  }

  @Test func `it logs at its own levels under its handler's name`() throws {
    stage.panel.handlers = [try makeProbe("levels")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(
      stage.takeLog().filter { $0.hasSuffix("said") }.map { $0.prefix { $0 != " " } } == [
        "error", "warning", "info", "debug", "debug",
      ])
  }

  @Test func `it sets properties, and hears why it cannot`() throws {
    stage.panel.handlers = [try makeProbe("properties")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.ok.text == "pressed")
    #expect(stage.ok.alpha == 1)
    let log = stage.takeLog()
    #expect(
      log.filter { $0.contains(": set ") } == [
        "info handler probe: set ok text=pressed: \(TOUCHTREE_OK)",
        "info handler probe: set nobody text=pressed: \(TOUCHTREE_NO_SUCH_VIEW)",
        "info handler probe: set ok colour=red: \(TOUCHTREE_NO_SUCH_PROPERTY)",
        "info handler probe: set panel text=pressed: \(TOUCHTREE_NO_SUCH_PROPERTY)",
        "info handler probe: set ok alpha=2: \(TOUCHTREE_BAD_VALUE)",
      ])
    #expect(
      log.filter { $0.hasPrefix("warning") } == [
        "warning handler probe: there is no view \"nobody\"",
        "warning handler probe: view ok: no property \"colour\" can be set; did you mean \"background\" or "
          + "\"font.color\"?",
        "warning handler probe: view panel: has no property text; only labels, buttons, text fields, text views and QR codes have",
        "warning handler probe: view ok: alpha cannot be \"2\"; give a number from 0 to 1",
      ])
  }

  @Test func `it sets numbers, lists and flags as they are, and reads them`() throws {
    stage.ok.text = "Grüße"
    stage.panel.handlers = [try makeProbe("typed")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.ok.alpha == 0.25 && stage.ok.layoutRect == LocalRect(x: 1, y: 2, width: 30, height: 40))
    #expect(stage.panel.isHidden && stage.ok.textStyle.size == 33)
    let log = stage.takeLog()
    // The order in which C evaluates arguments is its own.
    #expect(
      Set(log.filter { $0.hasPrefix("warning") }) == [
        "warning handler probe: view ok: alpha cannot be 2; give a number from 0 to 1",
        "warning handler probe: view ok: frame cannot be []; give [x, y, width, height]",
        "warning handler probe: view ok: alpha cannot be true; give a number from 0 to 1",
        "warning handler probe: there is no view \"nobody\"",
      ])
    #expect(
      log.filter { $0.hasPrefix("info") }.suffix(4) == [
        "info handler probe: typed: 0 0 0 0 -3 -3 -3", "info handler probe: read: 0 0 -3 -2 -1",
        "info handler probe: values: 0.25 1 7", "info handler probe: texts: 7 Grüße 7 Gr -3 7",
      ])
  }

  @Test func `it sets and reads named values`() throws {
    stage.panel.handlers = [try makeProbe("named")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.values.value("target") == .number(21.5) && stage.values.value("code") == .text("Hall"))
    let log = stage.takeLog()
    #expect(
      Set(log.filter { $0.hasPrefix("warning") }) == [
        "warning handler probe: target: \"warm\" is not what this value holds; give a number, or null",
        "warning handler probe: nothing: no value has this name; the values are target, code, on",
      ])
    #expect(
      log.filter { $0.hasPrefix("info") }.suffix(3) == [
        "info handler probe: set: 0 -3 -2 0", "info handler probe: get: 0 -3 -2",
        "info handler probe: named: 21.5 7",
      ])
  }

  @Test func `the loop watches a descriptor for it, until it ends the watch or goes`() throws {
    stage.panel.handlers = [try makeProbe("watches unwatches")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.takeLog().contains("info handler probe: watch 1, closed \(TOUCHTREE_BAD_VALUE)"))
    stage.pollDescriptors()
    #expect(stage.takeLog() == ["info handler probe: ready 1 read 2 hi"])
    #expect(stage.watches.count == 1, "that of wake")
    stage.panel.handlers = [try makeProbe("watches")]
    stage.frame(.began, [(2, 420, 110)])
    #expect(stage.watches.count == 2)
    stage.panel.handlers = []
    #expect(stage.watches.isEmpty)
  }

  @Test func `it is woken on the loop's thread, once for any number of calls from its own`() throws {
    stage.panel.handlers = [try makeProbe("wakes")]
    stage.frame(.began, [(1, 410, 110)])
    let log = stage.takeLog()
    #expect(log.last == "info handler probe: called" && !log.contains { $0.hasPrefix("error") })
    stage.pollDescriptors()
    stage.pollDescriptors()
    #expect(stage.takeLog() == ["info handler probe: woken"])
  }

  @Test(arguments: ["sleeps wakes", "old wakes"])
  func `a plugin that cannot be woken costs no descriptor`(script: String) throws {
    stage.panel.handlers = [try makeProbe(script)]
    #expect(stage.watches.isEmpty)
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.takeLog().last == "info handler probe: unavailable")
  }

  @Test func `it has a view drawn again`() throws {
    stage.panel.handlers = [try makeProbe("invalidate")]
    #expect(stage.window.damage.isEmpty)
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.window.damage.rects == [stage.ok.windowFrame])
    #expect(stage.takeLog().contains("info handler probe: invalidate: 0 -1"))
  }

  @Test func `a timer comes once`() throws {
    stage.panel.handlers = [try makeProbe("once")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.timers.values.map(\.milliseconds) == [1])
    _ = stage.takeLog()
    stage.fireTimers()
    stage.fireTimers()
    #expect(stage.takeLog() == ["info handler probe: timer 1 of 1"])
    stage.panel.handlers = []
    #expect(stage.cancelled == [])
  }

  @Test func `a timer comes again and again until it is cancelled from within`() throws {
    stage.panel.handlers = [try makeProbe("repeats")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.timers.values.map(\.milliseconds) == [250])
    _ = stage.takeLog()
    stage.fireTimers()
    stage.fireTimers()
    #expect(stage.takeLog().count == 2)

    stage.root.handlers = [try makeProbe("repeats cancels")]
    stage.frame(.began, [(2, 420, 110)])
    #expect(stage.timers.count == 3)
    stage.fireTimers()
    #expect(stage.timers.count == 2)
  }

  @Test func `its timers end with it, and destroy is called`() throws {
    stage.panel.handlers = [try makeProbe("repeats")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.timers.count == 1)
    _ = stage.takeLog()
    stage.panel.handlers = []
    #expect(stage.timers.isEmpty)
    #expect(stage.takeLog() == ["info handler probe: destroyed"])
  }

  @Test func `a plugin without functions forwards`() throws {
    stage.ok.handlers = [try makeProbe("deaf")]
    stage.ok.forwards = true
    stage.root.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.tap(x: 210, y: 105)
    #expect(stage.takeLog().filter { $0.contains("touch phase=") }.count == 2)
  }

  @Test func `two handlers of one library have each their own state`() throws {
    stage.panel.handlers = [try makeProbe("handled")]
    stage.root.handlers = [try makeProbe()]
    stage.frame(.began, [(1, 410, 110)])
    stage.frame(.began, [(2, 10, 110)])
    #expect(stage.takeLog().filter { $0.contains("responder=root") }.count == 1)
  }

  @Test func `pointer events come in the space of their responder`() throws {
    stage.panel.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.point([.moved], x: 412.5, y: 103)
    stage.point([.wheel(x: 0, y: -0.25), .buttonDown(.middle), .buttonUp(.middle)], x: 412.5, y: 103)
    let common = "responder=panel view=panel time=1000000 device=7 at=12.5,3 window=412.5,103"
    #expect(
      stage.takeLog() == [
        "info handler probe: pointer kind=0 \(common) wheel=0,0 button=0 size=1",
        "info handler probe: pointer kind=3 \(common) wheel=0,-0.25 button=0 size=1",
        "info handler probe: pointer kind=4 \(common) wheel=0,0 button=2 size=1",
        "info handler probe: pointer kind=5 \(common) wheel=0,0 button=2 size=1",
      ])
    stage.point([.pressed], x: 412.5, y: 103)
    #expect(stage.takeLog() == ["info handler probe: pointer kind=2 \(common) wheel=0,0 button=0 size=1"])
  }

  @Test func `a wheel that a plugin handled goes no further`() throws {
    stage.panel.handlers = [try makeProbe("handled")]
    stage.root.handlers = [try makeProbe()]
    _ = stage.takeLog()
    stage.point([.wheel(x: 1, y: 0)], x: 410, y: 110)
    #expect(stage.takeLog().map { $0.contains("kind=3 responder=panel") } == [true])
  }

  @Test func `a plugin that was built before pointer events does not receive them`() throws {
    stage.panel.handlers = [try makeProbe("old")]
    _ = stage.takeLog()
    stage.point([.moved, .wheel(x: 1, y: 0)], x: 410, y: 110)
    #expect(stage.takeLog() == [])
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.takeLog().count == 2, "touches it is")
  }

  @Test func `calls from another thread do nothing, and each function is reported once`() throws {
    stage.panel.handlers = [try makeProbe("misuses")]
    stage.frame(.began, [(1, 410, 110)])
    func misuses(_ log: [String]) -> [String] { log.filter { $0.hasPrefix("error") } }
    let log = stage.takeLog()
    #expect(
      misuses(log)
        == ["log", "invalidate", "set_property", "add_timer", "cancel_timer"].map {
          "error handler probe: plugin bug: called \($0) from a thread that is not the loop's; "
            + "it does nothing there, and is not reported again"
        })
    #expect(log.last == "info handler probe: unavailable")
    #expect(!log.contains { $0.contains("from a thread") && $0.hasPrefix("info") })
    #expect(stage.ok.text != "from a thread" && stage.timers.isEmpty)
    stage.panel.handlers = []
    #expect(
      misuses(stage.takeLog()) == [
        "error handler probe: plugin bug: called the host 4995 more times from a thread that is not the loop's"
      ])
  }

  @Test func `a text that is NULL is reported once and answered each time`() throws {
    stage.panel.handlers = [try makeProbe("nulls")]
    stage.frame(.began, [(1, 410, 110)])
    stage.frame(.began, [(2, 420, 110)])
    let log = stage.takeLog()
    let errors = log.filter { $0.hasPrefix("error handler probe: plugin bug: ") }.sorted()
    let expected = [
      ("invalidate", "view"), ("log", "message"), ("set_property", "key"), ("set_property", "value"),
      ("set_property", "view"),
    ]
    #expect(errors.count == expected.count, "\(errors)")
    for (error, (function, argument)) in zip(errors, expected) {
      #expect(error.contains(function) && error.contains(" \(argument), which"), "\(error)")
    }
    #expect(
      log.last
        == "info handler probe: nulls: \(TOUCHTREE_NO_SUCH_VIEW) \(TOUCHTREE_NO_SUCH_VIEW) "
        + "\(TOUCHTREE_NO_SUCH_PROPERTY) \(TOUCHTREE_BAD_VALUE)")
  }

  @Test func `a call that touches wait for is reported with its handler, and not each time`() throws {
    let probe = try makeProbe("slow", budget: 0.0045)
    stage.panel.handlers = [probe]
    _ = stage.takeLog()
    stage.frame(.began, [(1, 410, 110)])
    stage.frame(.began, [(2, 420, 110)])
    #expect(probe.slowCalls == 2 && probe.touchesWaited == 2 && !probe.isOff)
    let warnings = stage.takeLog().filter { $0.hasPrefix("warning") }
    #expect(warnings.count == 1, "\(warnings)")
    let warning = try #require(warnings.first)
    #expect(warning.hasPrefix("warning handler probe: touch took "), "\(warning)")
    #expect(warning.contains(" ms for panel, and its budget is 4.5 ms; every touch"), "\(warning)")
    #expect(
      warning.hasSuffix(
        "plugin \(library): have it return sooner"))
  }

  @Test func `one that is too slow ten times hears the end of everything, and nothing after that`() throws {
    // Every call takes longer than a nanosecond.
    let probe = try makeProbe("repeats", budget: 1e-9)
    stage.panel.handlers = [probe]
    _ = stage.takeLog()
    stage.frame(.began, [(1, 410, 110)])
    stage.frame(.began, [(2, 420, 110)])
    for step in 3...9 { stage.frame(.moved, [(1, 410 + Double(step), 110)]) }
    #expect(probe.slowCalls == 9 && !probe.isOff && stage.timers.count == 2 && stage.watches.count == 1)
    _ = stage.takeLog()
    stage.frame(.ended, [(1, 419, 110)], at: 2_000_000)
    #expect(probe.isOff && probe.slowCalls == 10 && probe.touchesWaited == 2)
    #expect(stage.timers.isEmpty && stage.watches.isEmpty)
    let log = stage.takeLog()
    let calls = log.filter { $0.contains("touch phase=") }
    #expect(calls.count == 2, "\(log)")
    #expect(calls.first?.contains("phase=ended") == true)
    #expect(
      calls.last
        == "info handler probe: touch phase=cancelled responder=panel view=panel time=2000000 count=1 sizes=1"
    )
    #expect(log.filter { $0.contains("touch=2 ") }.count == 1)
    let off = "error handler probe: plugin \(library) is turned off: 10 of its"
    #expect(log.filter { $0.hasPrefix(off) }.count == 1)
    stage.frame(.moved, [(2, 430, 110)])
    stage.frame(.ended, [(2, 430, 110)])
    stage.tap(x: 410, y: 110, serial: 3)
    stage.fireTimers()
    #expect(stage.takeLog() == [])
    #expect(probe.slowCalls == 10 && probe.touchesWaited == 2)
    stage.panel.handlers = []
  }

  @Test func `the view goes on without a plugin that is turned off, and so does the next handler`() throws {
    let first = try makeProbe("handled", budget: 1e-9)
    stage.panel.handlers = [first]
    stage.root.handlers = [try makeProbe()]
    for serial in 1...5 { stage.tap(x: 410, y: 110, serial: serial) }
    #expect(first.isOff)
    _ = stage.takeLog()
    stage.tap(x: 410, y: 110, serial: 6)
    let calls = stage.takeLog().filter { $0.contains("touch phase=") }
    #expect(calls.count == 2 && calls.allSatisfy { $0.contains("responder=root") }, "\(calls)")
    stage.panel.handlers = []
  }

  @Test func `calls within the budget make up for slow ones`() throws {
    let probe = try makeProbe("slow", budget: 0.1)
    stage.panel.handlers = [probe]
    for serial in 1...9 { stage.frame(.began, [(serial, 410, 110)]) }
    for step in 1...250 { stage.frame(.moved, [(1, 410 + Double(step % 50), 110)]) }
    for serial in 10...11 { stage.frame(.began, [(serial, 410, 110)]) }
    #expect(probe.slowCalls == 11 && !probe.isOff)
    stage.frame(.began, [(12, 410, 110)])
    #expect(probe.isOff)
    stage.panel.handlers = []
  }

  @Test func `ids stay right when more views were touched than the table holds`() {
    let table = IdentifierTable()
    for number in 0..<(3 * IdentifierTable.limit) {
      table.beginCall()
      let first = table.text(of: "view-\(number)")
      let second = table.text(of: "")
      #expect(String(cString: first) == "view-\(number)" && String(cString: second) == "")
    }
  }
}
