import FolderSupport
import Testing

@testable import TouchCore
@testable import TouchHandlers
@testable import TouchViews

@Suite struct TouchLogHandlerTests {
  @Test func `each phase and action is a line with the place in the responder's space`() {
    let stage = Stage()
    let log = TouchLogHandler(name: "log", logger: stage.logger)
    stage.application.handlers = [log]
    stage.panel.handlers = [log]
    stage.ok.handlers = [log]
    stage.frame(.began, [(1, 412.504, 103)])
    stage.frame(.moved, [(1, 390, 103)])
    stage.frame(.cancelled, [(1, 390, 103)])
    stage.tap(x: 210, y: 105, serial: 2)
    #expect(
      stage.takeLog() == [
        "info began 1 panel (12.5, 3) view panel",
        "info began 1 application (412.5, 103) view panel",
        "info moved 1 panel (-10, 3) view panel",
        "info moved 1 application (390, 103) view panel",
        "info cancelled 1 panel (-10, 3) view panel",
        "info cancelled 1 application (390, 103) view panel",
        "info touchDown 2 ok (10, 5) view ok",
        "info began 2 ok (10, 5) view ok",
        "info touchUpInside 2 ok (10, 5) view ok",
        "info ended 2 ok (10, 5) view ok",
      ])
  }

  @Test func `a pointer is logged for what it does, but not for moving`() {
    let stage = Stage()
    stage.panel.handlers = [TouchLogHandler(name: "log", logger: stage.logger)]
    stage.point([.moved], x: 412.504, y: 103)
    stage.point([.moved, .wheel(x: 0, y: -0.25), .buttonDown(.right), .buttonUp(.right)], x: 413, y: 103)
    stage.point([.moved], x: 10, y: 10)
    #expect(
      stage.takeLog() == [
        "info pointer entered panel (12.5, 3) view panel", "info wheel (0, -0.25) panel (13, 3) view panel",
        "info right pressed panel (13, 3) view panel", "info right released panel (13, 3) view panel",
        "info pointer left panel (13, 3) view panel",
      ])
  }
}

@Suite struct HandlerFactoryTests {
  private let stage = Stage()
  private let children: ChildProcesses

  init() {
    children = ChildProcesses(environment: ["PATH=/usr/bin:/bin"], host: stage)
  }

  private func make(_ specifications: [HandlerSettings]) throws(HandlerErrors) -> DeclaredHandlers {
    try HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: stage).make(
      specifications)
  }

  @Test func `log is there without a declaration`() throws {
    #expect(try make([])["log"] is TouchLogHandler)
  }

  @Test func `each declaration becomes a handler of its name`() throws {
    let handlers = try make([
      HandlerSettings(name: "record", kind: .exec(on: [.began], command: ["true"], timeLimit: nil)),
      HandlerSettings(name: "chime", kind: .exec(on: [.ended], command: ["true"], timeLimit: 10)),
    ])
    for name in ["chime", "log", "record"] { #expect(handlers[name]?.name == name) }
    #expect(handlers["other"] == nil && handlers["chime"] is ExecHandler)
  }

  @Test func `a plugin becomes a handler when its file is good`() throws {
    let folder = try TemporaryFolder()
    try Fixture.build("probe.c", as: folder.file("probe.so"))
    let factory = HandlerFactory(
      plugins: PluginLocator(folders: [folder.path]), children: children, host: stage)
    let declaration = HandlerSettings(
      name: "probe", kind: .plugin(path: "probe.so", configJSON: "{\"a\":1}"))
    let handlers = try factory.make([declaration])
    #expect(handlers["probe"] is PluginHandler)
    #expect(stage.takeLog() == ["info handler probe: host abi 1 1 size 1 config {\"a\":1}"])
    // All or nothing: the plugin that could be made goes again.
    #expect(throws: HandlerErrors.self) {
      try factory.make([
        declaration, HandlerSettings(name: "x", kind: .exec(on: [], command: [], timeLimit: nil)),
      ])
    }
    #expect(stage.takeLog().last == "info handler probe: destroyed")
    // A reload: one that is declared as before goes on.
    let probe = handlers["probe"] as? PluginHandler
    let unchanged = try factory.make([declaration], keeping: handlers)["probe"] as? PluginHandler
    #expect(unchanged === probe && stage.takeLog().isEmpty)
    withExtendedLifetime((probe, unchanged)) {}
    withExtendedLifetime(handlers) {}
  }

  @Test func `a reload makes a plugin again that was turned off`() throws {
    let folder = try TemporaryFolder()
    try Fixture.build("probe.c", as: folder.file("probe.so"))
    let factory = HandlerFactory(
      plugins: PluginLocator(folders: [folder.path]), children: children, host: stage)
    // Every call takes longer than a nanosecond.
    let declaration = HandlerSettings(
      name: "probe", kind: .plugin(path: "probe.so", configJSON: "{}", budget: 1e-9))
    let handlers = try factory.make([declaration])
    let probe = try #require(handlers["probe"] as? PluginHandler)
    stage.panel.handlers = [probe]
    for serial in 1...5 { stage.tap(x: 410, y: 110, serial: serial) }
    let next = try #require(try factory.make([declaration], keeping: handlers).plugins.first)
    #expect(probe.isOff && !next.isOff && next !== probe)
    stage.panel.handlers = []
  }

  @Test func `every error is reported, in the order of the declarations`() {
    let errors = #expect(throws: HandlerErrors.self) {
      try make([
        HandlerSettings(name: "bell", kind: .plugin(path: "libbell.so", configJSON: "{}")),
        HandlerSettings(name: "fine", kind: .exec(on: [.began], command: ["true"], timeLimit: nil)),
        HandlerSettings(
          name: "chime", kind: .exec(on: [.ended], command: ["aplay-is-not-here"], timeLimit: nil)),
      ])
    }
    #expect(
      errors?.description == """
        handler bell: plugin libbell.so: not found: no plugin folder is configured; give its full path
        handler chime: command aplay-is-not-here: not found in PATH; install it, or give its full path
        """)
  }
}
