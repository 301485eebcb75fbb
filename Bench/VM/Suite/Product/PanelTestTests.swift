import Foundation
import Testing
import VMPictures

extension VirtualMachineTests {
  /// `touchtree test`, by touching what it asks for on a panel with faults.
  @Suite struct PanelTest {
    /// Its x axis is inverted.
    private static let description = GuestDevice.Description(
      name: "Faulty panel",
      lines: [
        "id 0x18 0x0416 0x038f 1", "property INPUT_PROP_DIRECT", "key BTN_TOUCH", "abs ABS_X 0 4000 0 0 20",
        "abs ABS_Y 0 2400 0 0 20", "abs ABS_MT_SLOT 0 1", "abs ABS_MT_TRACKING_ID 0 65535",
        "abs ABS_MT_POSITION_X 0 4000 0 0 20", "abs ABS_MT_POSITION_Y 0 2400 0 0 20",
      ])

    private func tap(_ device: GuestDevice, _ x: Double, _ y: Double, contact: Int) async throws {
      let place = "ABS_MT_POSITION_X=\(Int((1 - x) * 4000)) ABS_MT_POSITION_Y=\(Int(y * 2400))"
      try await device.send([
        "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=\(contact) \(place) BTN_TOUCH=1", "sleep 20",
        "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0",
      ])
    }

    @Test
    func `a faulty panel is tested by touch, its faults are reported, and its recording is judged the same`()
      async throws
    {
      let machine = try await Machines.main()
      let before = try await machine.consoleModes()
      let device = try await GuestDevice.make(Self.description, in: machine)
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_A KEY_S KEY_N KEY_Q"]), in: machine)
      try await machine.run(
        """
        printf 'limits: {mapping: {faults: 0}, latency: {p50: 10000}, protocol: {violations: 0}}\\n' >/tmp/factory.yaml
        rm -rf /tmp/reports
        """)
      let process = try await machine.spawn(
        "exec touchtree test --device \(device.node) --only mapping,latency,taps,deadzone,protocol --profile /tmp/factory.yaml "
          + "-o /tmp/reports")
      func asked(_ task: Int, _ words: String) async throws {
        try await eventually("task \(task), \(words), is asked for, not\n\(process.stderr)") {
          if try await process.hasEnded { throw MachineError("the test has ended: \(process.stderr)") }
          return process.stderr.split(separator: "\n").contains {
            $0.hasPrefix("\(task) of ") && $0.contains(words)
          }
        }
      }
      let corners = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
      for (index, corner) in corners.enumerated() {
        try await asked(
          index + 1, "mapping: Touch the cross. (pixel \(Int(corner.0 * 1280)),\(Int(corner.1 * 800)))")
        // The cross is on the screen, as the user sees it.
        let pixel = (x: Int(corner.0 * 1280), y: Int(corner.1 * 800))
        try await eventually("the cross is shown at \(pixel)") {
          let picture = try await machine.framebuffer()
          return picture[pixel.x + 10, pixel.y] == Colour(0xff_ff_ff)
            && picture[pixel.x, pixel.y + 10] == Colour(0xff_ff_ff)
        }
        try await tap(device, corner.0, corner.1, contact: index + 1)
      }
      // The taps are skipped by a key.
      try await asked(5, "taps")
      try await keyboard.send(["frame KEY_S=1", "frame KEY_S=0"])
      // The axes are known now: a part of the cell under the finger is done, and none of its mirror image.
      try await asked(6, "deadzone")
      try await tap(device, 0.89, 0.32, contact: 5)
      try await eventually("the cell that was touched has another colour") {
        let picture = try await machine.framebuffer()
        return picture[1140, 250] == Colour(0x5e_4a_1c) && picture[140, 250] == Colour(0x1c_24_2e)
      }
      try await keyboard.send(["frame KEY_N=1", "frame KEY_N=0"])
      try await asked(7, "latency")
      for contact in 10..<20 { try await tap(device, 0.5, 0.5, contact: contact) }
      #expect(try await process.end() == 1, "\(process.stderr)")
      #expect(
        process.stdout.hasPrefix("DOES NOT CONFORM: 5 of 17 tests; not conforming: mapping; "),
        "\(process.stdout)")
      #expect(process.stdout.contains("calibration: [-1, 0, 1, 0, 1, 0]"))
      #expect(try await machine.consoleModes() == before)

