import CTouchtree
import Glibc
import TouchCore
import TouchViews

/// The touches of one call into a plugin, in reused memory.
struct TouchBatch: ~Copyable {
  private let batch = UnsafeMutablePointer<touchtree_touches>.allocate(capacity: 1)
  private var touches: UnsafeMutablePointer<touchtree_touch>
  private var pointers: UnsafeMutablePointer<UnsafePointer<touchtree_touch>>
  private var samples: UnsafeMutablePointer<touchtree_sample>
  private var capacity = 10
  private var sampleCapacity = 16
  private let identifiers = IdentifierTable()

  init() {
    touches = .allocate(capacity: capacity)
    pointers = .allocate(capacity: capacity)
    samples = .allocate(capacity: sampleCapacity)
  }

  deinit {
    batch.deallocate()
    touches.deallocate()
    pointers.deallocate()
    samples.deallocate()
  }

  /// Describes touches of one phase and one chain to a plugin. The result is valid until the next call.
  mutating func describe(
    _ source: some Collection<Touch>, phase: Touch.Phase, at time: Timestamp, for responder: Responder
  ) -> UnsafePointer<touchtree_touches> {
    reserve(source.count)
    reserveSamples(source.reduce(0) { $0 + $1.coalescedSamples.count })
    identifiers.beginCall()
    let space = responder.coordinateView
    var (count, sampleCount) = (0, 0)
    for touch in source {
      let first = samples + sampleCount
      for sample in touch.coalescedSamples {
        (samples + sampleCount).initialize(to: touchtree_sample(sample, in: space))
        sampleCount += 1
      }
      (touches + count).initialize(to: touchtree_touch(touch, in: space, samples: first))
      (pointers + count).initialize(to: UnsafePointer(touches + count))
      count += 1
    }
    batch.initialize(
      to: touchtree_touches(
        size: UInt32(MemoryLayout<touchtree_touches>.size), phase: phase.code, time_us: time.microseconds,
        responder: identifiers.text(of: responder.id),
        view: identifiers.text(of: source.first?.view?.id ?? ""), touch: UnsafePointer(pointers),
        count: UInt32(count),
        reserved: 0))
    return UnsafePointer(batch)
  }

