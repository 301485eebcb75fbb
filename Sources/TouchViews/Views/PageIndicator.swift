import TouchCore

/// A row of dots, one for each page; that of the page that is shown is brighter. A tap on the right half
/// shows the next page, one on the left half the previous one. (`UIPageControl`.)
package final class PageIndicator: ValueControl {
  private unowned let owner: PagesView
  private var count = 0
  private var current: Int?

  /// The size of a dot, and the distance of dots, in units.
  private static let (dot, distance) = (8.0, 16.0)
  private static let height = 26.0

  package override class var standardHitTestClass: View.Type { PageIndicator.self }

  init(of owner: PagesView) {
    self.owner = owner
    super.init(id: "\(owner.id).indicator")
    minimumHitSize = Self.fingerSize
    // In front of the pages, however late they come.
    var behavior = HitBehavior()
    behavior.z = NumberRange.farthest
    hitBehavior = behavior
  }

  /// The pages, or the one that is shown, have changed.
  func follow(without leaving: View? = nil) {
    let pages = owner.pages.filter { $0 !== leaving }
    current = pages.firstIndex { $0 === owner.page }
    setNeedsDisplay()
    guard pages.count != count else { return }
    count = pages.count
    place()
  }

  /// Places the dots in the middle of the bottom edge.
  func place() {
    let (width, room) = (Double(count) * Self.distance + Self.distance, owner.bounds)
    layoutRect = LocalRect(
      x: (room.minX + (room.size.width - width) / 2).rounded(), y: room.maxY - Self.height, width: width,
      height: Self.height)
  }

  /// Whether the first page's dot is at the right.
  private var isMirrored: Bool { effectiveUserInterfaceLayoutDirection == .rightToLeft }

  /// The rectangles of the dots, and whether each is the brighter one.
  var dots: [(rect: LocalRect, isCurrent: Bool)] {
    (0..<count).map { index in
      let place = isMirrored ? count - 1 - index : index
      let x = bounds.minX + Self.distance / 2 + (Self.distance - Self.dot) / 2 + Double(place) * Self.distance
      let y = bounds.minY + (Self.height - Self.dot) / 2
      return (LocalRect(x: x, y: y, width: Self.dot, height: Self.dot), index == current)
    }
  }

  /// The halves on which a tap turns back, and on.
  package override var focusPartCount: Int { count > 1 ? 2 : 0 }

  package override func focusRect(of part: Int) -> LocalRect {
    let half = bounds.size.width / 2
    return LocalRect(
      x: bounds.minX + Double(part) * half, y: bounds.minY, width: half, height: bounds.size.height)
  }

  package override func endTracking(_ touch: Touch, with event: Event) {
    super.endTracking(touch, with: event)
    guard isTouchInside else { return }
    owner.slide(by: (touch.location(in: self).x < bounds.midX) == isMirrored ? 1 : -1)
  }

  /// Keeps taps from recognisers of other views. (UIKit since iOS 6.)
  package override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer)
  }

  // MARK: Drawing

  package override func draw(in context: GraphicsContext) {
    var (current, other) = (colors.thumb, colors.track)
    // Its colours show on dark pages; those of a light theme are as light as the dots.
    let mark = surfaceColor.contrast
    if mark != .white { (current, other) = (mark, mark.withAlpha(0.25)) }
    (current, other) = (owner.currentDotColor ?? current, owner.dotColor ?? other)
    for (rect, isCurrent) in dots { context.fillMoving(rect, with: isCurrent ? current : other) }
  }
}
