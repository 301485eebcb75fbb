import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// A scroll view of 200 × 200 units that zooms, against what Apple documents of UIKit's. Each row names its
/// source; `ours` is what the documentation leaves open.
@Suite struct ZoomTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var limits = (1.0, 4.0)
    var size = Size(width: 200, height: 200)
    var play: @Sendable (Scene) -> Void
    var zoom: Double
    var offset: LocalPoint
    var testDescription: String { "\(title) (\(source))" }
  }

  final class Scene {
    let stage = Stage()
    let scrollView = ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
    let content = View(id: "content")

    init(_ row: Row) {
      stage.add(scrollView)
      content.layoutRect = LocalRect(origin: .zero, size: row.size)
      scrollView.addSubview(content)
      (scrollView.scrolling.minimumZoom, scrollView.scrolling.maximumZoom) = row.limits
      stage.window.layoutIfNeeded()
    }

    /// Two fingers, from one distance to another about a point, which moves by a way. They come down 8 units
    /// before the first distance, at which a pinch begins.
    func pinch(
      from first: Double, to last: Double, about x: Double = 100, _ y: Double = 100,
      by way: (x: Double, y: Double) = (0, 0), lifts: Bool = true
    ) {
      func frame(_ kind: TouchChange.Kind, _ part: Double) {
        let start = first + (last > first ? -8 : 8)
        let half = (part < 0 ? start : first + (last - first) * part) / 2
        let (x, y) = (x + way.x * max(0, part), y + way.y * max(0, part))
        stage.frame((1, kind, x - half, y), (2, kind, x + half, y))
        stage.dispatcher.flush()
      }
      frame(.began, -1)
      for step in 0...20 { frame(.moved, Double(step) / 20) }
      stage.rest(seconds: 0.2)
      if lifts { frame(.ended, 1) }
    }

    func doubleTap(_ x: Double, _ y: Double) {
      stage.tap(x, y, serial: 1)
      stage.tap(x, y, serial: 2)
    }

    func wait() { stage.rest(seconds: 3) }
  }

  static let rows: [Row] = [
    Row(
      title: "without limits it does not zoom", source: "UIScrollView.maximumZoomScale: 1.0", limits: (1, 1),
      play: { $0.pinch(from: 40, to: 120) }, zoom: 1, offset: .zero),
    Row(
      title: "two fingers zoom, and what lies between them stays there",
      source: "Scroll View Programming Guide: zooming by pinching", play: { $0.pinch(from: 50, to: 100) },
      zoom: 2, offset: LocalPoint(x: 100, y: 100)),
    Row(
      title: "about the fingers, not about the middle of the view",
      source: "Scroll View Programming Guide: zooming by pinching",
      play: { $0.pinch(from: 40, to: 80, about: 50, 150) }, zoom: 2, offset: LocalPoint(x: 50, y: 150)),
    Row(
      title: "the content follows them, too", source: "UIScrollView.pinchGestureRecognizer",
      play: { $0.pinch(from: 50, to: 100, by: (-20, -30)) }, zoom: 2, offset: LocalPoint(x: 120, y: 130)),
    Row(
      title: "above the largest zoom it goes back when they lift", source: "UIScrollView.bouncesZoom",
      limits: (1, 2),
      play: {
        $0.pinch(from: 40, to: 180)
        $0.wait()
      }, zoom: 2, offset: LocalPoint(x: 100, y: 100)),
    Row(
      title: "until then it follows less", source: "UIScrollView.bouncesZoom", limits: (1, 2),
      play: { $0.pinch(from: 40, to: 160, lifts: false) }, zoom: 2 * (1 + (1 - 1 / (1 * 0.55 + 1))),
      offset: LocalPoint(x: 100 * 1.71, y: 100 * 1.71)),
    Row(
      title: "below the smallest zoom it goes back, too", source: "UIScrollView.bouncesZoom",
      play: {
        $0.pinch(from: 160, to: 40)
        $0.wait()
      }, zoom: 1, offset: .zero),
    Row(
      title: "content that is smaller than the view can become smaller still",
      source: "UIScrollView.minimumZoomScale", limits: (0.5, 1),
      play: {
        $0.pinch(from: 160, to: 80)
        $0.wait()
      }, zoom: 0.5, offset: .zero),
    Row(
      title: "a double tap makes it as large as it may be, about the finger", source: "ours", limits: (1, 2),
      play: {
        $0.doubleTap(50, 150)
        $0.wait()
      }, zoom: 2, offset: LocalPoint(x: 50, y: 150)),
    Row(
      title: "and another one shows all of it", source: "ours", limits: (1, 2),
      play: {
        $0.doubleTap(50, 150)
        $0.wait()
        $0.doubleTap(50, 150)
        $0.wait()
      }, zoom: 1, offset: .zero),
    Row(
      title: "a program zooms about the middle, inside the limits", source: "UIScrollView.zoomScale",
      play: { $0.scrollView.zoomScale = 9 }, zoom: 4, offset: LocalPoint(x: 300, y: 300)),
    Row(
      title: "at the edges the content stays inside", source: "UIScrollView.zoomScale",
      play: {
        $0.scrollView.zoomScale = 4
        $0.scrollView.contentOffset = .zero
        $0.scrollView.zoomScale = 2
      }, zoom: 2, offset: .zero),
    Row(
      title: "when one finger lifts the other one scrolls", source: "ours",
      play: {
        $0.pinch(from: 50, to: 100, lifts: false)
        $0.stage.frame((2, .ended, 150, 100))
        $0.stage.frame((1, .moved, 50, 80))
        $0.stage.dispatcher.flush()
        $0.stage.frame((1, .moved, 50, 60))
        $0.stage.dispatcher.flush()
        $0.stage.rest(seconds: 0.2)
        $0.stage.frame((1, .ended, 50, 60))
        $0.wait()
      }, zoom: 2, offset: LocalPoint(x: 100, y: 120)),
  ]

  @Test(arguments: rows) func `a scroll view zooms as UIKit documents`(row: Row) {
    let scene = Scene(row)
    row.play(scene)
    let (zoom, offset) = (scene.scrollView.zoomScale, scene.scrollView.contentOffset)
    #expect(abs(zoom - row.zoom) < 0.01, "\(zoom)")
    #expect(abs(offset.x - row.offset.x) <= 2 && abs(offset.y - row.offset.y) <= 2, "\(offset)")
    scene.stage.dispatcher.cancelAllTouches(at: scene.stage.time)
    scene.wait()
    #expect(scene.stage.dispatcher.deadline == nil, "at rest nothing is woken")
    #expect(scene.scrollView.scrolling.zoomLimits.contains(scene.scrollView.zoomScale))
    let frame = scene.content.frame
    #expect(abs(frame.minX) < 1e-6 && abs(frame.size.width - 200 * scene.scrollView.zoomScale) < 1e-6)
  }

  @Test func `what is set in a file, in whatever order, and what the content is laid out to`() throws {
    let scrollView = ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
    let row = scrollView.row
    scrollView.apply([
      try row("zoom", .number(3)), try row("maximum_zoom", .number(4)), try row("minimum_zoom", .number(0.5)),
    ])
    let content = View(id: "content")
    content.isArranged = true
    scrollView.addSubview(content)
    scrollView.layoutIfNeeded()
    #expect(scrollView.zoomScale == 3 && content.frame.size.width == 600)
    scrollView.layoutRect.size = Size(width: 100, height: 100)
    scrollView.layoutIfNeeded()
    #expect(content.frame == LocalRect(x: 0, y: 0, width: 300, height: 300))
  }
}

extension ScrollView {
  /// Reads a setting of a file.
  fileprivate var row: (String, PropertyValue) throws -> ViewSetting {
    { name, value in try ViewSetting(#require(ViewProperty.named(name, of: .scroll)), value, for: .scroll) }
  }
}
