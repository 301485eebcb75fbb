import TouchCore

/// A closure that is called when a control sends an action. `Control.addAction(for:_:)`
/// makes it, and `removeAction(_:)` takes it. (`UIAction`.)
public final class ControlClosure: ControlHandler {
  /// The name in traces.
  public let name = "closure"
  /// Whether private views are withheld; false, because the closure is the program's own.
  public let isExternal = false
  private unowned let control: Control
  private let action: Control.Action
  private let body: () -> Void

  fileprivate init(_ control: Control, _ action: Control.Action, _ body: @escaping () -> Void) {
    (self.control, self.action, self.body) = (control, action, body)
  }

  /// Forwards touches, because only actions count.
  public func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition { .forward }

  /// Calls the closure for its own action and control. Actions of inner controls arrive too.
  public func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if action == self.action, control === self.control { body() }
  }
}

extension Control {
  /// Adds a closure that is called for each of the control's actions, after the
  /// earlier ones. (`UIControl.addAction(_:for:)`.)
  ///
  /// The control keeps the closure, which must hold the control and the control's owners weakly or unowned.
  ///
  /// - Returns: the closure, for `removeAction(_:)`.
  @discardableResult
  public final func addAction(for action: Action, _ body: @escaping () -> Void) -> ControlClosure {
    let closure = ControlClosure(self, action, body)
    handlers.append(closure)
    return closure
  }

  /// Adds a closure in UIKit's order of arguments: `button.addAction(save, for: .touchUpInside)`.
  /// (`UIControl.addAction(_:for:)`.)
  @discardableResult
  public final func addAction(_ body: @escaping () -> Void, for action: Action) -> ControlClosure {
    addAction(for: action, body)
  }

  /// Removes a closure. (`UIControl.removeAction(_:for:)`.)
  public final func removeAction(_ closure: ControlClosure) { handlers.removeAll { $0 === closure } }
}
