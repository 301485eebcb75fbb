import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// The order in which controllers appear and disappear, as UIKit calls them. Each row names its source.
@Suite struct AppearanceTests {
  final class Journal {
    var lines: [String] = []
    func take() -> String {
      defer { lines = [] }
      return lines.joined(separator: " ")
    }
  }

  /// Writes what it is told: `a+` will appear, `A+` did appear, `a-` will disappear, `A-` did disappear, `a!`
  /// loaded.
  final class Screen: ViewController {
    let journal: Journal

    init(_ id: String, _ journal: Journal) {
      self.journal = journal
      super.init(id: id)
      title = id
    }

    private func note(_ mark: String) { journal.lines.append(mark) }
    override func viewDidLoad() { note(id + "!") }
    override func viewWillAppear(_ animated: Bool) { note(id + "+") }
    override func viewDidAppear(_ animated: Bool) { note(id.uppercased() + "+") }
    override func viewWillDisappear(_ animated: Bool) { note(id + "-") }
    override func viewDidDisappear(_ animated: Bool) { note(id.uppercased() + "-") }
    override func willMove(toParent parent: ViewController?) { note(parent == nil ? "\(id)<" : "\(id)>") }
    override func didMove(toParent parent: ViewController?) {
      note(parent == nil ? "\(id.uppercased())<" : "\(id.uppercased())>")
    }
  }

  final class Scene {
    let stage = Stage()
    let journal = Journal()
    let a, b, c: Screen

    init() { (a, b, c) = (Screen("a", journal), Screen("b", journal), Screen("c", journal)) }

    /// Lets time pass: what a program starts begins with the next turn.
    func wait(seconds: Double = 2) {
      stage.rest(seconds: 0.001)
      for _ in 0..<20 { stage.rest(seconds: seconds / 20) }
      stage.window.motion?.timePassed(to: stage.time)
    }

    func took() -> String {
      wait()
      return journal.take()
    }

    func drag(_ from: (Double, Double), _ to: (Double, Double), rests: Bool = false) {
      stage.frame((1, .began, from.0, from.1))
      for step in 1...10 {
        let part = Double(step) / 10
        stage.frame((1, .moved, from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part))
        stage.dispatcher.flush()
      }
      if rests { stage.rest(seconds: 0.2) }
      stage.frame((1, .ended, to.0, to.1))
    }
  }

  @Test func `the root of a window appears when it is set, and the one before it disappears`() {
    let scene = Scene()
    scene.stage.window.rootViewController = scene.a
    #expect(scene.journal.take() == "a! a+ A+")
    scene.stage.window.rootViewController = scene.b
    #expect(scene.journal.take() == "a- A- b! b+ B+")
    #expect(scene.a.view.window == nil && scene.journal.take().isEmpty, "it keeps its view")
    scene.stage.window.rootViewController = scene.a
    #expect(scene.journal.take() == "b- B- a+ A+", "it is loaded once")
  }

  @Test func `a child appears with its view, in the middle of its parent`() {
    let scene = Scene()
    scene.a.addChild(scene.b)
    #expect(scene.journal.take() == "b>")
    scene.a.view.addSubview(scene.b.view)
    scene.b.didMove(toParent: scene.a)
    #expect(scene.journal.take() == "a! b! B>" && scene.b.parent === scene.a)
    scene.stage.window.rootViewController = scene.a
    #expect(scene.journal.take() == "a+ b+ B+ A+")
    scene.b.willMove(toParent: nil)
    scene.b.view.removeFromSuperview()
    scene.b.removeFromParent()
    #expect(scene.journal.take() == "b< b- B- B<" && scene.a.children.isEmpty)
    scene.a.view.addSubview(scene.b.view)
    #expect(scene.journal.take() == "b+ B+")
    scene.a.view.removeFromSuperview()
    #expect(scene.journal.take() == "a- b- B- A-")
  }

  @Test func `nothing keeps a controller and its view but the tree or the program`() {
    weak var controller: ViewController?
    weak var view: View?
    do {
      let made = ViewController()
      (controller, view) = (made, made.view)
      #expect(view != nil, "the controller keeps a view without a superview")
    }
    #expect(controller == nil && view == nil)
    let parent = View()
    do {
      let made = ViewController()
      parent.addSubview(made.view)
      (controller, view) = (made, made.view)
    }
    #expect(controller != nil && view != nil)
    parent.subviews[0].removeFromSuperview()
    #expect(controller == nil && view == nil)
    let kept = View()
    kept.viewController = ViewController()
    #expect(kept.viewController?.view === kept, "one that was given to a view lives as long as that")
  }

