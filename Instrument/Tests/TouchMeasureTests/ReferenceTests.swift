import Foundation
import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchMeasure

/// Figures of numbers that a formula makes, against those that numpy computes from the same ones: `lstsq`,
/// `polyfit`, `inv`, and all circles through two and three points.
@Suite struct ReferenceTests {
  private static let geometry = PanelGeometry(
    x: AxisRange(minimum: 0, maximum: 4000, resolution: 20),
    y: AxisRange(minimum: 0, maximum: 2400, resolution: 20))

  private func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 * max(1, abs(other)) }

  @Test func `the common part of 35 touches has the parameters and standard errors of least squares`() throws
  {
    let touches = (0..<35).map { index -> AccuracyFit.Touch in
      let mark = PanelPoint(
        x: (Double(index % 7) + 0.5) / 7 * 200, y: (Double(index / 7) + 0.5) / 5 * 120)
      let (x, y) = (
        0.8 + 0.9 * sin(1.7 * Double(index)) + 0.004 * (mark.x - 100),
        -0.5 + 1.1 * cos(2.3 * Double(index)) + 0.003 * (mark.y - 60)
      )
      return (mark, PanelPoint(x: mark.x + x, y: mark.y + y))
    }
    let fit = try #require(AccuracyFit(touches, in: Self.geometry))
    let expected: [(AccuracyFit.Estimate, value: Double, error: Double)] = [
      (fit.shift, 0.9586931963780594, 0.12627784958554206),
      (fit.scale, 0.6550062948098421, 0.22098623677469859),
      (fit.rotation, 0.023393107119807948, 0.12396822189981996),
      (fit.shear, -0.06419784581768011, 0.24793644379963992),
      (fit.keystone, 0.7753184295755304, 0.7813043328614268),
      (fit.rest, 0.7470698329863196, 0.0670888514943001),
    ]
    for (estimate, value, error) in expected {
      #expect(isNear(estimate.value, value) && isNear(estimate.error, error), "\(estimate) \(value) \(error)")
    }
    // One per cent moves the edge of 200 mm by 1 mm, one of keystone a corner by half of it.
    #expect(fit.scale.reach == 1 && fit.keystone.reach == 0.5)
    #expect(
      isNear(fit.rotation.reach, 100 * Double.pi / 180) && isNear(fit.shear.reach, 60 * Double.pi / 180))
  }

  private static let taps = (0..<20).map { index in
    PanelPoint(x: 100 + 1.3 * sin(2.1 * Double(index)), y: 60 + 0.9 * cos(1.3 * Double(index) + 0.4))
  }

  @Test func `twenty taps have the deviation, the circle and the diameter of brute force`() throws {
    let spread = PointSpread(Self.taps)
    #expect(isNear(try #require(spread.circle).radius, 1.440223790479283))
    #expect(isNear(try #require(spread.farthest).distance, 2.8804475809585703))
    var script = PanelScript()
    script.step("taps 20")
    // In the device's units, of which 20 are a millimetre.
    for tap in Self.taps {
      script.touch([0: (tap.x, tap.y)])
      script.time += 60
      script.lift()
    }
    let figure = try #require(
      script.result(.taps, .strict).figures.first { $0.measure == .tapSpread })
    #expect(try #require(figure.value).isNear(0.806048943750542, within: 0.01))
    #expect(isNear(try #require(figure.error) / (figure.value ?? 1), 0.09246015498306087 / 0.806048943750542))
  }

  @Test func `a drawn line has the residuals of the better of both fits`() throws {
    let points = (0...160).map { index in
      PanelPoint(x: 20 + Double(index), y: 60 + 0.8 * sin(Double(index) / 9) + 0.1 * Double(index) / 16)
    }
    let line = try #require(LineFigures(points, window: 10))
    #expect(isNear(line.largest, 0.896025036384846) && isNear(line.rms, 0.5484019447239813), "\(line)")
    #expect(isNear(line.wave, 0.8687638344842705), "\(line.wave)")
  }
}
