import CTouchtree
import TouchCore

/// What one call tells a plugin of a pointer, in memory that is used over and over.
struct PointerCall: ~Copyable {
  private let pointer = UnsafeMutablePointer<touchtree_pointer>.allocate(capacity: 1)
  private let identifiers = IdentifierTable()

  deinit {
    pointer.deallocate()
  }

  /// Describes it to a plugin. The answer is valid until the next call.
  func describe(_ event: PointerEvent, for responder: Responder) -> UnsafePointer<touchtree_pointer> {
    identifiers.beginCall()
    let place = event.location(in: responder.coordinateView)
    var wheel = (x: 0.0, y: 0.0)
    if case .wheel(let x, let y) = event.kind { wheel = (x, y) }
    pointer.initialize(
      to: touchtree_pointer(
        size: UInt32(MemoryLayout<touchtree_pointer>.size),
        kind: event.kind.code,
        time_us: event.timestamp.microseconds,
        device: Int64(event.device.rawValue),
        responder: identifiers.text(of: responder.id),
        view: identifiers.text(of: event.view.id),
        x: place.x, y: place.y,
        window_x: event.location.x, window_y: event.location.y,
        wheel_x: wheel.x, wheel_y: wheel.y,
        button: event.kind.button?.code ?? 0,
        reserved: 0))
    return UnsafePointer(pointer)
  }
}

extension PointerEvent.Kind {
  fileprivate var code: Int32 {
    switch self {
    case .entered: TOUCHTREE_POINTER_ENTERED
    case .moved: TOUCHTREE_POINTER_MOVED
    case .left: TOUCHTREE_POINTER_LEFT
    case .wheel: TOUCHTREE_POINTER_WHEEL
    case .pressed: TOUCHTREE_POINTER_PRESSED
    case .released: TOUCHTREE_POINTER_RELEASED
    case .cancelled: TOUCHTREE_POINTER_CANCELLED
    }
  }
}

extension PointerButton {
  fileprivate var code: Int32 {
    switch self {
    case .right: TOUCHTREE_BUTTON_RIGHT
    case .middle: TOUCHTREE_BUTTON_MIDDLE
    case .side: TOUCHTREE_BUTTON_SIDE
    case .extra: TOUCHTREE_BUTTON_EXTRA
    case .forward: TOUCHTREE_BUTTON_FORWARD
    case .back: TOUCHTREE_BUTTON_BACK
    case .task: TOUCHTREE_BUTTON_TASK
    }
  }
}
