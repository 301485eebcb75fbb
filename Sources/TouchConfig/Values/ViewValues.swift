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
    /// By the value of `type:`.
    public enum Kind: String, CaseIterable, Sendable {
      case view, control, button, label, image

      /// Whether it tracks touches and can be disabled.
      public var isControl: Bool { self == .control || self == .button }
      /// Whether it has a `text:` and a font.
      public var hasText: Bool { self == .button || self == .label }
    }

    /// A picture.
    public struct Image: Hashable, Sendable {
      /// From where the program stands.
      public var path: String
      /// How the picture is fitted into the bounds.
      public var mode: ImageView.Mode
      /// Where the path stands in the file.
      public var place: SourceLocation
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
    /// Neither drawn nor hit, with all that is in it.
    public var isHidden = false
    public var isUserInteractionEnabled: Bool
    /// Controls only.
    public var isEnabled = true
    /// Controls only: whether it is marked as the chosen one.
    public var isSelected = false
    /// Whether drawing stops at the bounds; hit tests do not care.
    public var clips = false
    /// Whether it is given more than one touch at a time.
    public var isMultipleTouchEnabled = false
    /// Whether it shuts other views out while it has a touch.
    public var isExclusiveTouch = false
    /// Outward, in the view's own units; none is negative.
    public var hitSlop = Insets.zero
    /// What of the view and its subviews can be hit.
    public var pointerEvents = HitBehavior.PointerEvents.auto
    /// The part of the view that is hit, in its own units.
    public var hitShape = HitShape.rect()
    /// Whether subviews can be hit outside the view, unless it clips.
    public var overflowHits = false
    /// The id of the view that answers instead, where both are.
    public var redirect: String?
    /// The order among siblings, before the file's.
    public var z = 0.0
    public var tracking = TouchCore.View.Tracking.locked
    /// How far outside its bounds a control still follows its touch, in its own units; nil is UIKit's.
    public var trackingOutset: Double?
    public var appearance = Appearance()
    /// Buttons and labels only.
    public var text = ""
    public var textStyle: TextStyle
    /// Where the font's family is said, if it is.
    public var fontPlace: SourceLocation?
    /// Image views only.
    public var image: Image?
    /// Nil when the view is no controller's root view.
    public var controller: Controller?
    /// The names of the view's handlers.
    public var handlers: [String] = []
    /// Whether touches go on to the next responder.
    public var forwards: Bool
    /// Where the view begins in the file.
    public var place: SourceLocation

    /// Makes a view with the defaults of its kind, which are UIKit's.
    public init(id: String, kind: Kind, parent: Int?, place: SourceLocation) {
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
