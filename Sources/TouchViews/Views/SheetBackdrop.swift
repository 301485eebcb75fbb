import TouchCore

/// The view behind a sheet: it dims the rest of the window, keeps touches from it, and moves the sheet.
/// (`UIPresentationController.containerView`.)
///
/// ```
///              presented                finger lets go beyond the middle, or fast
///   hidden ─────────────→ at its place ────────────────────────────────────→ hidden
///                              ↑ │ finger drags the sheet down
///                              └─┘
/// ```
/// The sheet is touched at its place from the start, while pictures show it arrive. Until then it is neither
/// dragged nor closed by a finger: the second tap of an impatient one. (UIKit takes no touches while a
/// presentation is animated.)
///
/// It is a scroll view whose offset is how far the sheet is away from its place, so that scroll views in the
/// sheet drag it along at their ends, as they would any other. The sheet itself is moved, and not the bounds:
/// what is dimmed is not painted again.
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
  /// The greatest width of a sheet that has none of its own, and that of an alert, in units. (iOS: an alert
  /// is 270 points wide.)
  private static let (widest, alertWidth) = (640.0, 270.0)

  /// - Parameters:
  ///   - presenter: the view that presents the sheet; it may come into the window later.
  ///   - isKept: whether it stays in the window, hidden, while the sheet is not presented.
  package init(of sheet: SheetView, over presenter: View, isKept: Bool = true) {
    (self.sheet, self.presenter, self.isKept) = (sheet, presenter, isKept)
    super.init(id: "\(sheet.id).backdrop")
    appearance.background = Self.dimming
    isArranged = true
    scrolling.axis = .vertical
    (scrolling.bounces, scrolling.showsIndicators, scrolling.delaysTouches) = (false, false, false)
    // It is dragged as by any pan, which takes the touch of a button in it, but not one that a slider or a
    // caret keeps.
    scrolling.cancelsTouches = .always
    if presenter.privateView != nil { sheet.isPrivate = true }
    home = sheet.layoutRect.origin
    place = home
    addSubview(sheet)
    let tap = TapGestureRecognizer(id: "\(sheet.id).outside")
    tap.action = { [weak sheet] tap in if tap.state == .ended { sheet?.close() } }
    addGestureRecognizer(tap)
    if let controller = sheet.viewController, controller.presentingViewController == nil {
      controller.presentingViewController = presentingController
    }
    if sheet.isPresented { show() } else { hide() }
    delegate = self
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
  func follow(animated: Bool, _ completion: (() -> Void)?) {
    finish()
    changeCount += 1
    change = (sheet.isPresented, changeCount, completion)
    if sheet.isPresented {
      let wasHidden = isHidden
      show()
      window?.layoutIfNeeded()
      sheet.covered.begin(false, animated: animated)
      shownControllers.begin(true, animated: animated)
      if wasHidden { show(LocalPoint(x: 0, y: -travel)) }
      let start = place
      come(to: .zero)
      let moves =
        animated && (sheet.isAlert ? fade(isComing: true, isSeen: !wasHidden) : arrive(from: start))
      if !moves { finish() }
      window?.usedFocusSystem?.setNeedsUpdate()
    } else {
      shownControllers.begin(false, animated: animated)
      sheet.covered.begin(true, animated: animated)
      // What is in a view that goes has no touches. (As where a view leaves the window.)
      window?.subtreeLeft(self)
      isUserInteractionEnabled = false
      let end = LocalPoint(x: 0, y: -travel)
      if sheet.isAlert || !animated || offset == end || !spring(to: end) { leave() }
      if sheet.isAlert, animated { _ = fade(isComing: false, isSeen: true) }
    }
  }

  /// The change of the sheet that pictures still show, by its number; nil at rest.
  private var change: (isComing: Bool, number: Int, completion: (() -> Void)?)?
  private var changeCount = 0

  /// Ends the present change: the sheet has come or gone.
  private func finish() {
    guard let (isComing, _, completion) = change else { return }
    change = nil
    let controllers = controllers
    if isComing {
      controllers.end()
      sheet.covered.end()
    } else {
      sheet.covered.end()
      controllers.end()
      sheet.wasDismissed()
    }
    completion?()
  }

  /// Returns a closure that ends the present change, and no later one.
  private func finishing() -> (Bool) -> Void {
    let number = changeCount
    return { [weak self] _ in if let self, change?.number == number { finish() } }
  }

  /// Fades an alert in or out in pictures. (`UIAlertController`.)
  ///
  /// - Returns: false if nothing moves.
  private func fade(isComing: Bool, isSeen: Bool) -> Bool {
    guard let animator = window?.runningAnimator else { return false }
    let group = animator.group(.alert, isComing ? finishing() : nil)
    var start = isSeen ? alpha : 0
    if case .number(let alpha) = animator.presented(.alpha, of: self) { start = alpha }
    animator.move(.alpha, of: self, from: .number(start), to: .number(isComing ? alpha : 0), in: group)
    if !isComing { animator.move(.concealment, of: self, from: .flag(false), to: .flag(false), in: group) }
    return true
  }

  /// Moves the sheet to its place in pictures.
  ///
  /// - Returns: false if nothing moves.
  private func arrive(from start: LocalPoint) -> Bool {
    guard start != place, let window, !window.reducesMotion, let animator = window.runningAnimator else {
      return false
    }
    animator.move(.place, of: sheet, from: .point(start), in: animator.group(.sheet, finishing()))
    return true
  }

  private var isArriving: Bool { window?.animator?.presented(.place, of: sheet) != nil }

  private func show() {
    var behavior = HitBehavior()
    behavior.z = NumberRange.farthest
    hitBehavior = behavior
    // Of several sheets, the last one that is presented is in front.
    superview?.bringSubviewToFront(self)
    (isHidden, isOnOtherPage, isUserInteractionEnabled) = (false, false, true)
  }

  /// Hides it from people, and from the controllers' point of view.
  private func hide() { (isHidden, isOnOtherPage) = (true, true) }

  private func leave() {
    come(to: .zero)
    hide()
    hitBehavior = nil
    if !isKept { removeFromSuperview() }
    finish()
  }

  /// Moves to an offset without a motion.
  private func come(to offset: LocalPoint) {
    state = .resting
    deadline = nil
    endCourse()
    show(offset)
  }

  // MARK: Moving

  /// The distance that the sheet moves until it is invisible.
  private var travel: Double { max(0, bounds.size.height - home.y) }

  /// The offsets: 0 at the sheet's place, negative below it.
  override var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    (0...0, sheet.isAlert || sheet.isPresented && sheet.isModalInPresentation ? 0...0 : -travel...0)
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
      let rest = room.height - height
      let rect = onPixels(
        LocalRect(
          x: (room.width - width) / 2, y: sheet.isAlert ? rest / 2 : rest - Self.margin, width: width,
          height: height))
      home = rect.origin
      sheet.layoutRect.size = rect.size
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
    guard travel > 0, offset.y <= -travel else {
      // A finger has let the sheet come back.
      guard sheet.isPresented, !isArriving else { return }
      shownControllers.begin(true, animated: true)
      return shownControllers.end()
    }
    if sheet.isPresented { sheet.close() } else { leave() }
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
    return !sheet.isClosedByProgram && !isArriving
      && (touch.view === self) == (recognizer !== panGestureRecognizer)
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

extension SheetBackdrop: ScrollViewDelegate {
  /// A finger that drags the sheet may be about to close it. (So a page sheet disappears in UIKit.)
  public func scrollViewWillBeginDragging(_ scrollView: ScrollView) {
    if sheet.isPresented { shownControllers.begin(false, animated: true) }
  }
}
