import SystemPackage
import TouchSystem

/// Watches for devices by udev, if it runs, and by their directory: udev's messages reach no other namespace.
package final class DeviceMonitor {
  private let watcher: DeviceWatcher
  private let udev: UdevMonitor?
  /// The reason why the running udev cannot be followed; nil if it can, or if it does not run.
  package let udevFailure: DeviceError?

  /// - Throws: `noSuchFile`, `notPermitted`, `tooManyOpen`, or `failed`, as `DeviceWatcher` does.
  package init() throws(DeviceError) {
    watcher = try DeviceWatcher()
    do throws(Errno) {
      udev = try UdevMonitor(.udev, subsystem: "input")
      udevFailure = nil
    } catch {
      udev = nil
      udevFailure = DeviceError(
        path: UdevMonitor.control, cause: error, detail: "its messages cannot be received")
    }
  }

  /// The descriptors, each readable when something changed. The monitor owns them: do not close them.
  package var descriptors: [FileDescriptor] {
    switch udev {
    case .none: [watcher.descriptor]
    case .some(let udev): [watcher.descriptor, udev.descriptor]
    }
  }

  /// Hands out all changes since the last call, and never waits. Both sources may report the same change.
  package func readChanges(_ body: (DeviceWatcher.Change) -> Void) throws(DeviceError) {
    switch udev {
    case .none: break
    case .some(let udev): Self.readChanges(udev, body)
    }
    try watcher.readChanges(body)
  }

  private static func readChanges(_ udev: borrowing UdevMonitor, _ body: (DeviceWatcher.Change) -> Void) {
    let isWhole = udev.readEvents { event in
      guard let path = event.node, DeviceDirectory.isEventNode(path) else { return }
      switch event.action {
      case "remove": body(.removed(path: path))
      case "add": body(.appeared(path: path))
      default: body(.changed(path: path))
      }
    }
    if !isWhole { body(.overflowed) }
  }

  /// Whether a node can be opened for good, with permissions and links. Without udev, opening it is the test.
  package func isReady(_ path: String) -> Bool {
    switch udev {
    case .none: return true
    case .some:
      guard let number = DeviceNumber(path: path) else { return true }
      return UdevDevice(number: number.rawValue)?.isInitialized ?? false
    }
  }
}
