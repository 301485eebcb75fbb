import TouchCore

/// Scroll views in each other: which of them takes a drag, and which go along with it.
///
/// A drag is decided once, when it begins: the innermost scroll view that can follow it takes it. Where its
/// content comes to an end, the scroll views around it are dragged along, the nearest first, and only when
/// these are at their ends too does the content stretch. All of that is a function of where the finger is, so
/// a finger that comes back brings all of them back in reverse order. (`UIScrollView` drags its parent along
/// in the same way; Apple does not document it.)
extension ScrollView {
  /// Returns whether a finger that moved this far scrolls this view, and not one around it.
  /// - Parameter least: the least distance along an axis.
  func scrolls(by translation: LocalVector, least: Double) -> Bool {
    let range = range
    let (x, y) = (abs(translation.x), abs(translation.y))
    let (goesX, goesY) = (range.x.isOpen, range.y.isOpen)
    let way = goesX && goesY ? translation.length : goesX ? x : goesY ? y : 0
    guard way > 0, way >= least else { return false }
    // Where another one could take the drag, this one takes what goes along its own axes and not beyond its
    // ends.
    let isAlongX = x > y
    let isOwn =
      isAlongX
      ? range.x.leads(from: offset.x, by: -translation.x) : range.y.leads(from: offset.y, by: -translation.y)
    return isOwn || !isInsideScrollView(alongX: isAlongX, translation)
  }

  private func isInsideScrollView(alongX: Bool, _ translation: LocalVector) -> Bool {
    var next = enclosingScrollView
    while let outer = next {
      let range = outer.range
      if outer.isScrollEnabled,
        alongX
          ? range.x.leads(from: outer.offset.x, by: -translation.x)
          : range.y.leads(from: outer.offset.y, by: -translation.y)
      {
        return true
      }
      next = outer.enclosingScrollView
    }
    return false
  }

  // MARK: Going along

  /// Drags the scroll views around this one along.
  /// - Parameter way: the distance that the finger has dragged the content beyond its edges.
  /// - Returns: the part of it that they took.
  func dragAlong(_ way: LocalVector) -> LocalVector {
    guard way != .zero || !led.isEmpty else { return .zero }
    var rest = convertToWindow(way)
    var next = enclosingScrollView
    while let outer = next {
      rest = rest - outer.convertToWindow(outer.goAlong(outer.convertFromWindow(rest), with: self))
      next = outer.enclosingScrollView
    }
    return way - convertFromWindow(rest)
  }

  /// Follows a finger that drags a scroll view in this one beyond its edges, as far as possible.
  /// - Parameter way: the present distance of the finger beyond them.
  /// - Returns: the part of it that this view took.
  private func goAlong(_ way: LocalVector, with leader: ScrollView) -> LocalVector {
    let range = range
    guard isScrollEnabled, way.isFinite, let drag = drag(by: leader, at: way, in: range) else { return .zero }
    // One that was beyond its edges when it was taken along comes back by itself later.
    func place(_ range: ClosedRange<Double>, _ origin: Double, _ way: Double) -> Double {
      min(max(origin + way, min(range.lowerBound, origin)), max(range.upperBound, origin))
    }
    let next = LocalPoint(
      x: place(range.x, drag.origin.x, way.x - drag.translation.x),
      y: place(range.y, drag.origin.y, way.y - drag.translation.y))
    if next != offset { show(next) }
    return next.vector(from: drag.origin) + drag.translation
  }

  /// The drag of the leader's finger; nil if this view does not follow it.
  private func drag(
    by leader: ScrollView, at way: LocalVector, in range: (x: ClosedRange<Double>, y: ClosedRange<Double>)
  ) -> Drag? {
    if case .dragging(let drag) = state { return drag.leader == ObjectIdentifier(leader) ? drag : nil }
    // A program may have moved it since it was taken along: it goes on from where it is.
    let isLed = leader.led.contains { $0 === self }
    guard isLed || range.x.leads(from: offset.x, by: way.x) || range.y.leads(from: offset.y, by: way.y) else {
      return nil
    }
    if !isLed { leader.led.append(self) }
    let drag = Drag(
      origin: offset, translation: isLed ? way : .zero, lock: nil, leader: ObjectIdentifier(leader))
    take(drag)
    return drag
  }

  /// The content has moved under the finger: those that it has dragged along stay where they are until the
  /// end is reached again.
  func stopLed() {
    for outer in led {
      guard case .dragging(var drag) = outer.state, drag.leader == ObjectIdentifier(self) else { continue }
      (drag.origin, drag.translation) = (outer.offset, .zero)
      outer.state = .dragging(drag)
    }
  }

  /// The finger lifts: along each axis, the scroll view that it moved last goes on with its speed.
  /// - Parameter velocity: the velocity of the finger.
  func release(_ velocity: WindowVector, at time: Timestamp) {
    let own = convertFromWindow(velocity)
    guard !led.isEmpty else { return letGo(own, at: time) }
    // What stretches springs back, whatever was dragged along before that.
    let range = range
    let stretch = LocalVector(
      x: range.x.contains(offset.x) ? 0 : own.x, y: range.y.contains(offset.y) ? 0 : own.y)
    var rest = convertToWindow(own - stretch)
    while let outer = led.popLast() {
      guard case .dragging(let drag) = outer.state, drag.leader == ObjectIdentifier(self) else { continue }
      let speed = outer.convertFromWindow(rest)
      let part = LocalVector(
        x: outer.offset.x != drag.origin.x ? speed.x : 0, y: outer.offset.y != drag.origin.y ? speed.y : 0)
      rest = rest - outer.convertToWindow(part)
      outer.letGo(part, by: self, at: time)
    }
    letGo(convertFromWindow(rest) + stretch, at: time)
  }
}

extension ClosedRange<Double> {
  /// Returns the distance of dragged content beyond an edge, without that at the beginning of the drag.
  /// - Parameter offset: the offset that the content would have without edges.
  /// - Parameter start: the same at the beginning of the drag.
  func excess(of offset: Double, beyond start: Double) -> Double {
    offset - Swift.min(Swift.max(offset, Swift.min(start, lowerBound)), Swift.max(start, upperBound))
  }
}
