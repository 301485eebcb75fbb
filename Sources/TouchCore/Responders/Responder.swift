/// What a responder did with the touches that it was given.
public enum Disposition: String, Sendable {
  /// The responder handled them; the chain stops here for this event.
  case handled
  /// The next responder of the chain gets them too.
  case forward
  /// The responder takes the touches over: every other responder that saw them gets cancelled, and nothing after that.
  case claim

  /// Combines the dispositions of several handlers of one responder: claim outweighs handled, handled outweighs forward.
  mutating func join(_ other: Disposition) {
    switch (self, other) {
    case (.claim, _), (_, .claim): self = .claim
    case (.handled, _), (_, .handled): self = .handled
    case (.forward, .forward): self = .forward
    }
  }
}

/// Anything that can be given touches and has a `next`: a view, a view controller, the window, the application.
///
/// Subclass it as in UIKit. Where UIKit's `super.touchesBegan(_:with:)` passes the touches on, here the method returns
/// `.forward`, and the dispatcher walks the chain that was recorded when the touch began: calls do not nest, and a chain
/// may have any length. (`UIResponder`.)
open class Responder {
  /// A name that is unique in its tree; traces, messages and handlers use it.
  public let id: String

  /// Code attached to this responder, called in order.
  public var handlers: [any Handler] = []

  /// Whether touches that every handler forwards go on to the next responder.
  public var forwards = true

  /// - Parameter id: unique in its tree.
  public init(id: String) {
    self.id = id
  }

  /// The responder that gets forwarded touches after this one, or nil at the end. (`UIResponder.next`.)
  open var next: Responder? { nil }

  /// The view in whose space this responder sees its touches: itself, its view, or nil for the window's space.
  open var coordinateView: View? { nil }

  // MARK: Text

  /// Whether the responder takes what is typed, or the presses of keys, once it is asked to. False unless it is overridden.
  /// (`UIResponder.canBecomeFirstResponder`.)
  open var canBecomeFirstResponder: Bool { false }

  /// Whether the first responder lets another one take its place. True unless it is overridden.
  /// (`UIResponder.canResignFirstResponder`.)
  open var canResignFirstResponder: Bool { true }

  /// Makes this the first responder of its window, if it can be, its view can be seen and used, and the one before it resigns. An
  /// override calls this one first. (`UIResponder.becomeFirstResponder()`.)
  ///
  /// - Returns: whether it is the first responder now.
  @discardableResult
  open func becomeFirstResponder() -> Bool { takeFirstPlace() }

  /// Is the first responder no more. An override calls this one, or returns false to stay; it cannot stay where its view leaves
  /// the window, or is hidden or disabled. (`UIResponder.resignFirstResponder()`.)
  ///
  /// - Returns: false if it is still the first responder.
  @discardableResult
  open func resignFirstResponder() -> Bool { leaveFirstPlace() }

  // MARK: Touches

