import TouchCore

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
  public enum Alignment: String, CaseIterable, Sendable {
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
  }
  /// Where the lines as a whole stand between the top and the bottom edge.
  public enum VerticalAlignment: String, CaseIterable, Sendable {
    /// At the upper edge.
    case top
    /// In the middle.
    case middle
    /// At the lower edge.
    case bottom
  }
  /// (`UIFont.Weight`; fontconfig's words.)
  public enum Weight: String, CaseIterable, Sendable {
    /// 100 in CSS.
    case thin
    /// 300 in CSS.
    case light
    /// 400 in CSS.
    case regular
    /// 500 in CSS.
    case medium
    /// 600 in CSS.
    case semibold
    /// 700 in CSS.
    case bold
    /// 900 in CSS.
    case black

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
  public var family: String
  /// The em size, in units of the view's own space.
  public var size: Double
  /// The nearest that the family has.
  public var weight: Weight
  /// The colour of the letters; white unless it is set.
  public var color: Color
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
  /// Whether all digits are as wide as each other, so that a number that changes does not move.
  public var figures = Figures.proportional
  /// Added between two letters, in units of the view's own space. (`NSAttributedString.Key.kern`.)
  public var letterSpacing = 0.0
  /// From one baseline to the next, as a multiple of what the font has. (`NSParagraphStyle.lineHeightMultiple`.)
  public var lineHeight = 1.0

  /// The digits of a font. (OpenType's features `pnum` and `tnum`.)
  public enum Figures: String, CaseIterable, Sendable {
    /// As the font has them.
    case proportional
    /// Each as wide as the others. (`UIFont.monospacedDigitSystemFont(ofSize:weight:)`.)
    case tabular
  }

  /// What is not said is as in a label that nothing was set of; labels and buttons differ in the alignment that they start with.
  /// (`UIFont.systemFont(ofSize:weight:)`.)
  ///
  /// - Parameters:
  ///   - family: a family name of fontconfig.
  ///   - size: the em size, in units of the view's own space.
  ///   - weight: the nearest that the family has.
  ///   - color: of the letters.
  ///   - alignment: of each line, in the width of the view.
  public init(
    family: String = "sans-serif", size: Double = 18, weight: Weight = .regular, color: Color = .white,
    alignment: Alignment = .left
  ) {
    self.family = family
    self.size = size
    self.weight = weight
    self.color = color
    self.alignment = alignment
  }
}

/// What a view has that the touch model does not ask for: how it looks, and how large it is in a stack. A view that has none of it
/// pays a pointer. (`UIView.layer`.)
final class Layer {
  var appearance = Appearance()
  /// Nil while the view has none of it.
  var decoration: Decoration? { didSet { isDecorated = decoration != nil } }
  /// Asked for each view that is painted, while to look at a decoration copies it.
  private(set) var isDecorated = false
  /// The kind that the view was made as, if it is a program's own.
  var kind: ViewKind?
  var accessibilityLabel: String?
  var accessibilityHint: String?
  var fixedWidth: Double?
  var fixedHeight: Double?
  var spacingAfter: Double?
  /// Of a window.
  var contentMeasurer: ((_ view: View, _ width: Double) -> Size?)?
  /// Of a window.
  var caretMeasurer: ((_ text: String, _ style: TextStyle) -> CaretPlaces?)?
  /// Of a window.
  var focusColor: Color?
  /// Of a control.
  var stateColors: StateColors?
  /// What a picture shows of a control's states while it is painted; nil for what they are.
  var presentedStates: ControlStates?
}

extension View {
  /// Nil for a view of which nothing is set.
  final var knownLayer: Layer? {
    // Nothing else is kept there, and a checked cast takes longer than what it is for.
    layer.map { unsafeDowncast($0, to: Layer.self) }
  }

  /// Made when it is asked for.
  final var ownLayer: Layer {
    if let knownLayer { return knownLayer }
    let made = Layer()
    layer = made
    return made
  }

  /// How the view is painted: background, corners and border.
  public final var appearance: Appearance {
    get { knownLayer?.appearance ?? Appearance() }
    set {
      guard newValue != appearance else { return }
      willChange()
      ownLayer.appearance = newValue
      setNeedsDisplay()
    }
  }

  /// The colour behind everything that the view shows; nil paints nothing. (`UIView.backgroundColor`.)
  public final var background: Color? {
    get { knownLayer?.appearance.background }
    set { appearance.background = newValue }
  }

  /// Rounds the corners of background and border, in the view's own units; of corners that differ, the largest radius.
  /// (`CALayer.cornerRadius`.)
  public final var cornerRadius: Double {
    get { knownLayer?.appearance.cornerRadius ?? 0 }
    set { corners = Corners(newValue) }
  }

  /// Drawn inside the bounds; nil draws none. (`CALayer.borderColor` and `borderWidth`.)
  public final var border: Appearance.Border? {
    get { knownLayer?.appearance.border }
    set { appearance.border = newValue }
  }

  /// What the view is called to programs and to people who do not see it; nil for none. (`UIView.accessibilityLabel`.)
  public final var accessibilityLabel: String? {
    get { knownLayer?.accessibilityLabel }
    set { if newValue != accessibilityLabel { ownLayer.accessibilityLabel = newValue } }
  }

  /// What happens when the view is used, for people who do not see it; nil for none. (`UIView.accessibilityHint`.)
  public final var accessibilityHint: String? {
    get { knownLayer?.accessibilityHint }
    set { if newValue != accessibilityHint { ownLayer.accessibilityHint = newValue } }
  }

  final func appearanceChanged(_ changed: Bool) {
    if changed { setNeedsDisplay() }
  }
}
