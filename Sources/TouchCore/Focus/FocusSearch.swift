/// All focusable items in a view, in the order of the tree, with their places. It is made anew for each
/// question. An item that is not visible is not focused. (`UIFocusItem.canBecomeFocused`: "if an item is
/// visually obscured or offscreen, it may not be focusable".) Items that can be scrolled into view count as
/// visible, except for an arrow that comes from outside the scrolling view.
struct FocusSearch {
  struct Candidate {
    let item: FocusSystem.Item
    /// The item's rectangle, clipped by the views around it up to the innermost one that scrolls.
    let rect: WindowRect
    /// The index in `scrollers` of the innermost view around the item that scrolls.
    fileprivate let scroller: Int?
  }

  private struct Scroller {
    let view: View
    /// The visible rectangle, clipped as `Candidate.rect` is.
    let rect: WindowRect
    /// The index in `scrollers` of the next scrolling view around this one.
    let outer: Int?
  }

  /// The clipping on the way from the scope to a view.
  private struct Way {
    /// The clip within the innermost view that scrolls; nil for none.
    var rect: WindowRect?
    var scroller: Int?
    /// Whether a view around is an item, so that texts in it are a part of that.
    var isInItem = false

    func cut(_ other: WindowRect) -> WindowRect { rect.map { $0.intersection(other) } ?? other }
  }

  private(set) var candidates: [Candidate] = []
  private var scrollers: [Scroller] = []
  private let window: Window?
  /// The visible views whose superview keeps a focus for each of them.
  private(set) var shownGroups: [View] = []
  var scroller: View? { scrollers.first?.view }

  /// Collects the items of a view that are enabled, and visible or within reach of scrolling.
  init(in scope: View) {
    window = scope.window
    let isElement = window?.usedFocusSystem?.exploration?.isElement
    // A list in place of recursion, because a tree may be deep. The next view is the last one.
    var waiting: [(view: View, way: Way)] = [(scope, Way(rect: scope.windowFrame))]
    while let (view, outside) = waiting.popLast() {
      var way = outside
      // A disabled window still counts as a scope.
      if view !== scope, isElement == nil ? view.hitTestRefusal != nil : view.isUnseen { continue }
      if view !== scope && scope === window && view.isWindowCover { continue }
      let scrolls = view is any FocusScroller
      let clip: WindowRect? = view.clipsToBounds ? way.cut(view.windowFrame) : nil
      if let clip, clip.isEmpty, view !== scope { continue }
      if view.superview?.keepsFocus(of: view) ?? false { shownGroups.append(view) }
      if view.canBecomeFocused || isElement?(view) ?? false && !way.isInItem {
        add(view, way)
        way.isInItem = true
      }
      if view.hitBehavior?.pointerEvents == .boxOnly { continue }
      if scrolls {
        let seen = clip ?? way.cut(view.windowFrame)
        scrollers.append(Scroller(view: view, rect: seen, outer: way.scroller))
        way = Way(rect: nil, scroller: scrollers.count - 1, isInItem: way.isInItem)
      } else if let clip {
        way.rect = clip
      }
      for subview in view.layeredSubviews.reversed() { waiting.append((subview, way)) }
    }
  }

  private mutating func add(_ view: View, _ way: Way) {
    let parts = view.focusPartCount
    let matrix = view.windowFromLocal
    func append(_ part: Int?, _ local: LocalRect) {
      let rect: WindowRect = way.cut(matrix.bounding(local))
      guard !rect.isEmpty else { return }
      candidates.append(Candidate(item: .init(view, part: part), rect: rect, scroller: way.scroller))
    }
    if parts == 0 { return append(nil, view.bounds) }
    for part in 0..<parts { append(part, view.focusRect(of: part).intersection(view.bounds)) }
  }

  // MARK: Visibility

  /// Whether an item is visible, or can be scrolled into view by some `scrollers` (indices; nil for all).
  private func isSeen(_ candidate: Candidate, scrolling inside: Set<Int>? = nil) -> Bool {
    guard let window, window.fixedTarget == nil else { return true }
    var (view, rect, next) = (candidate.item.view, candidate.rect, candidate.scroller)
    while let place = next {
      let scroller = scrollers[place]
      let seen = rect.intersection(scroller.rect)
      if inside?.contains(place) ?? true {
        // Scrolling uncovers an item of what lies over the scrolling view, not of what scrolls with it.
        if !seen.isEmpty, isCovered(view, seen, by: scroller.view, in: window) { return false }
        (view, rect) = (scroller.view, scroller.rect)
      } else {
        rect = seen
      }
      next = scroller.outer
    }
    return rect.isEmpty || !isCovered(view, rect, by: window, in: window)
  }

