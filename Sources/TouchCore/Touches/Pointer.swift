/// Where mice and tablets point: one pointer for all devices, which stays inside its bounds.
public struct Pointer: Sendable {
  /// The area that the pointer stays in, in window space.
  public var bounds: WindowRect { didSet { location = Self.clamp(location, to: bounds) } }
  /// In window space, always inside the bounds.
  public private(set) var location: WindowPoint
  /// The changes since `removeChanges()`, for `PointerDispatcher.dispatch(_:at:)`.
  public private(set) var changes: [PointerChange] = []

  /// Starts in the middle of the bounds.
  public init(bounds: WindowRect) {
    self.bounds = bounds
    location = Self.clamp(WindowPoint(x: bounds.midX.rounded(), y: bounds.midY.rounded()), to: bounds)
  }

  /// Removes the changes, after they were dispatched.
  public mutating func removeChanges() {
    changes.removeAll(keepingCapacity: true)
  }

  /// Moves by a distance, in window units.
  public mutating func move(x: Double, y: Double) {
    move(to: WindowPoint(x: location.x + x, y: location.y + y))
  }

  /// Moves to a point in window space, or to the nearest one inside the bounds.
  public mutating func move(to point: WindowPoint) {
    location = Self.clamp(point, to: bounds)
  }

  /// Adds a change at the pointer's location.
  public mutating func note(_ kind: PointerChange.Kind, by device: DeviceID) {
    changes.append(PointerChange(kind: kind, device: device, location: location))
  }

  /// Stops on the last whole unit, so that the way back starts from a whole one.
  private static func clamp(_ point: WindowPoint, to bounds: WindowRect) -> WindowPoint {
    WindowPoint(
      x: min(max(point.x, bounds.minX), max(bounds.minX, bounds.maxX - 1)),
      y: min(max(point.y, bounds.minY), max(bounds.minY, bounds.maxY - 1)))
  }
}

/// Something that a device did with the pointer.
public struct PointerChange: Hashable, Sendable {
  /// What the device did.
  public enum Kind: Hashable, Sendable {
    /// It is somewhere else.
    case moved
    /// The button that presses went down: from now on there is a touch, and no hover.
    case pressed
    /// It came up again.
    case released
    /// In steps of a wheel that clicks; x to the right, y away from the user.
    case wheel(x: Double, y: Double)
    /// A button other than the first went down.
    case buttonDown(PointerButton)
    /// It came up again.
    case buttonUp(PointerButton)
  }

  /// What the device did.
  public var kind: Kind
  /// The device that did it; all devices share one pointer.
  public var device: DeviceID
  /// The position of the pointer, in window space.
  public var location: WindowPoint

  /// The location is in window space, the pointer's after the change.
  public init(kind: Kind, device: DeviceID, location: WindowPoint) {
    self.kind = kind
    self.device = device
    self.location = location
  }
}

/// The buttons of a mouse that do not press. (`BTN_RIGHT` and those that follow it.)
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

/// What a pointer does apart from touching: it hovers, turns a wheel, or presses a button other than the first.
public struct PointerEvent {
  /// What the pointer did.
  public enum Kind: Hashable, Sendable {
    /// The pointer came onto a responder's view, or into it: it may be on a view inside. As long as it stays there, the
    /// responder does not get entered again. (`UIHoverGestureRecognizer`, state began.)
    case entered
    /// It moved there. (State changed.)
    case moved
    /// It went, or presses now, or is not used any more. (State ended.)
    case left
    /// In steps of a wheel that clicks, fractions where the wheel has them; x to the right, y away from the user.
    case wheel(x: Double, y: Double)
    /// A button other than the first went down.
    case pressed(PointerButton)
    /// Goes to the responders that got the press, even if the pointer has left them.
    case released(PointerButton)
    /// The press was broken off without a release.
    case cancelled(PointerButton)

    /// Which button it is about, if any.
    public var button: PointerButton? {
      switch self {
      case .pressed(let button), .released(let button), .cancelled(let button): button
      case .entered, .moved, .left, .wheel: nil
      }
    }
  }

  /// What the pointer did.
  public let kind: Kind
  /// The view that the pointer is on; for `left` the one that it was on, for buttons the one that they were pressed on.
  public let view: View
  /// The position of the pointer, in window space.
  public let location: WindowPoint
  /// The frame's, on the kernel's monotonic clock.
  public let timestamp: Timestamp
  /// The device that moved or pressed; all devices share one pointer.
  public let device: DeviceID

  /// Where the pointer is in a view's bounds space; nil means the window's.
  public func location(in view: View?) -> LocalPoint {
    view?.convertFromWindow(location) ?? LocalPoint(x: location.x, y: location.y)
  }
}
