@testable import TouchCore

/// A touch that has hit a view.
func touch(on view: View, at location: WindowPoint) -> Touch {
  let touch = Touch(
    id: 1, contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), location: location, timestamp: .zero,
    attributes: ContactAttributes())
  touch.view = view
  touch.chain = ResponderChain(from: view)
  return touch
}
