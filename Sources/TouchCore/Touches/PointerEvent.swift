/// What a pointer does besides touching: it hovers, turns a wheel, or presses a button that is no finger.
public struct PointerEvent {
  public enum Kind: Hashable, Sendable {
    /// The pointer came onto a responder's view, or into it: it may be on a view inside. As long as it stays there, the
    /// responder is not told so again. (`UIHoverGestureRecognizer`, state began.)
    case entered
    /// It moved there. (State changed.)
    case moved
    /// It went, or presses now, or is not used any more. (State ended.)
    case left
    /// In steps of a wheel that clicks, fractions where the wheel has them; x to the right, y away from the user.
    case wheel(x: Double, y: Double)
    case pressed(PointerButton)
    /// The responders that were told of the press are told of this, wherever the pointer is by then.
    case released(PointerButton)
    /// The button will not be heard of again, and was not released.
    case cancelled(PointerButton)

    /// Which button it is about, if any.
    public var button: PointerButton? {
      switch self {
      case .pressed(let button), .released(let button), .cancelled(let button): button
      case .entered, .moved, .left, .wheel: nil
      }
    }
  }

  public let kind: Kind
  /// The view that the pointer is on; for `left` the one that it was on, for buttons the one that they were pressed on.
  public let view: View
  /// In window space.
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
