import TouchCore

// How large views are in a stack, or in a scroll view.

extension View {
  /// The width that the view has in a stack whatever its content is; nil for none. In the view's own units.
  /// (A constant constraint of `UIView.widthAnchor`.)
  public final var fixedWidth: Double? {
    get { knownLayer?.fixedWidth }
    set {
      guard newValue != fixedWidth else { return }
      ownLayer.fixedWidth = newValue
      invalidateIntrinsicContentSize()
    }
  }

  /// The height that the view has in a stack, like `fixedWidth`. (`UIView.heightAnchor`.)
  public final var fixedHeight: Double? {
    get { knownLayer?.fixedHeight }
    set {
      guard newValue != fixedHeight else { return }
      ownLayer.fixedHeight = newValue
      invalidateIntrinsicContentSize()
    }
  }

  /// The space between the view and the next one in a row or a column, in units of the stack; nil for the
  /// stack's own spacing. (`UIStackView.setCustomSpacing(_:after:)`.)
  public final var spacingAfter: Double? {
    get { knownLayer?.spacingAfter }
    set {
      guard newValue != spacingAfter else { return }
      ownLayer.spacingAfter = newValue
      invalidateIntrinsicContentSize()
    }
  }

  /// Notes that the view shows another text or picture, or looks different.
  final func contentChanged(_ changed: Bool) {
    guard changed else { return }
    setNeedsDisplay()
    invalidateIntrinsicContentSize()
  }

  final func measuredSize(
    atWidth width: Double, _ hugging: ContentLength.Hugging = .content
  ) -> ContentSize {
    guard let window, let size = window.contentMeasurer?(self, width) else { return .none }
    // Whole pixels stay as many at every place.
    func length(_ length: Double, _ scale: Double) -> ContentLength {
      ContentLength((length * max(1, scale) - 1e-6).rounded(.up) / max(1, scale), hugging)
    }
    return ContentSize(
      width: length(size.width, window.pixelsPerUnit.width),
      height: length(size.height, window.pixelsPerUnit.height))
  }

  /// Returns a rectangle with its edges at whole pixels, or at whole units where a pixel is larger than one.
  final func onPixels(_ rect: LocalRect) -> LocalRect {
    let pixels = window?.pixelsPerUnit ?? Size(width: 1, height: 1)
    func edge(_ place: Double, _ scale: Double) -> Double {
      (place * max(1, scale)).rounded() / max(1, scale)
    }
    let (left, top) = (edge(rect.minX, pixels.width), edge(rect.minY, pixels.height))
    return LocalRect(
      x: left, y: top, width: edge(rect.maxX, pixels.width) - left,
      height: edge(rect.maxY, pixels.height) - top)
  }

  /// The view's size for a stack: its own settings before its content.
  /// - Parameter width: the room that it has.
  final func arrangedSize(atWidth width: Double) -> ContentSize {
    var size = ContentSize.none
    let (fixedWidth, fixedHeight) = (fixedWidth, fixedHeight)
    if fixedWidth == nil || fixedHeight == nil { size = contentSize(atWidth: fixedWidth ?? width) }
    if let fixedWidth { size.width = ContentLength(fixedWidth, .required) }
    if let fixedHeight { size.height = ContentLength(fixedHeight, .required) }
    return size
  }
}

extension Window {
  /// Measures the text or the picture of a view that is to be shown at most so wide, in the view's units; nil
  /// for a view that it cannot measure. The module has no fonts, so this comes from the renderer; without it,
  /// labels, buttons and images have no size of their own in a stack.
  public final var contentMeasurer: ((_ view: View, _ width: Double) -> Size?)? {
    get { knownLayer?.contentMeasurer }
    set { ownLayer.contentMeasurer = newValue }
  }

  /// Says where the letters of a line of text stand; nil where there is no font. Without it, text fields take
  /// all letters for as wide. It comes from the renderer, as `contentMeasurer` does.
  public final var caretMeasurer: ((_ text: String, _ style: TextStyle) -> CaretPlaces?)? {
    get { knownLayer?.caretMeasurer }
    set { ownLayer.caretMeasurer = newValue }
  }

  /// Returns the seconds since midnight, where people are, for the axes of charts; nil where the time of day
  /// does not matter.
  public final var timeOfDay: (() -> Double)? {
    get { knownLayer?.timeOfDay }
    set { ownLayer.timeOfDay = newValue }
  }

  /// The colour of the ring around the focused item; nil for that of the mark on a touched view.
  package final var focusColor: Color? {
    get { knownLayer?.focusColor }
    set {
      guard newValue != focusColor else { return }
      ownLayer.focusColor = newValue
      setNeedsDisplay()
    }
  }
}
