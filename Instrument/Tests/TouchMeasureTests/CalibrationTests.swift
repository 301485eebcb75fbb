import Testing
import TouchCore
import TouchInput
import TouchMeasure

/// From touches on crosses to a calibration.
@Suite struct CalibrationTests {
  private static let size = Size(width: 1280, height: 800)
  private static let geometry = DisplayGeometry(displaySize: size)

  /// A panel that reports p where the finger is at `skew`⁻¹(p), so that `skew`⁻¹ is its calibration.
  private struct Panel {
    var skew: AffineTransform
    var geometry = CalibrationTests.geometry
    var output: WindowRect?

    var targets: CalibrationTargets { CalibrationTargets(output: output, geometry: geometry) }

    /// What a touch says that lands so many pixels from its target.
    func sample(_ index: Int, off: (x: Double, y: Double) = (0, 0)) -> CalibrationFit.Sample {
      let size = targets.size
      let target = targets.sample(of: targets.points[index], touchedAt: .zero).target
      let finger = Point<NormalizedSpace>(x: target.x + off.x / size.width, y: target.y + off.y / size.height)
      return CalibrationFit.Sample(touched: skew.map(finger), target: target)
    }

    func result(off: [Int: (x: Double, y: Double)] = [:]) -> CalibrationResult {
      CalibrationResult(
        (0..<5).map { sample($0, off: off[$0] ?? (0, 0)) }, check: sample(5, off: off[5] ?? (0, 0)),
        size: targets.size)
    }
  }