      let files = try await machine.run("ls /tmp/reports").stdout.split(separator: "\n")
      #expect(
        files == [
          "recording.yml", "report.csv", "report.html", "report.json", "report.png", "report.txt",
          "report.xml",
        ])
      let again = try await machine.run(
        "touchtree test --replay /tmp/reports/recording.yml --profile /tmp/factory.yaml -o /tmp/again.json; "
          + "cmp /tmp/again.json /tmp/reports/report.json && echo same")
      #expect(again.stdout.hasSuffix("same\n"), "\(again.stdout)\(again.stderr)")
    }

    @Test
    func `without a touchscreen it fails with that reason`() async throws {
      let machine = try await Machines.main()
      let none = try await machine.run("touchtree test")
      #expect(none.status == 69)
      #expect(none.stderr.contains("/dev/input: no touchscreen can be used: none is connected"), "\(none)")
      let tablet = try await machine.tabletNode()
      let other = try await machine.run("touchtree test --device \(tablet)")
      #expect(other.status == 69)
      let reason = "the device cannot be used: QEMU Virtio Tablet: it is no touchscreen"
      #expect(other.stderr.contains("\(tablet): \(reason)"), "\(other)")
    }

    // MARK: Faults

    /// The faults of panels, each with its figure and the figure's value.
    enum Fault: String, CaseIterable {
      case deadCell, edgeNotReached, bowedLine, lowRate, jitter, spreadTaps, gap, fewerContacts
      case swappedIdentities, ghost, outOfAxis, deadZone

      var figure: (name: String, values: ClosedRange<Double>) {
        switch self {
        case .deadCell: ("grid.missing", 1...1)
        // Without the way of one report, 3.5 mm where none of them is late.
        case .edgeNotReached: ("edge.distance", 2...11)
        // A bow of 10 mm, as two straight halves, whose ends are cut.
        case .bowedLine: ("line.largest", 3.5...4.5)
        case .lowRate: ("rate.mean", 1...9.5)
        case .jitter: ("jitter.one", 2...2)
        case .spreadTaps: ("taps.radius", 1...1)
        case .gap: ("gaps.ratio", 3...3)
        case .fewerContacts: ("contacts.most", 1...1)
        case .swappedIdentities: ("contacts.swaps", 1...1)
        case .ghost: ("ghost.contacts", 1...1)
        case .outOfAxis: ("protocol.violations", 1...1)
        // Half of the 10 mm from one report to the next is taken off on each side.
        case .deadZone: ("deadzone.diameter", 28...46)
        }
      }

      /// A sentence of the report besides the figure.
      var detail: String? {
        switch self {
        case .deadCell: "no answer from column 2 row 1"
        case .edgeNotReached: "left: the last report is 12 mm from the edge"
        case .fewerContacts: "the device claims 2 slots"
        case .outOfAxis: "ABS_MT_POSITION_X is 4010, not 0…4000"
        default: nil
        }
      }
    }

    private struct Report: Decodable {
      struct Test: Decodable {
        var test: String
        var figures: [Figure]
        var details: [String]
      }
      struct Figure: Decodable {
        var figure: String
        var value: Double?
        var score: Double?
      }

      var tests: [Test]
    }

    private static let tests = "grid,edge,line,rate,jitter,taps,gaps,contacts,deadzone,ghost,protocol"
    private static let profile = """
      {tasks: {grid: [2, 2], ghost: 2, taps: 5}, limits: {grid: {missing: 0}, edge: {distance: 0.5}, line: {largest: 2}, \
      rate: {mean: 12}, jitter: {one: 1, several: 3}, taps: {radius: 0.5}, gaps: {ratio: 1.8}, \
      contacts: {most: claimed, swaps: 0, drumroll: 2}, deadzone: {diameter: 14}, ghost: {contacts: 0}, protocol: {violations: 0}}}
      """

    /// What fails on one of the panels passes on the other one.
    @Test(arguments: [
      Set([Fault.deadCell, .lowRate, .jitter, .swappedIdentities, .ghost, .outOfAxis]),
      [.edgeNotReached, .bowedLine, .spreadTaps, .gap, .fewerContacts, .deadZone],
    ])
    func `each fault of a panel fails its own figure and no other, and its recording is judged the same`(
      faults: Set<Fault>
    ) async throws {
      let machine = try await Machines.main()
      let folder = PanelUser.folder
      try await machine.run(
        "rm -rf \(folder) && mkdir \(folder) && echo '\(Self.profile)' >\(folder)/factory.yaml")
      let panel = try await GuestDevice.make(Self.description, in: machine)
      let keyboard = try await GuestDevice.make(
        GuestDevice.Description(name: "VM keyboard", lines: ["key KEY_A KEY_N KEY_Q"]), in: machine)
      let user = PanelUser(of: faults)
      let process = try await machine.spawn(
        "exec touchtree test --device \(panel.node) --only \(Self.tests) --profile \(folder)/factory.yaml "
          + "-o \(folder)/reports 2>\(folder)/tasks")
      try await keyboard.begin(user.keyboard)
      try await panel.begin(user.panel)
      do {
        #expect(try await process.end() == 1)
      } catch {
        throw MachineError("\(error)\n\(try await machine.run("cat \(folder)/tasks").stdout)")
      }

      let json = try await machine.run("cat \(folder)/reports/report.json").stdout
      let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
      #expect(report.tests.map(\.test).joined(separator: ",") == Self.tests)
      var failed: [String: Double] = [:]
      for test in report.tests {
        #expect(test.figures.contains { $0.score != nil }, "\(test.test) was judged")
        for figure in test.figures where figure.score ?? 1 < 1 {
          failed["\(test.test).\(figure.figure)"] = figure.value
        }
      }
      #expect(Set(failed.keys) == Set(faults.map(\.figure.name)), "\(process.stdout)")
      let failing = Set(faults.map { $0.figure.name.prefix { $0 != "." } })
      let names = Self.tests.split(separator: ",").filter(failing.contains).joined(separator: ", ")
      #expect(process.stdout.hasPrefix("DOES NOT CONFORM: 11 of 17 tests; not conforming: \(names); "))
      for fault in faults {
        let (name, values) = fault.figure
        #expect(failed[name].map(values.contains) == true, "\(name) is \(failed[name] ?? .nan)")
        if let detail = fault.detail { #expect(process.stdout.contains(detail), "\(process.stdout)") }
      }

      let again = try await machine.run(
        "touchtree test --replay \(folder)/reports/recording.yml --profile \(folder)/factory.yaml "
          + "-o \(folder)/again.json >\(folder)/again.txt; cmp \(folder)/again.json \(folder)/reports/report.json && echo same"
      )
      #expect(again.stdout == "same\n", "\(again.stdout)\(again.stderr)")
    }
  }
}

