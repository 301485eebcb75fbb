import CTouchtree
import Testing
import TouchCore
import TouchJSON

@testable import TouchHandlers

/// What plugins, processes and clients get of a touch beyond its place. (`UIEvent.coalescedTouches(for:)`,
/// `UITouch.force`, `UITouch.majorRadius`.)
@Suite struct TouchSampleTests {
  private final class Reader: View {
    var lines: [String] = []
    var samples: [[Double]] = []

    override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition { read(touches, event) }
    override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition { read(touches, event) }

    private func read(_ touches: [Touch], _ event: Event) -> Disposition {
      lines += touches.map {
        String(
          decoding: Message.touch($0, phase: $0.phase, at: self, sequence: 1, device: "panel"), as: UTF8.self)
      }
      var batch = TouchBatch()
      let described = batch.describe(touches, phase: touches[0].phase, at: event.timestamp, for: self)
      let touch = described.pointee.touch[0].pointee
      samples = (0..<Int(touch.sample_count)).compactMap { index in
        touch.samples.map { [Double($0[index].time_us), $0[index].x, $0[index].y, $0[index].window_x] }
      }
      return .handled
    }
  }

  private let window = Window(size: Size(width: 400, height: 400))
  private let view = Reader(id: "pad", frame: LocalRect(x: 100, y: 50, width: 200, height: 200))

  private func change(_ kind: TouchChange.Kind, _ x: Double, pressure: Int32? = nil) -> TouchChange {
    var attributes = ContactAttributes()
    if let pressure {
      (attributes.pressure, attributes.touchMajor, attributes.tool) = (pressure, 12, .pen)
    }
    return TouchChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: kind,
      location: WindowPoint(x: x, y: 60), attributes: attributes)
  }

  @Test func `every place that a panel reported in a turn arrives, with pressure and size`() throws {
    let dispatcher = Dispatcher(window: window)
    window.addSubview(view)
    dispatcher.dispatch([change(.began, 110)], at: Timestamp(microseconds: 1000))
    #expect(view.samples == [[1000, 10, 10, 110]])
    let plain = try #require(view.lines.first)
    #expect(!plain.contains("samples") && !plain.contains("pressure") && !plain.contains("tool"))
    for step in 1...3 {
      dispatcher.dispatch(
        [change(.moved, 110 + 5 * Double(step), pressure: 40)],
        at: Timestamp(microseconds: 1000 + 2000 * Int64(step)))
    }
    dispatcher.flush()
    #expect(view.samples == [[3000, 15, 10, 115], [5000, 20, 10, 120], [7000, 25, 10, 125]])
    let line = try #require(view.lines.last)
    #expect(
      line.hasSuffix(
        #""taps":1,"pressure":40,"touch_major":12,"tool":"pen","samples":[[3000,15,10],[5000,20,10],[7000,25,10]]}"#
          + "\n"), "\(line)")
    dispatcher.cancelAllTouches(at: Timestamp(microseconds: 9000))
  }
}
