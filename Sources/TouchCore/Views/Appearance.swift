/// A colour with straight (not premultiplied) alpha, eight bits a channel, in the display's own colour space.
@frozen
public struct Color: Hashable, Sendable {
  /// The red component, from 0 to 255.
  public var red: UInt8
  /// The green component, from 0 to 255.
  public var green: UInt8
  /// The blue component, from 0 to 255.
  public var blue: UInt8
  /// 0 is transparent, 255 is opaque.
  public var alpha: UInt8

  /// Opaque, unless an alpha is given.
  @inlinable
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; nil for anything else. A short form has each digit twice. (CSS Color
  /// Module Level 4, 5.2.)
  public init?(hex text: String) {
    var digits: [UInt8] = []
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    for byte in text.utf8.dropFirst() {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
    guard digits.count == 6 || digits.count == 8 else { return nil }
    func channel(_ index: Int) -> UInt8 { digits[index * 2] << 4 | digits[index * 2 + 1] }
    self.init(
      red: channel(0), green: channel(1), blue: channel(2), alpha: digits.count == 8 ? channel(3) : 255)
  }

  /// The colour as `#rrggbb`, or `#rrggbbaa` where it is not opaque.
  public var hex: String {
    func pair(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "#" + pair(red) + pair(green) + pair(blue) + (alpha == 255 ? "" : pair(alpha))
  }
}

/// How a view is painted. None of it takes part in a hit test.
public struct Appearance: Hashable, Sendable {
  /// Fills the view's bounds; nil paints nothing.
  public var background: Color?
  /// Rounds the corners of background and border, in units of the view's own space.
  public var cornerRadius: Double = 0
  /// Drawn inside the bounds; nil draws none.
  public var border: Border?

  /// Paints nothing, until it is set.
  public init() {}

  /// A line along the edges, inside them.
  public struct Border: Hashable, Sendable {
    /// At full strength; its alpha is blended with what is below.
    public var color: Color
    /// In units of the view's own space.
    public var width: Double

    /// The width is in units of the view's own space.
    public init(color: Color, width: Double) {
      self.color = color
      self.width = width
    }
  }
}

/// The font, size, colour and alignment of text.
public struct TextStyle: Hashable, Sendable {
  /// Where lines stand between the left and the right edge.
  public enum Alignment: String, CaseIterable, Sendable { case left, center, right }
  /// Where the lines as a whole stand between the top and the bottom edge.
  public enum VerticalAlignment: String, CaseIterable, Sendable { case top, middle, bottom }
  /// (`UIFont.Weight`; fontconfig's words.)
  public enum Weight: String, CaseIterable, Sendable {
    case thin, light, regular, medium, semibold, bold, black

    /// CSS's number for a weight: 100, 200 … 900; nil for any other number. 200 and 800, which have no word here, are the next
    /// one away from regular, as where a family lacks them. (CSS Fonts Module Level 4, 2.2 and 5.2.)
    public init?(css number: Double) {
      switch number {
      case 100, 200: self = .thin
      case 300: self = .light
      case 400: self = .regular
      case 500: self = .medium
      case 600: self = .semibold
      case 700: self = .bold
      case 800, 900: self = .black
      default: return nil
      }
    }

    /// What else a message names beside the words.
    package static let numbersAdvice = "a number from 100 to 900 in hundreds"
  }

  /// The font: a family name of fontconfig.
  public var family: String = "sans-serif"
  /// The em size, in units of the view's own space.
  public var size: Double = 18
  /// The nearest that the family has.
  public var weight = Weight.regular
  /// The colour of the letters; white unless it is set.
  public var color: Color = Color(red: 255, green: 255, blue: 255)
  /// How each line is aligned in the width of the view.
  public var alignment: Alignment
  /// How all lines together are aligned in the height of the view.
  public var verticalAlignment = VerticalAlignment.middle
  /// The most lines, 0 for as many as the view is high. One line takes a line feed for a space. What does not fit ends in
  /// an ellipsis. (`UILabel.numberOfLines`.)
  public var lines = 1
  /// Left free between the edges of the view and its text, in units of the view's own space; nil is what the kind of view
  /// has by itself. (`UIButton.Configuration.contentInsets`.)
  public var padding: Insets?

  /// Labels and buttons differ in the alignment that they start with.
  public init(alignment: Alignment) {
    self.alignment = alignment
  }
}

extension View {
  /// Marks everything that the view and its subviews paint as to be drawn again. (`UIView.setNeedsDisplay()`.)
  ///
  /// Of what cannot be seen, since an ancestor is hidden or on another page, nothing has to be drawn.
  public final func setNeedsDisplay() {
    addDamage { paintedRect(in: $0) }
  }

  /// Marks a part of the view as to be drawn again. (`UIView.setNeedsDisplay(_:)`.)
  ///
  /// - Parameter rect: in the view's own bounds space.
  public final func setNeedsDisplay(_ rect: LocalRect) {
    if !isConcealed { addDamage { $0.bounding(rect) } }
  }

  /// Adds damage to the window, and to what painters keep of the content of scroll views around the view. Of what is in a
  /// concealed view nothing is drawn; whether the view itself is concealed does not count.
  ///
  /// - Parameter painted: what has changed, by the matrix from the view's own space.
  private func addDamage(_ painted: (AffineTransform) -> WindowRect) {
    var (view, isShown, isKept) = (self, true, false)
    while let parent = view.superview {
      if parent.isConcealed { isShown = false }
      if parent.isContentKept { isKept = true }
      view = parent
    }
    if isKept { changeKeptContent(painted) }
    guard isShown, let window = view as? Window else { return }
    window.damage.add(painted(windowFromLocal))
  }

  private func changeKeptContent(_ painted: (AffineTransform) -> WindowRect) {
    var (view, matrix) = (self, parentFromLocal)
    while let parent = view.superview {
      if parent.isContentKept, let scrollView = parent as? ScrollView {
        let rect = painted(matrix)
        scrollView.contentChanged(
          in: LocalRect(x: rect.minX, y: rect.minY, width: rect.size.width, height: rect.size.height))
      }
      matrix = matrix.then(parent.parentFromLocal)
      view = parent
    }
  }

  /// What the view and the subviews that reach beyond it can paint, in window space.
  public final var paintedWindowRect: WindowRect { paintedRect(in: windowFromLocal) }

  /// - Parameters:
  ///   - matrix: from the view's own space to that of the result.
  ///   - evenHidden: whether the view counts although it is hidden; what is hidden in it does not.
  private func paintedRect(in matrix: AffineTransform, evenHidden: Bool = false) -> WindowRect {
    var rect = WindowRect.zero
    collectPainted(into: &rect, matrix: matrix, evenHidden: evenHidden)
    return rect
  }

  private func collectPainted(into rect: inout WindowRect, matrix: AffineTransform, evenHidden: Bool = false)
  {
    guard evenHidden || !isConcealed else { return }
    let own: WindowRect = matrix.bounding(bounds)
    // What has no place on any display is not painted, and must not swallow the place of what is.
    if own.origin.isFinite, own.size.width.isFinite, own.size.height.isFinite { rect = rect.union(own) }
    guard !clipsToBounds else { return }
    for subview in subviews {
      subview.collectPainted(into: &rect, matrix: subview.parentFromLocal.then(matrix))
    }
  }

  /// The view got its first subview or lost its last one. What is seen through is blended as a whole once there is
  /// something in it, and that rounds differently.
  final func groupChanged() {
    if alpha < 1 || refusals[.disabled] { setNeedsDisplay() }
  }

  final func appearanceChanged(_ changed: Bool) {
    if changed { setNeedsDisplay() }
  }

  /// The view was hidden or shown, or its page was.
  final func concealmentChanged() {
    let conceals = refusals[.hidden] || refusals[.otherPage]
    guard conceals != isConcealed else { return }
    isConcealed = conceals
    reachChanged()
    paintedBoundsChanged()
    // A hidden view paints nothing, so look at what it painted, or is about to paint, as if it were shown.
    addDamage { paintedRect(in: $0, evenHidden: true) }
  }
}
