import TouchCore

/// Controllers of which one is shown, above a bar with a tab for each. (`UITabBarController`.)
///
/// The order of appearance is UIKit's: new `viewWillAppear`, old `viewWillDisappear`, old `viewDidDisappear`,
/// new `viewDidAppear`. A controller's view is loaded when its tab is first chosen.
open class TabController: ViewController {
  /// The controllers, in the order of the tabs. (`UITabBarController.viewControllers`.)
  public final var viewControllers: [ViewController] {
    didSet { follow(oldValue) }
  }
  /// The bar, a segment for each controller with its title. Its `icons` are the icons of the tabs.
  /// (`UITabBarController.tabBar`.)
  public final let tabBar = SegmentedControl()
  /// Called when a finger or a key has chosen a tab. (`tabBarController(_:didSelect:)`.)
  public final var didSelect: ((ViewController) -> Void)?
  private let pages = PagesView()

  /// - Parameters:
  ///   - viewControllers: in the order of the tabs, each with a `title`; the first one is shown.
  ///   - id: the controller's name, unique in its tree.
  public init(viewControllers: [ViewController] = [], id: String = "") {
    self.viewControllers = viewControllers
    super.init(id: id)
    childrenChanged = { [unowned self] in nameTabs() }
    tabBar.addAction(for: .valueChanged) { [unowned self] in
      show()
      if let selectedViewController { didSelect?(selectedViewController) }
    }
    follow([])
  }

  /// The number of the tab that is chosen, from 0; -1 without tabs. (`UITabBarController.selectedIndex`.)
  public final var selectedIndex: Int {
    get { tabBar.selectedIndex ?? -1 }
    set {
      guard viewControllers.indices.contains(newValue) else { return }
      tabBar.selectedIndex = newValue
      show()
    }
  }

  /// The controller that is shown; nil without any. (`UITabBarController.selectedViewController`.)
  public final var selectedViewController: ViewController? {
    get { viewControllers.indices.contains(selectedIndex) ? viewControllers[selectedIndex] : nil }
    set { selectedIndex = viewControllers.firstIndex { $0 === newValue } ?? -1 }
  }

  private func follow(_ old: [ViewController]) {
    for gone in old where !viewControllers.contains(where: { $0 === gone }) {
      gone.willMove(toParent: nil)
      gone.viewIfLoaded?.removeFromSuperview()
      gone.removeFromParent()
    }
    for new in viewControllers where new.parent !== self {
      addChild(new)
      new.didMove(toParent: self)
    }
    nameTabs()
    if tabBar.selectedIndex == nil, !viewControllers.isEmpty { tabBar.selectedIndex = 0 }
    show()
  }

  private func nameTabs() { tabBar.segments = viewControllers.map { $0.title ?? "" } }

  private func show() {
    guard isViewLoaded, let page = selectedViewController?.view else { return }
    if page.superview !== pages {
      page.isArranged = true
      page.isOnOtherPage = pages.page != nil
      pages.addSubview(page)
    }
    pages.page = page
  }

  open override func loadView() -> View {
    pages.isArranged = true
    tabBar.fixedHeight = ValueControl.fingerSize
    let view = StackView(id: id)
    view.axis = .vertical
    for part in [pages, tabBar] { view.addArrangedSubview(part) }
    return view
  }

  open override func viewDidLoad() {
    super.viewDidLoad()
    show()
  }
}
