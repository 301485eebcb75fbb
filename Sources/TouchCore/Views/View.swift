/// A rectangle of the screen that can hold other views and be touched. (`UIView`.)
///
/// A view is laid out in its superview's bounds space by `layoutRect`, then transformed about `anchorPoint`.
/// Override `hitTest(_:with:)` or `point(inside:with:)` to change the area that can be touched, and
/// `touchesBegan` and its siblings to see the touches.
open class View: Responder {
  // MARK: Geometry

  /// The point about which the transform works, as a fraction of the bounds. Setting it does not move an
  /// untransformed view. (`CALayer.anchorPoint`, but with the layout kept.)
  @exclusivity(unchecked)
  public final var anchorPoint: Point<NormalizedSpace> = Point(x: 0.5, y: 0.5) {
    willSet { setNeedsDisplay() }
    didSet { geometryChanged() }
  }

  // The properties that a picture may show differently for a while: see `ViewPresenting`.
  final var layoutOrigin: LocalPoint
  final var storedBounds: LocalRect
  @exclusivity(unchecked) @usableFromInline final var storedTransform = AffineTransform.identity
  @exclusivity(unchecked) @usableFromInline final var storedAlpha = 1.0
  @exclusivity(unchecked) @usableFromInline final var storedClipping = false
  @exclusivity(unchecked) final var cachedInverse: AffineTransform??

  // MARK: Flags

  /// Whether the view is hidden: then neither it nor anything in it is drawn or hit. (`UIView.isHidden`.)
  public final var isHidden = false {
    didSet {
      guard oldValue != isHidden else { return }
      refusals[.hidden] = isHidden
      concealmentChanged()
      invalidateIntrinsicContentSize()
    }
  }
  /// Whether neither the view nor anything in it is drawn or hit: it is hidden, or it is a page that its
  /// superview does not show.
  public internal(set) final var isConcealed = false
  /// Whether the view and everything in it can be hit. (`UIView.isUserInteractionEnabled`.)
  public final var isUserInteractionEnabled = true {
    didSet {
      guard oldValue != isUserInteractionEnabled else { return }
      refusals[.userInteractionDisabled] = !isUserInteractionEnabled
      reachChanged()
      if !isUserInteractionEnabled { window?.dismissFirstResponder(in: self) }
    }
  }
  /// Whether more than one touch at a time reaches the view. (`UIView.isMultipleTouchEnabled`.)
  public final var isMultipleTouchEnabled = false
  /// Whether the view excludes all others of its window: they get no touch while it has one, and it gets none
  /// while another has. (`UIView.isExclusiveTouch`.)
  public final var isExclusiveTouch = false

  final var hitExtension: HitExtension?
  /// All reasons why the view cannot be hit, in one variable, unchecked: checks cost more than the test.
  final var refusals = HitTestRefusals()
  /// Whether the view's class does not override hit testing.
  package final private(set) var hasStandardHitTest = false
  /// Whether the view is a control of the module above, which sets it: each painted view is asked.
  package final var isControl = false

  // MARK: The tree

  /// The subviews, back to front: the last one is in front and is tested first. (`UIView.subviews`.)
  public final var subviews: [View] { storedSubviews }
  @exclusivity(unchecked) package final var storedSubviews: [View] = []
  /// The superview, for walks up an unchanging tree, unretained. A freed view removes itself from it.
  @exclusivity(unchecked) @usableFromInline package final var unretainedSuperview: Unmanaged<View>?
  final var raisedSubviews = 0
  /// The subviews by `z`, until something changes.
  @exclusivity(unchecked) final var sortedByZ: [View]?

  /// Whether hit tests find one of many subviews with an index instead of testing them one after the other.
  /// The result is the same. The index takes about 100 bytes a subview.
  @exclusivity(unchecked) public final var indexesSubviews = true { didSet { hitIndex = nil } }
  @exclusivity(unchecked) final var hitIndex: HitIndex?
  /// The side of a square around the view's centre, in its own units, in which a finger beside the view hits
  /// it if it hits no subview of the superview. Of several such views the nearest one is hit. 0, the default,
  /// is UIKit's hit test. It has no effect on a view whose `hitBehavior` has a shape, a slop or a redirect.
  public final var minimumHitSize = 0.0 {
    didSet {
      superview?.enlargedSubviews += (minimumHitSize > 0 ? 1 : 0) - (oldValue > 0 ? 1 : 0)
      if oldValue != minimumHitSize { reachChanged() }
    }
  }
  final var enlargedSubviews = 0
  final var indexSlot = 0
  /// The number of views in this one whose class may override hit testing.
  final var overridesBelow = 0
  /// The controller whose root view this is.
  public final var viewController: ViewController? {
    get { unretainedController?.takeUnretainedValue() }
    set {
      guard newValue !== viewController else { return }
      viewController?.unlink()
      newValue?.link(to: self)
    }
  }
  /// The controller, which the view keeps if the controller says so: see `ViewController.view`.
  @exclusivity(unchecked) final var unretainedController: Unmanaged<ViewController>?

