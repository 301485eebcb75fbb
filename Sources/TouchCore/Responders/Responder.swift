/// A responder's answer to the touches that it was given.
public enum Disposition: String, Sendable {
  /// The responder handled them; the chain stops here for this event.
  case handled
  /// The next responder of the chain gets them too.
  case forward
  /// The responder takes the touches over. Every other responder that saw them gets cancelled, and nothing
  /// after that.
  case claim

  /// Combines dispositions of handlers: claim outweighs handled, and handled outweighs forward.
  mutating func join(_ other: Disposition) {
    switch (self, other) {
    case (.claim, _), (_, .claim): self = .claim
    case (.handled, _), (_, .handled): self = .handled
    case (.forward, .forward): self = .forward
    }
  }
}

/// An object that can be given touches and has a `next`: a view, a view controller, the window, the
/// application.
///
/// Subclass it as in UIKit. Where UIKit's `super.touchesBegan(_:with:)` passes the touches on, the method
/// here returns `.forward`, and the dispatcher walks the chain that was recorded when the touch began. Calls
/// do not nest, and a chain may have any length. (`UIResponder`.)
open class Responder {
  /// The responder's name, unique in its tree, for traces, messages and handlers.
  public let id: String

  /// The handlers of this responder, called in order.
  public var handlers: [any Handler] = []

  /// Whether touches that every handler forwards go on to the next responder.
  public var forwards = true

  /// - Parameter id: the responder's name, unique in its tree.
  public init(id: String) { self.id = id }

  /// The responder that gets forwarded touches after this one; nil at the end. (`UIResponder.next`.)
  open var next: Responder? { nil }

  /// The view in whose space this responder sees its touches: itself, its view, or nil for the window's
  /// space.
  open var coordinateView: View? { nil }

  // MARK: Text

  /// Whether the responder takes typed text or key presses when it is asked to. False unless it is
  /// overridden. (`UIResponder.canBecomeFirstResponder`.)
  open var canBecomeFirstResponder: Bool { false }

  /// Whether the first responder lets another take its place. True unless it is overridden.
  /// (`UIResponder.canResignFirstResponder`.)
  open var canResignFirstResponder: Bool { true }

  /// Makes this the first responder of its window, if it can be, its view is visible and enabled, and the
  /// present one resigns. An override calls `super` first. (`UIResponder.becomeFirstResponder()`.)
  ///
  /// - Returns: whether it is the first responder now.
  @discardableResult
  open func becomeFirstResponder() -> Bool { takeFirstPlace() }

  /// Resigns as first responder. An override calls `super`, or returns false to stay. It cannot stay if its
  /// view leaves the window, or is hidden or disabled. (`UIResponder.resignFirstResponder()`.)
  ///
  /// - Returns: false if it is still the first responder.
  @discardableResult
  open func resignFirstResponder() -> Bool { leaveFirstPlace() }

  // MARK: Touches

