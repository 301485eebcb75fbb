import TouchCore

extension ViewController {
  /// Presents another controller over the window. The one that presents it is the outermost parent of this
  /// one. (`UIViewController.present(_:animated:completion:)`.)
  ///
  /// ```
  /// pageSheet   new viewWillAppear, viewDidAppear
  /// fullScreen  own viewWillDisappear, new viewWillAppear, new viewDidAppear, own viewDidDisappear
  /// ```
  /// A controller whose view is a `SheetView`, such as an `AlertController`, is presented as that.
  ///
  /// - Parameters:
  ///   - controller: presented by nobody.
  ///   - animated: whether pictures show it arrive.
  ///   - completion: called after its `viewDidAppear(_:)`.
  /// - Returns: false if nothing was presented: this controller's view is in no window, it presents another
  ///   one already, or the controller is presented or shown. (UIKit logs that.)
  @discardableResult
  public final func present(
    _ controller: ViewController, animated: Bool, completion: (() -> Void)? = nil
  ) -> Bool {
    let presenter = outermostParent
    guard presenter.presented?.isLeaving ?? true, controller !== presenter, controller.parent == nil,
      controller.viewIfLoaded?.window == nil, let root = presenter.viewIfLoaded, let window = root.window
    else { return false }
    presenter.presented = controller
    controller.presentingViewController = presenter
    let view = controller.loadViewIfNeeded()
    let sheet = view as? SheetView ?? SheetView(holding: controller, in: window)
    sheet.presentedController = controller
    if controller.modalPresentationStyle == .fullScreen, sheet !== view {
      sheet.covered = root.shownControllers
    }
    sheet.present(over: root, animated: animated, completion: completion)
    return true
  }

  /// Closes the controller that this one presents, with all that is presented over it; if it presents none,
  /// closes this one. (`UIViewController.dismiss(animated:completion:)`.)
  ///
  /// - Parameters:
  ///   - animated: whether pictures show it go.
  ///   - completion: called after its `viewDidDisappear(_:)`; at once if nothing is presented.
  public final func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    let outermost = outermostParent
    let target = outermost.presented.flatMap { $0.isLeaving ? nil : $0 } ?? outermost
    guard let sheet = target.sheet, sheet.isPresented else {
      completion?()
      return
    }
    var over = target.presented
    while let next = over {
      over = next.presented
      next.sheet?.dismiss(animated: false)
    }
    sheet.dismiss(animated: animated, completion: completion)
  }

  /// Whether it is on its way out of a presentation, or out already. (`UIViewController.isBeingDismissed`.)
  private var isLeaving: Bool { !(sheet?.isPresented ?? false) }

  private var outermostParent: ViewController {
    var controller = self
    while let parent = controller.parent { controller = parent }
    return controller
  }

  /// The sheet in which the controller is presented.
  private var sheet: SheetView? {
    let view = viewIfLoaded
    return view as? SheetView ?? view?.superview as? SheetView
  }
}

extension SheetView {
  /// Makes the sheet of a presented controller.
  fileprivate convenience init(holding controller: ViewController, in window: Window) {
    self.init(id: "")
    switch controller.modalPresentationStyle {
    case .automatic, .pageSheet:
      let size = controller.preferredContentSize
      if size.width > 0 { fixedWidth = size.width }
      fixedHeight = size.height > 0 ? size.height : window.bounds.size.height
      isModalInPresentation = controller.isModalInPresentation
    case .fullScreen, .overFullScreen:
      (isArranged, isModalInPresentation) = (false, true)
      frame = LocalRect(origin: .zero, size: window.bounds.size)
      appearance.cornerRadius = 0
    }
    clipsToBounds = true
    controller.view.isArranged = true
    addSubview(controller.view)
  }

  /// Forgets the controller that was presented in it, which may be presented again.
  final func forgetController() {
    guard let controller = presentedController else { return }
    presentedController = nil
    let presenter = controller.presentingViewController
    if presenter?.presented === controller { presenter?.presented = nil }
    controller.presentingViewController = nil
    if controller.viewIfLoaded !== self { controller.viewIfLoaded?.removeFromSuperview() }
  }
}
