import CTouchtree
import FolderSupport
import Testing

@testable import TouchCore
@testable import TouchHandlers
@testable import TouchSystem
@testable import TouchViews

/// The samples that the package builds and the README teaches from.
@Suite struct SampleTests {
  private let stage = Stage()

  private func makeSample(_ library: String, config: String) throws(Failure) -> PluginHandler {
    let path = (try? builtLibrary(library)) ?? library
    return try PluginHandler(name: "sample", path: path, configJSON: config, host: stage)
  }

  @Test func `the bell records every touch that it was given`() throws {
    let folder = try TemporaryFolder()
    let record = folder.file("bell.txt")
    stage.ok.handlers = [try makeSample("libbell.so", config: "{\"record\": \"\(record)\"}")]
    stage.tap(x: 212.5, y: 103)
    stage.frame(.began, [(2, 299.25, 149)])
    stage.frame(.moved, [(2, 500, 149)])
    stage.frame(.cancelled, [(2, 500, 149)])
    #expect(
      try contents(of: record) == """
        touchDown touch=1 control=ok
        began touch=1 responder=ok view=ok x=12.5 y=3 window_x=212.5 window_y=103 taps=1 → forward
        touchUpInside touch=1 control=ok
        ended touch=1 responder=ok view=ok x=12.5 y=3 window_x=212.5 window_y=103 taps=1 → forward
        touchDown touch=2 control=ok
        began touch=2 responder=ok view=ok x=99.25 y=49 window_x=299.25 window_y=149 taps=1 → forward
        touchDragExit touch=2 control=ok
        touchDragOutside touch=2 control=ok
        moved touch=2 responder=ok view=ok x=300 y=49 window_x=500 window_y=149 taps=1 → forward
        touchCancel touch=2 control=ok
        cancelled touch=2 responder=ok view=ok x=300 y=49 window_x=500 window_y=149 taps=1 → forward

        """)
    #expect(stage.takeLog().count == 11)
  }

  @Test(arguments: [
    ("{\"handled\":true}", 1), ("{ \"handled\" : true }", 1), ("{\"handled\":false}", 2), ("{}", 2),
  ])
  func `the bell stops the chain when it is configured to`(config: String, lines: Int) throws {
    stage.panel.handlers = [try makeSample("libbell.so", config: config)]
    stage.root.handlers = [try makeSample("libbell.so", config: "{}")]
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.takeLog().count == lines)
  }

  @Test(arguments: [
    ("{\"record\": 5}", "config: record is not the path of a file"),
    ("{\"record\": \"\"}", "config: record is not the path of a file"),
    (
      "{\"record\": \"/nowhere/bell.txt\"}",
      "config: cannot append to record /nowhere/bell.txt: No such file or directory"
    ),
  ])
  func `the bell says what is wrong with its configuration`(config: String, reason: String) {
    let error = #expect(throws: Failure.self) { try makeSample("libbell.so", config: config) }
    #expect(error?.message.hasSuffix(": says: \(reason)") == true)
  }

  @Test func `the lamp goes on and off when a finger is lifted inside`() throws {
    stage.panel.handlers = [try makeSample("liblamp.so", config: "{}")]
    stage.tap(x: 410, y: 110)
    #expect(stage.panel.appearance.background == Color(red: 0xff, green: 0xd7, blue: 0x5e))
    stage.tap(x: 410, y: 110, serial: 2)
    #expect(stage.panel.appearance.background == Color(red: 0x3a, green: 0x3a, blue: 0x3a))
    stage.frame(.began, [(3, 410, 110)])
    stage.frame(.ended, [(3, 10, 110)])
    stage.frame(.began, [(4, 410, 110)])
    stage.frame(.cancelled, [(4, 410, 110)])
    #expect(stage.panel.appearance.background == Color(red: 0x3a, green: 0x3a, blue: 0x3a))
    #expect(stage.takeLog() == [])
  }

  @Test func `a lamp goes with its handler`() throws {
    for _ in 0..<3 {
      stage.panel.handlers = [try makeSample("liblamp.so", config: "{}")]
      stage.tap(x: 410, y: 110)
      // A new lamp is off, so the first lift turns it on.
      #expect(stage.panel.appearance.background == Color(red: 0xff, green: 0xd7, blue: 0x5e))
    }
  }
}