  /// The bounds of what the view and its subviews paint, in the superview's space; nil until asked and after
  /// changes.
  final var knownPaintedBounds: IndexBox?

  // MARK: Beyond the hit test

  // The properties that hit tests do not read, so that those above are adjacent in memory.

  /// The views that see a touch which begins in the view.
  public enum Tracking: String, CaseIterable, Sendable {
    /// Only the hit view, as in UIKit.
    case locked
    /// Also the views with slide_over under the sliding finger, which get entered and left.
    case slideOver = "slide_over"
  }
  /// The tracking of touches that begin in the view or in anything in it.
  public final var tracking = Tracking.locked
  /// The appearance and preferred size, of a class of the module above, or nil. (`UIView.layer`)
  package final var layer: AnyObject?
  /// The distance beyond its bounds to which the view itself paints; nil, the default, for none.
  final var outpaint: Outpaint?
  /// Whether events in the view and in everything in it are kept from clients, logs and traces: see
  /// `privateView`.
  public final var isPrivate = false { didSet { if oldValue != isPrivate { setNeedsDisplay() } } }
  /// The recognisers that look at touches on the view and on everything in it. (`UIView.gestureRecognizers`.)
  public internal(set) final var gestureRecognizers: [GestureRecognizer] = []
  /// The time at which `deadlinePassed(with:)` is due; nil while the view waits for no time. Outside of a
  /// window no time passes.
  public final var deadline: Timestamp? { didSet { if deadline != nil { window?.watchDeadline(of: self) } } }

  // MARK: Focus

  /// The settings of the view's focus by the file or the program; nil for none.
  final var focusRules: FocusRules?
  /// The mark of the view for people who use keys.
  package internal(set) final var focusMark = FocusMark.none

  // MARK: Layout

  /// Whether the superview places the view: a stack arranges it, any other view makes it as large as its own
  /// bounds.
  public final var isArranged = false {
    didSet { if oldValue != isArranged { superview?.setNeedsLayout() } }
  }
  /// Whether the view or something in it has to be laid out. It is then set in all superviews, too.
  package final var needsLayout = false
  // MARK: For the modules above

  // The core counts and calls by these. Each has one reader.

  /// Grows whenever the view may have to be drawn, measured or hit anew. (`ViewProperty.isCounted`)
  @exclusivity(unchecked) @usableFromInline package final var changes: UInt32 = 0
  /// Grows whenever a property, value or text is set, for rows of lists that keep settings.
  package final var timesSet: UInt32 = 0
  /// Whether `setNeedsLayout()` was called in it since a measuring stack or list set this to false.
  package final var isMeasureStale = false
  /// Whether the view gets `contentNeedsDisplay(in:)` for changes in it, as a painter of scrolled content
  /// asks.
  package final var watchesContent = false
  /// Whether pictures show the view moving and otherwise unchanged, so that a painter may keep its picture.
  package final var movesAsPicture = false
  /// Whether the deadline may return forever, as that of a control that repeats as long as it is held.
  package final var mayRepeatDeadline = false

  // MARK: Making a view

  /// Makes a view whose bounds start at (0, 0). (`UIView.init(frame:)`.)
  ///
  /// - Parameters:
  ///   - id: the view's name in traces, messages and `view(id:)`, unique in its tree; empty for a view that
  ///     needs no name.
  ///   - frame: the view's place in its superview's bounds space, before any transform.
  public init(id: String = "", frame: LocalRect = .zero) {
    layoutOrigin = frame.origin
    storedBounds = Rect(origin: .zero, size: frame.size)
    super.init(id: id)
    hasStandardHitTest = type(of: self).standardHitTestClass == type(of: self)
  }

  deinit {
    for subview in storedSubviews {
      subview.superview = nil
      subview.viewController?.viewMoved()
    }
    guard let unretainedController, unretainedController.takeUnretainedValue().isKeptByView else { return }
    unretainedController.takeUnretainedValue().isKeptByView = false
    unretainedController.release()
  }

  /// The size of the view by itself, in its own units; a plain view has no such size.
  /// (`UIView.intrinsicContentSize` and `sizeThatFits(_:)`.)
  ///
  /// - Parameter width: the available width. Content that can be broken into lines becomes higher in less
  ///   room.
  open func contentSize(atWidth width: Double) -> ContentSize {
    guard let size = intrinsicContentSize else { return .none }
    return ContentSize(
      width: ContentLength(size.width, .content), height: ContentLength(size.height, .content))
  }

