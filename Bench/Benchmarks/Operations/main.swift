import Glibc
import TouchCore

// Does one thing of the touch model so often, and prints nothing, so that time or instructions can be divided
// by the number: `operation-benchmark hit 100 5000` makes 5000 hit tests among 100 views; `dispatch` taps as
// often.

/// Views of 20 × 20 units side by side, with gaps, in a square window, and points all over it: the same in
/// every run.
struct Field {
  let window: Window
  private let side: Double
  private var state: UInt64 = 7

  init(views: Int) {
    let columns = Int(Double(views).squareRoot().rounded(.up))
    side = Double(columns) * 24
    window = Window(size: Size(width: side, height: side))
    for index in 0..<views {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let origin = (x: Double(column) * 24 + 2, y: Double(row) * 24 + 2)
      window.addSubview(
        View(id: "\(index)", frame: LocalRect(x: origin.x, y: origin.y, width: 20, height: 20)))
    }
  }

  private mutating func coordinate() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 40) / Double(1 << 24) * side
  }

  /// Returns how many found a view.
  mutating func hitTests(_ times: Int) -> Int {
    var hits = 0
    for _ in 0..<times {
      let point = LocalPoint(x: coordinate(), y: coordinate())
      if window.hitView(at: point, with: nil) !== window { hits += 1 }
    }
    return hits
  }

  /// Returns how many began.
  mutating func taps(_ times: Int) -> Int {
    let dispatcher = Dispatcher(window: window)
    var touched = 0
    for tap in 0..<times {
      let contact = ContactID(device: DeviceID(rawValue: 1), serial: tap)
      let point = WindowPoint(x: coordinate(), y: coordinate())
      // A second between two of them, so that each is a first tap.
      let time = Timestamp(microseconds: Int64(tap) * 1_000_000)
      dispatcher.dispatch([TouchChange(contact: contact, kind: .began, location: point)], at: time)
      touched += dispatcher.touches.count
      dispatcher.dispatch(
        [TouchChange(contact: contact, kind: .ended, location: point)],
        at: time.advanced(byMicroseconds: 100_000))
    }
    return touched
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let views = Int(arguments[2]), let times = Int(arguments[3]) else {
  print("operation-benchmark: type `operation-benchmark hit|dispatch VIEWS TIMES`")
  exit(64)
}
var field = Field(views: views)
let done = arguments[1] == "hit" ? field.hitTests(times) : field.taps(times)
// What finds nothing measures nothing.
exit(done >= times / 3 ? 0 : 1)
