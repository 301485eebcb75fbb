import TouchCore

/// Whether touchtree uses a device, as what, and why.
package enum Classification: Hashable, Sendable {
  /// The sentence says what made it this kind.
  case used(DeviceKind, because: String)
  /// The sentence says what the device is, or what is wrong with it.
  case unused(because: String)

  /// What the device is to touchtree, or nil when it is not used.
  package var kind: DeviceKind? {
    switch self {
    case .used(let kind, because: _): kind
    case .unused: nil
    }
  }

  /// One sentence for people.
  package var reason: String {
    switch self {
    case .used(_, because: let reason), .unused(because: let reason): reason
    }
  }
}
