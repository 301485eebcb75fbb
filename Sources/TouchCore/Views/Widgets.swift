/// Text. Takes no touches unless told to, as in UIKit. (`UILabel`.)
open class Label: View {
  /// May have several lines; see `TextStyle.lines`. (`UILabel.text`.)
  public final var text = "" { didSet { appearanceChanged(oldValue != text) } }
  /// Text starts at the left, as in UIKit.
  public final var textStyle = TextStyle(alignment: .left) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }

  public override init(id: String, layoutRect: LocalRect = .zero) {
    super.init(id: id, layoutRect: layoutRect)
    isUserInteractionEnabled = false
  }
}

/// A control with a title. (`UIButton`.)
open class Button: Control {
  /// The title, painted inside the bounds.
  public final var text = "" { didSet { appearanceChanged(oldValue != text) } }
  /// A title stands in the middle, as in UIKit.
  public final var textStyle = TextStyle(alignment: .center) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }

  /// A tap is what a button is there for, so a view around it does not see one. (UIKit, since iOS 6: a control's default
  /// action keeps overlapping recognisers of a superview from their gesture.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    guard let tap = recognizer as? TapGestureRecognizer, tap.view !== self else { return true }
    return tap.numberOfTapsRequired > 1 || tap.numberOfTouchesRequired > 1
  }
}

/// A picture from a file. Takes no touches unless told to, as in UIKit. (`UIImageView`.)
open class ImageView: View {
  /// How a picture is fitted into the bounds.
  public enum Mode: String, CaseIterable, Sendable { case fit, fill, stretch, center }

  /// The path of a PNG file, or empty.
  public final var path = "" { didSet { appearanceChanged(oldValue != path) } }
  /// How the picture is fitted in. (`UIView.contentMode`.)
  public final var mode = Mode.fit { didSet { appearanceChanged(oldValue != mode) } }

  public override init(id: String, layoutRect: LocalRect = .zero) {
    super.init(id: id, layoutRect: layoutRect)
    isUserInteractionEnabled = false
  }
}