  /// The size of a view by itself, if it depends on no width, in its own units; nil, the default, for a view
  /// that has no such size. Call `invalidateIntrinsicContentSize()` when it changes.
  /// (`UIView.intrinsicContentSize`.)
  open var intrinsicContentSize: Size? { nil }

  /// Draws the view's content above its background and below its subviews. It is called whenever a part of
  /// the view has to be painted again, such as after `setNeedsDisplay()`. Drawing outside of the bounds is
  /// cut off. (`UIView.draw(_:)`.)
  ///
  /// A plain view draws nothing. Labels and controls draw themselves here: an override that adds to that
  /// calls `super` first.
  open func draw(in context: GraphicsContext) {}

  /// Places the arranged subviews: all of them fill the bounds. It is called before the next hit test or
  /// picture after `setNeedsLayout()`, or after the bounds' size has changed. (`UIView.layoutSubviews()`.)
  open func layoutSubviews() {
    for subview in storedSubviews where subview.isArranged {
      subview.layoutRect = LocalRect(origin: .zero, size: bounds.size)
    }
  }

  /// Called after the view was added to a window or removed from it, by itself or with a superview; `window`
  /// is the new one, or nil. A view that shows the time starts its timers here. Superviews are called first.
  /// (`UIView.didMoveToWindow()`.)
  open func didMoveToWindow() {}

  /// Called before the view is added to another superview, or with nil before it is removed.
  /// (`UIView.willMove(toSuperview:)`.)
  open func willMove(toSuperview superview: View?) {}

  /// Called after the view was added to another superview or removed from it.
  /// (`UIView.didMoveToSuperview()`.)
  open func didMoveToSuperview() {}

  /// Called after a view was added to this one. (`UIView.didAddSubview(_:)`.)
  open func didAddSubview(_ subview: View) {}

  /// Called before a view is removed from this one. (`UIView.willRemoveSubview(_:)`.)
  open func willRemoveSubview(_ subview: View) {}

  /// The view's controller if it is a root view, else its superview. (`UIView.next`.)
  open override var next: Responder? { viewController ?? superview }

  public final override var coordinateView: View? { self }

  // MARK: Hit testing