  private mutating func reserveSamples(_ count: Int) {
    guard count > sampleCapacity else { return }
    samples.deallocate()
    sampleCapacity = count
    samples = .allocate(capacity: sampleCapacity)
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

extension touchtree_sample {
  fileprivate init(_ sample: Touch.Sample, in space: View?) {
    let window = sample.location
    let place = space?.convertFromWindow(window) ?? LocalPoint(x: window.x, y: window.y)
    self.init(
      time_us: sample.timestamp.microseconds, x: place.x, y: place.y, window_x: window.x, window_y: window.y)
  }
}

extension touchtree_touch {
  /// Makes a touch with its samples in a view's bounds space, or in the window's.
  fileprivate init(_ touch: Touch, in space: View?, samples: UnsafePointer<touchtree_sample>) {
    let location = touch.location(in: space)
    let previous = touch.previousLocation(in: space)
    let isInside =
      touch.view.map { $0.bounds.contains($0 === space ? location : touch.location(in: $0)) } ?? false
    self.init(
      size: UInt32(MemoryLayout<touchtree_touch>.size), tap_count: UInt32(clamping: touch.tapCount),
      id: Int64(touch.id), device: Int64(touch.contact.device.rawValue),
      time_us: touch.timestamp.microseconds,
      x: location.x, y: location.y,
      previous_x: previous.x, previous_y: previous.y,
      window_x: touch.location.x, window_y: touch.location.y,
      previous_window_x: touch.previousLocation.x, previous_window_y: touch.previousLocation.y,
      pressure: touch.attributes.pressure.map(Double.init) ?? .nan, inside: isInside ? 1 : 0, reserved: 0,
      touch_major: touch.attributes.touchMajor.map(Double.init) ?? .nan,
      touch_minor: touch.attributes.touchMinor.map(Double.init) ?? .nan,
      distance: touch.attributes.distance.map(Double.init) ?? .nan, tool: touch.attributes.tool.code,
      reserved_2: 0, samples: samples, sample_count: UInt32(clamping: touch.coalescedSamples.count),
      reserved_3: 0)
  }
}

extension ContactAttributes.Tool {
  fileprivate var code: Int32 {
    switch self {
    case .finger: TOUCHTREE_TOOL_FINGER
    case .pen: TOUCHTREE_TOOL_PEN
    // A palm is never delivered, but has the kernel's number.
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
    case .valueChanged: TOUCHTREE_VALUE_CHANGED
    case .rowAction: TOUCHTREE_ROW_ACTION
    case .editingBegan: TOUCHTREE_EDITING_BEGAN
    case .editingChanged: TOUCHTREE_EDITING_CHANGED
    case .editingEnded: TOUCHTREE_EDITING_ENDED
    case .returned: TOUCHTREE_RETURNED
    }
  }
}

/// Describes gestures, pointers and presses to a plugin. The texts of a description are valid until the next
/// one.
final class EventDescriber {
  private let identifiers = IdentifierTable()

  func describe(_ gesture: GestureRecognizer, state: Int32, at time: Timestamp) -> touchtree_gesture {
    identifiers.beginCall()
    let place = gesture.location(in: gesture.view)
    let values = gesture.values
    return touchtree_gesture(
      size: UInt32(MemoryLayout<touchtree_gesture>.size), state: state, time_us: time.microseconds,
      gesture: identifiers.text(of: gesture.id), view: identifiers.text(of: gesture.view?.id ?? ""),
      kind: gesture.kindCode, direction: values.direction?.code ?? TOUCHTREE_DIRECTION_NONE,
      touches: UInt32(clamping: gesture.touches.count), reserved: 0, x: place.x, y: place.y,
      window_x: gesture.windowLocation.x, window_y: gesture.windowLocation.y,
      translation_x: values.translation?.x ?? .nan, translation_y: values.translation?.y ?? .nan,
      velocity_x: values.velocity?.x ?? .nan, velocity_y: values.velocity?.y ?? .nan,
      scale: values.scale ?? .nan, scale_velocity: values.scaleVelocity ?? .nan,
      angle: values.angle ?? .nan, angular_velocity: values.angularVelocity ?? .nan)
  }

  func describe(_ event: PointerEvent, for responder: Responder) -> touchtree_pointer {
    identifiers.beginCall()
    let place = event.location(in: responder.coordinateView)
    var wheel = (x: 0.0, y: 0.0)
    if case .wheel(let x, let y) = event.kind { wheel = (x, y) }
    return touchtree_pointer(
      size: UInt32(MemoryLayout<touchtree_pointer>.size), kind: event.kind.code,
      time_us: event.timestamp.microseconds, device: Int64(event.device.rawValue),
      responder: identifiers.text(of: responder.id),
      view: identifiers.text(of: event.view.id),
      x: place.x, y: place.y,
      window_x: event.location.x, window_y: event.location.y,
      wheel_x: wheel.x, wheel_y: wheel.y,
      button: event.kind.button?.code ?? 0,
      reserved: 0)
  }

  func describe(_ press: Press, for responder: Responder) -> touchtree_press {
    identifiers.beginCall()
    return touchtree_press(
      size: UInt32(MemoryLayout<touchtree_press>.size), phase: press.phase.code, id: Int64(press.id),
      time_us: press.timestamp.microseconds, device: Int64(press.device.rawValue),
      responder: identifiers.text(of: responder.id),
      view: identifiers.text(of: press.responder?.coordinateView?.id ?? ""),
      key: identifiers.text(of: press.key.keyCode.name),
      characters: identifiers.text(of: press.key.characters), code: UInt32(press.key.keyCode.rawValue),
      modifiers: UInt32(press.key.modifierFlags.rawValue), repeat_count: UInt32(clamping: press.repeatCount),
      reserved: 0)
  }
}

extension GestureRecognizer {
  /// The number of the kind; 0 for a kind that the interface lacks.
  fileprivate var kindCode: Int32 {
    switch self {
    case is TapGestureRecognizer: TOUCHTREE_TAP
    case is LongPressGestureRecognizer: TOUCHTREE_LONG_PRESS
    case is ScreenEdgePanGestureRecognizer: TOUCHTREE_SCREEN_EDGE_PAN
    case is PanGestureRecognizer: TOUCHTREE_PAN
    case is SwipeGestureRecognizer: TOUCHTREE_SWIPE
    case is PinchGestureRecognizer: TOUCHTREE_PINCH
    case is RotationGestureRecognizer: TOUCHTREE_ROTATION
    default: 0
    }
  }
}

extension GestureRecognizer.State {
  /// The number of the state; nil for a state that handlers do not get.
  var code: Int32? {
    switch self {
    case .began: TOUCHTREE_GESTURE_BEGAN
    case .changed: TOUCHTREE_GESTURE_CHANGED
    case .ended: TOUCHTREE_GESTURE_ENDED
    case .cancelled: TOUCHTREE_GESTURE_CANCELLED
    case .possible, .failed: nil
    }
  }
}

extension SwipeGestureRecognizer.Direction {
  fileprivate var code: Int32 {
    switch self {
    case .right: TOUCHTREE_DIRECTION_RIGHT
    case .left: TOUCHTREE_DIRECTION_LEFT
    case .up: TOUCHTREE_DIRECTION_UP
    case .down: TOUCHTREE_DIRECTION_DOWN
    }
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

extension Press.Phase {
  /// The number of the phase. A key that repeats counts as a finger that moves.
  fileprivate var code: Int32 {
    switch self {
    case .began: TOUCHTREE_BEGAN
    case .changed: TOUCHTREE_MOVED
    case .stationary: TOUCHTREE_STATIONARY
    case .ended: TOUCHTREE_ENDED
    case .cancelled: TOUCHTREE_CANCELLED
    }
  }
}

/// The ids of responders as C strings. Each is made once.
final class IdentifierTable {
  /// The most texts. It keeps a tree whose views change for days from growing the table.
  static let limit = 4096

  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit { removeAll() }

  /// Makes room for a call's few texts. Texts of earlier calls may become invalid.
  func beginCall() { if texts.count >= Self.limit { removeAll() } }

  func text(of id: String) -> UnsafePointer<CChar> {
    if let text = texts[id] { return UnsafePointer(text) }
    let size = id.utf8.count + 1
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    id.withCString { text.update(from: $0, count: size) }
    texts[id] = text
    return UnsafePointer(text)
  }

  private func removeAll() {
    for text in texts.values { text.deallocate() }
    texts.removeAll(keepingCapacity: true)
  }
}
