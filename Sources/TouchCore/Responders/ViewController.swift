/// A responder between its view and that view's superview, which makes the view and follows its appearance.
/// (`UIViewController`.)
///
/// A program makes a subclass, overrides `viewDidLoad()`, and sets `Window.rootViewController`, presents it,
/// or adds it to a `NavigationController` or a `TabController`. Or it sets `View.viewController` of a view
/// that it has.
///
/// ```
///                   viewWillAppear            viewDidAppear
///   disappeared ───────────────────→ appearing ─────────────→ appeared
///        ↑                              │ ↑                       │
///        │   viewDidDisappear           ↓ │ the motion is undone  │ viewWillDisappear
///        └───────────────────────── disappearing ←───────────────┘
/// ```
open class ViewController: Responder {
  /// The stages of a view on its way to the screen and away.
  package enum Stage {
    case disappeared, appearing, appeared, disappearing
  }

  /// The stage of the controller's view.
  package private(set) final var stage = Stage.disappeared
  /// Whether the present change is shown as a motion.
  private var isAnimated = false

  /// The controller's root view, which is loaded when it is asked for. (`UIViewController.view`.)
  ///
  /// Outside of a view tree the controller keeps its view; in a tree its view keeps the controller, and the
  /// tree keeps both. A controller that was set as `View.viewController` never keeps the view.
  public final var view: View! { loadViewIfNeeded() }

  /// The controller's root view; nil before it is loaded. (`UIViewController.viewIfLoaded`.)
  public private(set) final weak var viewIfLoaded: View?

  /// Whether the view is loaded. (`UIViewController.isViewLoaded`.)
  public final var isViewLoaded: Bool { viewIfLoaded != nil }

  private var looseView: View?
  /// Whether the controller has loaded its view, and so keeps it.
  private var ownsView = false
  final var isKeptByView = false
  private var hasLoaded = false

  /// The title in the bar of a navigation controller and in the tabs of a tab controller.
  /// (`UIViewController.title`.)
  public final var title: String? { didSet { if oldValue != title { parent?.childrenChanged?() } } }
  /// The contents of a navigation controller's bar, of a class of the module above.
  package final var barItem: AnyObject?
  /// Called when the title or the bar item of a child has changed.
  package final var childrenChanged: (() -> Void)?

  /// - Parameter id: the controller's name, unique in its tree; empty for a controller that needs no name.
  public override init(id: String = "") {
    super.init(id: id)
  }

  deinit {
    looseView?.unretainedController = nil
  }

  // MARK: The view

  /// Makes the controller's view: a plain one, unless it is overridden. UIKit's function sets `view` instead
  /// of returning it. (`UIViewController.loadView()`.)
  open func loadView() -> View { View(id: id) }

  /// Called once, when the controller has its view: add subviews, gestures and actions here. The view of a
  /// window's root controller is in the window then, and as large. Any other view may be in none.
  /// (`UIViewController.viewDidLoad()`.)
  open func viewDidLoad() {}

  /// Returns the controller's view, and makes it if there is none. (`UIViewController.loadViewIfNeeded()`.)
  @discardableResult
  public final func loadViewIfNeeded() -> View {
    if let view = viewIfLoaded { return view }
    let made = loadView()
    own(made)
    return made
  }

  /// Takes a view that the controller has made, and keeps it while it has no superview.
  final func own(_ view: View) {
    view.viewController = nil
    (ownsView, hasLoaded) = (true, false)
    link(to: view)
  }

  final func link(to view: View) {
    if let old = viewIfLoaded, old !== view { unlink() }
    view.unretainedController = .passUnretained(self)
    viewIfLoaded = view
    view.setNeedsLayout()
    viewMoved()
    if !hasLoaded {
      hasLoaded = true
      viewDidLoad()
    }
    guard view.window != nil, view.isOnShownPage else { return }
    beginAppearanceTransition(true, animated: false)
    endAppearanceTransition()
  }

  final func unlink() {
    viewIfLoaded?.unretainedController = nil
    (viewIfLoaded, looseView, ownsView) = (nil, nil, false)
    keep(false)
  }

  /// Lets the view keep the controller in a tree, and the controller the view outside of one.
  final func viewMoved() {
    guard let view = viewIfLoaded else { return }
    let isLoose = ownsView && view.superview == nil
    looseView = isLoose ? view : nil
    keep(!isLoose)
  }

  private func keep(_ isKept: Bool) {
    guard isKept != isKeptByView else { return }
    isKeptByView = isKept
    let reference = Unmanaged.passUnretained(self)
    if isKept { _ = reference.retain() } else { reference.release() }
  }

  // MARK: Appearance

  /// Called before the view is shown: in the window, on the page that is shown, or in a sheet.
  /// (`UIViewController.viewWillAppear(_:)`.)
  ///
  /// - Parameter animated: whether it comes with a motion.
  open func viewWillAppear(_ animated: Bool) {}

  /// Called when the view is shown and laid out, after its motion. (`UIViewController.viewDidAppear(_:)`.)
  open func viewDidAppear(_ animated: Bool) {}

  /// Called before the view is removed, covered by a full-screen controller, or another page is shown.
  /// (`UIViewController.viewWillDisappear(_:)`.)
  open func viewWillDisappear(_ animated: Bool) {}

  /// Called when the view is shown no more, after its motion. (`UIViewController.viewDidDisappear(_:)`.)
  open func viewDidDisappear(_ animated: Bool) {}

  /// Called before the view lays out its subviews. (`UIViewController.viewWillLayoutSubviews()`.)
  open func viewWillLayoutSubviews() {}

