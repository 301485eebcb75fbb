import TouchCore

extension ViewKind {
  /// `SheetView`
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

/// A view over everything else, with what is behind it dimmed: a panel at the lower edge that is dragged away, or an alert.
/// (`UISheetPresentationController`; with `isAlert`, `UIAlertController`.)
///
/// While it is presented it gets every new touch; a touch that is under way below stays with its view, as in UIKit, where the
/// views below a sheet or an alert stay in the window (`UIModalPresentationStyle.overFullScreen`) and touches are only
/// cancelled in views that leave it (`UIResponder.touchesCancelled(_:with:)`).
open class SheetView: View {
  /// Whether it stands in the middle, and is closed by its own buttons alone. (`UIAlertController.Style.alert`.)
  public final var isAlert = false { didSet { if oldValue != isAlert { superview?.setNeedsLayout() } } }

  /// Whether the sheet is shown. A finger may change it too.
  public final var isPresented = false {
    didSet {
      guard oldValue != isPresented else { return }
      let window = window
      backdrop?.follow()
      window?.observe(ViewStep.sheet(self))
    }
  }

  /// Makes a sheet of a lighter grey than a dark page, with round corners.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    appearance.background = Color(red: 0x26, green: 0x30, blue: 0x3a)
    appearance.cornerRadius = 14
    isArranged = frame == .zero
  }

  open override class var standardHitTestClass: View.Type { SheetView.self }

  /// Presents the sheet over the window of a view. Without a frame of its own it lies at the lower edge, as high as its content.
  /// (`UIViewController.present(_:animated:completion:)`.)
  ///
  /// - Parameter view: in a window. Its controller presents the sheet's, and follows it in the responder chain.
  public final func present(over view: View) {
    guard let window = view.window else { return }
    if backdrop == nil { window.addSubview(SheetBackdrop(of: self, over: view, isKept: false)) }
    isPresented = true
  }

  /// Closes the sheet. (`UIViewController.dismiss(animated:completion:)`.)
  public final func dismiss() { isPresented = false }

  open override var isFocusGroup: Bool { true }

