import TouchCore

/// One device's pure conversion from frames to touch changes in the window, also for recordings.
package final class TouchSource {
  private enum Tracker {
    case slots(ProtocolBTracker)
    case list(ProtocolATracker)
    case absolute(AbsoluteTracker)
    case relative(PressTracker)
  }

  /// The device whose frames are taken.
  package let device: DeviceID
  /// The kind of the device, which decides how its frames are read.
  package let kind: DeviceKind
  /// The mapping from device units to the window; a relative pointer needs none.
  package let mapping: Mapping
  private let tracker: Tracker
  private let filters: FilterChain?
  private let pointing: PointerTracker?
  /// The changes of the last frame, in device units.
  package private(set) var changes: [ContactChange] = []

  /// Begins with a device's capabilities (missing ranges are 0…0), its state at the opening, whose contacts
  /// are swallowed until they lift, the filters before mapping (none for a relative pointer), window units
  /// for each count of a mouse, and the window's place on the display.
  package init(
    device: DeviceID, kind: DeviceKind, capabilities: DeviceCapabilities, initial: InitialState,
    settings: Mapping.Settings = Mapping.Settings(), filters: [ContactFilter] = [], speed: Double = 1,
    geometry: DisplayGeometry
  ) {
    let isMultitouch = kind == .multitouch
    let (x, y) = capabilities.positionAxes(of: kind)
    self.device = device
    self.kind = kind
    mapping = Mapping(x: x, y: y, settings: settings, geometry: geometry)
    switch kind {
    case .multitouch:
      if let slots = capabilities.slotCount {
        tracker = .slots(
          ProtocolBTracker(device: device, slotCount: slots, rangeX: x, rangeY: y, initial: initial))
      } else {
        tracker = .list(ProtocolATracker(device: device, rangeX: x, rangeY: y, initial: initial))
      }
    case .singleTouch, .absolutePointer:
      tracker = .absolute(
        AbsoluteTracker(
          device: device, signal: PressSignal(capabilities), isTouchscreen: kind == .singleTouch, rangeX: x,
          rangeY: y, initial: initial))
    case .relativePointer: tracker = .relative(PressTracker(device: device, isPressed: initial.isPressed))
    }
    self.filters =
      kind == .relativePointer ? nil : FilterChain(filters, x: x, y: y, holdsOneContact: !isMultitouch)
    switch kind {
    case .multitouch, .singleTouch: pointing = nil
    case .absolutePointer, .relativePointer:
      pointing = PointerTracker(device: device, speed: speed, isPressed: initial.isPressed)
    }
    changes.reserveCapacity(32)
  }

  /// The time at which the device's filters deliver something without a frame; nil for none.
  package var deadline: Timestamp? { filters?.deadline }

  /// Appends the changes that the filters have held back until this time, in window space.
  package func advance(to time: Timestamp, into touches: inout [TouchChange]) {
    changes.clear()
    filters?.advance(to: time, into: &changes)
    appendMapped(into: &touches)
  }

  /// Appends the changes of a frame, in window space.
  /// - Parameter pointer: the pointer, which mice and tablets move and in which they note their other events.
  ///   Other devices ignore it.
  package func apply(
    _ frame: InputFrame, pointer: inout Pointer, into touches: inout [TouchChange]
  ) {
    changes.clear()
    switch tracker {
    case .slots(let slots): slots.apply(frame, into: &changes)
    case .list(let list): list.apply(frame, into: &changes)
    case .absolute(let absolute):
      absolute.apply(frame, into: &changes)
      pointing?.move(&pointer, to: mapping.map(absolute.position))
      pointing?.note(frame, isPressed: absolute.isPressed, on: &pointer)
    case .relative(let press):
      applyRelative(frame, press: press, pointer: &pointer)
      return appendUnmapped(into: &touches)
    }
    filters?.filter(&changes, at: frame.time)
    appendMapped(into: &touches)
  }

  /// Cancels every contact: the device was removed, or its frames will be missed for a while.
  package func cancelAll(pointer: Pointer, into touches: inout [TouchChange]) {
    changes.clear()
    switch tracker {
    case .slots(let slots): slots.cancelAll(into: &changes)
    case .list(let list): list.cancelAll(into: &changes)
    case .absolute(let absolute): absolute.cancelAll(into: &changes)
    case .relative(let press):
      press.cancelAll(at: Point(x: pointer.location.x, y: pointer.location.y), into: &changes)
      return appendUnmapped(into: &touches)
    }
    filters?.finish(&changes)
    appendMapped(into: &touches)
  }

  /// Returns the notices since the last call, each kind once for the device's life.
  package func takeNotices() -> [InputNotice] {
    switch tracker {
    case .slots(let slots): slots.warnings.take()
    case .list(let list): list.warnings.take()
    case .absolute(let absolute): absolute.warnings.take()
    case .relative: []
    }
  }

  private func applyRelative(
    _ frame: InputFrame, press: PressTracker, pointer: inout Pointer
  ) {
    let moved = pointing?.move(&pointer, by: frame) ?? false
    // A mouse has no units of its own that would need mapping: its position is the pointer's.
    let position = Point<DeviceSpace>(x: pointer.location.x, y: pointer.location.y)
    var pressed = false
    for event in frame.events where event.type == EventCode.key && event.code == EventCode.btnLeft {
      pressed = true
      press.press(
        event.value != 0, at: position, cause: frame.cause, attributes: ContactAttributes(), into: &changes)
    }
    if moved && !pressed { press.move(to: position, attributes: ContactAttributes(), into: &changes) }
    pointing?.note(frame, isPressed: press.isPressed, on: &pointer)
  }

  private func appendMapped(into touches: inout [TouchChange]) {
    for index in changes.indices {
      let change = changes[index]
      let location = mapping.map(change.position)
      touches.append(
        TouchChange(
          contact: change.contact, kind: change.kind, location: location,
          hitLocation: mapping.hitLocation(for: location), attributes: change.attributes))
    }
  }

  private func appendUnmapped(into touches: inout [TouchChange]) {
    for change in changes {
      touches.append(
        TouchChange(
          contact: change.contact, kind: change.kind,
          location: WindowPoint(x: change.position.x, y: change.position.y), attributes: change.attributes))
    }
  }
}