  /// Called after the view has laid out its subviews: set the frames of those that nothing arranges.
  /// (`UIViewController.viewDidLayoutSubviews()`.)
  open func viewDidLayoutSubviews() {}

  /// Begins a change of the view's appearance, as a container of the program's own does before its motion.
  /// Without a change it does nothing. (`UIViewController.beginAppearanceTransition(_:animated:)`.)
  public final func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    switch (stage, isAppearing) {
    case (.appearing, true), (.appeared, true), (.disappearing, false), (.disappeared, false): return
    case (.disappeared, true), (.disappearing, true):
      (stage, isAnimated) = (.appearing, animated)
      viewWillAppear(animated)
    case (.appeared, false), (.appearing, false):
      (stage, isAnimated) = (.disappearing, animated)
      viewWillDisappear(animated)
    }
  }

  /// Ends the change of the view's appearance. (`UIViewController.endAppearanceTransition()`.)
  public final func endAppearanceTransition() {
    switch stage {
    case .appearing:
      stage = .appeared
      // A plain controller, as a file makes them, tells nobody.
      if type(of: self) != ViewController.self { viewIfLoaded?.window?.layoutIfNeeded() }
      viewDidAppear(isAnimated)
    case .disappearing:
      stage = .disappeared
      viewDidDisappear(isAnimated)
    case .appeared, .disappeared: break
    }
  }

  // MARK: Children

  /// The controllers that were added to this one. (`UIViewController.children`.)
  public private(set) final var children: [ViewController] = []
  /// The controller to which this one was added. (`UIViewController.parent`.)
  public private(set) final weak var parent: ViewController?

  /// Adds a controller, whose view the caller adds to a view of this one. `willMove(toParent:)` is called
  /// before; the caller calls `didMove(toParent:)` afterwards, as in UIKit.
  /// (`UIViewController.addChild(_:)`.)
  public final func addChild(_ child: ViewController) {
    guard child.parent !== self, child !== self else { return }
    child.removeFromParent()
    child.willMove(toParent: self)
    children.append(child)
    child.parent = self
  }

  /// Removes the controller from its parent, and calls `didMove(toParent:)`. The caller has called
  /// `willMove(toParent:)`, and removed the view from its superview. (`UIViewController.removeFromParent()`.)
  public final func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  /// Called before the controller is added to another one, or with nil before it is removed from one.
  /// (`UIViewController.willMove(toParent:)`.)
  open func willMove(toParent parent: ViewController?) {}

  /// Called after the controller was added to another one, or with nil after it was removed.
  /// (`UIViewController.didMove(toParent:)`.)
  open func didMove(toParent parent: ViewController?) {}

  // MARK: Presentation

  /// The controller that presented this one or its parent, if any. It follows this controller in the chain.
  /// (`UIViewController.presentingViewController`.)
  public final var presentingViewController: ViewController? {
    get { presenter ?? parent?.presentingViewController }
    set { presenter = newValue }
  }
  private weak var presenter: ViewController?

  /// The controller that this one or its parent presents, if any.
  /// (`UIViewController.presentedViewController`.)
  public final var presentedViewController: ViewController? { presented ?? parent?.presentedViewController }
  /// The controller that this one presents itself.
  package final weak var presented: ViewController?

  /// The form in which a controller is presented. (`UIModalPresentationStyle`.)
  public enum ModalPresentationStyle: Sendable {
    /// A page sheet.
    case automatic
    /// A sheet at the lower edge, which a finger drags away. What is behind it stays shown: the presenting
    /// controller does not disappear.
    case pageSheet
    /// All of the window. The presenting controller disappears.
    case fullScreen
    /// All of the window. The presenting controller does not disappear.
    case overFullScreen
  }

  /// The form in which the controller is presented. (`UIViewController.modalPresentationStyle`.)
  public final var modalPresentationStyle = ModalPresentationStyle.automatic
  /// Whether a sheet with the controller is closed by the program alone, and by no finger and no key.
  /// (`UIViewController.isModalInPresentation`.)
  public final var isModalInPresentation = false
  /// The size in a sheet, in units; zero, the default, for a sheet as high as the window allows.
  /// (`UIViewController.preferredContentSize`.)
  public final var preferredContentSize = Size.zero

  /// The presenting controller, or the superview of the controller's view. (`UIViewController.next`.)
  open override var next: Responder? { presenter ?? viewIfLoaded?.superview }

  open override var coordinateView: View? { viewIfLoaded }
}

// MARK: The controllers of a tree

extension View {
  /// Whether no view of pages around the view shows another page.
  package final var isOnShownPage: Bool { !isSelfOrAncestor { $0.refusals[.otherPage] } }

  /// The controllers of the view and of the pages that are shown in it, from the outside in.
  package final var controllers: [ViewController] {
    var controllers: [ViewController] = []
    var waiting = [self]
    while let view = waiting.popLast() {
      if let controller = view.viewController { controllers.append(controller) }
      for subview in view.storedSubviews.reversed() where !subview.refusals[.otherPage] {
        waiting.append(subview)
      }
    }
    return controllers
  }

  /// The same; none where the view is on a page that is not shown.
  package final var shownControllers: [ViewController] {
    let controllers = controllers
    return controllers.isEmpty || isOnShownPage ? controllers : []
  }
}

extension [ViewController] {
  /// Begins a change of appearance, from the outside in.
  package func begin(_ isAppearing: Bool, animated: Bool) {
    for controller in self { controller.beginAppearanceTransition(isAppearing, animated: animated) }
  }

  /// Ends a change of appearance, from the inside out.
  package func end() {
    for controller in reversed() { controller.endAppearanceTransition() }
  }
}
