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
  /// The opacity: 0 is transparent, 255 is opaque.
  public var alpha: UInt8

  /// Makes a colour, opaque unless an alpha is given.
  @inlinable
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Reads `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; nil for any other text. A
  /// short form has each digit twice. (CSS Color Module Level 4, 5.2.)
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

  /// The colour as `#rrggbb`, or as `#rrggbbaa` if it is not opaque.
  public var hex: String {
    func pair(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "#" + pair(red) + pair(green) + pair(blue) + (alpha == 255 ? "" : pair(alpha))
  }
}

/// The look of a view. It does not affect hit tests.
public struct Appearance: Hashable, Sendable {
  /// The colour of the view's bounds; nil for none.
  public var background: Color?
  /// The radius of the corners of background and border, in units of the view's own space.
  public var cornerRadius: Double = 0
  /// The border inside the bounds; nil for none.
  public var border: Border?

  /// Makes an appearance that paints nothing.
  public init() {}

  /// A line along the edges, inside them.
  public struct Border: Hashable, Sendable {
    /// The colour at full strength. Its alpha blends it with the pixels below.
    public var color: Color
    /// The width in units of the view's own space.
    public var width: Double

    /// Makes a border. The width is in units of the view's own space.
    public init(color: Color, width: Double) { (self.color, self.width) = (color, width) }
  }
}

/// The font, size, colour and alignment of text.
public struct TextStyle: Hashable, Sendable {
  /// The alignment of lines between the left and the right edge.
  public enum Alignment: String, CaseIterable, Sendable {
    /// Lines at the left edge.
    case left
    /// Lines in the middle.
    case center
    /// Lines at the right edge.
    case right
  }
  /// The alignment of all lines together between the top and the bottom edge.
  public enum VerticalAlignment: String, CaseIterable, Sendable {
    /// At the upper edge.
    case top
    /// In the middle.
    case middle
    /// At the lower edge.
    case bottom
  }
  /// The weight of a font. (`UIFont.Weight`; fontconfig's words.)
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

    /// Makes a weight from CSS's number 100, 200 … 900; nil for any other number. 200 and 800, without a word
    /// here, become the next weight away from regular, as CSS does. (CSS Fonts Module Level 4, 2.2 and 5.2.)
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

    /// The part of a message that names the numbers beside the words.
    package static let numbersAdvice = "a number from 100 to 900 in hundreds"
  }

  /// The font: a family name of fontconfig.
  public var family: String
  /// The em size, in units of the view's own space.
  public var size: Double
  /// The weight. The family's nearest one is used.
  public var weight: Weight
  /// The colour of the letters; white unless it is set.
  public var color: Color
  /// The alignment of each line in the width of the view.
  public var alignment: Alignment
  /// The alignment of all lines together in the height of the view.
  public var verticalAlignment = VerticalAlignment.middle
  /// The most lines; 0 for as many as fit the view's height. A single line shows a line
  /// feed as a space. An ellipsis ends a text that does not fit. (`UILabel.numberOfLines`.)
  public var lines = 1
  /// The space between the edges of the view and its text, in units of the view's own
  /// space; nil for that of the kind of view. (`UIButton.Configuration.contentInsets`.)
  public var padding: Insets?
  /// The width of digits. With `tabular` ones, a changing number does not move.
  public var figures = Figures.proportional
  /// The space added between two letters, in units of the view's own space. (`NSAttributedString.Key.kern`.)
  public var letterSpacing = 0.0
  /// The distance of baselines, as a multiple of the font's. (`NSParagraphStyle.lineHeightMultiple`.)
  public var lineHeight = 1.0

  /// The digits of a font. (OpenType's features `pnum` and `tnum`.)
  public enum Figures: String, CaseIterable, Sendable {
    /// Digits of different widths, as in the font.
    case proportional
    /// Digits of one width. (`UIFont.monospacedDigitSystemFont(ofSize:weight:)`.)
    case tabular
  }

  /// Makes a style. Its defaults are those of a new label. A new button differs
  /// in the alignment. (`UIFont.systemFont(ofSize:weight:)`.)
  ///
  /// - Parameters:
  ///   - family: a family name of fontconfig.
  ///   - size: the em size, in units of the view's own space.
  ///   - weight: the weight. The family's nearest one is used.
  ///   - color: the colour of the letters.
  ///   - alignment: the alignment of each line in the width of the view.
  public init(
    family: String = "sans-serif", size: Double = 18, weight: Weight = .regular, color: Color = .white,
    alignment: Alignment = .left
  ) {
    (self.family, self.size, self.weight, self.color) = (family, size, weight, color)
    self.alignment = alignment
  }
}

