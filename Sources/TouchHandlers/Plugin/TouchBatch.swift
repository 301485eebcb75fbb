import CTouchtree
import TouchCore

/// The touches of one call into a plugin, in memory that is used over and over.
struct TouchBatch: ~Copyable {
  private let batch = UnsafeMutablePointer<touchtree_touches>.allocate(capacity: 1)
  private var touches: UnsafeMutablePointer<touchtree_touch>
  private var pointers: UnsafeMutablePointer<UnsafePointer<touchtree_touch>>
  private var capacity = 10
  private let identifiers = IdentifierTable()

  init() {
    touches = .allocate(capacity: capacity)
    pointers = .allocate(capacity: capacity)
  }

  deinit {
    batch.deallocate()
    touches.deallocate()
    pointers.deallocate()
  }

  /// Describes touches of one phase and one chain to a plugin. The answer is valid until the next call.
  mutating func describe(
    _ source: some Collection<Touch>, phase: Touch.Phase, event: Event, for responder: Responder
  ) -> UnsafePointer<touchtree_touches> {
    reserve(source.count)
    identifiers.beginCall()
    let space = responder.coordinateView
    var count = 0
    for touch in source {
      (touches + count).initialize(to: touchtree_touch(touch, in: space))
      (pointers + count).initialize(to: UnsafePointer(touches + count))
      count += 1
    }
    batch.initialize(
      to: touchtree_touches(
        size: UInt32(MemoryLayout<touchtree_touches>.size),
        phase: phase.code,
        time_us: event.timestamp.microseconds,
        responder: identifiers.text(of: responder.id),
        view: identifiers.text(of: source.first?.view?.id ?? ""),
        touch: UnsafePointer(pointers),
        count: UInt32(count),
        reserved: 0))
    return UnsafePointer(batch)
  }

  private mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    touches.deallocate()
    pointers.deallocate()
    capacity = count
    touches = .allocate(capacity: capacity)
    pointers = .allocate(capacity: capacity)
  }
}

extension touchtree_touch {
  /// - Parameter space: the view in whose bounds space the plugin sees the touch; nil means the window's.
  fileprivate init(_ touch: Touch, in space: View?) {
    let location = touch.location(in: space)
    let previous = touch.previousLocation(in: space)
    let isInside =
      touch.view.map { $0.bounds.contains($0 === space ? location : touch.location(in: $0)) } ?? false
    self.init(
      size: UInt32(MemoryLayout<touchtree_touch>.size),
      tap_count: UInt32(clamping: touch.tapCount),
      id: Int64(touch.id),
      device: Int64(touch.contact.device.rawValue),
      time_us: touch.timestamp.microseconds,
      x: location.x, y: location.y,
      previous_x: previous.x, previous_y: previous.y,
      window_x: touch.location.x, window_y: touch.location.y,
      previous_window_x: touch.previousLocation.x, previous_window_y: touch.previousLocation.y,
      pressure: touch.attributes.pressure.map(Double.init) ?? .nan,
      inside: isInside ? 1 : 0,
      reserved: 0,
      touch_major: touch.attributes.touchMajor.map(Double.init) ?? .nan,
      touch_minor: touch.attributes.touchMinor.map(Double.init) ?? .nan,
      distance: touch.attributes.distance.map(Double.init) ?? .nan,
      tool: touch.attributes.tool.code,
      reserved_2: 0)
  }
}

extension ContactAttributes.Tool {
  fileprivate var code: Int32 {
    switch self {
    case .finger: TOUCHTREE_TOOL_FINGER
    case .pen: TOUCHTREE_TOOL_PEN
    // Never delivered; the kernel's number all the same.
    case .palm: 2
    case .other(let number): number
    }
  }
}

extension Touch.Phase {
  var code: Int32 {
    switch self {
    case .began: TOUCHTREE_BEGAN
    case .moved: TOUCHTREE_MOVED
    case .stationary: TOUCHTREE_STATIONARY
    case .ended: TOUCHTREE_ENDED
    case .cancelled: TOUCHTREE_CANCELLED
    case .entered: TOUCHTREE_ENTERED
    case .left: TOUCHTREE_LEFT
    }
  }
}

extension Control.Action {
  var code: Int32 {
    switch self {
    case .touchDown: TOUCHTREE_TOUCH_DOWN
    case .touchDownRepeat: TOUCHTREE_TOUCH_DOWN_REPEAT
    case .touchDragInside: TOUCHTREE_TOUCH_DRAG_INSIDE
    case .touchDragOutside: TOUCHTREE_TOUCH_DRAG_OUTSIDE
    case .touchDragEnter: TOUCHTREE_TOUCH_DRAG_ENTER
    case .touchDragExit: TOUCHTREE_TOUCH_DRAG_EXIT
    case .touchUpInside: TOUCHTREE_TOUCH_UP_INSIDE
    case .touchUpOutside: TOUCHTREE_TOUCH_UP_OUTSIDE
    case .touchCancel: TOUCHTREE_TOUCH_CANCEL
    }
  }
}
