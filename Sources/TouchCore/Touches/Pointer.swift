/// The pointer of mice and tablets: one for all devices, which stays inside its bounds.
public struct Pointer: Sendable {
  /// The area in which the pointer stays, in window space.
  public var bounds: WindowRect { didSet { location = Self.clamp(location, to: bounds) } }
  /// The pointer's location in window space, always inside the bounds.
  public private(set) var location: WindowPoint
  /// The changes since `removeChanges()`, for `PointerDispatcher.dispatch(_:at:)`.
  public private(set) var changes: [PointerChange] = []

  /// Makes a pointer in the middle of the bounds.
  public init(bounds: WindowRect) {
    self.bounds = bounds
    location = Self.clamp(WindowPoint(x: bounds.midX.rounded(), y: bounds.midY.rounded()), to: bounds)
  }

  /// Removes the changes, after they were dispatched.
  public mutating func removeChanges() { changes.removeAll(keepingCapacity: true) }

  /// Moves by a distance, in window units.
  public mutating func move(x: Double, y: Double) {
    move(to: WindowPoint(x: location.x + x, y: location.y + y))
  }

  /// Moves to a point in window space, or to the nearest one inside the bounds.
  public mutating func move(to point: WindowPoint) { location = Self.clamp(point, to: bounds) }

  /// Adds a change at the pointer's location.
  public mutating func note(_ kind: PointerChange.Kind, by device: DeviceID) {
    changes.append(PointerChange(kind: kind, device: device, location: location))
  }

  /// Returns the nearest point in the bounds, on the last whole unit, for the way back.
  private static func clamp(_ point: WindowPoint, to bounds: WindowRect) -> WindowPoint {
    WindowPoint(
      x: min(max(point.x, bounds.minX), max(bounds.minX, bounds.maxX - 1)),
      y: min(max(point.y, bounds.minY), max(bounds.minY, bounds.maxY - 1)))
  }
}

/// A change of the pointer by a device.
public struct PointerChange: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: Hashable, Sendable {
    /// The pointer moved.
    case moved
    /// The pressing button went down: from now on there is a touch, and no hover.
    case pressed
    /// The pressing button came up.
    case released
    /// The wheel turned, in steps of a wheel that clicks; x to the right, y away from the user.
    case wheel(x: Double, y: Double)
    /// A button other than the first went down.
    case buttonDown(PointerButton)
    /// A button other than the first came up.
    case buttonUp(PointerButton)
  }

  /// The kind of change.
  public var kind: Kind
  /// The device of the change; all devices share one pointer.
  public var device: DeviceID
  /// The position of the pointer, in window space.
  public var location: WindowPoint

  /// - Parameters:
  ///   - kind: the kind of change.
  ///   - device: the device of the change.
  ///   - location: the pointer's after the change, in window space.
  public init(kind: Kind, device: DeviceID, location: WindowPoint) {
    (self.kind, self.device, self.location) = (kind, device, location)
  }
}

/// The buttons of a mouse that do not make a touch. (`BTN_RIGHT` and those that follow it.)
public enum PointerButton: String, CaseIterable, Sendable {
  /// `BTN_RIGHT`
  case right
  /// `BTN_MIDDLE`, mostly the wheel.
  case middle
  /// `BTN_SIDE`, mostly the rear one at the thumb.
  case side
  /// `BTN_EXTRA`, mostly the front one at the thumb.
  case extra
  /// `BTN_FORWARD`
  case forward
  /// `BTN_BACK`
  case back
  /// `BTN_TASK`
  case task
}

/// An event of the pointer that is no touch: it hovers, turns a wheel, or presses a button other than the
/// first.
public struct PointerEvent {
  /// The kind of event.
  public enum Kind: Hashable, Sendable {
    /// The pointer came onto a responder's view, or onto a view inside it. The responder does not get this
    /// again as long as the pointer stays there. (`UIHoverGestureRecognizer`, state began.)
    case entered
    /// The pointer moved there. (State changed.)
    case moved
    /// The pointer left the view, presses now, or is no longer used. (State ended.)
    case left
    /// The wheel turned, in steps of a wheel that clicks, with fractions if the wheel has them; x to the
    /// right, y away from the user.
    case wheel(x: Double, y: Double)
    /// A button other than the first went down.
    case pressed(PointerButton)
    /// The button came up. It goes to the responders that got the press, even if the pointer has left them.
    case released(PointerButton)
    /// The press was broken off without a release.
    case cancelled(PointerButton)

    /// The button of the event, if any.
    public var button: PointerButton? {
      switch self {
      case .pressed(let button), .released(let button), .cancelled(let button): button
      case .entered, .moved, .left, .wheel: nil
      }
    }
  }

  /// The kind of event.
  public let kind: Kind
  /// The view under the pointer; for `left` the one it was on, for buttons the one on which they were
  /// pressed.
  public let view: View
  /// The position of the pointer, in window space.
  public let location: WindowPoint
  /// The frame's time, on the kernel's monotonic clock.
  public let timestamp: Timestamp
  /// The device of the event; all devices share one pointer.
  public let device: DeviceID

  /// Returns the pointer's location in a view's bounds space, or in window space for nil.
  public func location(in view: View?) -> LocalPoint {
    view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }
}
