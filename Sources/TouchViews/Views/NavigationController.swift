import TouchCore

/// The contents of a navigation controller's bar for one of its controllers. (`UINavigationItem`.)
public final class NavigationItem {
  private unowned let controller: ViewController
  /// The text in the middle; nil for the controller's title. (`UINavigationItem.title`.)
  public var title: String? { didSet { changed() } }
  /// The button at the left, in place of the one that leads back. A plain `Button` is a bar button here.
  /// (`UINavigationItem.leftBarButtonItem`.)
  public var leftBarButtonItem: Button? { didSet { changed() } }
  /// The button at the right. (`UINavigationItem.rightBarButtonItem`.)
  public var rightBarButtonItem: Button? { didSet { changed() } }
  /// Whether the button that leads back is left out. (`UINavigationItem.hidesBackButton`.)
  public var hidesBackButton = false { didSet { changed() } }

  fileprivate init(of controller: ViewController) { self.controller = controller }

  private func changed() { controller.parent?.childrenChanged?() }
}

extension ViewController {
  /// The contents of the bar while the controller is at the top of a navigation controller, made when it is
  /// asked for. (`UIViewController.navigationItem`.)
  public final var navigationItem: NavigationItem {
    if let item = barItem as? NavigationItem { return item }
    let item = NavigationItem(of: self)
    barItem = item
    return item
  }

  /// The nearest navigation controller among the parents; nil for none.
  /// (`UIViewController.navigationController`.)
  public final var navigationController: NavigationController? { nearestParent() }

  /// The nearest tab controller among the parents; nil for none. (`UIViewController.tabBarController`.)
  public final var tabController: TabController? { nearestParent() }

  private func nearestParent<Container: ViewController>() -> Container? {
    var next = parent
    while let controller = next {
      if let container = controller as? Container { return container }
      next = controller.parent
    }
    return nil
  }
}

/// A stack of controllers, of which the last one is shown below a bar with its title and a button that leads
/// back. (`UINavigationController`.)
///
/// The order of appearance is UIKit's: old `viewWillDisappear`, new `viewWillAppear`, and after the motion
/// old `viewDidDisappear`, new `viewDidAppear`. A finger from the left edge and the key that leads back pop.
open class NavigationController: ViewController {
  /// The controllers, from the root to the one that is shown. (`UINavigationController.viewControllers`.)
  public private(set) final var viewControllers: [ViewController] = []
  /// The bar. Hide it for a stack without one. (`UINavigationController.navigationBar`.)
  public final let navigationBar = NavigationBar()
  private let pages = PagesView()

  /// - Parameters:
  ///   - root: the first controller.
  ///   - id: the controller's name, unique in its tree.
  public init(rootViewController root: ViewController, id: String = "") {
    super.init(id: id)
    navigationBar.back.addAction(for: .touchUpInside) { [unowned self] in popViewController(animated: true) }
    childrenChanged = { [unowned self] in showItem() }
    pushViewController(root, animated: false)
  }

  /// The controller that is shown. (`UINavigationController.topViewController`.)
  public final var topViewController: ViewController? { viewControllers.last }

  open override func loadView() -> View {
    pages.isArranged = true
    pages.clipsToBounds = true
    let edge = ScreenEdgePanGestureRecognizer()
    edge.edges = [.left]
    pages.addGestureRecognizer(edge) { [unowned self] edge in
      if edge.state == .began { popViewController(animated: true) }
    }
    let view = StackView(id: id)
    view.axis = .vertical
    for part in [navigationBar, pages] { view.addArrangedSubview(part) }
    return view
  }

  /// Shows another controller over the present one.
  /// (`UINavigationController.pushViewController(_:animated:)`.)
  ///
  /// - Parameters:
  ///   - controller: not in the stack.
  ///   - animated: whether pictures show it come over the other one.
  public final func pushViewController(_ controller: ViewController, animated: Bool) {
    guard controller.parent !== self else { return }
    let old = topViewController
    addChild(controller)
    viewControllers.append(controller)
    turn(from: old, to: controller, animated: animated) { [unowned self] in controller.didMove(toParent: self)
    }
  }

  /// Goes back to the controller below. (`UINavigationController.popViewController(animated:)`.)
  ///
  /// - Returns: the controller that was shown; nil at the root.
  @discardableResult
  public final func popViewController(animated: Bool) -> ViewController? {
    guard viewControllers.count > 1 else { return nil }
    return popToViewController(viewControllers[viewControllers.count - 2], animated: animated)?.last
  }