/// The user of a panel of 200 × 120 mm with two slots and some faults: what `vm-guest device` does for each
/// task of the test as soon as that is asked for, and the keys that end a task which does not end by itself.
private struct PanelUser {
  typealias Fault = VirtualMachineTests.PanelTest.Fault
  typealias Place = (x: Double, y: Double)

  static let folder = "/tmp/faults"

  private(set) var panel: [String] = []
  private(set) var keyboard: [String] = []
  private var task = 0
  private var contact = 60_000

  init(of faults: Set<Fault>) {
    grid(isDead: faults.contains(.deadCell))
    edges(
      distance: faults.contains(.edgeNotReached) ? 12 : 0, isBeyond: faults.contains(.outOfAxis))
    lines(bow: faults.contains(.bowedLine) ? 10 : 0)
    // On a busy host the guest sleeps longer than it asks to: the good panel's rate is far above the limit.
    rate(interval: faults.contains(.lowRate) ? 105 : 10)
    jitter(faults.contains(.jitter) ? 1 : 0.2)
    asked("taps")
    let spread = faults.contains(.spreadTaps) ? 1 : 0.2
    for tap in 0..<5 { draw([[(100 + (tap.isMultiple(of: 2) ? spread : -spread), 60)]]) }
    for _ in 0..<2 {
      asked("gaps")
      var swipe = Self.way((20, 60), (120, 60))
      if faults.contains(.gap) { for index in 15..<swipe.count { swipe[index].x += 8 } }
      draw([swipe])
    }
    contacts(
      count: faults.contains(.fewerContacts) ? 1 : 2, isSwapping: faults.contains(.swappedIdentities))
    rub(isDead: faults.contains(.deadZone))
    asked("ghost")
    if faults.contains(.ghost) { draw([[(33, 44)]]) }
  }

  private mutating func grid(isDead: Bool) {
    for (index, place) in [(50.0, 30.0), (150, 30), (50, 90), (150, 90)].enumerated() {
      asked("grid")
      if isDead && index == 1 {
        pressNext(after: "tasks \(task) of 24, grid")
      } else {
        draw([[place]])
      }
    }
  }

  private mutating func edges(distance: Double, isBeyond: Bool) {
    for end in [(distance, 60.0), (isBeyond ? 200.5 : 200, 60), (100, 0), (100, 120)] {
      asked("edge")
      draw([Self.way((100, 60), end)])
    }
  }