  /// `UINavigationController`, as logged on iOS: both changes of the old one come before those of the new
  /// one.
  @Test(arguments: [false, true]) func `a stack pushes and pops in its order`(animated: Bool) {
    let scene = Scene()
    let stack = NavigationController(rootViewController: scene.a)
    scene.stage.window.rootViewController = stack
    #expect(scene.took() == "a> A> a! a+ A+")
    stack.pushViewController(scene.b, animated: animated)
    #expect(stack.topViewController === scene.b && scene.b.navigationController === stack)
    #expect(scene.took() == "b> b! a- b+ A- B+ B>")
    stack.pushViewController(scene.c, animated: animated)
    #expect(scene.took() == "c> c! b- c+ B- C+ C>")
    #expect(stack.popToRootViewController(animated: animated)?.map(\.id) == ["b", "c"])
    #expect(scene.took() == "b< c< c- a+ C- A+ B< C<" && stack.viewControllers.map(\.id) == ["a"])
    #expect(stack.popViewController(animated: animated) == nil)
    stack.pushViewController(scene.b, animated: animated)
    #expect(scene.took() == "b> a- b+ A- B+ B>", "it was loaded before")
    #expect(stack.navigationBar.back.text == "\u{2039} a" && stack.navigationBar.title.text == "b")
  }

  @Test func `a push that interrupts another one ends that first`() {
    let scene = Scene()
    let stack = NavigationController(rootViewController: scene.a)
    scene.stage.window.rootViewController = stack
    _ = scene.took()
    stack.pushViewController(scene.b, animated: true)
    stack.pushViewController(scene.c, animated: true)
    #expect(scene.took() == "b> b! a- b+ c> c! b- c+ A- B- B> C+ C>")
    #expect(stack.viewControllers.map(\.id) == ["a", "b", "c"])
  }

  /// `UITabBarController`, as logged on iOS.
  @Test func `tabs load their controllers when they are chosen`() {
    let scene = Scene()
    let tabs = TabController(viewControllers: [scene.a, scene.b])
    scene.stage.window.rootViewController = tabs
    #expect(scene.took() == "a> A> b> B> a! a+ A+" && tabs.tabBar.segments == ["a", "b"])
    tabs.selectedIndex = 1
    #expect(scene.took() == "b! b+ a- A- B+" && tabs.selectedViewController === scene.b)
    scene.stage.window.layoutIfNeeded()
    scene.stage.frame((1, .began, 50, 390))
    scene.stage.frame((1, .ended, 50, 390))
    #expect(scene.took() == "a+ b- B- A+" && tabs.selectedIndex == 0)
    scene.b.title = "Bells"
    #expect(tabs.tabBar.segments == ["a", "Bells"])
  }

