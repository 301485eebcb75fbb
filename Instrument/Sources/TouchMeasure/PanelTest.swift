/// A test of a panel with its task for a person. The order is that of the tests and of the report.
package enum PanelTest: String, CaseIterable, Sendable {
  case mapping, grid, edge, border, line, rate, jitter, start, taps, gaps, contacts, pairs, deadzone, ghost,
    noise, latency
  case `protocol`

  /// Whether the test needs no task, so that it also measures a recording without marks.
  package var needsNoTask: Bool {
    switch self {
    case .protocol, .rate, .gaps: true
    case .mapping, .grid, .edge, .border, .line, .jitter, .start, .taps, .contacts, .pairs, .deadzone, .ghost,
      .noise, .latency:
      false
    }
  }
}

/// One figure of a test. The raw value is its key in a profile and in a report.
package enum Measure: String, CaseIterable, Sendable {
  case mappingFaults = "mapping.faults"
  case mappingLanding = "mapping.landing"
  case mappingLift = "mapping.lift"
  case mappingWobble = "mapping.wobble"
  case mappingWrong = "mapping.wrong"
  case missingCells = "grid.missing"
  case cellOffset = "grid.offset"
  case gridCentre = "grid.centre"
  case gridEdge = "grid.edge"
  case gridShift = "grid.shift"
  case gridScale = "grid.scale"
  case gridRotation = "grid.rotation"
  case gridShear = "grid.shear"
  case gridKeystone = "grid.keystone"
  case gridRest = "grid.rest"
  case gridLocal = "grid.local"
  case gridLanding = "grid.landing"
  case gridLift = "grid.lift"
  case gridWobble = "grid.wobble"
  case gridWrong = "grid.wrong"
  case edgeDistance = "edge.distance"
  case edgeLanding = "edge.landing"
  case edgeLift = "edge.lift"
  case edgeWrong = "edge.wrong"
  case borderOffset = "border.offset"
  case borderBend = "border.bend"
  case borderLanding = "border.landing"
  case borderLift = "border.lift"
  case borderWrong = "border.wrong"
  case lineLargest = "line.largest"
  case lineRMS = "line.rms"
  case lineWave = "line.wave"
  case lineLanding = "line.landing"
  case lineLift = "line.lift"
  case lineWrong = "line.wrong"
  case rateFastest = "rate.fastest"
  case rateMean = "rate.mean"
  case rateMinimum = "rate.minimum"
  case rateGap = "rate.gap"
  case rateP99 = "rate.p99"
  case rateStalls = "rate.stalls"
  case rateSlow = "rate.slow"
  case rateLanding = "rate.landing"
  case rateLift = "rate.lift"
  case rateWrong = "rate.wrong"
  case jitterOne = "jitter.one"
  case jitterSeveral = "jitter.several"
  case jitterLanding = "jitter.landing"
  case jitterLift = "jitter.lift"
  case jitterWrong = "jitter.wrong"
  case startJump = "start.jump"
  case startLanding = "start.landing"
  case startLift = "start.lift"
  case startWrong = "start.wrong"
  case tapRadius = "taps.radius"
  case tapSpread = "taps.spread"
  case tapLanding = "taps.landing"
  case tapLift = "taps.lift"
  case tapWobble = "taps.wobble"
  case tapWrong = "taps.wrong"
  case gapRatio = "gaps.ratio"
  case gapLate = "gaps.late"
  case gapJump = "gaps.jump"
  case reversedMotion = "gaps.reversed"
  case firstStep = "gaps.first"
  case gapLanding = "gaps.landing"
  case gapLift = "gaps.lift"
  case gapWrong = "gaps.wrong"
  case mostContacts = "contacts.most"
  case swaps = "contacts.swaps"
  case drumroll = "contacts.drumroll"
  case separation = "contacts.separation"
  case contactsLanding = "contacts.landing"
  case contactsLift = "contacts.lift"
  case contactsWrong = "contacts.wrong"
  case pairSeparation = "pairs.separation"
  case pairSwaps = "pairs.swaps"
  case pairResting = "pairs.resting"
  case pairsLanding = "pairs.landing"
  case pairsLift = "pairs.lift"
  case pairsWrong = "pairs.wrong"
  case deadDiameter = "deadzone.diameter"
  case deadLanding = "deadzone.landing"
  case deadLift = "deadzone.lift"
  case deadWrong = "deadzone.wrong"
  case ghosts = "ghost.contacts"
  case noiseQuiet = "noise.quiet"
  case noiseCharger = "noise.charger"
  case noisePattern = "noise.pattern"
  case noiseWater = "noise.water"
  case noiseGlove = "noise.glove"
  case noiseRatio = "noise.signal_to_noise"
  case noiseLanding = "noise.landing"
  case noiseLift = "noise.lift"
  case noiseWrong = "noise.wrong"
  case latencyP50 = "latency.p50"
  case latencyP90 = "latency.p90"
  case latencyP99 = "latency.p99"
  case tapLatencyP50 = "latency.tap_p50"
  case tapLatencyP90 = "latency.tap_p90"
  case tapLatencyP99 = "latency.tap_p99"
  case dragLatencyP50 = "latency.drag_p50"
  case dragLatencyP90 = "latency.drag_p90"
  case dragLatencyP99 = "latency.drag_p99"
  case glassLatencyP50 = "latency.glass_p50"
  case glassLatencyP90 = "latency.glass_p90"
  case glassLatencyP99 = "latency.glass_p99"
  case latencyLanding = "latency.landing"
  case latencyLift = "latency.lift"
  case latencyWobble = "latency.wobble"
  case latencyWrong = "latency.wrong"
  case violations = "protocol.violations"
  case protocolWrong = "protocol.wrong"

  package enum Unit: String, Sendable {
    case count = ""
    case millimetres = "mm"
    case hertz = "Hz"
    case milliseconds = "ms"
    case percent = "%"
    case ratio = "×"
    case degrees = "°"
  }

  package var test: PanelTest { PanelTest(rawValue: String(rawValue.prefix { $0 != "." })) ?? .protocol }

  /// Returns the count of wrong contacts in a test; nil for the wait, where all are.
  package static func wrong(_ test: PanelTest) -> Measure? { Measure(rawValue: "\(test.rawValue).wrong") }

  /// The keys of the figures that every touch has. One limit of a profile is for all tests.
  package static let touchKeys = ["landing", "lift", "wobble"]

  package var isOfTouch: Bool { Self.touchKeys.contains(key) }

  package var key: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

  /// Whether the limit is the least good value rather than the most.
  package var isLeast: Bool {
    switch self {
    case .rateFastest, .rateMean, .rateMinimum, .mostContacts, .noiseRatio: true
    default: false
    }
  }

  /// Whether a recording without tasks shows the measure: only the protocol is certainly the panel's own.
  package var needsNoTask: Bool { self == .violations }

  /// Whether a limit may be a distance at the panel's edge.
  package var mayBeAtEdge: Bool { [.gridScale, .gridRotation, .gridShear, .gridKeystone].contains(self) }

  package var needsSize: Bool { mayBeAtEdge || unit == .millimetres }

  /// Whether the measure is a distance between two reports, to which the device's units may add.
  package var isBetweenReports: Bool {
    switch self {
    case .jitterOne, .jitterSeveral, .startJump, .reversedMotion, .drumroll, .pairResting, .noiseQuiet,
      .noiseCharger, .noisePattern, .noiseWater, .noiseGlove:
      true
    default: isOfTouch
    }
  }

  package var unit: Unit { facts.unit }

  package var title: String { facts.title }

  private var facts: (unit: Unit, title: String) {
    switch self {
    case .mappingFaults: (.count, "faults of the axes")
    case .missingCells: (.count, "cells that never answered")
    case .cellOffset: (.millimetres, "farthest touch from its cell's centre")
    case .gridCentre: (.millimetres, "accuracy of the centre: farthest touch from its mark")
    case .gridEdge: (.millimetres, "accuracy of the edge: farthest touch from its mark")
    case .gridShift: (.millimetres, "shift of all touches")
    case .gridScale: (.percent, "scale, from its true size")
    case .gridRotation: (.degrees, "rotation of all touches")
    case .gridShear: (.degrees, "shear: the axes from a right angle")
    case .gridKeystone: (.percent, "keystone: opposite sides from the same length")
    case .gridRest: (.millimetres, "spread around what these explain")
    case .gridLocal: (.millimetres, "local distortion, over neighbouring touches")
    case .edgeDistance: (.millimetres, "strip at an edge that nothing is reported from")
    case .borderOffset: (.millimetres, "offset of a line 5 mm from an edge")
    case .borderBend: (.millimetres, "bend of a line 5 mm from an edge")
    case .lineLargest: (.millimetres, "largest distance from the straight line")
    case .lineRMS: (.millimetres, "root mean square of the distances")
    case .lineWave: (.millimetres, "wave within 10 mm of the line")
    case .rateFastest: (.hertz, "report rate at its best")
    case .rateMean: (.hertz, "mean report rate while moving")
    case .rateMinimum: (.hertz, "lowest report rate")
    case .rateGap: (.milliseconds, "longest gap between reports")
    case .rateP99: (.milliseconds, "p99 of the gaps")
    case .rateStalls: (.count, "stalls: gaps above two frames, 33 ms")
    case .rateSlow: (.percent, "share of gaps above 16.67 ms")
    case .jitterOne: (.millimetres, "largest movement of one resting finger")
    case .jitterSeveral: (.millimetres, "largest movement of several resting fingers")
    case .startJump: (.millimetres, "jump out of a rest")
    case .tapRadius: (.millimetres, "radius of the circle around all taps")
    case .tapSpread: (.millimetres, "standard deviation of the taps")
    case .gapRatio: (.ratio, "late or jumping step, as a multiple of its neighbours")
    case .gapLate: (.milliseconds, "longest wait for a late report")
    case .gapJump: (.millimetres, "farthest jump of a position in time")
    case .reversedMotion: (.millimetres, "movement against the direction of a swipe")
    case .firstStep: (.ratio, "first step, as a multiple of the second")
    case .mostContacts: (.count, "most contacts at once")
    case .swaps: (.count, "contacts that swapped their identities")
    case .drumroll: (.millimetres, "farthest a drumming contact jumped")
    case .separation: (.millimetres, "distance at which two fingers became one")
    case .pairSeparation: (.millimetres, "distance at which two close fingers became one")
    case .pairSwaps: (.count, "fingers that swapped as they crossed")
    case .pairResting: (.millimetres, "movement of a finger that rested beside another")
    case .deadDiameter: (.millimetres, "diameter of the largest spot without reports")
    case .ghosts: (.count, "contacts that came without a touch")
    case .noiseQuiet: (.millimetres, "movement of a resting finger, undisturbed")
    case .noiseCharger: (.millimetres, "the same on the charger")
    case .noisePattern: (.millimetres, "the same over a flickering pattern")
    case .noiseWater: (.millimetres, "the same on a wet panel")
    case .noiseGlove: (.millimetres, "the same in a glove")
    case .noiseRatio: (.ratio, "least signal to noise of the controller's own numbers")
    case .latencyP50: (.milliseconds, "p50 from the kernel's time stamp to the display")
    case .latencyP90: (.milliseconds, "p90")
    case .latencyP99: (.milliseconds, "p99")
    case .tapLatencyP50: (.milliseconds, "p50 from the finger to the report of its tap")
    case .tapLatencyP90, .dragLatencyP90, .glassLatencyP90: (.milliseconds, "p90")
    case .tapLatencyP99, .dragLatencyP99, .glassLatencyP99: (.milliseconds, "p99")
    case .dragLatencyP50: (.milliseconds, "p50 from a moving finger to its report")
    case .glassLatencyP50: (.milliseconds, "p50 from the finger to the light")
    case .violations: (.count, "violations of the input protocol")
    case .protocolWrong: (.count, "contacts while nothing was asked for")
    default: Self.common[key] ?? (.count, key)
    }
  }

  /// The figures that many tests have, by their key.
  private static let common: [String: (unit: Unit, title: String)] = [
    "landing": (.millimetres, "landing: first report from the settled place"),
    "lift": (.millimetres, "lift: last report from the settled place"),
    "wobble": (.millimetres, "wobble: spread within a tap"),
    "wrong": (.count, "contacts that were not as asked for"),
  ]
}
