import TouchCore

extension ViewKind {
  package static let sheet = ViewKind(
    "sheet", "a sheet", "sheets", .forwarded,
    alsoCalled: ["dialog", "modal", "popup", "alert", "messagebox", "msgbox"],
    details: { (sheet: SheetView) in
      [(sheet.isAlert ? "alert " : "") + (sheet.isPresented ? "presented" : "not presented")]
    },
    make: { SheetView(id: $0) })
}

extension ViewProperty {
  package static let presented = ViewProperty(
    "presented", \SheetView.isPresented, .flag,
    "Whether it is shown, over everything else. See [sheets](scrolling.md#sheets).")

  static let ofSheets: [ViewProperty] = [
    ViewProperty(
      "alert", \SheetView.isAlert, .flag, is: .fixed,
      "Whether it is a small one in the middle, which neither a tap beside it nor a drag closes."),
    presented,
  ]
}

/// A view over everything else, with what is behind it dimmed: a panel at the lower edge that is dragged
/// away, or an alert. (`UISheetPresentationController`; with `isAlert`, `UIAlertController`.)
///
/// While it is presented it gets every new touch; a touch that is under way below stays with its view, as in
/// UIKit, where the views below a sheet or an alert stay in the window
/// (`UIModalPresentationStyle.overFullScreen`) and touches are only cancelled in views that leave it
/// (`UIResponder.touchesCancelled(_:with:)`).
open class SheetView: View {
  /// Whether it stands in the middle, and is closed by its own buttons alone.
  /// (`UIAlertController.Style.alert`.)
  public final var isAlert = false { didSet { if oldValue != isAlert { superview?.setNeedsLayout() } } }

  /// Whether the program alone closes it: neither a tap beside it nor a drag nor a key does. An alert's
  /// buttons do that. (`UIViewController.isModalInPresentation`.)
  public final var isModalInPresentation = false
  var isClosedByProgram: Bool { isAlert || isModalInPresentation }

  /// Whether the sheet is shown. A finger may change it too.
  public final var isPresented: Bool {
    get { isShown }
    set { setPresented(newValue, animated: true, nil) }
  }
  private var isShown = false

  private func setPresented(_ isPresented: Bool, animated: Bool, _ completion: (() -> Void)?) {
    guard isPresented != isShown else {
      completion?()
      return
    }
    isShown = isPresented
    let window = window
    if let backdrop { backdrop.follow(animated: animated, completion) } else { completion?() }
    window?.observe(ViewStep.sheet(self))
  }

  /// Makes a sheet of a lighter grey than a dark page, with round corners.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    appearance.background = Color(red: 0x26, green: 0x30, blue: 0x3a)
    appearance.cornerRadius = 14
    isArranged = frame == .zero
  }

  open override class var standardHitTestClass: View.Type { SheetView.self }

  /// Presents the sheet over the window of a view. Without a frame of its own it lies at the lower edge, as
  /// high as its content. (`UIViewController.present(_:animated:completion:)`.)
  ///
  /// - Parameters:
  ///   - view: in a window. Its controller presents the sheet's, and follows it in the responder chain.
  ///   - animated: whether pictures show it arrive.
  ///   - completion: called when it has arrived.
  public final func present(over view: View, animated: Bool = true, completion: (() -> Void)? = nil) {
    guard let window = view.window else { return }
    if backdrop == nil { window.addSubview(SheetBackdrop(of: self, over: view, isKept: false)) }
    setPresented(true, animated: animated, completion)
  }

  /// Closes the sheet. (`UIViewController.dismiss(animated:completion:)`.)
  ///
  /// - Parameters:
  ///   - animated: whether pictures show it go.
  ///   - completion: called when it has gone.
  public final func dismiss(animated: Bool = true, completion: (() -> Void)? = nil) {
    setPresented(false, animated: animated, completion)
  }

  /// Called after a finger or a key has closed the sheet. (`presentationControllerDidDismiss(_:)`.)
  public final var didDismiss: (() -> Void)?
  private var isClosedByUser = false

  /// A finger or a key closes it.
  final func close() {
    isClosedByUser = true
    dismiss()
  }

  /// The sheet has gone.
  final func wasDismissed() {
    forgetController()
    guard isClosedByUser else { return }
    isClosedByUser = false
    didDismiss?()
  }

  /// The controller that is presented in the sheet; nil for a sheet by itself.
  final weak var presentedController: ViewController?
  /// The controllers that the sheet covers wholly, from the outside in.
  final var covered: [ViewController] = []

  open override var isFocusGroup: Bool { true }

  /// The key that leads back closes it; an alert waits for one of its buttons. (As a press of menu dismisses
  /// what is presented: tvOS.)
  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    closes(super.pressesBegan(presses, with: event), presses)
  }

  /// Returns the result of a press that may close the sheet.
  func closes(_ disposition: Disposition, _ presses: [Press]) -> Disposition {
    guard disposition == .forward, isPresented, presses.contains(where: { $0.type == .menu }) else {
      return disposition
    }
    if !isClosedByProgram { close() }
    return .handled
  }

  private var backdrop: SheetBackdrop? { superview as? SheetBackdrop }

  /// Returns the size that the arranged subviews need, or the end of the others.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    var height = 0.0
    for subview in storedSubviews {
      height = max(
        height,
        subview.isArranged ? subview.arrangedSize(atWidth: width).height.units : subview.frame.maxY)
    }
    return ContentSize(width: .none, height: ContentLength(height, .content))
  }

  /// Its controller; else the controller that presents it, and where there is none, the window behind it.
  /// (`UIViewController.next`: of a presented controller, the presenting one.)
  open override var next: Responder? { viewController ?? backdrop?.presentingController ?? superview }
}
