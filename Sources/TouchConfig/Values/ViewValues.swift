import TouchCore
import TouchViews

extension Configuration {
  /// The window, which covers the canvas.
  package struct Window: Hashable, Sendable {
    package var id = "window"
    /// The names of the window's handlers.
    package var handlers: [String] = []
    /// The id of the view that is the result of every hit test.
    package var fixedTarget: String?
    /// How often a hit test is repeated before began: 1 or 2.
    package var passes = 1

    package init() {}
  }

  /// One view. Its frame is in units of its superview's space, and other lengths are in units of its own.
  package struct View: Hashable, Sendable {
    /// More than anyone scrolls through.
    package static let mostRows = 10_000

    /// By the value of `kind:`.
    package typealias Kind = ViewKind

    /// A picture.
    package struct Image: Hashable, Sendable {
      /// Relative to the working directory; empty where the file has no picture, which a program may set later.
      package var path: String
      /// How the picture is fitted into the bounds.
      package var mode: ImageView.Mode
      /// Where the path stands in the file.
      package var place: SourceLocation
    }

    /// What the kinds of control that show a value have beyond it; the defaults are those of the kind.
    package struct Parts: Hashable, Sendable {
      package var colors = ValueControl.Colors()
      /// Sliders and steppers only.
      package var isContinuous = true
      /// Sliders only.
      package var jumps = false
      /// Steppers only.
      package var autorepeats = true
      package var wraps = false
      /// Segmented controls only: at least one.
      package var segments: [String] = []
      /// Lists only.
      package var rows: [String] = []
      package var rowHeight = ValueControl.fingerSize
      /// Gauges only; degrees clockwise from twelve o'clock.
      package var gaugeStyle = Gauge.Style.needle
      package var startAngle = -120.0
      package var endAngle = 120.0

      package init() {}
    }

    /// The controller whose root view this is.
    package struct Controller: Hashable, Sendable {
      package var id: String
      package var handlers: [String] = []
      /// The id of the controller that presents this one.
      package var presentedBy: String?
    }

    /// As written, or made up and unlike every id of the file.
    package var id: String
    /// Whether the id is made up: the same view may have another one when the file has changed.
    package var isNameless = false
    package var kind: Kind
    /// What the view is called to programs and to people who do not see it.
    package var label: String?
    /// Whether what happens in it, and in everything in it, is kept from clients, logs and traces.
    package var isPrivate = false
    /// Where in `views` the superview is; nil for the window.
    package var parent: Int?
    /// Before the transform, in the superview's bounds space; zero where the superview lays the view out.
    package var frame = LocalRect.zero
    /// Whether the superview lays the view out: the file has no frame for it.
    package var isArranged = false
    /// What the view has in a stack whatever its content is, in its own units.
    package var fixedWidth: Double?
    package var fixedHeight: Double?
    /// Stacks only.
    package var arrangement = StackView.Arrangement()
    /// Scroll views only.
    package var scrolling = ScrollView.Scrolling()
    /// The scroll offset, in the view's own space.
    package var boundsOrigin = LocalPoint.zero
    /// About the anchor.
    package var transform = AffineTransform.identity
    /// As a fraction of the bounds.
    package var anchor = Point<NormalizedSpace>(x: 0.5, y: 0.5)
    /// From 0 to 1.
    package var alpha = 1.0
    /// Neither drawn nor hit, with all that is in it.
    package var isHidden = false
    package var isUserInteractionEnabled: Bool
    /// Controls only.
    package var isEnabled = true
    /// Controls only: whether it is marked as the chosen one.
    package var isSelected = false
    /// Whether drawing stops at the bounds.
    package var clips: Bool
    /// Whether it is given more than one touch at a time.
    package var isMultipleTouchEnabled = false
    /// Whether other views get no touches while it has one.
    package var isExclusiveTouch = false
    /// Outward, in the view's own units; none is negative.
    package var hitSlop = Insets.zero
    /// What of the view and its subviews can be hit.
    package var pointerEvents = HitBehavior.PointerEvents.auto
    /// The part of the view that is hit, in its own units.
    package var hitShape = HitShape.rect()
    /// Whether subviews can be hit outside the view, unless it clips.
    package var overflowHits = false
    /// The id of the view that is hit instead, where both are.
    package var redirect: String?
    /// The order among siblings, before the file's.
    package var z = 0.0
    package var tracking = TouchCore.View.Tracking.locked
    /// How far outside its bounds a control still follows its touch, in its own units; nil is UIKit's.
    package var trackingOutset: Double?
    package var appearance = Appearance()
    /// Buttons and labels only.
    package var text = ""
    package var textStyle: TextStyle
    /// Where the font's family stands in the file, if it does.
    package var fontPlace: SourceLocation?
    /// Image views only.
    package var image: Image?
    /// Controls only: what it holds; nil for one that holds nothing.
    package var value: ControlValue?
    package var parts = Parts()
    /// Pages only: the id of the subview that is shown first; nil for the first one.
    package var page: String?
    /// Pages only: whether there is a dot for each.
    package var showsIndicator = false
    /// Pages only: along which axis a finger slides from page to page.
    package var slideAxis: ScrollView.Axis?

    /// Nil if the view is not a controller's root view.
    package var controller: Controller?
    /// The names of the view's handlers.
    package var handlers: [String] = []
    /// Whether touches go on to the next responder.
    package var forwards: Bool
    /// Where the view begins in the file.
    package var place: SourceLocation

    /// Makes a view with the defaults of its kind, which are UIKit's.
    package init(id: String, kind: Kind, parent: Int?, place: SourceLocation) {
      self.id = id
      self.kind = kind
      self.parent = parent
      self.place = place
      isUserInteractionEnabled = ![.label, .image, .progress, .gauge].contains(kind)
      textStyle = TextStyle(alignment: kind == .label || kind == .list ? .left : .center)
      clips = kind == .scroll
      if kind == .segmented { textStyle.size = 16 }
      forwards = !kind.isControl
    }
  }
}
