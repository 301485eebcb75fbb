/// The direction in which views follow each other. (`UIUserInterfaceLayoutDirection`.)
public enum UserInterfaceLayoutDirection: Sendable {
  /// The direction of English and Greek.
  case leftToRight
  /// The direction of Arabic and Hebrew.
  case rightToLeft
}

extension View {
  /// The direction of the window; left to right outside of any.
  /// (`UIView.effectiveUserInterfaceLayoutDirection`.)
  public final var effectiveUserInterfaceLayoutDirection: UserInterfaceLayoutDirection {
    window?.layoutDirection ?? .leftToRight
  }
}

/// The root of a view tree, which fills the canvas. (`UIWindow`.)
open class Window: View {
  /// The area that must be drawn again since the display last took it.
  public final var damage = Damage()

  /// The responder after this window in the chain. It is held strongly: an object with a weak reference takes
  /// longer to retain, and every touch retains this one several times.
  public final var application: ApplicationResponder?

  /// The number of hit tests before a touch begins; iOS does two.
  public final var hitTestPasses = 1

  /// The result of every hit test of this window, when it is set and inside the window's tree.
  public final weak var fixedTarget: View?

  /// The direction in which views follow each other. Stacks, sliders, progress bars and pages are mirrored if
  /// it is right to left.
  public final var layoutDirection = UserInterfaceLayoutDirection.leftToRight {
    didSet {
      if layoutDirection != oldValue { layOutAgain() }
    }
  }

  /// The pixels of the display for a window unit, along each axis. Scrolling stops at whole pixels, and the
  /// edges of arranged views are there. (`UIScreen.scale`.)
  public final var pixelsPerUnit = Size(width: 1, height: 1) {
    didSet {
      if pixelsPerUnit != oldValue { layOutAgain() }
    }
  }

  private func layOutAgain() {
    var waiting: [View] = [self]
    while let view = waiting.popLast() {
      view.setNeedsLayout()
      waiting += view.subviews
    }
    setNeedsDisplay()
  }

  /// The responder that gets typed text; nil for none. (UIKit's is private.)
  public internal(set) final weak var firstResponder: Responder?
  /// The views that follow the first responder. Those that left the window are dropped when it changes.
  package final var responderWatchers: [any FirstResponderWatcher] = []
  /// Whether a display shows the window. Blinking stops while none does.
  package final var isOnDisplay = true
  /// Whether one first responder follows another; the moment without is not reported.
  final var isPassingFirstPlace = false
  /// Whether the first responder is removed without being asked.
  final var isDismissing = false

  /// The dispatcher, which removes itself here when freed. A weak reference would be slower to retain.
  package final unowned(unsafe) var dispatcher: Dispatcher?
  /// The dispatcher that cancels presses when a subtree leaves the window.
  package final unowned(unsafe) var pressDispatcher: PressDispatcher?
  /// The focus; nil until a key is pressed, because a screen that is only touched needs none.
  package final var usedFocusSystem: FocusSystem?

  /// Whether motion is replaced by its end: animations, transitions of pages, the springs of sheets and
  /// scroll views, the fading of highlights. (`UIAccessibility.isReduceMotionEnabled`.)
  public final var reducesMotion = false

  /// The animations in pictures; nil until the first one.
  @exclusivity(unchecked) package final var motion: (any WindowMotion)?

  /// The time at which `motion` has to be called; nil for none. Each frame reads it here.
  @exclusivity(unchecked) package final var motionDue: Timestamp?

  /// The light of the display that shows the window; nil where there is none to change.
  package final weak var light: (any WindowLight)?
  /// The brightness for a display that shows the window later, in per cent of the brightest; nil for none.
  package final var initialBacklight: Double?

  /// Makes a window that covers a canvas.
  ///
  /// - Parameters:
  ///   - id: the window's name, unique in its tree.
  ///   - size: the size of the canvas, in the units in which the tree is laid out.
  public init(id: String = "window", size: Size) {
    super.init(id: id, frame: Rect(origin: .zero, size: size))
  }

  open override var next: Responder? { viewController ?? application }

  /// No window has the focus: its gestures are those of what is in it.
  open override var canBecomeFocused: Bool { false }

  open override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    if let fixedTarget, fixedTarget.isDescendant(of: self) { return fixedTarget }
    return super.hitTest(point, with: event)
  }

  /// Returns the view under a window point, by as many passes as the window makes; the last one counts.
  ///
  /// - Parameters:
  ///   - point: in window space.
  ///   - event: the event whose observer sees every step; nil for none.
  public final func hitView(at point: WindowPoint, with event: Event?) -> View? {
    if needsLayout { layoutIfNeeded() }
    let local = LocalPoint(x: point.x, y: point.y)
    var hit: View?
    for _ in 0..<max(1, hitTestPasses) { hit = hitView(at: local, with: event) }
    return hit
  }

  /// Hands over the damage and forgets it, after the layout that may add to it.
  public final func takeDamage(into damage: inout Damage) {
    if needsLayout { layoutIfNeeded() }
    damage.add(self.damage)
    self.damage.removeAll()
  }

  /// Reports an action of a view to the observer, perhaps outside of any event.
  package final func observe(_ report: some ViewReport) { dispatcher?.observer?.observe(.report(report)) }

  final func watchDeadline(of view: View) { dispatcher?.watchDeadline(of: view) }

  /// Cancels the touches in a view that has left the window, or is no longer shown.
  package final func subtreeLeft(_ view: View) {
    dismissFirstResponder(in: view)
    dispatcher?.subtreeLeft(view)
    pressDispatcher?.subtreeLeft(view)
  }
}

/// The light of the display that shows a window. (`UIScreen.brightness`.)
package protocol WindowLight: AnyObject {
  /// The requested brightness, in per cent of the brightest, from 0 to 100; nil for the panel's own.
  var backlight: Double? { get set }
  /// Whether the display shows nothing.
  var isBlank: Bool { get set }
  /// The reason why `backlight` cannot be set; nil if it can.
  var backlightProblem: String? { get }
}
