import TouchCore
import TouchPixels
import TouchViews

// What opaque views hide, which is not painted.

extension TreePainter {
  /// Whether a view, or one of its subviews, hides everything behind it.
  func hides(
    _ clip: PixelRect, with view: View, _ subviews: VisibleSubviews, _ matrix: AffineTransform
  ) -> Bool {
    !view.isConcealed && ControlStyle.opacity(of: view) == 255
      && (subviews.hiding != nil || fills(clip, with: view, matrix))
  }

  /// The place of the last subview that hides the view and all subviews before it. Only direct subviews are examined, so that
  /// the check never costs more than painting.
  func placeThatHides(
    _ view: View, _ places: Range<Int>, _ matrix: AffineTransform, _ clip: PixelRect
  ) -> Int? {
    // Clipped subviews may leave a part of the view visible.
    guard !view.clipsToBounds else { return nil }
    return places.last { place in
      let subview = visible[place]
      return ControlStyle.background(of: subview)?.alpha == 255 && !subview.isConcealed
        && ControlStyle.opacity(of: subview) == 255
        && fills(clip, with: subview, subview.parentFromLocal.then(matrix))
    }
  }

  /// The one opaque pixel that a view and everything in it have in a clip: what a button without text has after it was pressed. Nil where
  /// more is painted there than the background of one plain view, or where that is not known at once.
  func pixelThatFills(_ clip: PixelRect, with view: View, _ matrix: AffineTransform) -> UInt32? {
    guard !view.isConcealed, ControlStyle.opacity(of: view) == 255, !view.isDecorated, !view.isPrivate,
      // A subclass may draw.
      view.hasStandardHitTest || type(of: view) == Window.self, view.focusMark == .none,
      Self.paintsNoContent(view), ControlStyle.selectionRing(of: view) == nil
    else { return nil }
    var pixel: UInt32?
    withSubviews(of: view, matrix, clip) { subviews in
      if subviews.places.isEmpty {
        if fills(clip, with: view, matrix) { pixel = ControlStyle.background(of: view)?.premultiplied() }
      } else if let hiding = subviews.hiding, hiding == subviews.places.upperBound - 1,
        ControlStyle.border(of: view) == nil
      {
        let subview = visible[hiding]
        pixel = pixelThatFills(clip, with: subview, subview.parentFromLocal.then(matrix))
      }
    }
    return pixel
  }

  /// Whether a view has nothing of its own between its background and its subviews.
  private static func paintsNoContent(_ view: View) -> Bool {
    switch view.kind {
    case .view, .window, .stack, .pages, .sheet: true
    case .button: !ControlStyle.showsTitle(view)
    default: false
    }
  }

  /// Has the next fill leave out what subviews cover completely: a card on a page, a button on a card. Only direct subviews are examined.
  func spareHidden(
    by subviews: VisibleSubviews, of view: View, _ matrix: AffineTransform, _ clip: PixelRect
  ) {
    // Clipped subviews may leave a part of the view visible.
    guard !view.clipsToBounds else { return }
    for place in subviews.places {
      let subview = visible[place]
      guard ControlStyle.background(of: subview)?.alpha == 255, !subview.isConcealed, !subview.isDecorated,
        ControlStyle.opacity(of: subview) == 255, ControlStyle.border(of: subview) == nil
      else { continue }
      let radius = subview.appearance.cornerRadius
      let displayFromSubview = subview.parentFromLocal.then(matrix)
      if let shape = RoundedRect(
        subview.bounds, radiusX: radius, radiusY: radius, displayFromLocal: displayFromSubview)
      {
        compositor.spare(shape.inside.intersection(clip))
      }
    }
  }

  /// Whether a view's background covers all of these pixels completely. Views with a border are not counted.
  private func fills(_ clip: PixelRect, with view: View, _ matrix: AffineTransform) -> Bool {
    guard ControlStyle.background(of: view)?.alpha == 255, view.appearance.cornerRadius <= 0,
      ControlStyle.border(of: view) == nil
    else { return false }
    return RoundedRect(view.bounds, displayFromLocal: matrix)?.covers(clip) ?? false
  }
}
