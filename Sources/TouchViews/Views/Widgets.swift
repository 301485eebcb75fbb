import TouchCore

extension ViewKind {
  package static let label = ViewKind(
    "label", "a label", "labels", .none, .text, is: [.text, .font, .padding, .detail, .icon],
    alsoCalled: ["text", "textview", "string", "paragraph", "heading", "title", "span"]
  ) { Label(id: $0) }

  package static let button = ViewKind(
    "button", "a button", "buttons", .actions, .press,
    is: [.text, .font, .padding, .detail, .icon, .small], alsoCalled: ["btn", "pushbutton"]
  ) { Button(id: $0) }

  package static let image = ViewKind(
    "image", "an image", "images", .none, is: .icon, alsoCalled: ["img", "picture", "icon", "photo"]
  ) { ImageView(id: $0) }
}

extension ViewProperty {
  package static let image = ViewProperty(
    "image", .picture, is: [.cosmetic, .nullable],
    get: { $0.path.isEmpty ? .null : .fields(of: $0, ImageView.parts) },
    set: { (view: ImageView, values) in
      var view = view
      values.apply(to: &view, ImageView.parts)
    },
    "The path of a PNG or JPEG file, or a mapping.")

  package static let imageMode = ViewProperty(
    "image_mode", \ImageView.mode, .word, is: [.cosmetic, .fixed],
    "`fit`, `fill`, `stretch` or `center`; also of a picture that a program sets later.")

  static let ofImages = [image, imageMode]
}

/// Text. User interaction is off by default, as in UIKit. (`UILabel`.)
open class Label: View, TitleHolding, IconHolding {
  /// May have several lines; see `TextStyle.lines`. (`UILabel.text`.)
  public final var text = "" { didSet { textChanged(oldValue != text) } }
  /// Left-aligned by default, as in UIKit.
  public final var textStyle: TextStyle {
    @inlinable get { storedTextStyle }
    set {
      guard newValue != storedTextStyle else { return }
      willChange()
      storedTextStyle = newValue
      contentChanged(true)
    }
  }
  @usableFromInline final var storedTextStyle = TextStyle(alignment: .left)
  /// A second line below the text, in a style of its own; empty for none.
  /// (`UIListContentConfiguration.secondaryText`.)
  public final var detail = "" { didSet { contentChanged(oldValue != detail) } }
  /// The style of the second line; nil for a smaller and fainter text.
  public final var detailStyle: TextStyle? { didSet { contentChanged(oldValue != detailStyle) } }
  /// The icon beside the text, or alone. (`UILabel.attributedText` with an `NSTextAttachment`.)
  public final var icon = Icon() { didSet { contentChanged(oldValue != icon) } }

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    isUserInteractionEnabled = false
  }

  open override class var standardHitTestClass: View.Type { Label.self }

  open override var shownText: String? { text }
  open override var spokenTitle: String? { text }
  /// Its text is its name.
  open override var spokenValue: String? { nil }

  /// The text's size with its padding.
  open override func contentSize(atWidth width: Double) -> ContentSize { measuredSize(atWidth: width) }

  /// Draws the text with its icon and its second line.
  open override func draw(in context: GraphicsContext) { context.canvas.draw(title, in: bounds) }
}

/// A control with a title. (`UIButton`.)
open class Button: Control, TitleHolding, IconHolding {
  /// The title, painted inside the bounds.
  public final var text = "" { didSet { textChanged(oldValue != text) } }
  /// Centred by default, as in UIKit.
  public final var textStyle: TextStyle {
    @inlinable get { storedTextStyle }
    set {
      guard newValue != storedTextStyle else { return }
      willChange()
      storedTextStyle = newValue
      contentChanged(true)
    }
  }
  @usableFromInline final var storedTextStyle = TextStyle(alignment: .center)
  /// A second line below the title, in a style of its own; empty for none.
  /// (`UIButton.Configuration.subtitle`.)
  public final var detail = "" { didSet { contentChanged(oldValue != detail) } }
  /// The style of the second line; nil for a smaller and fainter text.
  public final var detailStyle: TextStyle? { didSet { contentChanged(oldValue != detailStyle) } }
  /// The icon beside the title, or alone. (`UIButton.Configuration.image`, `imagePlacement`.)
  public final var icon = Icon() { didSet { contentChanged(oldValue != icon) } }

  open override class var standardHitTestClass: View.Type { Button.self }

  open override var shownText: String? { text }
  open override var spokenTitle: String? { text }
  /// Its title is its name.
  open override var spokenValue: String? { nil }

  /// The title's size with its padding, and at least what a finger needs.
  open override func contentSize(atWidth width: Double) -> ContentSize { measuredSize(atWidth: width, .high) }

  /// Prevents single-tap recognisers of views around the button: the tap is the button's. (UIKit, since iOS
  /// 6: a control's default action keeps overlapping recognisers of a superview from their gesture.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer)
  }

  // MARK: Appearance

  override var markColor: Color { textStyle.color }

  /// Draws the title with its icon and its second line.
  open override func draw(in context: GraphicsContext) {
    var title = title(padding: min(Self.padding, bounds.size.width / 10))
    title.color(stateTextColor(of: title.style.color))
    context.canvas.draw(title, in: bounds)
  }

  /// The space left and right of the title, in units of the button. A narrow one has less.
  private static let padding = 8.0

  /// - Parameter side: the space left and right of the title, for a style without padding.
  private func title(padding side: Double) -> Title {
    var title = Title(text, textStyle, padding: Insets(top: 0, left: side, bottom: 0, right: side))
    title.icon = icon
    if !detail.isEmpty { (title.detail, title.detailStyle) = (detail, shownDetailStyle) }
    return title
  }

  private func stateTextColor(of own: Color) -> Color {
    let states = stateColors
    let color = shownStates.color { isPressed, isSelected, isDisabled in
      if isDisabled { return states.disabledText ?? own }
      if isSelected { return states.selectedText ?? own }
      return isPressed ? states.pressedText ?? own : own
    }
    return color ?? own
  }
}

