import TouchCore

/// Watches over the contacts of one device: each begins once, moves only while it is down, and ends once.
public struct LifeChecker {
  private var down: [ContactID] = []
  private var lastSerial = 0
  /// The first thing that was wrong.
  public private(set) var fault: String?
  /// How many contacts have begun.
  public private(set) var begun = 0

  public init() {}

  public mutating func check(_ changes: [TouchChange]) {
    for change in changes { check(change) }
  }

  /// Everything that began must have ended.
  public mutating func checkEnd() {
    if let left = down.first { fail("contact \(left.serial) never ended") }
  }

  private mutating func check(_ change: TouchChange) {
    let serial = change.contact.serial
    switch change.kind {
    case .began:
      if serial <= lastSerial { fail("contact \(serial) began again") }
      lastSerial = serial
      begun += 1
      down.append(change.contact)
    case .moved:
      if !down.contains(change.contact) { fail("contact \(serial) moved without being down") }
    case .ended, .cancelled:
      guard let index = down.firstIndex(of: change.contact) else {
        return fail("contact \(serial) ended without being down")
      }
      down.remove(at: index)
    }
    if !change.location.x.isFinite || !change.location.y.isFinite { fail("contact \(serial) is nowhere") }
  }

  private mutating func fail(_ what: String) {
    if fault == nil { fault = what }
  }
}