  private static let skews: [AffineTransform] = [
    .identity, AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0),
    AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0),
    AffineTransform(a: 0.9, b: 0.02, c: -0.03, d: 1.1, tx: 0.05, ty: -0.06),
    AffineTransform(a: 0, b: 0.4, c: 0.5, d: 0.01, tx: 0.3, ty: 0.2),
  ]

  @Test(arguments: skews)
  func `the calibration undoes what the panel does`(skew: AffineTransform) throws {
    let result = Panel(skew: skew).result()
    let fit = try #require(result.fit)
    for point in [(0.0, 0.0), (1.0, 0.0), (0.3, 0.9)] {
      let finger = Point<NormalizedSpace>(x: point.0, y: point.1)
      let mended: Point<NormalizedSpace> = fit.matrix.map(skew.map(finger, to: NormalizedSpace.self))
      #expect(abs(mended.x - finger.x) < 1e-9 && abs(mended.y - finger.y) < 1e-9, "\(skew)")
    }
    #expect(result.rejection == nil && fit.outlier == nil)
    #expect(result.error < 1e-6 && result.checkWith < 1e-6)
  }

  @Test(arguments: 0..<5, [(200.0, 0.0), (-30.0, 40.0), (0.0, -300.0)])
  func `one bad touch is left out`(index: Int, off: (Double, Double)) throws {
    let result = Panel(skew: Self.skews[3]).result(off: [index: (off.0, off.1)])
    #expect(result.fit?.outlier == index)
    #expect(result.error < 1e-6 && result.checkWith < 1e-6 && result.rejection == nil)
    let distance = (off.0 * off.0 + off.1 * off.1).squareRoot()
    #expect(result.distances[index] > 0.5 * distance)
  }

  @Test(
    arguments: [
      ([3: (x: 20.0, y: 0.0), 4: (x: -25.0, y: 0.0)], 4), ([3: (x: 30.0, y: 0.0), 4: (x: 0.0, y: 20.0)], 3),
    ] as [([Int: (x: Double, y: Double)], Int)])
  func `a touch that is not clearly the bad one is kept`(
    offs: [Int: (x: Double, y: Double)], suspect: Int
  ) throws {
    let panel = Panel(skew: .identity)
    // Without it the others go together, and without another one they do nearly as well.
    var others = (0..<5).map { panel.sample($0, off: offs[$0] ?? (0, 0)) }
    others.remove(at: suspect)
    let result = panel.result(off: offs)
    let limit = 0.005 * (1280.0 * 1280 + 800 * 800).squareRoot()
    #expect(CalibrationResult(others, check: others[0], size: Self.size).error < limit)
    #expect(result.fit?.outlier == nil && result.error > limit, "\(result.error)")
  }

  @Test func `fingers that are a little off are averaged`() throws {
    let offs: [Int: (x: Double, y: Double)] = [
      0: (3, -2), 1: (-4, 1), 2: (2, 3), 3: (0, -4), 4: (-1, 2), 5: (3, 3),
    ]
    let result = Panel(skew: Self.skews[3]).result(off: offs)
    #expect(result.fit?.outlier == nil && result.rejection == nil)
    #expect(result.error > 0.5 && result.error < 4, "\(result.error)")
    #expect(result.checkWith < 12 && result.checkWithout > 40)
  }

  @Test func `touches that do not go together are refused`() {
    let result = Panel(skew: .identity).result(off: [0: (300, 0), 1: (0, 250), 2: (-280, 90)])
    guard case .scattered(let pixels)? = result.rejection else {
      Issue.record("\(String(describing: result.rejection))")
      return
    }
    #expect(pixels > 45)
  }

  @Test func `touches on a line are refused`() {
    for slope in [0.0, 0.5] {
      let samples = [0.1, 0.3, 0.5, 0.7, 0.9].map {
        CalibrationFit.Sample(
          touched: Point(x: $0, y: 0.2 + $0 * slope), target: Point(x: $0, y: 1 - $0 * $0))
      }
      #expect(CalibrationResult(samples, check: samples[0], size: Self.size).rejection == .line)
    }
    let same = Array(
      repeating: CalibrationFit.Sample(touched: Point(x: 0.5, y: 0.5), target: Point(x: 0.1, y: 0.9)),
      count: 5)
    #expect(CalibrationResult(same, check: same[0], size: Self.size).rejection == .line)
  }

  @Test func `a fit that is worse than no calibration is rejected`() {
    // Five fingers that were off, and a sixth that shows that the panel was right.
    let offs: [Int: (x: Double, y: Double)] = [
      0: (20, 9), 1: (22, 10), 2: (20, 11), 3: (19, 10), 4: (20, 10),
    ]
    let result = Panel(skew: .identity).result(off: offs)
    guard case .worseThanNone(let with, let without)? = result.rejection else {
      Issue.record("\(String(describing: result.rejection))")
      return
    }
    #expect(with > 15 && without == 0)
  }

  @Test func `a check point that is far off is refused`() {
    let result = Panel(skew: Self.skews[1]).result(off: [5: (90, 60)])
    guard case .checkIsOff(let pixels)? = result.rejection else {
      Issue.record("\(String(describing: result.rejection))")
      return
    }
    #expect(abs(pixels - 108.2) < 0.1)
  }

  @Test(arguments: DisplayGeometry.Rotation.allCases)
  func `the calibration does not depend on how the display is turned`(rotation: DisplayGeometry.Rotation)
    throws
  {
    let geometry = DisplayGeometry(displaySize: Self.size, rotation: rotation)
    let targets = CalibrationTargets(output: nil, geometry: geometry)
    // A panel that mirrors x: what it reports, where touchtree would put it without a calibration.
    let samples = targets.points.map { target -> CalibrationFit.Sample in
      let pixel: Point<DisplaySpace> = geometry.displayFromWindow.map(target)
      let reported = Point<DisplaySpace>(x: 1280 - pixel.x, y: pixel.y)
      return targets.sample(of: target, touchedAt: geometry.windowFromDisplay.map(reported))
    }
    let fit = try #require(CalibrationFit(Array(samples.prefix(5))))
    let mirrored: Point<NormalizedSpace> = fit.matrix.map(Point<NormalizedSpace>(x: 0.25, y: 0.75))
    #expect(abs(mirrored.x - 0.75) < 1e-9 && abs(mirrored.y - 0.75) < 1e-9)
  }

  @Test(arguments: DisplayGeometry.Rotation.allCases)
  func `a device that covers a region is calibrated for it`(rotation: DisplayGeometry.Rotation) throws {
    let geometry = DisplayGeometry(
      displaySize: Self.size, canvasSize: Size(width: 640, height: 400), scale: .stretch, rotation: rotation)
    let output = WindowRect(x: 320, y: 0, width: 320, height: 400)
    let targets = CalibrationTargets(output: output, geometry: geometry)
    #expect(targets.points.allSatisfy { output.contains($0) })
    let range = AxisRange(minimum: 0, maximum: 999)
    let bare = Mapping(x: range, y: range, geometry: geometry)
    // A panel on that half of the display, which reports a tenth of its width too far to its right.
    var right = Mapping.Settings()
    right.output = output
    let device = try #require(
      Mapping(x: range, y: range, settings: right, geometry: geometry).windowFromDevice.inverse)
    let samples = targets.points.map { target in
      let raw: Point<DeviceSpace> = device.map(target)
      return targets.sample(of: target, touchedAt: bare.map(Point(x: raw.x + 100, y: raw.y)))
    }
    let result = CalibrationResult(Array(samples.prefix(5)), check: samples[5], size: targets.size)
    right.calibration = try #require(result.fit).matrix
    let mended = Mapping(x: range, y: range, settings: right, geometry: geometry)
    let raw: Point<DeviceSpace> = device.map(WindowPoint(x: 400, y: 100))
    let location = mended.map(Point(x: raw.x + 100, y: raw.y))
    #expect(abs(location.x - 400) < 1e-6 && abs(location.y - 100) < 1e-6, "\(location)")
  }
}
