// The areas in which views paint, for painters that leave out everything outside the damage.

extension View {
  /// Appends the subviews that paint in an area, back to front, by boxes only: it may append others, and
  /// never leaves one out.
  package final func appendSubviews(
    paintingIn area: Rect<DisplaySpace>, displayFromLocal: AffineTransform,
    to list: inout ContiguousArray<View>
  ) {
    guard !storedSubviews.isEmpty else { return }
    let box = displayFromLocal.inverse.map { HitBounds(area).mapped(by: $0, inverse: displayFromLocal) }
    // A view without an inverse may lie in one that undoes this in rounding.
    let wanted = IndexProbe(overlapping: IndexBox(box ?? .everything))
    layeredSubviews.withUnsafeBufferPointer { subviews in
      // Nothing here can remove a view, so none is retained.
      subviews.withMemoryRebound(to: Unmanaged<View>.self) { subviews in
        for view in subviews where view._withUnsafeGuaranteedRef({ $0.paintedBounds.contains(wanted) }) {
          list.append(view.takeUnretainedValue())
        }
      }
    }
  }

  /// The box in the superview's space around everything that the view and its subviews paint, maybe too
  /// large. It is cached, or each picture would visit every view.
  @inline(__always)
  final var paintedBounds: IndexBox {
    if let knownPaintedBounds { return knownPaintedBounds }
    let bounds = IndexBox(findPaintedBounds())
    knownPaintedBounds = bounds
    return bounds
  }

  private func findPaintedBounds() -> HitBounds {
    guard !isConcealed else { return .nothing }
    guard let localFromParent else { return .everything }
    var painted = HitBounds(ownPaintedRect)
    if !clipsToBounds {
      for subview in storedSubviews { painted = painted.union(HitBounds(subview.paintedBounds)) }
    }
    return painted.mapped(by: parentFromLocal, inverse: localFromParent)
  }

  /// The area that the view paints without its subviews: its bounds, and the outset beyond them.
  final var ownPaintedRect: LocalRect { outpaint.map { bounds.outset(by: $0.insets) } ?? bounds }

  /// The distance beyond its bounds to which the view paints, unclipped, in its own units.
  package final var paintOutset: Insets {
    get { outpaint?.insets ?? .zero }
    set {
      guard newValue != paintOutset else { return }
      setNeedsDisplay()
      outpaint = newValue == .zero ? nil : Outpaint(newValue)
      paintedBoundsChanged()
      setNeedsDisplay()
    }
  }

  /// The reach of the ring around a focused view.
  package static let focusReach = 7.0

  /// Makes room for the ring beside what is there for a shadow, or takes it away.
  ///
  /// - Parameter before: the room without the ring.
  final func makeRoomForFocus(_ isShown: Bool, beside before: Insets) {
    let reach = Self.focusReach
    paintOutset =
      isShown
      ? Insets(
        top: max(before.top, reach), left: max(before.left, reach), bottom: max(before.bottom, reach),
        right: max(before.right, reach))
      : before
  }

  /// Forgets the painted bounds around the view, after it or something in it moved.
  final func paintedBoundsChanged() {
    knownPaintedBounds = nil
    // A view without known bounds does not count for its superview's, or its superview has none either.
    var view = superview
    while let current = view, current.knownPaintedBounds != nil {
      current.knownPaintedBounds = nil
      view = current.superview
    }
  }
}

/// The distance beyond its bounds to which a view paints: an object, since few do.
final class Outpaint {
  let insets: Insets

  init(_ insets: Insets) { self.insets = insets }
}

extension HitBounds {
  fileprivate init(_ rect: Rect<DisplaySpace>) {
    self.init(minX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
  }
}