  private mutating func lines(bow: Double) {
    for (from, to) in [
      ((10.0, 60.0), (190.0, 60.0)), ((100, 6), (100, 114)), ((20, 12), (180, 108)), ((20, 108), (180, 12)),
    ] {
      asked("line")
      var way = Self.way(from, to)
      if task == 9 {
        for index in way.indices { way[index].y += bow * (1 - abs(Double(index) - 12.5) / 12.5) }
      }
      draw([way])
    }
  }

  private mutating func rate(interval: Int) {
    for fingers in 1...2 {
      asked("rate")
      let circle = (0..<(60 / fingers)).map { step in
        let angle = 2 * Double.pi * Double(step) / 30
        return (x: 60 + 30 * cos(angle), y: 60 + 30 * sin(angle))
      }
      draw([circle, circle.map { ($0.x + 80, $0.y) }].suffix(fingers), interval: interval)
    }
  }

  /// - Parameter reach: how far one finger's reports go to either side.
  private mutating func jitter(_ reach: Double) {
    for fingers in 1...2 {
      asked("jitter")
      let rest = (0..<60).map { (x: 100 + ($0.isMultiple(of: 2) ? reach : -reach), y: 60.0) }
      pressNext(after: "reports/recording.yml TRACKING_ID \(contact + 1)")
      draw([rest, rest.map { ($0.x + 50, $0.y) }].suffix(fingers))
    }
  }

  private mutating func contacts(count: Int, isSwapping: Bool) {
    asked("contacts")
    if count == 1 { pressNext(after: "reports/recording.yml TRACKING_ID \(contact + 1)") }
    let places = [(x: 50.0, y: 60.0), (x: 150, y: 60)]
    draw(places.prefix(count).enumerated().map { isSwapping ? [$1, places[1 - $0]] : [$1] })
    asked("contacts")
    for tap in 0..<10 { draw([[places[tap % 2]]]) }
    asked("contacts")
    draw([Self.way((50, 100), (95, 100)), Self.way((150, 100), (105, 100))])
  }

  /// Rubs in lines that are 10 mm apart. The dead part is 40 mm wide and high, in the middle.
  private mutating func rub(isDead: Bool) {
    asked("deadzone")
    for y in stride(from: 5.0, to: 120, by: 10) {
      let line = stride(from: 0.0, through: 200, by: 10).map { (x: $0, y: y) }
      let (left, right) = isDead && abs(y - 60) < 20 ? (80.0, 120.0) : (100, 100)
      for half in [line.filter { $0.x <= left }, line.filter { $0.x >= right }] {
        draw([half], interval: 4)
        // The kernel keeps as much as two halves for a program that a busy host holds up.
        panel.append("written \(Self.folder)/reports/recording.yml TRACKING_ID \(contact)")
      }
    }
    pressNext(after: "reports/recording.yml TRACKING_ID \(contact + 1)")
    draw([[(5, 5)]])
  }

  /// Twenty-six points on a straight way, both ends included.
  private static func way(_ from: Place, _ to: Place) -> [Place] {
    (0...25).map {
      let share = Double($0) / 25
      return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    }
  }

  private mutating func asked(_ test: String) {
    task += 1
    panel.append("written \(Self.folder)/tasks \(task) of 24, \(test):")
  }

  /// The user goes on to the next task.
  private mutating func pressNext(after words: String) {
    keyboard += ["written \(Self.folder)/\(words)", "frame KEY_N=1", "frame KEY_N=0"]
  }

  /// Fingers come down together, follow ways of as many places, and lift; a frame comes every so many
  /// milliseconds.
  private mutating func draw(_ ways: some BidirectionalCollection<[Place]>, interval: Int = 10) {
    for step in ways.first?.indices ?? 0..<0 {
      var events: [String] = []
      for (slot, way) in ways.enumerated() {
        events.append("ABS_MT_SLOT=\(slot)")
        if step == 0 {
          contact += 1
          events.append("ABS_MT_TRACKING_ID=\(contact)")
        }
        let (x, y) = way[step]
        events.append(
          "ABS_MT_POSITION_X=\(Int((x * 20).rounded())) ABS_MT_POSITION_Y=\(Int((y * 20).rounded()))")
      }
      panel += ["frame \(events.joined(separator: " ")) BTN_TOUCH=1", "sleep \(interval)"]
    }
    let lifts = (0..<ways.count).map { "ABS_MT_SLOT=\($0) ABS_MT_TRACKING_ID=-1" }.joined(separator: " ")
    panel.append("frame \(lifts) BTN_TOUCH=0")
  }
}
