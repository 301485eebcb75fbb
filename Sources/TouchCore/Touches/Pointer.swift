/// Where mice and tablets point. All of them move the one pointer, which never leaves the window.
public struct Pointer: Sendable {
  /// The area that the pointer stays in, in window space.
  public var bounds: WindowRect { didSet { location = Self.clamp(location, to: bounds) } }
  /// In window space, always inside the bounds.
  public private(set) var location: WindowPoint
  /// What was done with it since `removeChanges()`, for `PointerDispatcher`.
  public private(set) var changes: [PointerChange] = []

  /// Starts in the middle of the bounds.
  public init(bounds: WindowRect) {
    self.bounds = bounds
    location = Self.clamp(WindowPoint(x: bounds.midX.rounded(), y: bounds.midY.rounded()), to: bounds)
  }

  /// Forgets what was done, once it was dispatched.
  public mutating func removeChanges() {
    changes.removeAll(keepingCapacity: true)
  }

  /// Moves by a distance, in window units.
  public mutating func move(x: Double, y: Double) {
    move(to: WindowPoint(x: location.x + x, y: location.y + y))
  }

  public mutating func move(to point: WindowPoint) {
    location = Self.clamp(point, to: bounds)
  }

  /// Keeps what a device did where the pointer is now.
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
  public enum Kind: Hashable, Sendable {
    case moved
    /// The button that presses went down: from now on there is a touch, and no hover.
    case pressed
    /// It came up again.
    case released
    /// In steps of a wheel that clicks; x to the right, y away from the user.
    case wheel(x: Double, y: Double)
    case buttonDown(PointerButton)
    case buttonUp(PointerButton)
  }

  public var kind: Kind
  /// The device that did it; all devices share one pointer.
  public var device: DeviceID
  /// In window space.
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
  case right, middle, side, extra, forward, back, task
}