extension Label: ContentDrawing, TitleShowing {
  var ownContent: DrawnContent { title.isEmpty ? .nothing : .single }

  package final var title: Title {
    var title = Title(text, textStyle, padding: .zero)
    title.icon = icon
    if !detail.isEmpty { (title.detail, title.detailStyle) = (detail, shownDetailStyle) }
    return title
  }

  package final var leastSide: Double { 0 }
}

extension Button: ContentDrawing, TitleShowing {
  var ownContent: DrawnContent { title.isEmpty ? .nothing : .single }

  package final var title: Title { title(padding: Self.padding) }

  /// The least side of a target. (Apple's Human Interface Guidelines: at least 44 × 44 points for a finger.)
  package final var leastSide: Double { ValueControl.fingerSize }
}

extension Label {
  /// Makes a label that shows a text.
  ///
  /// - Parameters:
  ///   - text: the text, with one or several lines; see `TextStyle.lines`.
  ///   - id: the id, unique in its tree; empty for a label that needs no name.
  ///   - frame: the frame in its superview's bounds space.
  public convenience init(_ text: String, id: String = "", frame: LocalRect = .zero) {
    self.init(id: id, frame: frame)
    self.text = text
  }
}

extension Button {
  /// Makes a button with a title. (`UIButton.init(primaryAction:)`.)
  ///
  /// - Parameters:
  ///   - title: the title in the middle of the button.
  ///   - id: the id, unique in its tree; empty for a button that needs no name.
  ///   - frame: the frame in its superview's bounds space.
  ///   - action: called when a finger lifts inside; nil for none.
  public convenience init(
    _ title: String, id: String = "", frame: LocalRect = .zero, action: (() -> Void)? = nil
  ) {
    self.init(id: id, frame: frame)
    text = title
    if let action { addAction(for: .touchUpInside, action) }
  }
}

extension View {
  /// The text of a label or a button was set.
  fileprivate final func textChanged(_ changed: Bool) {
    contentChanged(changed)
    if changed { window?.observe(ViewStep.text(self)) }
  }
}

/// A picture in a file, for `GraphicsContext.draw(_:in:mode:)`. (`UIImage`.)
///
/// It is read when it is drawn first, and kept as long as there is room for it.
public final class Image {
  /// The path of a PNG or JPEG file.
  public let path: String
  /// The version of the file that is shown; nil before the first look at the file.
  package var version: PictureVersion?

  /// - Parameter path: of a PNG or JPEG file, relative to the working folder. A file that cannot be read is
  ///   drawn as a crossed box, and logged. (`UIImage.init(contentsOfFile:)`.)
  public init(path: String) { self.path = path }
}

/// A picture from a file. User interaction is off by default, as in UIKit. (`UIImageView`.)
open class ImageView: View, IconHolding {
  /// The fit of a picture into the bounds.
  public enum Mode: String, CaseIterable, Sendable {
    /// The whole picture, as large as possible. (`scaleAspectFit`)
    case fit
    /// The picture over all of the bounds, with the rest cut off. (`scaleAspectFill`)
    case fill
    /// The picture stretched to the bounds. (`scaleToFill`)
    case stretch
    /// The picture in the middle, with one unit for each pixel. (`center`)
    case center
  }

  /// The path of a PNG or JPEG file, or empty.
  ///
  /// Setting the same path again shows what the file has become.
  public final var path = "" {
    didSet {
      version = nil
      contentChanged(!path.isEmpty || !oldValue.isEmpty)
    }
  }
  /// The version of the file that is shown; nil before the first look after setting the path.
  package final var version: PictureVersion?
  /// The fitting of the picture. (`UIView.contentMode`.)
  public final var mode = Mode.fit { didSet { appearanceChanged(oldValue != mode) } }
  /// The reach of the picture's corners into it, in its pixels: they keep their size, as many units, the
  /// edges between them are stretched along themselves, and the middle both ways. Nil stretches all of it as
  /// `mode` says. (`UIImage.resizableImage(withCapInsets:)`.)
  public final var slice: Insets? { didSet { appearanceChanged(oldValue != slice) } }
  /// Whether the picture is shown again when another program has written its file. It is the daemon that
  /// looks.
  public final var follows = false
  /// The icon in the middle of the bounds if there is no picture. (`UIImage.init(systemName:)`.)
  public final var icon = Icon() { didSet { contentChanged(oldValue != icon) } }

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    isUserInteractionEnabled = false
  }

  open override class var standardHitTestClass: View.Type { ImageView.self }

  /// Returns the picture's size, one unit for each of its pixels.
  open override func contentSize(atWidth width: Double) -> ContentSize { measuredSize(atWidth: width) }

  /// Draws the picture, or the icon in the middle.
  open override func draw(in context: GraphicsContext) {
    guard path.isEmpty else { return context.canvas.drawPicture(of: self) }
    guard icon.isShown else { return }
    let side = icon.size ?? min(bounds.size.width, bounds.size.height)
    let rect = LocalRect(x: bounds.midX - side / 2, y: bounds.midY - side / 2, width: side, height: side)
    context.canvas.draw(icon, icon.color ?? surfaceColor.contrast, in: rect, room: bounds)
  }
}

extension ImageView: ContentDrawing {
  var ownContent: DrawnContent { path.isEmpty && !icon.isShown ? .nothing : .single }
}
