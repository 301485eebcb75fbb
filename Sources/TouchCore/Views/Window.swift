/// The direction in which views follow each other. (`UIUserInterfaceLayoutDirection`.)
public enum UserInterfaceLayoutDirection: Sendable {
  /// As in English and in Greek.
  case leftToRight
  /// As in Arabic and in Hebrew.
  case rightToLeft
}

extension View {
  /// That of the window; from left to right outside of any. (`UIView.effectiveUserInterfaceLayoutDirection`.)
  public final var effectiveUserInterfaceLayoutDirection: UserInterfaceLayoutDirection {
    window?.layoutDirection ?? .leftToRight
  }
}

/// The root of a view tree, which fills the canvas. (`UIWindow`.)
open class Window: View {
  /// What must be drawn again since the display last took it.
  public final var damage = Damage()

  /// Follows this window in the responder chain. Kept strongly: an object that is ever referred to weakly takes
  /// longer to retain, and every touch retains this one several times.
  public final var application: ApplicationResponder?

  /// How often a hit test is repeated before began; iOS does it twice.
  public final var hitTestPasses = 1

  /// The result of every hit test of this window, when set and inside the window's tree.
  public final weak var fixedTarget: View?

  /// In which direction views follow each other: stacks, sliders, progress bars and pages are mirrored from right to left.
  public final var layoutDirection = UserInterfaceLayoutDirection.leftToRight {
    didSet {
      guard layoutDirection != oldValue else { return }
      var waiting: [View] = [self]
      while let view = waiting.popLast() {
        view.setNeedsLayout()
        waiting += view.subviews
      }
      setNeedsDisplay()
    }
  }

  /// How many pixels of the display a unit of the window has, along each axis: what scrolls stops at whole pixels.
  /// (`UIScreen.scale`.)
  public final var pixelsPerUnit = Size(width: 1, height: 1)

  /// The responder that gets what is typed; nil if there is none. (UIKit's is private.)
  public internal(set) final weak var firstResponder: Responder?
  /// The views that hear of another first responder; those that left the window are dropped when it changes.
  package final var responderWatchers: [any FirstResponderWatcher] = []
  /// Whether a display shows the window: what blinks does so only then.
  package final var isOnDisplay = true
  /// Whether the first responder gives its place to another one, so that nobody hears of the moment without any.
  final var isPassingFirstPlace = false
  /// Whether the first responder has to go, and is not asked.
  final var isDismissing = false

  /// Cancels touches when a subtree leaves the window. The dispatcher keeps the window, and takes itself away from here
  /// when it goes; a weak reference would make each of its retains longer.
  package final unowned(unsafe) var dispatcher: Dispatcher?
  /// Cancels presses when a subtree leaves the window, as the dispatcher cancels touches.
  package final unowned(unsafe) var pressDispatcher: PressDispatcher?
  /// Nil until a key is pressed: a screen that is only touched needs none.
  package final var usedFocusSystem: FocusSystem?

  /// Whether what moves by itself is there at once: animations, transitions of pages, the springs of sheets and scroll views, the fading
  /// of highlights. (`UIAccessibility.isReduceMotionEnabled`.)
  public final var reducesMotion = false

  /// What is on its way in pictures; nil until something was.
  @exclusivity(unchecked) package final var motion: (any WindowMotion)?

  /// When `motion` has to be told that time has passed; nil while nothing waits for that. Each frame asks, so that it is here.
  @exclusivity(unchecked) package final var motionDue: Timestamp?

  /// Makes a window that covers a canvas.
  ///
  /// - Parameters:
  ///   - id: unique in its tree.
  ///   - size: the canvas, in the units in which the tree is laid out.
  public init(id: String = "window", size: Size) {
    super.init(id: id, frame: Rect(origin: .zero, size: size))
  }

  open override var next: Responder? { viewController ?? application }

  open override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    if let fixedTarget, fixedTarget.isDescendant(of: self) { return fixedTarget }
    return super.hitTest(point, with: event)
  }

  /// The view under a window point, by as many passes as the window makes; the last one counts.
  ///
  /// - Parameters:
  ///   - point: in window space.
  ///   - event: its observer sees every step; nil for none.
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

  /// Reports what a view does, which may come from outside any event, as what a program causes does.
  package final func observe(_ report: some ViewReport) {
    dispatcher?.observer?.observe(.report(report))
  }

  /// A view has to be called at its deadline.
  final func watchDeadline(of view: View) {
    dispatcher?.watchDeadline(of: view)
  }

  /// Cancels the touches in a view that has left the window, or is no longer shown.
  package final func subtreeLeft(_ view: View) {
    dismissFirstResponder(in: view)
    dispatcher?.subtreeLeft(view)
    pressDispatcher?.subtreeLeft(view)
  }
}