  /// Whether every probed point of a rectangle hits something in front of the view, within a group.
  private func isCovered(_ view: View, _ rect: WindowRect, by group: View, in window: Window) -> Bool {
    Self.probes.allSatisfy { x, y in
      let point = LocalPoint(x: rect.minX + rect.size.width * x, y: rect.minY + rect.size.height * y)
      guard let hit = window.hitTest(point, with: nil), hit !== view, hit.isDescendant(of: group),
        hit.isInFront(of: view)
      else { return false }
      // A field that is edited moves out from under the keyboard.
      return !window.responderWatchers.contains { hit.isDescendant(of: $0) }
    }
  }

  /// The middle and four points near the corners, as shares of the width and the height.
  private static let probes = [(0.5, 0.5), (0.125, 0.125), (0.875, 0.125), (0.125, 0.875), (0.875, 0.875)]

  /// The part of a candidate that an arrow can reach, with some `scrollers` by index; nil for none.
  private func rect(of candidate: Candidate, scrolling inside: Set<Int>) -> WindowRect? {
    var (rect, next) = (candidate.rect, candidate.scroller)
    while let place = next, !inside.contains(place) {
      rect = rect.intersection(scrollers[place].rect)
      next = scrollers[place].outer
    }
    return rect.isEmpty ? nil : rect
  }

  func item(at point: WindowPoint) -> FocusSystem.Item? {
    candidates.last {
      (rect(of: $0, scrolling: [])?.contains(point) ?? false) && isSeen($0, scrolling: [])
    }?.item
  }

  // MARK: In order

  var first: FocusSystem.Item? { candidates.first { isSeen($0) }?.item }

  func has(_ item: FocusSystem.Item) -> Bool { place(of: item).map { isSeen(candidates[$0]) } ?? false }

  func place(of item: FocusSystem.Item) -> Int? { candidates.firstIndex { $0.item == item } }

  /// The item that a heading leads to: in the tree's order, round its ends, or by position; nil for none.
  func item(from item: FocusSystem.Item, _ heading: FocusHeading) -> FocusSystem.Item? {
    guard let place = place(of: item) else { return nil }
    return switch heading {
    case .next: self.item(after: place, by: 1)
    case .previous: self.item(after: place, by: -1)
    case .up, .down, .left, .right: neighbor(of: place, heading)
    case .none: nil
    }
  }

  /// The nearest visible item before or after an index, beginning again at either end.
  private func item(after place: Int, by step: Int) -> FocusSystem.Item? {
    let count = candidates.count
    return (1..<max(1, count)).lazy.map { candidates[(place + step * $0 + count * $0) % count] }
      .first { isSeen($0) }?.item
  }

  /// Whether a step from one item to another passes an end of the order.
  func goesRound(from item: FocusSystem.Item, to other: FocusSystem.Item, _ heading: FocusHeading) -> Bool {
    guard let start = place(of: item), let end = place(of: other) else { return false }
    return heading == .next ? end <= start : heading == .previous && end >= start
  }

  /// The first visible item in a view for `next`, the last one for any other heading.
  func end(of group: View, _ heading: FocusHeading) -> FocusSystem.Item? {
    let items = inside(group)
    return heading == .next ? items.first { isSeen($0) }?.item : items.last { isSeen($0) }?.item
  }

  /// The view, or the item in it nearest to the upper corner where reading begins. (App Programming Guide for
  /// tvOS: "nearest to the upper-left corner")
  func initial(in group: View) -> FocusSystem.Item? {
    let corner = group.windowFrame
    let isMirrored = window?.layoutDirection == .rightToLeft
    return cheapest(of: inside(group).map { (Cost(from: corner, to: $0.rect, isMirrored: isMirrored), $0) })
  }

  private func inside(_ group: View) -> [Candidate] {
    candidates.filter { $0.item.view.isDescendant(of: group) }
  }

  // MARK: Geometry

  /// The nearest item in the direction of an arrow, within the innermost group around the item that has one.
  /// An item straight ahead goes before an item to the side. (`UIFocusGuide`, "The focus engine determines
  /// where focus should move by looking in the direction of the movement for the nearest focusable region":
  /// App Programming Guide for tvOS.)
  private func neighbor(of place: Int, _ heading: FocusHeading) -> FocusSystem.Item? {
    let from = candidates[place]
    // The views around the item may scroll to show the next one.
    var (scrolling, next): (Set<Int>, Int?) = ([], from.scroller)
    while let scroller = next {
      scrolling.insert(scroller)
      next = scrollers[scroller].outer
    }
    func best(_ others: [Candidate]) -> FocusSystem.Item? {
      cheapest(
        of: others.compactMap { other in
          rect(of: other, scrolling: scrolling).flatMap { Cost(from: from.rect, to: $0, heading) }
            .map { ($0, other) }
        }, scrolling: scrolling)
    }
    if from.item.part != nil {
      let others = candidates.filter { $0.item.view === from.item.view && $0.item != from.item }
      if let part = best(others) { return part }
    }
    var group: View? = from.item.view.superview
    while let view = group {
      if view.isFocusGroup || view.superview == nil,
        let found = best(inside(view).filter { $0.item.view !== from.item.view })
      {
        return found
      }
      group = view.superview
    }
    return nil
  }