  /// Called when touches went down on a view whose chain contains this responder. `touches` share one chain.
  /// (`UIResponder.touchesBegan(_:with:)`.)
  open func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .began, event: event)
  }

  /// Called when touches moved. They stay with the view on which they began.
  /// (`UIResponder.touchesMoved(_:with:)`.)
  open func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .moved, event: event)
  }

  /// Called when touches were lifted. (`UIResponder.touchesEnded(_:with:)`.)
  open func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .ended, event: event)
  }

  /// Called when touches were broken off without an end, and nothing more follows: undo what they started.
  /// (`UIResponder.touchesCancelled(_:with:)`.)
  open func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .cancelled, event: event)
  }

  /// Gives touches to every handler of this responder that does not capture. All of these see the touches,
  /// even if one handles or claims them. Touches on a private view are withheld if the responder lies outside
  /// it: see `View.isWithheld`.
  public final func callHandlers(_ touches: [Touch], phase: Touch.Phase, event: Event) -> Disposition {
    var disposition: Disposition = forwards ? .forward : .handled
    guard !handlers.isEmpty else { return disposition }
    call(touches, phase: phase, event: event, captures: false, &disposition)
    return disposition
  }

  /// Calls the handlers. An external one gets no touch that began in a private view, or only the end.
  private func call(
    _ touches: [Touch], phase: Touch.Phase, event: Event, captures: Bool, _ disposition: inout Disposition
  ) {
    let isPrivate = touches.first?.view?.isWithheld(from: self) ?? false
    let areOpen = !isPrivate && touches.allSatisfy { $0.privateView == nil }
    for handler in handlers where handler.captures == captures {
      func share(of touch: Touch) -> Touch.Disclosure {
        touch.disclosure(in: phase, to: self, isPrivate: isPrivate)
      }
      guard handler.isExternal, !areOpen, !touches.allSatisfy({ share(of: $0) == .all }) else {
        disposition.join(handler.handle(touches, phase: phase, event: event, for: self))
        continue
      }
      let open = touches.filter { share(of: $0) == .all }
      if !open.isEmpty { disposition.join(handler.handle(open, phase: phase, event: event, for: self)) }
      for touch in touches where share(of: touch) == .end {
        touch.showingEnd { _ = handler.handle([touch], phase: .cancelled, event: event, for: self) }
      }
    }
  }

  // MARK: Presses

  /// Called when keys went down, and the focused view's chain contains this responder. A forwarded press goes
  /// on to the next responder. (`UIResponder.pressesBegan(_:with:)`.)
  open func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Called when held keys repeat. (`UIResponder.pressesChanged(_:with:)`, of which UIKit's keys make no
  /// use.)
  open func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Called when keys came up. Each responder that got their beginning gets this or `pressesCancelled` once.
  /// (`UIResponder.pressesEnded(_:with:)`.)
  open func pressesEnded(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Called when presses were broken off: undo what they started. (`UIResponder.pressesCancelled(_:with:)`.)
  open func pressesCancelled(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Called when a barcode scanner read a text, and the focused view's chain contains this responder.
  ///
  /// - Parameters:
  ///   - scan: the text, and the device that read it.
  ///   - first: the responder where the chain begins.
  open func scanned(_ scan: Scan, from first: Responder) -> Disposition {
    var disposition = Disposition.forward
    guard !handlers.isEmpty else { return disposition }
    let isWithheld = first.coordinateView?.isWithheld(from: self) ?? false
    for handler in handlers where !(isWithheld && handler.isExternal) {
      disposition.join(handler.handle(scan, for: self))
    }
    return disposition
  }

  /// Gives presses to every handler of this responder, whatever `forwards` says, which applies to touches
  /// alone. Presses in a private view are withheld if the responder lies outside it: see `View.isWithheld`.
  public final func callHandlers(_ presses: [Press], with event: PressesEvent) -> Disposition {
    var disposition = Disposition.forward
    guard !handlers.isEmpty else { return disposition }
    for press in presses {
      let isWithheld = press.responder?.coordinateView?.isWithheld(from: self) ?? false
      for handler in handlers where !(isWithheld && handler.isExternal) {
        disposition.join(handler.handle(press, event: event, for: self))
      }
    }
    return disposition
  }

  // MARK: Pointers

  /// Called when a pointer hovered, or used a wheel or a button, on this responder's view or in it. A
  /// disposition other than forward stops the chain for a wheel and a button only.
  /// (`UIHoverGestureRecognizer`; `UIScrollView` handles wheels.)
  open func pointerChanged(_ pointer: PointerEvent) -> Disposition {
    var disposition = Disposition.forward
    guard !handlers.isEmpty else { return disposition }
    let isWithheld = pointer.view.isWithheld(from: self)
    for handler in handlers where !(isWithheld && handler.isExternal) {
      disposition.join(handler.handle(pointer, for: self))
    }
    return disposition
  }

  /// Gives touches to the handlers that capture, on the way down to the hit view.
  final func callCapturingHandlers(_ touches: [Touch], phase: Touch.Phase, event: Event) -> Disposition {
    var disposition = Disposition.forward
    call(touches, phase: phase, event: event, captures: true, &disposition)
    return disposition
  }
}

/// An action that a kind of view sends to its handlers because of a touch. The module that has the views
/// defines it. (`UIControl.Event`.)
public protocol ViewAction: Sendable {}

/// Code attached to a responder from outside: built in, a plugin, or a process.
public protocol Handler: AnyObject {
  /// The handler's name in the configuration.
  var name: String { get }

  /// Whether the handler gets touches on the way down, before the hit view, instead of on the way up. It must
  /// not change.
  var captures: Bool { get }

  /// Whether the handler may carry its input out of the tree. Such a handler gets nothing of a private view
  /// outside which its responder lies.
  var isExternal: Bool { get }

  /// Handles touches of one phase and one chain, on the dispatcher's thread.
  ///
  /// - Returns: the disposition of the touches.
  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition

  /// Handles an action of a view: the view to which this handler is attached, or one whose chain contains the
  /// handler's responder. Actions go up the chain whether or not touches are forwarded.
  /// (`UIApplication.sendAction(_:to:from:for:)` to nil.)
  func handle(_ action: some ViewAction, touch: Touch, event: Event, from view: View)

  /// Handles a gesture that was found, changed or ended, of a recogniser to which this handler is attached.
  func handle(_ gesture: GestureRecognizer, event: Event)

  /// Handles a pointer that hovered, or used a wheel or a button, on this responder's view or in it. A
  /// disposition other than forward stops the chain for a wheel and a button only.
  func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition

  /// Handles a change of a key, by `press.phase`: it went down, repeats, came up or was broken off. For a
  /// beginning, a disposition other than forward stops it on its way up the chain.
  func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition

  /// Handles a text that a barcode scanner read. A disposition other than forward stops it on its way up the
  /// chain.
  func handle(_ scan: Scan, for responder: Responder) -> Disposition
}

extension Handler {
  /// Returns false: the responder gets touches only on the way up the chain.
  public var captures: Bool { false }

  /// Returns true: the handler may do anything with a touch.
  public var isExternal: Bool { true }

  /// Ignores the actions of views.
  public func handle(_ action: some ViewAction, touch: Touch, event: Event, from view: View) {}

  /// Ignores the gestures of views.
  public func handle(_ gesture: GestureRecognizer, event: Event) {}

  /// Ignores pointer events, and returns `.forward`.
  public func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition { .forward }

  /// Ignores presses, and returns `.forward`.
  public func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    .forward
  }

  /// Ignores scans, and returns `.forward`.
  public func handle(_ scan: Scan, for responder: Responder) -> Disposition { .forward }
}
