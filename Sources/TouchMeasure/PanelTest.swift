/// A test of a panel, and what a person is asked to do for it. In the order in which they are made and reported.
package enum PanelTest: String, CaseIterable, Sendable {
  case mapping, grid, edge, line, rate, jitter, taps, gaps, contacts, deadzone, ghost, latency, `protocol`

  /// Whether a recording without marks is judged by it: what it measures needs no task.
  package var needsNoTask: Bool {
    switch self {
    case .protocol, .rate, .gaps: true
    case .mapping, .grid, .edge, .line, .jitter, .taps, .contacts, .deadzone, .ghost, .latency: false
    }
  }
}

/// One figure of a test. The raw value is its key in a profile and in a report.
package enum Measure: String, CaseIterable, Sendable {
  case mappingFaults = "mapping.faults"
  case missingCells = "grid.missing"
  case cellOffset = "grid.offset"
  case edgeDistance = "edge.distance"
  case lineLargest = "line.largest"
  case lineRMS = "line.rms"
  case lineWave = "line.wave"
  case rateMean = "rate.mean"
  case rateMinimum = "rate.minimum"
  case rateGap = "rate.gap"
  case rateSlow = "rate.slow"
  case jitterOne = "jitter.one"
  case jitterSeveral = "jitter.several"
  case tapRadius = "taps.radius"
  case gapRatio = "gaps.ratio"
  case reversedMotion = "gaps.reversed"
  case firstStep = "gaps.first"
  case mostContacts = "contacts.most"
  case swaps = "contacts.swaps"
  case drumroll = "contacts.drumroll"
  case deadDiameter = "deadzone.diameter"
  case ghosts = "ghost.contacts"
  case latencyP50 = "latency.p50"
  case latencyP90 = "latency.p90"
  case latencyP99 = "latency.p99"
  case violations = "protocol.violations"

  package enum Unit: String, Sendable {
    case count = ""
    case millimetres = "mm"
    case hertz = "Hz"
    case milliseconds = "ms"
    case percent = "%"
    case ratio = "×"
  }

  /// The test that it belongs to.
  package var test: PanelTest {
    PanelTest(rawValue: String(rawValue.prefix { $0 != "." })) ?? .protocol
  }

  /// Its key in the mapping of its test.
  package var key: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

  /// Whether the limit is the least that is good, and not the most.
  package var isLeast: Bool {
    switch self {
    case .rateMean, .rateMinimum, .mostContacts: true
    default: false
    }
  }

  package var unit: Unit { facts.unit }

  /// What it is, in a few words.
  package var title: String { facts.title }

  private var facts: (unit: Unit, title: String) {
    switch self {
    case .mappingFaults: (.count, "faults of the axes")
    case .missingCells: (.count, "cells that never answered")
    case .cellOffset: (.millimetres, "farthest touch from its cell's centre")
    case .edgeDistance: (.millimetres, "distance from an edge to the nearest report")
    case .lineLargest: (.millimetres, "largest distance from the straight line")
    case .lineRMS: (.millimetres, "root mean square of the distances")
    case .lineWave: (.millimetres, "wave within 10 mm of the line")
    case .rateMean: (.hertz, "mean report rate while moving")
    case .rateMinimum: (.hertz, "lowest report rate")
    case .rateGap: (.milliseconds, "longest gap between reports")
    case .rateSlow: (.percent, "share of gaps above 16.67 ms")
    case .jitterOne: (.millimetres, "largest movement of one resting finger")
    case .jitterSeveral: (.millimetres, "largest movement of several resting fingers")
    case .tapRadius: (.millimetres, "radius of the circle around all taps")
    case .gapRatio: (.ratio, "largest gap, as a multiple of the one before")
    case .reversedMotion: (.millimetres, "movement against the direction of a swipe")
    case .firstStep: (.ratio, "first step, as a multiple of the second")
    case .mostContacts: (.count, "most contacts at once")
    case .swaps: (.count, "contacts that swapped their identities")
    case .drumroll: (.millimetres, "farthest a drumming contact jumped")
    case .deadDiameter: (.millimetres, "diameter of the largest spot without reports")
    case .ghosts: (.count, "contacts that came without a touch")
    case .latencyP50: (.milliseconds, "p50 from the kernel's time stamp to the display")
    case .latencyP90: (.milliseconds, "p90")
    case .latencyP99: (.milliseconds, "p99")
    case .violations: (.count, "violations of the input protocol")
    }
  }
}

/// What a figure may be.
package struct Limit: Equatable, Sendable {
  /// In the measure's unit. Nil: as many contacts as the device claims, up to ten.
  package var value: Double?
  /// How far beyond the limit the score is 0.
  package var tolerance: Double

  package init(_ value: Double?, tolerance: Double = 0) {
    self.value = value
    self.tolerance = tolerance
  }

  /// 1 up to the limit, falling to 0 at the tolerance beyond it. (ChromiumOS touch firmware tests.)
  package static func score(_ figure: Double, limit: Double, tolerance: Double, isLeast: Bool) -> Double {
    let beyond = isLeast ? limit - figure : figure - limit
    // A millionth is what adding up in binary costs.
    if beyond <= 1e-6 { return 1 }
    return tolerance > 0 ? max(0, 1 - beyond / tolerance) : 0
  }
}

/// The limits that a panel is judged by, and how large the tasks are.
package struct PanelProfile: Sendable {
  package var name: String
  package var limits: [Measure: Limit] = [:]
  /// Cells to touch.
  package var columns = 5
  package var rows = 5
  /// How long nothing may be touched, in seconds.
  package var ghostSeconds = 60
  package var taps = 20

  package init(name: String) {
    self.name = name
  }
}
