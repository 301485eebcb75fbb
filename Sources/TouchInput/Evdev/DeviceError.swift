import SystemPackage
import TouchSystem

/// The reason why a device, or the folder of devices, cannot be used.
package struct DeviceError: FailureError, Hashable, Sendable {
  /// The kind of fault, for programs; users get the description.
  package enum Reason: Hashable, Sendable {
    case noSuchFile
    /// The file is not an evdev node.
    case notEvdev
    case notPermitted, busy, gone
    /// This process, or all of them, may have no more files open.
    case tooManyOpen
    case noUinput
    /// touchtree cannot make touches of the device; the detail has its name and the reason.
    case unsuitable
    /// None of the devices can be used; the path is their folder.
    case noneUsable
    /// None of the devices is used as a touchscreen; the path is their folder.
    case noTouchscreen
    /// Any other fault; the cause has it.
    case failed
  }

  package var reason: Reason
  /// The node, directory or link with the fault.
  package var path: String
  /// The system's error, if the system was asked.
  package var cause: Errno?
  /// The finding or the attempt, read after the path: "it is a directory". May be empty.
  package var detail: String

  /// - Parameter detail: read after the path; may be empty.
  package init(_ reason: Reason, path: String, cause: Errno? = nil, detail: String = "") {
    (self.reason, self.path, self.cause, self.detail) = (reason, path, cause, detail)
  }

  package static var noDevices: DeviceError {
    DeviceError(
      .noneUsable, path: DeviceDirectory().path, detail: "none is connected, or the configuration excludes it"
    )
  }

  package static var noTouchscreen: DeviceError {
    DeviceError(
      .noTouchscreen, path: DeviceDirectory().path,
      detail: "none is connected, or the configuration excludes it")
  }

  /// Whether there is no device for this process, so that waiting or another limit would not help.
  package var meansNone: Bool {
    switch reason {
    case .noneUsable, .noTouchscreen, .noSuchFile, .notPermitted: true
    case .notEvdev, .busy, .gone, .tooManyOpen, .noUinput, .unsuitable, .failed: false
    }
  }

  init(path: String, cause: Errno, detail: String = "") {
    let reason: Reason =
      switch cause {
      case .noSuchFileOrDirectory, .notDirectory: .noSuchFile
      case .permissionDenied, .notPermitted: .notPermitted
      case .resourceBusy: .busy
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpen
      case .noSuchAddressOrDevice, .operationNotSupportedByDevice: .gone
      default: .failed
      }
    self.init(reason, path: path, cause: cause, detail: detail)
  }
}

extension DeviceError: CustomStringConvertible {
  /// The fault, the file, the reason, and the advice.
  package var description: String {
    var text = "\(path): \(problem)"
    if !detail.isEmpty { text += ": \(detail)" }
    if let cause { text += " (\(cause))" }
    text += "."
    if let advice { text += " \(advice)" }
    return text
  }

  package var failure: Failure {
    Failure(reason == .notPermitted ? .notPermitted : .unavailable, description)
  }

  private var problem: String {
    switch reason {
    case .noSuchFile: "no such file"
    case .notEvdev: "not an evdev node"
    case .notPermitted: "not permitted"
    case .busy: "another program has grabbed the device"
    case .gone: "the device is gone"
    case .tooManyOpen: "cannot be opened"
    case .noUinput: "the kernel offers no uinput"
    case .unsuitable: "the device cannot be used"
    case .noneUsable: "no touchscreen, tablet or mouse can be used"
    case .noTouchscreen: "no touchscreen can be used"
    case .failed: "cannot use the device"
    }
  }

  private var advice: String? {
    switch reason {
    case .noSuchFile: "Input devices appear as /dev/input/event0 and up; `touchtree devices` lists them."
    case .notEvdev: "A touchscreen's node is called /dev/input/eventN; `touchtree devices` lists them."
    case .notPermitted: permissionAdvice
    case .busy: "Stop the program that holds it (`fuser \(path)` names it), or leave the device to it."
    case .gone: nil
    case .tooManyOpen: cause?.openFilesAdvice.map { "\($0)." }
    case .noUinput: "Load it: modprobe uinput."
    case .unsuitable: "`touchtree devices` lists the ones that can."
    case .noneUsable:
      "`touchtree devices` lists why each device is not used; `touchtree run --replay` plays a recording instead."
    case .noTouchscreen: "`touchtree devices` lists what each device is used as, and why others are not used."
    case .failed: nil
    }
  }

  private var permissionAdvice: String {
    // EACCES comes from the file's mode; EPERM on a device comes from a cgroup's device policy.
    if cause == .notPermitted {
      return "A container or service may open only the devices that it is given: for a systemd unit, "
        + (isUinput ? "DeviceAllow=/dev/uinput rw." : "DeviceAllow=char-input rw.")
    }
    if isFolder {
      return
        "Every user can read that folder where udev makes it (chmod 755 \(path) allows it); the nodes in it belong to "
        + "the group `input` (usermod -aG input USER, then log in again)."
    }
    if isUinput {
      return "It belongs to root. As root, give it to the group `input` with a udev rule in "
        + #"/etc/udev/rules.d/60-uinput.rules: KERNEL=="uinput", GROUP="input", MODE="0660""#
        + " (then `udevadm control --reload`, `udevadm trigger /dev/uinput`), or run touchtree as root."
    }
    return
      "Join the group `input` (usermod -aG input USER, then log in again); if the node belongs to another "
      + #"group, this udev rule changes that: SUBSYSTEM=="input", KERNEL=="event*", GROUP="input", MODE="0660""#
  }

  private var isFolder: Bool { ["/dev", "/dev/input"].contains(path) }

  private var isUinput: Bool { path.hasSuffix("/uinput") }
}