/// The properties of a view that the touch model does not need: its look, and its
/// size in a stack. A view without any of them pays a pointer. (`UIView.layer`.)
final class Layer {
  var appearance = Appearance()
  /// The decoration; nil if the view has none.
  var decoration: Decoration? { didSet { isDecorated = decoration != nil } }
  /// Whether there is a decoration. It is asked for each painted view, and reading a decoration copies it.
  private(set) var isDecorated = false
  /// The kind that the view was made as, if it is a program's own.
  var kind: ViewKind?
  var isAnnounced: Bool?
  var accessibilityLabel, accessibilityHint: String?
  var fixedWidth, fixedHeight, spacingAfter: Double?
  var contentMeasurer: ((_ view: View, _ width: Double) -> Size?)?
  var caretMeasurer: ((_ text: String, _ style: TextStyle) -> CaretPlaces?)?
  /// The clock of a window.
  var timeOfDay: (() -> Double)?
  /// The text that was copied last in a window.
  var pasteboard: String?
  /// The colour of a window's focus ring.
  var focusColor: Color?
  /// The colours of a control's states.
  var stateColors: StateColors?
  /// The states of a control in the picture being painted; nil for its own.
  var presentedStates: ControlStates?
  /// A painter's picture of the moving view. The painter knows its class.
  var keptPicture: AnyObject?
  /// The bounding box of changes in the kept picture, in the view's own space. The painter empties it.
  var changedPicture = LocalRect.zero
}

extension View {
  /// The layer; nil if no property of it is set.
  final var knownLayer: Layer? {
    // The property holds nothing but layers, and a checked cast would take longer than the access.
    layer.map { unsafeDowncast($0, to: Layer.self) }
  }

  /// The layer, made on the first call.
  final var ownLayer: Layer {
    if let knownLayer { return knownLayer }
    let made = Layer()
    layer = made
    return made
  }

  /// The look of the view: background, corners and border.
  public final var appearance: Appearance {
    get { knownLayer?.appearance ?? Appearance() }
    set {
      guard newValue != appearance else { return }
      willChange()
      ownLayer.appearance = newValue
      setNeedsDisplay()
    }
  }

  /// The colour behind the view's contents; nil for none. (`UIView.backgroundColor`.)
  public final var background: Color? {
    get { knownLayer?.appearance.background }
    set { appearance.background = newValue }
  }

  /// The radius of the corners of background and border, in the view's own
  /// units. Of different radii it is the largest. (`CALayer.cornerRadius`.)
  public final var cornerRadius: Double {
    get { knownLayer?.appearance.cornerRadius ?? 0 }
    set { corners = Corners(newValue) }
  }

  /// The border inside the bounds; nil for none. (`CALayer.borderColor` and `borderWidth`.)
  public final var border: Appearance.Border? {
    get { knownLayer?.appearance.border }
    set { appearance.border = newValue }
  }

  /// Whether Home Assistant gets the view; nil, the default, where its kind and its label decide.
  public final var isAnnounced: Bool? {
    get { knownLayer?.isAnnounced }
    set { if newValue != isAnnounced { ownLayer.isAnnounced = newValue } }
  }
  /// The view's name for programs and for people who do not see it. (`UIView.accessibilityLabel`.)
  public final var accessibilityLabel: String? {
    get { knownLayer?.accessibilityLabel }
    set { if newValue != accessibilityLabel { ownLayer.accessibilityLabel = newValue } }
  }

  /// The effect of using the view, for people who do not see it; nil for none. (`UIView.accessibilityHint`.)
  public final var accessibilityHint: String? {
    get { knownLayer?.accessibilityHint }
    set { if newValue != accessibilityHint { ownLayer.accessibilityHint = newValue } }
  }

  final func appearanceChanged(_ changed: Bool) { if changed { setNeedsDisplay() } }
}