  /// Touches went down on a view of which this responder is in the chain. `touches` share one chain.
  /// (`UIResponder.touchesBegan(_:with:)`.)
  open func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .began, event: event)
  }

  /// Touches moved. They stay with the view they began on, wherever they are now.
  /// (`UIResponder.touchesMoved(_:with:)`.)
  open func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .moved, event: event)
  }

  /// Touches were lifted. (`UIResponder.touchesEnded(_:with:)`.)
  open func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .ended, event: event)
  }

  /// The touches were broken off without an end, and nothing more follows: undo what they started.
  /// (`UIResponder.touchesCancelled(_:with:)`.)
  open func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    callHandlers(touches, phase: .cancelled, event: event)
  }

  /// Gives the touches to every handler of this responder that does not capture. All of them see the touches, even if one
  /// handles or claims them. Touches on a private view that the responder is not in are withheld: see `View.isWithheld`.
  public final func callHandlers(_ touches: [Touch], phase: Touch.Phase, event: Event) -> Disposition {
    var disposition: Disposition = forwards ? .forward : .handled
    guard !handlers.isEmpty else { return disposition }
    call(touches, phase: phase, event: event, captures: false, &disposition)
    return disposition
  }

  /// Calls the handlers. One that is not external gets every touch. An external one does not get a touch that began in a private view; of one
  /// whose view has become private since, it gets the end alone.
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

  /// Keys went down, and this responder is in the chain of what is focused. What is forwarded goes on to the next responder.
  /// (`UIResponder.pressesBegan(_:with:)`.)
  open func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Keys that are held repeat. (`UIResponder.pressesChanged(_:with:)`, of which UIKit's keys make no use.)
  open func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// Keys came up. Each responder that got their beginning gets this, or `pressesCancelled`, once.
  /// (`UIResponder.pressesEnded(_:with:)`.)
  open func pressesEnded(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// The presses were broken off: undo what they started. (`UIResponder.pressesCancelled(_:with:)`.)
  open func pressesCancelled(_ presses: [Press], with event: PressesEvent) -> Disposition {
    callHandlers(presses, with: event)
  }

  /// A barcode scanner has read a text, and this responder is in the chain of what is focused.
  ///
  /// - Parameters:
  ///   - scan: the text, and the device that read it.
  ///   - first: where the chain begins.
  open func scanned(_ scan: Scan, from first: Responder) -> Disposition {
    var disposition = Disposition.forward
    guard !handlers.isEmpty else { return disposition }
    let isWithheld = first.coordinateView?.isWithheld(from: self) ?? false
    for handler in handlers where !(isWithheld && handler.isExternal) {
      disposition.join(handler.handle(scan, for: self))
    }
    return disposition
  }

  /// Gives presses to every handler of this responder; `forwards` is about touches alone. Presses in a private view that the responder
  /// is not in are withheld: see `View.isWithheld`.
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

  /// A pointer hovered, or used a wheel or a button, on this responder's view or in it. Only for a wheel and a button does a
  /// disposition other than forward stop the chain. (`UIHoverGestureRecognizer`; `UIScrollView` handles wheels.)
  open func pointerChanged(_ pointer: PointerEvent) -> Disposition {
    var disposition = Disposition.forward
    guard !handlers.isEmpty else { return disposition }
    let isWithheld = pointer.view.isWithheld(from: self)
    for handler in handlers where !(isWithheld && handler.isExternal) {
      disposition.join(handler.handle(pointer, for: self))
    }
    return disposition
  }

  /// Gives the touches to the handlers that capture, on the way down to the hit view.
  final func callCapturingHandlers(_ touches: [Touch], phase: Touch.Phase, event: Event) -> Disposition {
    var disposition = Disposition.forward
    call(touches, phase: phase, event: event, captures: true, &disposition)
    return disposition
  }
}

/// What a kind of view has its handlers do because of a touch; the module that has the views says what. (`UIControl.Event`.)
public protocol ViewAction: Sendable {}

/// Code attached to a responder from outside: built in, a plugin, a process.
public protocol Handler: AnyObject {
  /// The name under which the configuration refers to it.
  var name: String { get }

  /// Whether it gets touches on the way down, before the hit view, instead of on the way up. It must not change.
  var captures: Bool { get }

  /// Whether it may take what it gets out of the tree: then it gets nothing of a private view that its responder is not in.
  var isExternal: Bool { get }

  /// Gets touches of one phase and one chain, on the dispatcher's thread. Returns what becomes of them.
  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition

  /// A view sent an action: the view that this handler is attached to, or one in the chain of which the responder is that it is
  /// attached to. Actions go up the chain whether or not touches are forwarded.
  /// (`UIApplication.sendAction(_:to:from:for:)` to nil.)
  func handle(_ action: some ViewAction, touch: Touch, event: Event, from view: View)

  /// A recogniser that this handler is attached to found its gesture, or the gesture changed or ended.
  func handle(_ gesture: GestureRecognizer, event: Event)

  /// A pointer hovered, or used a wheel or a button, on this responder's view or in it. Only for a wheel and a button does
  /// a disposition other than forward stop the chain.
  func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition

  /// A key went down, repeats, came up or was broken off: `press.phase`. A disposition other than forward stops a beginning on its
  /// way up the chain.
  func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition

  /// A barcode scanner has read a text. A disposition other than forward stops it on its way up the chain.
  func handle(_ scan: Scan, for responder: Responder) -> Disposition
}

extension Handler {
  /// False: the responder receives touches on the way up the chain only.
  public var captures: Bool { false }

  /// True: what the handler does with a touch is its own affair.
  public var isExternal: Bool { true }

  /// Ignores the actions of views.
  public func handle(_ action: some ViewAction, touch: Touch, event: Event, from view: View) {}

  /// Ignores the gestures of views.
  public func handle(_ gesture: GestureRecognizer, event: Event) {}

  /// Ignores pointer events: `.forward`.
  public func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition { .forward }

  /// Ignores presses: `.forward`.
  public func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    .forward
  }

  /// Ignores what scanners read: `.forward`.
  public func handle(_ scan: Scan, for responder: Responder) -> Disposition { .forward }
}
