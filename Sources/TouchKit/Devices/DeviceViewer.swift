import TouchCore
import TouchInput

extension DeviceManager {
  /// The requests of a program that shows devices or passes them on. It also gets devices that are not used:
  /// chosen ones, and those that a rule excludes.
  package struct Viewer {
    /// Returns the reason, as a sentence, why a device does not suit this program; nil for one that does.
    /// The kind is nil for a device that is not used.
    package var refuses: (DeviceDescription, DeviceKind?) -> String?
    package var isGrabbing: Bool
    /// Called when a device is read from now on, with its touch source, or nil for a device that is not used.
    package var added: (OpenDevice, SourceSetup?) -> Void
    /// Called when the pipeline has applied a frame of a device. The frame is valid until this returns.
    package var frame: (OpenDevice, InputFrame) -> Void
    /// Called when a device is not read any more, and its touches are cancelled. The reason is a sentence.
    package var removed: (OpenDevice, _ reason: String) -> Void

    package init(
      isGrabbing: Bool, refuses: @escaping (DeviceDescription, DeviceKind?) -> String? = { _, _ in nil },
      added: @escaping (OpenDevice, SourceSetup?) -> Void,
      frame: @escaping (OpenDevice, InputFrame) -> Void, removed: @escaping (OpenDevice, String) -> Void
    ) {
      (self.isGrabbing, self.refuses, self.added, self.frame) = (isGrabbing, refuses, added, frame)
      self.removed = removed
    }
  }
}
