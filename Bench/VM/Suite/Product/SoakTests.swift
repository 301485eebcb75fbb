import Foundation
import PictureSupport
import Testing

extension VirtualMachineTests {
  /// Everything at once, for as long as `SOAK_MINUTES` says; without it four short storms.
  @Suite struct Soak {
    private static let environment = ProcessInfo.processInfo.environment
    private static let minutes = environment["SOAK_MINUTES"].flatMap(Double.init) ?? 0
    /// The lengths of the first storm, which fills caches, and of each one after it.
    private static let seconds = minutes > 0 ? (first: 30, later: 15) : (first: 15, later: 8)
    private static let seed = environment["SOAK_SEED"].flatMap(UInt64.init) ?? 1

    @Test
    func
      `whatever fingers, plugs, terminals, reloads, clients and children do, nothing grows and each touch ends`()
      async throws
    {
      let machine = try await Machines.soak()
      let before = try await machine.consoleModes()
      let text = try await machine.consoleText(1)
      let run = try await SoakRun.start(SoakRun.everything, in: machine)
      var random = SeededGenerator(seed: Self.seed)
      print("SOAK_SEED=\(Self.seed) SOAK_MINUTES=\(Self.minutes)")
      let start = ContinuousClock.now
      var elapsed = 0.0
      var figures: [SoakRun.Figures] = []
      while elapsed < Self.minutes || figures.count < 4 {
        let storm = try await run.disturb(
          seconds: figures.isEmpty ? Self.seconds.first : Self.seconds.later, isFirst: figures.isEmpty,
          &random)
        let quiet = try await run.figuresAtRest()
        let minute = Int(elapsed)
        elapsed = (ContinuousClock.now - start) / .seconds(60)
        figures.append(quiet)
        if Int(elapsed) > minute || elapsed >= Self.minutes {
          print("minute \(Int(elapsed)): \(quiet); \(storm)")
        }
        let wrong = run.problems
        try #require(wrong.isEmpty, "\(wrong.prefix(20).joined(separator: "\n"))")
      }
      // The first ones fill caches.
      let steady = figures.dropFirst(2)
      let quarter = max(1, steady.count / 4)
      func leasts(_ figure: (SoakRun.Figures) -> Int) -> (first: Int, last: Int) {
        let numbers = steady.map(figure)
        return (numbers.prefix(quarter).min() ?? 0, numbers.suffix(quarter).min() ?? 0)
      }
      let memory = leasts(\.anonymous)
      print("anonymous memory: \(memory.first) kB in the first quarter, \(memory.last) kB in the last")
      #expect(memory.last - memory.first <= 1024)
      let descriptors = leasts(\.descriptors)
      #expect(descriptors.last <= descriptors.first)
      #expect(steady.allSatisfy { $0.children == SoakRun.processCount }, "\(steady.map(\.children))")
      #expect(try await run.daemon.stop() == 0)
      #expect(try await machine.consoleModes() == before)
      try await machine.shows(text, "the text is back")
    }

    @Test
    func `a hundred fingers on ten devices at a thousand frames a second lose no begin and no end`()
      async throws
    {
      let machine = try await Machines.soak()
      var scene = Scene(isHandled: false)
      scene.layout = .corners
      let run = try await SoakRun.start(scene.yaml(record: ""), in: machine)
      let seconds = Self.environment["SOAK_MINUTES"] == nil ? 5 : 60
      let storm = try await run.storm(
        seconds: seconds, seed: Int32(truncatingIfNeeded: Self.seed & 0x7fff_ffff), panels: 10, hertz: 1000,
        changes: 5)
      let figures = try await run.figuresAtRest()
      print("ten devices: \(storm); \(figures)")
      print(try await machine.run("touchtree ctl stats").stdout)
      #expect(storm.downs >= 20)
      // Without an overrun of the kernel's buffer, all of them come.
      #expect(figures.overruns > 0 ? figures.touches <= storm.downs : figures.touches == storm.downs)
      #expect(run.problems.isEmpty, "\(run.problems)")
      #expect(try await run.daemon.stop() == 0)
    }
  }
}