  /// Returns the frontmost view under a point, this view included. (`UIView.hitTest(_:with:)`.)
  ///
  /// A view that is hidden, has user interaction off, is no more opaque than 0.01 (compared as `Float`), or
  /// is a disabled control returns nil before `point(inside:with:)` is called. Then come
  /// `point(inside:with:)`, the subviews from front to back, each with the point in its own space, and last
  /// the view itself. Clipping does not matter, and a child cannot be hit outside its parent. A `hitBehavior`
  /// changes these rules as it documents.
  ///
  /// - Parameters:
  ///   - point: in this view's own bounds space; a point that is not a number is a miss. Such is
  ///     every point of a view whose transform has no inverse.
  ///   - event: the event that causes the question; nil for a program's own question.
  open func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    guard isSilentBelow(event) else { return hit(at: point, with: event, by: WatchedHit()) }
    let found =
      hasStandardHitTest && !redirects
      ? hit(at: point, with: event, by: SilentHit()) : hit(at: point, with: event, by: SilentHitBelow())
    return found?.takeUnretainedValue()
  }

  /// Whether a point lies in the view: in its bounds, minimum edges in, maximum edges out, or in the area
  /// that its `hitBehavior` gives it. (`UIView.point(inside:with:)`.)
  ///
  /// - Parameters:
  ///   - point: in this view's own bounds space.
  ///   - event: the event that causes the question; nil for a program's own question.
  open func point(inside point: LocalPoint, with event: Event?) -> Bool {
    guard let hitExtension else { return bounds.contains(point) }
    return isInExtendedArea(point, hitExtension, with: event)
  }

  /// The reason why the view cannot be hit at any point; nil if it can.
  open var hitTestRefusal: HitTestRefusal? { refusals.first }

  /// The class itself, if it overrides no function of hit testing and drawing: neither `hitTest(_:with:)` nor
  /// `point(inside:with:)` nor `hitTestRefusal` nor `draw(in:)`. Hit tests find such views faster, and
  /// painting does not ask them. A class that does not override this property counts as one with overrides.
  open class var standardHitTestClass: View.Type { View.self }

  // MARK: Touches

  /// Whether a recogniser that has found its gesture in touches on this view or in it may leave `possible`;
  /// if not, it fails. The recogniser may belong to this view or to one further out, and already knows the
  /// travel of its fingers. (`UIView.gestureRecognizerShouldBegin(_:)`.)
  open func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

  /// Whether a recogniser may look at a touch on this view or in it. It is called when the touch begins.
  /// (`UIGestureRecognizerDelegate.gestureRecognizer(_:shouldReceive:)`.)
  open func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool { true }

  /// Called when a sliding finger entered the view. It is not a touch of this view.
  open func touchEntered(_ touch: Touch, with event: Event) -> Disposition {
    callHandlers([touch], phase: .entered, event: event)
  }

  /// Called when a sliding finger left the view, was lifted over it, or was cancelled.
  open func touchLeft(_ touch: Touch, _ reason: Touch.Leaving, with event: Event) -> Disposition {
    callHandlers([touch], phase: .left, event: event)
  }

  /// Called when a touch is about to begin on the view and was not yet reported, so that changes made here
  /// come before it. None of the touches that begin in one frame has begun then. Does nothing, unless it is
  /// overridden.
  open func touchWillBegin(_ touch: Touch, with event: Event) {}

  /// Called when the deadline has come; the event has its time. An override sets the next deadline or none.
  open func deadlinePassed(with event: Event) { deadline = nil }

  /// Called when something in the view has to be drawn again, if the view has asked for it. A scroll view
  /// asks if a painter keeps a picture of its content.
  ///
  /// - Parameter rect: around the change, in this view's own bounds space; it may lie outside of the bounds.
  open func contentNeedsDisplay(in rect: LocalRect) {}

  // MARK: Texts

  /// The text that the view shows: of a list or the like, that of what is chosen, empty if there is nothing;
  /// nil, the default, for a view without text.
  open var shownText: String? { nil }

  /// The name of a view without a label for people who do not see it; nil, the default, for none.
  /// (`UIView.accessibilityLabel`, whose default is a control's title.)
  open var spokenTitle: String? { nil }

  /// The content of the view for people who do not see it: the text that is chosen or written, or the number;
  /// nil for a view that holds nothing. (`UIView.accessibilityValue`.)
  open var spokenValue: String? { shownText }

  // MARK: Presses and focus

  /// Gives presses to the focus: select presses the focused view, and a slider's keys edit it. Other presses
  /// are forwarded.
  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    focusTakes(presses, super.pressesBegan(presses, with: event))
  }

  /// Repeats the effect of a held key.
  open override func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
    focusTakes(presses, super.pressesChanged(presses, with: event))
  }

  /// Whether keys can reach the view. A plain view can be reached if it waits for a tap.
  /// (`UIFocusItem.canBecomeFocused`.)
  open var canBecomeFocused: Bool {
    isFocusable ?? (waitsForTap || superview?.offersFocus(to: self) ?? false)
  }

  /// Whether keys can reach a subview as a part of this view, as the rows of a list are.
  open func offersFocus(to subview: View) -> Bool { false }

  /// The number of parts that are focused one by one, as the rows of a list are; 0 for a view that is focused
  /// as a whole.
  open var focusPartCount: Int { 0 }

  /// The rectangle of a part, in the view's own bounds space.
  open func focusRect(of part: Int) -> LocalRect { bounds }

  /// Whether an arrow looks in this view first, and leaves it only if nothing in it lies in that direction.
  /// (`UIFocusEnvironment.focusGroupIdentifier`.)
  open var isFocusGroup: Bool { false }

  /// Whether the focus stays in the view as long as it is shown over the window. (`UIAccessibility`'s
  /// `accessibilityViewIsModal`.)
  open var confinesFocus: Bool { false }

  /// Whether a subview gets its last focused item back when it is shown again.
  /// (`UICollectionView.remembersLastFocusedIndexPath`.)
  open func keepsFocus(of subview: View) -> Bool { false }

  /// Whether select begins to edit the view, so that steps change its value.
  open func canAdjustFocus(of part: Int?) -> Bool { false }

  /// Changes the value by steps, and sends the actions of a touch. (`accessibilityIncrement()`.)
  ///
  /// - Parameters:
  ///   - part: the focused part of the view; nil for the view itself.
  ///   - steps: the number of steps; negative ones make the value smaller.
  ///   - wraps: whether a step beyond one end leads to the other, for devices with a single key.
  ///   - touch: the touch for the actions; it is nowhere on the screen.
  ///   - event: the event in which the key was pressed.
  open func adjustFocus(of part: Int?, by steps: Int, wraps: Bool, _ touch: Touch, _ event: Event) {}

  /// The views that get the focus first, if nothing in this view had it before; in the order of the tree
  /// unless it is overridden. (`UIFocusEnvironment.preferredFocusEnvironments`.)
  open var preferredFocusEnvironments: [View] { [] }

  /// Whether the focus may move. The focused view, the next one, and all views around both are asked.
  /// (`UIFocusEnvironment.shouldUpdateFocus(in:)`.)
  open func shouldUpdateFocus(in context: FocusUpdateContext) -> Bool { true }

  /// Called after the focus moved from or to this view, or a view in it.
  /// (`UIFocusEnvironment.didUpdateFocus(in:with:)`.)
  open func didUpdateFocus(in context: FocusUpdateContext) {}
}
