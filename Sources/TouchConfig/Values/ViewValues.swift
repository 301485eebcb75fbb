public import TouchCore

extension Configuration {
  /// The window, which covers the canvas.
  public struct Window: Hashable, Sendable {
    public var id = "window"
    /// The names of the window's handlers.
    public var handlers: [String] = []
    /// The id of the view that answers every hit test.
    public var fixedTarget: String?
    /// How often a hit test is repeated before began: 1 or 2.
    public var passes = 1

    public init() {}
  }

  /// One view. All lengths are in units of the space that they are said to be in.
  public struct View: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      case view, control, button, label, image

      /// Whether it tracks touches and can be disabled.
      public var isControl: Bool { self == .control || self == .button }
      public var hasText: Bool { self == .button || self == .label }
    }

    /// A picture.
    public struct Image: Hashable, Sendable {
      /// From where the program stands.
      public var path: String
      public var mode: ImageView.Mode
      public var place: Place
    }

    /// The controller whose root view this is.
    public struct Controller: Hashable, Sendable {
      public var id: String
      public var handlers: [String] = []
      /// The id of the controller that presents this one.
      public var presentedBy: String?
    }

    /// As written, or made up and unlike every id of the file.
    public var id: String
    public var kind: Kind
    /// Where in `views` the superview is; nil for the window.
    public var parent: Int?
    /// Before the transform, in the superview's bounds space.
    public var frame = LocalRect.zero
    /// The scroll offset, in the view's own space.
    public var boundsOrigin = LocalPoint.zero
    /// About the anchor.
    public var transform = AffineTransform.identity
    /// As a fraction of the bounds.
    public var anchor = Point<NormalizedSpace>(x: 0.5, y: 0.5)
    /// From 0 to 1.
    public var alpha = 1.0
    public var isHidden = false
    public var isUserInteractionEnabled: Bool
    public var isEnabled = true
    public var clips = false
    public var isMultipleTouchEnabled = false
    public var isExclusiveTouch = false
    /// Outward, in the view's own units; none is negative.
    public var hitSlop = Insets.zero
    public var pointerEvents = HitBehavior.PointerEvents.auto
    public var hitShape = HitShape.rect()
    public var overflowHits = false
    /// The id of the view that answers instead, where both are.
    public var redirect: String?
    /// The order among siblings, before the file's.
    public var z = 0.0
    public var tracking = TouchCore.View.Tracking.locked
    /// How far outside its bounds a control still follows its touch, in its own units; nil is UIKit's.
    public var trackingOutset: Double?
    public var appearance = Appearance()
    public var text = ""
    public var textStyle: TextStyle
    /// Where the font's family is said, if it is.
    public var fontPlace: Place?
    public var image: Image?
    public var controller: Controller?
    /// The names of the view's handlers.
    public var handlers: [String] = []
    /// Whether touches go on to the next responder.
    public var forwards: Bool
    public var place: Place

    /// Makes a view with the defaults of its kind, which are UIKit's.
    public init(id: String, kind: Kind, parent: Int?, place: Place) {
      self.id = id
      self.kind = kind
      self.parent = parent
      self.place = place
      isUserInteractionEnabled = kind != .label && kind != .image
      textStyle = TextStyle(alignment: kind == .label ? .left : .center)
      forwards = !kind.isControl
    }
  }
}
