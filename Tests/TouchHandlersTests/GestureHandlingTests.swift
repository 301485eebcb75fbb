import FolderSupport
import Foundation
import Testing

@testable import TouchCore
@testable import TouchHandlers

/// What the handlers make of gestures.
@Suite struct GestureHandlingTests {
  private let stage = Stage()

  private func look(for recognizer: GestureRecognizer, telling handler: any Handler) {
    recognizer.handlers = [handler]
    stage.panel.addGestureRecognizer(recognizer)
  }

  @Test func `a plugin gets what its kind of gesture measures, and nothing else`() throws {
    let folder = try TemporaryFolder()
    try Fixture.build("probe.c", as: folder.file("probe.so"))
    let probe = try PluginHandler(
      name: "probe", path: folder.file("probe.so"), configJSON: "{}", host: stage)
    _ = stage.takeLog()
    look(for: PanGestureRecognizer(id: "drag"), telling: probe)
    stage.frame(.began, [(1, 410, 110)], at: 1_000_000)
    stage.frame(.moved, [(1, 430, 110)], at: 1_020_000)
    stage.frame(.cancelled, [(1, 430, 110)], at: 1_030_000)
    let rest = "scale nan nan angle nan nan direction 0"
    #expect(
      stage.takeLog() == [
        "info handler probe: pan began of drag on panel at 30 10 window 430 110 touches 1 "
          + "translation 20 0 velocity 1000 0 \(rest) time 1020000 size 1",
        "info handler probe: pan cancelled of drag on panel at 30 10 window 430 110 touches 1 "
          + "translation 20 0 velocity 1000 0 \(rest) time 1030000 size 1",
      ])
    look(for: SwipeGestureRecognizer(id: "flick"), telling: probe)
    stage.frame(.began, [(2, 410, 110)], at: 2_000_000)
    stage.frame(.moved, [(2, 410, 119)], at: 2_010_000)
    stage.frame(.moved, [(2, 470, 119)], at: 2_020_000)
    #expect(stage.takeLog().first?.contains("pan began of drag") == true)
  }

  @Test func `the log has a line for each state`() {
    look(
      for: TapGestureRecognizer(id: "tap"), telling: TouchLogHandler(name: "log", logger: stage.logger))
    stage.tap(x: 412.5, y: 103)
    #expect(stage.takeLog() == ["info tap tap ended panel (12.5, 3)"])
  }

  @Test func `a command gets the gesture in its environment`() throws {
    let folder = try TemporaryFolder()
    let children = ChildProcesses(host: stage)
    let record = folder.file("environment")
    let words = ["sh", "-c", "env | grep ^TOUCHTREE_ | sort > \"$0\"", record]
    let handler = ExecHandler(
      name: "chime", triggers: [.moved], command: try Command(words: words, path: children.path),
      timeLimit: nil, children: children, logger: stage.logger)
    look(for: PinchGestureRecognizer(id: "zoom"), telling: handler)
    stage.frame(.began, [(1, 410, 110), (2, 510, 110)], at: 1_000_000)
    stage.frame(.moved, [(2, 530, 110)], at: 1_010_000)
    #expect(children.count == 0)
    stage.frame(.moved, [(2, 560, 110)], at: 1_020_000)
    #expect(children.count == 1)
    for pid in children.processIDs {
      var info = siginfo_t()
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }
    children.reap()
    #expect(
      try contents(of: record) == """
        TOUCHTREE_DIRECTION=
        TOUCHTREE_GESTURE=zoom
        TOUCHTREE_KIND=pinch
        TOUCHTREE_SCALE=1.5
        TOUCHTREE_STATE=changed
        TOUCHTREE_TIME_US=1020000
        TOUCHTREE_VIEW=panel
        TOUCHTREE_WINDOW_X=485
        TOUCHTREE_WINDOW_Y=110
        TOUCHTREE_X=85
        TOUCHTREE_Y=10

        """)
  }
}