  /// `UIPageViewController` with the transition style `scroll`, as logged on iOS.
  @Test func `pages under a finger appear as they come into sight, and go again if it turns back`() {
    let scene = Scene()
    let pages = PagesView(id: "pages", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    pages.slideAxis = .horizontal
    for screen in [scene.a, scene.b] {
      screen.view.isArranged = true
      pages.addSubview(screen.view)
    }
    scene.stage.add(pages)
    #expect(scene.journal.take() == "a! b! a+ A+")
    scene.drag((350, 200), (60, 200))
    #expect(scene.took() == "b+ a- B+ A-")
    scene.drag((100, 200), (190, 200), rests: true)
    #expect(scene.took() == "a+ b- b+ B+ a- A-")
    pages.page = scene.a.view
    #expect(scene.took() == "a+ b- B- A+")
  }

  // MARK: Presentation

  /// The forms, with the order of a presentation and of a dismissal.
  static let forms: [(ViewController.ModalPresentationStyle, String, String)] = [
    (.automatic, "b! b+ B+", "b- B-"),
    (.overFullScreen, "b! b+ B+", "b- B-"),
    (.fullScreen, "b! a- b+ B+ A-", "b- a+ A+ B-"),
  ]

  @Test(arguments: forms, [false, true]) func `a presented controller appears as its style says`(
    form: (style: ViewController.ModalPresentationStyle, comes: String, goes: String), animated: Bool
  ) {
    let scene = Scene()
    scene.stage.window.rootViewController = scene.a
    _ = scene.took()
    scene.b.modalPresentationStyle = form.style
    let isPresented = scene.a.present(scene.b, animated: animated) { scene.journal.lines.append("there") }
    #expect(isPresented && scene.a.presentedViewController === scene.b)
    #expect(scene.b.presentingViewController === scene.a && scene.b.next === scene.a)
    #expect(!scene.a.present(scene.c, animated: animated), "one at a time")
    #expect(scene.took() == form.comes + " there")
    scene.b.dismiss(animated: animated) { scene.journal.lines.append("away") }
    #expect(scene.took() == form.goes + " away")
    #expect(scene.a.presentedViewController == nil && scene.b.presentingViewController == nil)
    #expect(scene.stage.window.subviews.count == 1 && scene.b.view.superview == nil)
    scene.a.present(scene.b, animated: animated)
    #expect(scene.took() == String(form.comes.dropFirst(3)), "it keeps its view")
  }

  @Test func `the outermost parent presents, and one dismissal closes all that is over it`() {
    let scene = Scene()
    let stack = NavigationController(rootViewController: scene.a)
    scene.stage.window.rootViewController = stack
    scene.a.present(scene.b, animated: false)
    #expect(scene.b.presentingViewController === stack && stack.presentedViewController === scene.b)
    scene.b.present(scene.c, animated: false)
    #expect(scene.c.presentingViewController === scene.b)
    _ = scene.took()
    scene.a.dismiss(animated: true)
    #expect(scene.took() == "c- C- b- B-" && scene.stage.window.subviews.count == 1)
  }

  @Test func `a finger that drags a sheet down makes it disappear, and appear again if it comes back`() {
    let scene = Scene()
    scene.stage.window.rootViewController = scene.a
    scene.b.preferredContentSize = Size(width: 300, height: 200)
    scene.a.present(scene.b, animated: true)
    _ = scene.took()
    scene.drag((200, 250), (200, 280), rests: true)
    #expect(scene.took() == "b- b+ B+")
    scene.drag((200, 250), (200, 390))
    #expect(scene.took() == "b- B-" && scene.a.presentedViewController == nil)
    scene.b.isModalInPresentation = true
    scene.a.present(scene.b, animated: true)
    #expect(scene.took() == "b+ B+")
    scene.drag((200, 250), (200, 390))
    #expect(scene.took().isEmpty && scene.a.presentedViewController === scene.b)
  }

  @Test func `an alert calls the handler of its button when it has gone`() throws {
    let scene = Scene()
    scene.stage.window.rootViewController = scene.a
    let alert = AlertController(title: "Delete?", message: "It is gone then.")
    alert.addAction(
      AlertAction(title: "Delete", style: .destructive) { _ in
        scene.journal.lines.append("\(scene.a.presentedViewController == nil)")
      })
    alert.addAction(AlertAction(title: "Cancel", style: .cancel))
    alert.addTextField { $0.placeholder = "Name" }
    scene.a.present(alert, animated: true)
    #expect(scene.took() == "a! a+ A+" && (alert.view as? SheetView)?.isAlert == true)
    let buttons = try #require(alert.view.subviews[0].subviews.last as? StackView).arrangedSubviews
    #expect(buttons.compactMap { ($0 as? Button)?.text } == ["Cancel", "Delete"])
    (buttons[1] as? Button)?.send(.touchUpInside)
    #expect(scene.took() == "true" && scene.stage.window.subviews.count == 1)
  }

  @Test func `a sheet of actions that a tap beside it closes was cancelled`() {
    let scene = Scene()
    scene.stage.window.rootViewController = scene.a
    let alert = AlertController(title: "Share", preferredStyle: .actionSheet)
    alert.addAction(AlertAction(title: "Copy") { _ in scene.journal.lines.append("copy") })
    alert.addAction(
      AlertAction(title: "Cancel", style: .cancel) { _ in scene.journal.lines.append("cancel") })
    scene.a.present(alert, animated: true)
    _ = scene.took()
    scene.stage.frame((1, .began, 20, 20))
    scene.stage.frame((1, .ended, 20, 20))
    #expect(scene.took() == "cancel")
  }

  @Test func `views are told of their superview, and a controller of the layout`() {
    final class Told: View {
      var lines: [String] = []
      override func willMove(toSuperview superview: View?) { lines.append("will \(superview?.id ?? "-")") }
      override func didMoveToSuperview() { lines.append("did \(superview?.id ?? "-")") }
      override func didMoveToWindow() { lines.append("window \(window?.id ?? "-")") }
    }
    final class Laid: ViewController {
      var sizes: [Double] = []
      override func viewDidLayoutSubviews() { sizes.append(view.bounds.width) }
    }
    let stage = Stage()
    let told = Told()
    stage.add(told)
    told.removeFromSuperview()
    #expect(told.lines == ["will window", "window window", "did window", "will -", "window -", "did -"])
    let laid = Laid()
    stage.window.rootViewController = laid
    laid.view.addSubview(View())
    stage.window.layoutIfNeeded()
    #expect(laid.sizes.last == 400)
  }
}
