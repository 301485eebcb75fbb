import Foundation
import Logging
import PictureSupport
import Testing
import TouchInspection

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchKit
@testable import TouchOutput
@testable import TouchSystem
@testable import TouchViews

/// Nothing of a tree outlives the reload that replaces it.
@Suite struct TreeLifetimeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  /// The examples, the file of the demo, the one that `touchtree new` writes, and one with every kind of
  /// view, gesture and step.
  private static let files: [String] = {
    let folders = ["config/examples", "config/experiments", "Tests/PictureSupport/Fixtures"]
    let found = folders.flatMap { folder in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
      return names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
    }
    return found + ["config/touchtree.yaml", "Sources/TouchTools/New/Starter/touchtree.yaml"]
  }()

  /// A view of a tree that was shown.
  private struct Former {
    weak var view: View?
    let name: String

    init(_ view: View) { (self.view, name) = (view, "\(type(of: view)) \(view.id)") }
  }

  /// The parts of the daemon that know views, on a display that is not seen.
  private final class Panel: RequestHost {
    private let path: String
    private let runtime: Runtime
    private let host: TouchDaemon.Host
    private let idle: IdleDisplay
    private let following: Following
    private let typist: KernelTypist
    private let pictures: PictureFollower
    private let children: ChildProcesses
    private let factory: HandlerFactory
    private let statistics = InputStatistics()
    private lazy var requests = ControlRequests(
      for: self, host, runtime.pipeline, runtime.presentation, idle, statistics)

    private(set) var status: ConfigurationStatus
    var clientCount: Int { 0 }
    var ownProblems: [HealthProblem] { [] }
    func ownName(of device: DeviceID) -> String { "panel" }
    func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void) {}

    init(_ path: String) throws {
      self.path = path
      let configuration = try Self.load(path)
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      var options = Runtime.Options()
      options.display = .headless()
      options.clock = ManualClock()
      options.takesSignalsEarly = false
      runtime = try Runtime(
        configuration.presentation, options, windowID: configuration.window.id, log: log)
      let (loop, presentation) = (runtime.loop, runtime.presentation)
      host = Host(loop: loop, tree: ViewTree(configuration, in: runtime.window), logger: log)
      idle = IdleDisplay(presentation, runtime.pipeline, host: host, in: loop, log: log)
      following = try Following(host, presentation, in: loop)
      typist = KernelTypist(log: log)
      pictures = PictureFollower(host, in: loop, log: log)
      loop.addHook(statistics, at: .count)
      children = ChildProcesses(host: host)
      factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: host)
      status = ConfigurationStatus(configuration, insteadOf: nil)
      following.repeatRows = { [unowned self] in
        _ = host.repeatRows(factory)
      }
      host.peers.delegate = requests
      host.attach(try host.makeHandlers(of: host.tree, from: factory))
      idle.follow(configuration, at: .zero)
      try runtime.begin(keyboard: .mute)
    }

    deinit {
      host.endHandlers()
      children.end()
      runtime.end()
    }

    /// Programs are no part of this.
    private static func load(_ path: String) throws -> Configuration {
      var configuration = try Configuration.load(path: path, showsRest: true)
      configuration.handlers = []
      return configuration
    }

    /// As `Daemon` does it.
    func reload() throws {
      let configuration = try Self.load(path)
      let replacement = try runtime.presentation.prepare(configuration.presentation)
      let next = ViewTree(configuration, inPlaceOf: host.tree)
      let made = try host.makeHandlers(of: next, from: factory)
      runtime.pipeline.end(at: runtime.loop.now)
      isDown = false
      host.replaceTree(with: next, made)
      runtime.presentation.show(with: replacement)
      typist.follow(host.tree, isRunning: false)
      requests.treeWasReplaced()
      idle.follow(configuration, at: runtime.loop.now)
      host.begin(made)
    }

    func wait(seconds: Double) throws {
      try runtime.loop.advance(byNanoseconds: Int64(seconds * 1e9))
    }

    /// Waits for commands of `run:`, which hold the view that shows their output.
    func awaitCommands() throws {
      while children.count > 0 {
        children.reap()
        usleep(1000)
      }
      try wait(seconds: 60)
    }

    /// Every view that is shown, or may be.
    var views: [Former] {
      var (found, waiting) = (host.tree.viewsByID, host.tree.roots)
      while let view = waiting.popLast() {
        found[view.id] = view
        waiting += view.subviews
      }
      return found.values.filter { $0 !== runtime.window }.map(Former.init)
    }

    /// Presents the sheets and edits the fields of some views; a finger taps on each, and drags the last one
    /// until the reload.
    func use(_ part: Int, of parts: Int) throws {
      let all = host.tree.configuration.views.compactMap { host.tree.viewsByID[$0.id] }
      for (index, view) in all.enumerated() where index % parts == part && view.window != nil {
        (view as? SheetView)?.isPresented = true
        (view as? TextField)?.becomeFirstResponder()
        let middle = view.convertToWindow(view.bounds.center)
        if isDown { touch(.ended, middle) }
        touch(.began, middle)
        touch(.ended, middle)
        touch(.began, middle)
        for step in 1...3 {
          touch(.moved, WindowPoint(x: middle.x - Double(step) * 9, y: middle.y + Double(step) * 5))
        }
        try wait(seconds: 0.05)
      }
    }

    private var isDown = false

    private func touch(_ kind: TouchChange.Kind, _ point: WindowPoint) {
      isDown = kind != .ended
      let change = TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind, location: point)
      runtime.pipeline.apply([change], at: runtime.loop.now)
      runtime.loop.endTurn()
    }
  }

  @Test(arguments: files)
  func `no view outlives the reload that replaces it`(_ file: String) throws {
    _ = Fixture.standardFonts
    let path = Self.root.appending(path: file).standardizedFileURL.path(percentEncoded: false)
    let panel = try Panel(path)
    var former: [Former] = []
    for round in 0..<50 {
      if round < 40 { try panel.use(round % 10, of: 10) }
      former += panel.views
      try panel.reload()
      if round % 5 == 4 { try panel.wait(seconds: 1) }
      guard round == 9 || round == 49 else { continue }
      try panel.awaitCommands()
      #expect(former.filter { $0.view != nil }.map(\.name) == [], "after \(round + 1) reloads")
    }
    #expect(former.count >= 50)
  }
}
