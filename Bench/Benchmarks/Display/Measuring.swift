import Glibc
import TouchOutput

/// The shortest of many runs, in microseconds: other load only makes a run longer.
func measure(runs: Int = 200, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  // The first run warms the caches.
  body()
  var best = Duration.seconds(1000)
  for _ in 0..<runs { best = min(best, clock.measure(body)) }
  return best.microseconds
}

/// Runs it so often, and adds the time of each run, in microseconds.
func repeated(_ count: Int, into times: inout [Double], _ body: () -> Void) {
  let clock = ContinuousClock()
  for _ in 0..<count { times.append(clock.measure(body).microseconds) }
}

/// The processor time of this process so far, in microseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Rounded to tenths.
func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

extension Duration {
  var microseconds: Double { Double(components.attoseconds) / 1e12 + Double(components.seconds) * 1e6 }
}

/// "12.3 µs", "4.56 ms"
func text(_ microseconds: Double) -> String {
  microseconds < 1000
    ? "\(tenths(microseconds)) µs" : "\((microseconds / 10).rounded() / 100) ms"
}

/// "1.2 ×"
func ratio(_ part: Double, _ whole: Double) -> String { "\((part / whole * 100).rounded() / 100) ×" }

/// The allocations of this process so far, counted by Bench/VM/AllocationCounter if it is preloaded.
struct AllocationCount {
  private let file: UnsafePointer<UInt64>?

  init() {
    file = getenv("ALLOCATION_COUNT").flatMap { path -> UnsafePointer<UInt64>? in
      let descriptor = open(path, O_RDONLY)
      guard descriptor >= 0, let memory = mmap(nil, 8, PROT_READ, MAP_SHARED, descriptor, 0),
        memory != MAP_FAILED
      else { return nil }
      return UnsafePointer(memory.assumingMemoryBound(to: UInt64.self))
    }
  }

  /// The number of allocations in `body`, or "not counted" without the counter.
  func text(_ body: () -> Void) -> String {
    let before = file?.pointee
    body()
    guard let file, let before else { return "not counted" }
    return "\(file.pointee - before)"
  }
}

extension MemoryFramebuffer.Depth {
  /// - Parameter bits: of a pixel, as a number.
  init?(bits: String) {
    guard let depth = Self.allCases.first(where: { $0.name.prefix(while: \.isNumber) == bits }) else {
      return nil
    }
    self = depth
  }

  var name: String {
    switch self {
    case .bits32: "32 bits"
    case .bits24: "24 bits"
    case .bits16: "16 bits"
    case .bits8: "8 bits"
    case .bit1: "1 bit"
    }
  }
}