  /// The key that leads back closes it; an alert waits for one of its buttons. (As a press of menu dismisses what is presented:
  /// tvOS.)
  open override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    closes(super.pressesBegan(presses, with: event), presses)
  }

  func closes(_ disposition: Disposition, _ presses: [Press]) -> Disposition {
    guard disposition == .forward, isPresented, presses.contains(where: { $0.type == .menu }) else {
      return disposition
    }
    if !isAlert { dismiss() }
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

/// What lies behind a sheet: it dims the rest of the window, keeps touches from it, and moves the sheet.
/// (`UIPresentationController.containerView`.)
///
/// ```
///              presented                finger lets go beyond the middle, or fast
///   hidden ─────────────→ at its place ────────────────────────────────────→ hidden
///                              ↑ │ finger drags the sheet down
///                              └─┘
/// ```
/// The sheet is touched at its place from the start, while pictures show it arrive. Until then it is neither dragged nor closed
/// by a finger: the second tap of an impatient one. (UIKit takes no touches while a presentation is animated.)
///
/// It is a scroll view whose offset is how far the sheet is away from its place, so that scroll views in the sheet drag it along
/// at their ends, as they would any other. The sheet itself is moved, and not the bounds: what is dimmed is not painted again.
public final class SheetBackdrop: ScrollView {
  private let sheet: SheetView
  /// The view over whose window the sheet is presented; nil when it is gone.
  private weak var presenter: View?
  /// Whether it stays in the window while the sheet is not presented.
  private let isKept: Bool
  /// The place of the presented sheet, and the place where it was put last.
  private var home = LocalPoint.zero
  private var place = LocalPoint.zero

  private static let dimming = Color(red: 0, green: 0, blue: 0, alpha: 0x80)
  /// The space between a sheet and the edges of the window, in units.
  private static let margin = 8.0
  /// The greatest width of a sheet that has none of its own, and that of an alert, in units. (iOS: an alert is 270 points wide.)
  private static let (widest, alertWidth) = (640.0, 270.0)

  /// - Parameter presenter: the view that presents the sheet; it may come into the window later.
  /// - Parameter isKept: whether it stays in the window, hidden, while the sheet is not presented.
  package init(of sheet: SheetView, over presenter: View, isKept: Bool = true) {
    (self.sheet, self.presenter, self.isKept) = (sheet, presenter, isKept)
    super.init(id: "\(sheet.id).backdrop")
    appearance.background = Self.dimming
    isArranged = true
    scrolling.axis = .vertical
    (scrolling.bounces, scrolling.showsIndicators, scrolling.delaysTouches) = (false, false, false)
    // It is dragged as by any pan, which takes the touch of a button in it, but not one that a slider or a caret keeps.
    scrolling.cancelsTouches = .always
    if presenter.privateView != nil { sheet.isPrivate = true }
    home = sheet.layoutRect.origin
    place = home
    addSubview(sheet)
    let tap = TapGestureRecognizer(id: "\(sheet.id).outside")
    tap.action = { [weak sheet] tap in if tap.state == .ended { sheet?.dismiss() } }
    addGestureRecognizer(tap)
    if let controller = sheet.viewController, controller.presentingViewController == nil {
      controller.presentingViewController = presentingController
    }
    if sheet.isPresented { show() } else { isHidden = true }
  }

  public override class var standardHitTestClass: View.Type { SheetBackdrop.self }

  /// The first controller among the ancestors of the presenting view.
  var presentingController: ViewController? {
    var next: Responder? = presenter
    while let responder = next {
      if let controller = responder as? ViewController { return controller }
      next = responder.next
    }
    return nil
  }

  // MARK: Presenting

  /// Follows a change of `isPresented`.
  func follow() {
    if sheet.isPresented {
      let wasHidden = isHidden
      show()
      window?.layoutIfNeeded()
      if wasHidden { show(LocalPoint(x: 0, y: -travel)) }
      let start = place
      come(to: .zero)
      if sheet.isAlert { fade(isComing: true, isSeen: !wasHidden) } else { arrive(from: start) }
      window?.usedFocusSystem?.setNeedsUpdate()
    } else {
      // What is in a view that goes has no touches. (As where a view leaves the window.)
      window?.subtreeLeft(self)
      isUserInteractionEnabled = false
      let end = LocalPoint(x: 0, y: -travel)
      if sheet.isAlert || offset == end || !spring(to: end) { leave() }
      if sheet.isAlert { fade(isComing: false, isSeen: true) }
    }
  }

  /// Fades an alert in or out in pictures. (`UIAlertController`.)
  private func fade(isComing: Bool, isSeen: Bool) {
    guard let animator = window?.runningAnimator else { return }
    let group = animator.group(.alert)
    var start = isSeen ? alpha : 0
    if case .number(let alpha) = animator.presented(.alpha, of: self) { start = alpha }
    animator.move(.alpha, of: self, from: .number(start), to: .number(isComing ? alpha : 0), in: group)
    if !isComing { animator.move(.concealment, of: self, from: .flag(false), to: .flag(false), in: group) }
  }

  /// Moves the sheet to its place in pictures.
  private func arrive(from start: LocalPoint) {
    guard start != place, let window, !window.reducesMotion, let animator = window.runningAnimator else {
      return
    }
    animator.move(.place, of: sheet, from: .point(start), in: animator.group(.sheet))
  }

  private var isArriving: Bool { window?.animator?.presented(.place, of: sheet) != nil }

  private func show() {
    var behavior = HitBehavior()
    behavior.z = NumberRange.farthest
    hitBehavior = behavior
    // Of several sheets, the last one that is presented is in front.
    superview?.bringSubviewToFront(self)
    (isHidden, isUserInteractionEnabled) = (false, true)
  }

  private func leave() {
    come(to: .zero)
    isHidden = true
    hitBehavior = nil
    if !isKept { removeFromSuperview() }
  }

  /// Moves to an offset without a motion.
  private func come(to offset: LocalPoint) {
    state = .resting
    deadline = nil
    show(offset)
  }

  // MARK: Moving

  /// The distance that the sheet moves until it is invisible.
  private var travel: Double { max(0, bounds.size.height - home.y) }

  /// The offsets: 0 at the sheet's place, negative below it.
  override var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    (0...0, sheet.isAlert ? 0...0 : -travel...0)
  }

  override var reportsScrolling: Bool { false }

  public override func layoutSubviews() {
    if sheet.layoutRect.origin != place { home = sheet.layoutRect.origin }
    if sheet.isArranged {
      let room = bounds.size
      let least = min(room.width, room.height) - 2 * Self.margin
      let width =
        sheet.fixedWidth ?? min(room.width - 2 * Self.margin, sheet.isAlert ? Self.alertWidth : Self.widest)
      let content = sheet.arrangedSize(atWidth: width).height.units
      let height = content > 0 ? min(content, room.height - 2 * Self.margin) : max(0, least / 2)
      home = LocalPoint(
        x: ((room.width - width) / 2).rounded(),
        y: sheet.isAlert ? ((room.height - height) / 2).rounded() : room.height - height - Self.margin)
      sheet.layoutRect.size = Size(width: width, height: height)
    }
    show(offset)
  }

  override func show(_ offset: LocalPoint) {
    self.offset = offset
    place = LocalPoint(x: home.x, y: home.y - onPixels(offset).y)
    sheet.layoutRect.origin = place
  }

  /// Back to its place, or away: beyond the middle of its way, or where the finger was fast.
  override func released(
    with speed: LocalVector, at time: Timestamp
  ) -> (x: ScrollMotion?, y: ScrollMotion?) {
    let isFast = abs(speed.y) >= ScrollMotion.pageSpeed
    let goes = isFast ? speed.y < 0 : offset.y < -travel / 2
    return (nil, .turning(from: offset.y, to: goes ? -travel : 0, speed: speed.y, at: time))
  }

  override func rest(at time: Timestamp) {
    super.rest(at: time)
    guard travel > 0, offset.y <= -travel else { return }
    if sheet.isPresented { sheet.dismiss() } else { leave() }
  }

  public override func deadlinePassed(with event: Event) {
    if window == nil { leave() } else { super.deadlinePassed(with: event) }
  }

  // MARK: Touches

  /// A sheet is dragged where it is, and closed by a tap beside it; an alert by neither.
  public override func gestureRecognizer(
    _ recognizer: GestureRecognizer, shouldReceive touch: Touch
  ) -> Bool {
    if recognizer.view !== self { return true }
    return !sheet.isAlert && !isArriving && (touch.view === self) == (recognizer !== panGestureRecognizer)
  }

  // MARK: Focus

  /// Whether keys cannot reach the views behind the sheet.
  public override var confinesFocus: Bool { sheet.isPresented }

  public override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    sheet.closes(super.pressesBegan(presses, with: event), presses)
  }

  /// A wheel does not move a sheet, nor what is behind it.
  override func turn(x: Double, y: Double, at time: Timestamp) -> Bool { true }
}
