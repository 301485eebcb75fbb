import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchInput
@testable import TouchInstruments
@testable import TouchKit
@testable import TouchMeasure

@Suite struct CalibrationTextTests {
  @Test func `what a calibration is written down as is as long as it is, whatever the device's name`() {
    let device = DeviceDescription(
      path: "/dev/input/event2", name: "a\u{1b}[0m\nRUN+=\"x\"\u{9b}\u{2028}", phys: "usb-1/input0",
      uniq: "A1",
      vendor: 0xeef, product: 1)
    var rule = DeviceRule(place: SourceLocation(line: 1, column: 1))
    rule.isUsed = true
    let point = Point<NormalizedSpace>(x: 0, y: 0)
    let calibration = Calibration(
      result: CalibrationResult(
        [], check: CalibrationFit.Sample(touched: point, target: point), size: Size(width: 8, height: 8)),
      matrix: .identity, device: device, others: [], kind: .multitouch, rotation: .none,
      displaySize: Size(width: 8, height: 8), rule: rule, millimetres: nil)
    for (text, lines) in [(calibration.udevRule, 2), (calibration.snippet, 7)] {
      #expect(text.split(separator: "\n").count == lines, "\(text)")
      #expect(text.unicodeScalars.allSatisfy { $0.isShown || $0 == "\n" })
    }
    #expect(calibration.udevRule.contains("ATTRS{name}==\"a??0m?RUN+=?x?**\""))
    #expect(calibration.snippet.contains("      use: true\n"))
  }
}
