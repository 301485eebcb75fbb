import TouchCore

/// Has another handler asked on the way down to the hit view, before it, instead of on the way up.
final class CapturingHandler: Handler {
  private let handler: any Handler

  init(_ handler: any Handler) {
    self.handler = handler
  }

  var name: String { handler.name }
  var captures: Bool { true }

  func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    handler.handle(touches, phase: phase, event: event, for: responder)
  }

  func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    handler.handle(action, touch: touch, event: event, from: control)
  }

  func handle(_ gesture: GestureRecognizer, event: Event) {
    handler.handle(gesture, event: event)
  }

  func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    handler.handle(pointer, for: responder)
  }
}
