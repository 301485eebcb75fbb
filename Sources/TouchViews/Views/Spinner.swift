import TouchCore

extension ViewKind {
  package static let spinner = ViewKind(
    "spinner", "a spinner", "spinners", .none, is: .small,
    alsoCalled: ["activityindicator", "loader", "loading", "busyindicator", "progressring"]
  ) { Spinner(id: $0) }
}

extension ViewProperty {
  static let ofSpinners: [ViewProperty] = [
    ViewProperty(
      "animating", \Spinner.isAnimating, .flag,
      "Whether the spokes turn. A spinner that stands still is not drawn."
    ),
    ViewProperty(
      "tint", \Spinner.color, PropertyType.color.orNone, is: [.cosmetic, .nullable],
      "The colour of the spokes. Default: one that shows on what is behind them."),
  ]
}

/// Spokes that turn while something goes on whose end is unknown. (`UIActivityIndicatorView`.)
///
/// A spinner that is not seen does not wake the program.
open class Spinner: View {
  /// Whether the spokes turn, as they do at first. A spinner that stands still is not drawn. (`isAnimating`,
  /// with `hidesWhenStopped`.)
  public final var isAnimating = true {
    didSet {
      guard oldValue != isAnimating else { return }
      deadline = nil
      setNeedsDisplay()
    }
  }
  /// The colour of the spokes; nil for black or white by what is behind them.
  /// (`UIActivityIndicatorView.color`.)
  public final var color: Color? { didSet { if oldValue != color { setNeedsDisplay() } } }

  /// The number of the bright spoke.
  private var phase = 0
  private static let spokes = 8
  /// The time of a whole turn, in seconds.
  private static let turn = 1.0

  /// Makes a spinner that turns.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    isUserInteractionEnabled = false
    mayRepeatDeadline = true
  }

  open override class var standardHitTestClass: View.Type { Spinner.self }

  /// Returns iOS's size.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: ContentLength(20, .high), height: ContentLength(20, .high))
  }

  open override func deadlinePassed(with event: Event) {
    deadline = nil
    phase = (phase + 1) % Self.spokes
    setNeedsDisplay()
  }

  /// Draws the spokes, and waits for the next step. What is not seen is not drawn, and so takes none.
  open override func draw(in context: GraphicsContext) {
    guard isAnimating else { return }
    if deadline == nil, let now = window?.dispatcher?.present {
      deadline = now.advanced(bySeconds: Self.turn / Double(Self.spokes))
    }
    let side = min(bounds.size.width, bounds.size.height)
    let (length, width) = (side * 0.27, max(1, side * 0.12))
    let spoke = LocalRect(x: -width / 2, y: -side / 2, width: width, height: length)
    let color = color ?? surfaceColor.contrast
    for index in 0..<Self.spokes {
      let turn = AffineTransform.rotation(degrees: Double(index) * 360 / Double(Self.spokes))
      let behind = (phase - index + Self.spokes) % Self.spokes
      let place = AffineTransform(
        a: turn.a, b: turn.b, c: turn.c, d: turn.d, tx: bounds.midX, ty: bounds.midY)
      context.transformed(by: place) {
        context.fillCapsule(spoke, with: .color(color.withAlpha(max(0.2, 1 - 0.15 * Double(behind)))))
      }
    }
  }
}

extension Spinner: ContentDrawing {}