  /// The visible item with the lowest cost. The cheapest is tested first, to save hit tests.
  private func cheapest(
    of others: [(cost: Cost, candidate: Candidate)], scrolling inside: Set<Int>? = nil
  ) -> FocusSystem.Item? {
    guard let best = others.min(by: { $0.cost < $1.cost }) else { return nil }
    if isSeen(best.candidate, scrolling: inside) { return best.candidate.item }
    return others.sorted { $0.cost < $1.cost }.first { isSeen($0.candidate, scrolling: inside) }?
      .candidate.item
  }

  /// The cost of a move; the cheapest item is the nearest.
  private struct Cost: Comparable {
    let isAside: Bool
    let distance: Double
    /// The distance of the middle from the line of movement.
    let offset: Double

    /// Returns nil for a rectangle that does not lie in the direction.
    init?(from: WindowRect, to: WindowRect, _ heading: FocusHeading) {
      let (start, end) = (Span(of: from, along: heading), Span(of: to, along: heading))
      // The other rectangle's middle and far edge must lie further on, or it covers a part of the start.
      guard end.middle > start.middle, end.high > start.high || end.low >= start.high else { return nil }
      let ahead = max(0, end.low - start.high)
      let (here, there) = (Span(of: from, across: heading), Span(of: to, across: heading))
      let gap = max(0, max(there.low - here.high, here.low - there.high))
      isAside = there.low >= here.high || here.low >= there.high
      distance = isAside ? (ahead * ahead + gap * gap).squareRoot() : ahead
      offset = abs(there.middle - here.middle)
    }

    /// The squared distance between the middles.
    init(from: WindowRect, to: WindowRect) {
      let (x, y) = (to.midX - from.midX, to.midY - from.midY)
      (isAside, distance, offset) = (false, x * x + y * y, 0)
    }

    /// The squared distance from the corner where reading begins to that of another rectangle. Vertical
    /// distance counts four times, so that a row's end goes before the row below.
    init(from: WindowRect, to: WindowRect, isMirrored: Bool) {
      let (x, y) = (isMirrored ? from.maxX - to.maxX : to.minX - from.minX, to.minY - from.minY)
      (isAside, distance, offset) = (false, x * x / 16 + y * y, 0)
    }

    static func < (one: Cost, other: Cost) -> Bool {
      if one.isAside != other.isAside { return other.isAside }
      return (one.distance, one.offset) < (other.distance, other.offset)
    }
  }

  /// The extent of a rectangle in the direction of a heading, growing along it.
  private struct Span {
    let low, high: Double
    var middle: Double { (low + high) / 2 }

    init(of rect: WindowRect, along heading: FocusHeading) {
      switch heading {
      case .up: (low, high) = (-rect.maxY, -rect.minY)
      case .down: (low, high) = (rect.minY, rect.maxY)
      case .left: (low, high) = (-rect.maxX, -rect.minX)
      case .right, .next, .previous, .none: (low, high) = (rect.minX, rect.maxX)
      }
    }

    init(of rect: WindowRect, across heading: FocusHeading) {
      switch heading {
      case .up, .down: self.init(of: rect, along: .right)
      case .left, .right, .next, .previous, .none: self.init(of: rect, along: .down)
      }
    }
  }

  /// The item in a group whose middle is nearest to that of a rectangle.
  func nearest(to rect: WindowRect, in group: View) -> FocusSystem.Item? {
    cheapest(of: inside(group).map { (Cost(from: rect, to: $0.rect), $0) })
  }
}

extension View {
  fileprivate final var isUnseen: Bool {
    refusals[.hidden] || refusals[.otherPage] || refusals[.transparent]
  }

  /// Whether the view lies in front of another one that is neither above nor below it in the tree.
  fileprivate final func isInFront(of other: View) -> Bool {
    var (mine, others) = (path, other.path)
    while let one = mine.last, let another = others.last {
      guard one !== another else {
        mine.removeLast()
        others.removeLast()
        continue
      }
      return one.superview?.layeredSubviews.last { $0 === one || $0 === another } === one
    }
    return false
  }

  /// The view and its superviews, from the inside out.
  private var path: [View] {
    var path = [self]
    while let next = path.last?.superview { path.append(next) }
    return path
  }
}
