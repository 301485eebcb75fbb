/// Everything that can be focused in a view, in the order of the tree, and where it is: made for one question.
struct FocusSearch {
  struct Candidate {
    let item: FocusSystem.Item
    let rect: WindowRect
  }

  private(set) var candidates: [Candidate] = []
  /// The views on the way that remember what was focused in them, of those that are seen.
  private(set) var shownGroups: [View] = []
  /// The first view that scrolls; nil for none.
  private(set) var scroller: View?

  /// Looks for everything in a view that is seen and can be touched, or can be scrolled to.
  init(in scope: View) {
    let whole: WindowRect = scope.windowFrame
    // A tree may be deeper than the stack allows, so the views wait on a list, the next one last.
    var waiting: [(view: View, canScroll: Bool)] = [(scope, false)]
    while let (view, canScroll) = waiting.popLast() {
      // The window may be a disabled one: what is in it counts.
      if view !== scope && view.hitTestRefusal != nil { continue }
      if view !== scope && scope is Window && view.isWindowCover { continue }
      if view.superview?.keepsFocus(of: view) ?? false { shownGroups.append(view) }
      let scrolls = view is any FocusScroller
      if scrolls && scroller == nil { scroller = view }
      if view.canBecomeFocused { add(view, canScroll ? nil : whole) }
      if view.hitBehavior?.pointerEvents == .boxOnly { continue }
      for subview in view.layeredSubviews.reversed() {
        waiting.append((subview, canScroll || scrolls))
      }
    }
  }

  private mutating func add(_ view: View, _ visible: WindowRect?) {
    let parts = view.focusPartCount
    let matrix = view.windowFromLocal
    func append(_ part: Int?, _ local: LocalRect) {
      let rect: WindowRect = matrix.bounding(local)
      guard rect.size.width > 0, rect.size.height > 0 else { return }
      if let visible, visible.intersection(rect).size == .zero { return }
      candidates.append(Candidate(item: .init(view, part: part), rect: rect))
    }
    if parts == 0 { return append(nil, view.bounds) }
    for part in 0..<parts { append(part, view.focusRect(of: part)) }
  }

  var first: FocusSystem.Item? { candidates.first?.item }

  func has(_ item: FocusSystem.Item) -> Bool { place(of: item) != nil }

  func place(of item: FocusSystem.Item) -> Int? { candidates.firstIndex { $0.item == item } }

  /// By its place, which goes round at both ends.
  func item(at place: Int) -> FocusSystem.Item? {
    guard !candidates.isEmpty else { return nil }
    return candidates[(place + candidates.count) % candidates.count].item
  }

  /// The view, or the first item in it.
  func item(in view: View?) -> FocusSystem.Item? { view.flatMap { inside($0).first?.item } }

  func inside(_ group: View) -> [Candidate] { candidates.filter { $0.item.view.isDescendant(of: group) } }

  // MARK: Geometry

  /// The item that an arrow leads to: the nearest one in that direction in the innermost group around the item that has one, where
  /// what lies straight ahead comes before what lies aside. (`UIFocusGuide`, "The focus engine determines where focus should move by
  /// looking in the direction of the movement for the nearest focusable region": App Programming Guide for tvOS.)
  func neighbor(of place: Int, _ heading: FocusHeading) -> FocusSystem.Item? {
    let from = candidates[place]
    if let part = neighboringPart(of: from, heading) { return part }
    var group: View? = from.item.view.superview
    while let view = group {
      if view.isFocusGroup || view.superview == nil {
        let found = best(from: from, heading, among: inside(view).filter { $0.item.view !== from.item.view })
        if let found { return found }
      }
      group = view.superview
    }
    return nil
  }

  private func neighboringPart(of from: Candidate, _ heading: FocusHeading) -> FocusSystem.Item? {
    guard from.item.part != nil else { return nil }
    return best(
      from: from, heading,
      among: candidates.filter { $0.item.view === from.item.view && $0.item != from.item })
  }

  private func best(
    from: Candidate, _ heading: FocusHeading, among others: [Candidate]
  ) -> FocusSystem.Item? {
    var best: (cost: (Int, Double, Double), item: FocusSystem.Item)?
    for other in others {
      guard let cost = Self.cost(from: from.rect, to: other.rect, heading) else { continue }
      if let best, best.cost <= cost { continue }
      best = (cost, other.item)
    }
    return best?.item
  }

  /// What is smaller is nearer: whether it lies aside, how far it is away, and how far its middle is off the way; nil for what does
  /// not lie in the direction.
  private static func cost(
    from: WindowRect, to: WindowRect, _ heading: FocusHeading
  ) -> (Int, Double, Double)? {
    let (start, end) = (Span(of: from, along: heading), Span(of: to, along: heading))
    // Its middle and its far edge lie further on; so does what covers a part of where one starts.
    guard end.middle > start.middle, end.high > start.high || end.low >= start.high else { return nil }
    let ahead = max(0, end.low - start.high)
    let (here, there) = (Span(of: from, across: heading), Span(of: to, across: heading))
    let gap = max(0, max(there.low - here.high, here.low - there.high))
    let isAside = there.low >= here.high || here.low >= there.high
    if isAside { return (1, (ahead * ahead + gap * gap).squareRoot(), abs(there.middle - here.middle)) }
    return (0, ahead, abs(there.middle - here.middle))
  }

  /// From where to where a rectangle reaches, in the direction of a heading.
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

  /// The item whose middle is nearest to that of a rectangle.
  func nearest(to rect: WindowRect, among others: [Candidate]) -> FocusSystem.Item? {
    func distance(_ other: WindowRect) -> Double {
      let (x, y) = (other.midX - rect.midX, other.midY - rect.midY)
      return x * x + y * y
    }
    return others.min { distance($0.rect) < distance($1.rect) }?.item
  }
}