  /// Goes back to the first controller. (`UINavigationController.popToRootViewController(animated:)`.)
  ///
  /// - Returns: the controllers that are no longer in the stack.
  @discardableResult
  public final func popToRootViewController(animated: Bool) -> [ViewController]? {
    viewControllers.first.flatMap { popToViewController($0, animated: animated) }
  }

  /// Goes back to a controller of the stack. (`UINavigationController.popToViewController(_:animated:)`.)
  ///
  /// - Returns: the controllers that are no longer in the stack; nil if none is.
  @discardableResult
  public final func popToViewController(_ controller: ViewController, animated: Bool) -> [ViewController]? {
    guard let place = viewControllers.firstIndex(where: { $0 === controller }),
      place + 1 < viewControllers.count
    else { return nil }
    let old = topViewController
    let popped = Array(viewControllers[(place + 1)...])
    viewControllers.removeSubrange((place + 1)...)
    for gone in popped { gone.willMove(toParent: nil) }
    turn(from: old, to: controller, animated: animated) {
      for gone in popped {
        gone.viewIfLoaded?.removeFromSuperview()
        gone.removeFromParent()
      }
    }
    return popped
  }

  /// Shows the page of a controller.
  private func turn(
    from old: ViewController?, to new: ViewController, animated: Bool, completion: @escaping () -> Void
  ) {
    guard isViewLoaded else { return completion() }
    new.loadViewIfNeeded()
    pages.endEditing(true)
    if pages.window != nil, pages.isOnShownPage {
      old?.view.controllers.begin(false, animated: animated)
      new.view.controllers.begin(true, animated: animated)
    }
    show(new, by: animated ? .push : .none, completion)
    showItem()
  }

  private func show(
    _ controller: ViewController, by transition: PagesView.Transition = .none,
    _ completion: @escaping () -> Void = {}
  ) {
    guard let page = controller.view else { return }
    if page.superview !== pages {
      page.isArranged = true
      page.isOnOtherPage = pages.page != nil
      pages.addSubview(page)
    }
    pages.show(page, by: transition, completion: completion)
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    if let top = topViewController { show(top) }
    showItem()
  }

  private func showItem() {
    guard isViewLoaded, let top = topViewController else { return }
    let below = viewControllers.dropLast().last
    navigationBar.show(top.navigationItem, title: top.title, back: below.map { $0.title ?? "" })
  }

  /// The key that leads back goes back to the controller below. (As a press of menu does in tvOS.)
  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    let disposition = super.pressesBegan(presses, with: event)
    guard disposition == .forward, presses.contains(where: { $0.type == .menu }),
      popViewController(animated: true) != nil
    else { return disposition }
    return .handled
  }
}

/// The bar of a navigation controller: a title between two buttons. (`UINavigationBar`.)
public final class NavigationBar: View {
  /// The title of the controller that is shown.
  public let title = Label()
  /// The button that leads back, with the title of the controller below.
  public let back = Button()
  private var (left, right): (Button?, Button?)

  private static let margin = 8.0

  init() {
    super.init(id: "")
    fixedHeight = ValueControl.fingerSize
    background = Color(red: 0x1a, green: 0x21, blue: 0x29)
    title.textStyle.alignment = .center
    title.textStyle.weight = .bold
    back.textStyle.alignment = .left
    addSubview(title)
    addSubview(back)
  }

  fileprivate func show(_ item: NavigationItem, title text: String?, back below: String?) {
    title.text = item.title ?? text ?? ""
    back.text = "\u{2039} " + (below.map { $0.isEmpty ? "Back" : $0 } ?? "")
    back.isHidden = below == nil || item.hidesBackButton || item.leftBarButtonItem != nil
    for (old, new) in [(left, item.leftBarButtonItem), (right, item.rightBarButtonItem)] where old !== new {
      old?.removeFromSuperview()
      if let new { addSubview(new) }
    }
    (left, right) = (item.leftBarButtonItem, item.rightBarButtonItem)
    setNeedsLayout()
  }

  public override func layoutSubviews() {
    let (room, margin) = (bounds.size, Self.margin)
    func width(of button: Button) -> Double {
      min(max(ValueControl.fingerSize, button.arrangedSize(atWidth: .infinity).width.units), room.width / 3)
    }
    var side = margin
    for button in [left, back.isHidden ? nil : back, right] {
      guard let button else { continue }
      let width = width(of: button)
      side = max(side, width + 2 * margin)
      button.frame = LocalRect(
        x: button === right ? room.width - width - margin : margin, y: 0, width: width, height: room.height)
    }
    title.frame = LocalRect(x: side, y: 0, width: max(0, room.width - 2 * side), height: room.height)
  }
}
