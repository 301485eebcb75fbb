import TouchCore

/// A closure that is called when a control sends an action: what `Control.addAction(for:_:)` made, for `removeAction(_:)`.
/// (`UIAction`.)
public final class ControlClosure: ControlHandler {
  /// For traces.
  public let name = "closure"
  /// It is the program's own: it also hears of private views.
  public let isExternal = false
  private unowned let control: Control
  private let action: Control.Action
  private let body: () -> Void

  fileprivate init(_ control: Control, _ action: Control.Action, _ body: @escaping () -> Void) {
    self.control = control
    self.action = action
    self.body = body
  }

  /// Passes touches on: only actions count.
  public func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition { .forward }

  /// Calls the closure, if it is the action and the control that it was added for: those of controls inside come by as well.
  public func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if action == self.action, control === self.control { body() }
  }
}

extension Control {
  /// Has a closure called whenever the control sends an action, after what was added before.
  /// (`UIControl.addAction(_:for:)`.)
  ///
  /// The control keeps the closure: one that uses the control itself, or whoever keeps it, takes it weakly or unowned.
  ///
  /// - Returns: what `removeAction(_:)` takes.
  @discardableResult
  public final func addAction(for action: Action, _ body: @escaping () -> Void) -> ControlClosure {
    let closure = ControlClosure(self, action, body)
    handlers.append(closure)
    return closure
  }

  /// Calls a closure no more. (`UIControl.removeAction(_:for:)`.)
  public final func removeAction(_ closure: ControlClosure) {
    handlers.removeAll { $0 === closure }
  }
}
