import TouchCore
import TouchPixels

// The pixels that opaque views hide. They are not painted.

extension TreePainter {
  func hides(
    _ clip: PixelRect, with view: View, _ subviews: VisibleSubviews, _ matrix: AffineTransform
  ) -> Bool {
    !view.isConcealed && view.shownOpacity == 255
      && (subviews.hiding != nil || fills(clip, with: view, matrix))
  }

  /// Returns the place of the last subview that hides the view and those before it, at little cost.
  func placeThatHides(
    _ view: View, _ places: Range<Int>, _ matrix: AffineTransform, _ clip: PixelRect
  ) -> Int? {
    // Clipped subviews may leave a part of the view visible.
    guard !view.clipsToBounds else { return nil }
    return places.last { place in
      let subview = visible[place]
      return subview.shownBackground?.alpha == 255 && !subview.isConcealed && subview.shownOpacity == 255
        && fills(clip, with: subview, subview.parentFromLocal.then(matrix))
    }
  }

  /// Returns the opaque pixel that fills a clip, as in a pressed button; nil if not known at once.
  /// - Parameter isFilled: whether the view's background is known to fill the clip.
  func pixelThatFills(
    _ clip: PixelRect, with view: View, _ matrix: AffineTransform, isFilled: Bool = false
  ) -> UInt32? {
    guard !view.isConcealed, view.shownOpacity == 255, !view.isDecorated, !view.isPrivate,
      type(of: view) == Window.self || view.drawnContent == .nothing, view.focusMark == .none,
      view.selectionRing == nil
    else { return nil }
    var pixel: UInt32?
    withSubviews(of: view, matrix, clip) { subviews in
      if subviews.places.isEmpty {
        if isFilled || fills(clip, with: view, matrix) { pixel = view.shownBackground?.premultiplied() }
      } else if let hiding = subviews.hiding, hiding == subviews.places.upperBound - 1,
        view.shownBorder == nil
      {
        let subview = visible[hiding]
        pixel = pixelThatFills(clip, with: subview, subview.parentFromLocal.then(matrix), isFilled: true)
      }
    }
    return pixel
  }

  /// Has the next fill leave out pixels that direct subviews cover completely, such as a card on a page.
  func spareHidden(
    by subviews: VisibleSubviews, of view: View, _ matrix: AffineTransform, _ clip: PixelRect
  ) {
    // Clipped subviews may leave a part of the view visible.
    guard !view.clipsToBounds else { return }
    for place in subviews.places {
      let subview = visible[place]
      guard subview.shownBackground?.alpha == 255, !subview.isConcealed, !subview.isDecorated,
        subview.shownOpacity == 255, subview.shownBorder == nil
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

  func fills(_ clip: PixelRect, with view: View, _ matrix: AffineTransform) -> Bool {
    guard view.shownBackground?.alpha == 255, view.appearance.cornerRadius <= 0, view.shownBorder == nil
    else { return false }
    return RoundedRect(view.bounds, displayFromLocal: matrix)?.covers(clip) ?? false
  }
}
