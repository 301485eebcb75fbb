import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The light behind a panel. (kernel `ABI/stable/sysfs-class-backlight`) The original brightness is restored
/// when the value is destroyed, and after a signal that can be caught, but not after SIGKILL.
package final class Backlight {
  package static let folder = "/sys/class/backlight"

  package let path: String
  private let maximum: Int
  private let file: FileDescriptor
  /// The original brightness and the one that was set, in the device's units; nil while it is the original
  /// one.
  private var changed: (from: Int, to: Int)?

  /// Opens a backlight, without a name the only one. Its brightness stays as it is.
  package init(named name: String? = nil, in folder: String = Backlight.folder) throws(DisplayError) {
    let names = FileContents.names(in: folder)
    guard let name = name ?? (names.count == 1 ? names[0] : nil), names.contains(name) else {
      throw .noBacklight(name, of: names, folder: folder)
    }
    path = "\(folder)/\(name)"
    let brightness = "\(path)/brightness"
    guard let maximum = Self.number(in: "\(path)/max_brightness"), maximum > 0 else {
      throw .backlight("\(path)/max_brightness", .invalidArgument)
    }
    self.maximum = maximum
    do {
      file = try FileDescriptor.open(brightness, .readWrite, options: [.closeOnExec])
    } catch {
      throw .backlight(brightness, error as? Errno ?? .ioError)
    }
  }

  deinit {
    restore()
    try? file.close()
  }

  /// Sets the brightness.
  /// - Parameter percent: the share of the brightest light, from 0 to 100, above 0 at least the lowest one;
  ///   nil for the original brightness.
  /// - Parameter limit: the highest share; nil for none.
  package func show(_ percent: Double?, atMost limit: Double? = nil) throws(DisplayError) {
    guard percent != nil || limit != nil else { return restore() }
    guard let original = changed?.from ?? brightness else { throw .backlight("\(path)/brightness", .ioError) }
    let wanted = min(percent.map(level) ?? original, limit.map(level) ?? maximum)
    // Before the change: the process may die right after it.
    touchtree_backlight_remember(file.rawValue, Int64(original))
    changed = (original, original)
    try write(wanted)
    // A driver may round.
    changed = (original, brightness ?? wanted)
  }

  /// Returns a share of the brightest light in the device's units.
  private func level(_ percent: Double) -> Int { Int((Double(maximum) * percent / 100).rounded(.up)) }

  private func restore() {
    guard let (original, now) = changed else { return }
    changed = nil
    touchtree_backlight_forget()
    if brightness == now { try? write(original) }
  }

  private var brightness: Int? { Self.number(in: "\(path)/brightness") }

  private func write(_ brightness: Int) throws(DisplayError) {
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, "\(brightness)\n".utf8)
    } catch {
      throw .backlight("\(path)/brightness", error as? Errno ?? .ioError)
    }
  }

  private static func number(in path: String) -> Int? {
    guard let bytes = try? FileContents.read(path, upTo: 32) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
  }
}

extension DisplayError {
  /// Returns the error for a backlight that is missing, or that is not named although there are several.
  static func noBacklight(_ name: String?, of names: [String], folder: String) -> DisplayError {
    let list = names.joined(separator: ", ")
    let detail =
      if let first = names.first, name == nil {
        "it has \(list); name one: display: {backlight: \(first)}"
      } else {
        (name.map { "it has no backlight \"\($0)\"" } ?? "it has no backlight")
          + (names.isEmpty ? "; remove what sets \"backlight\"" : "; it has \(list)")
      }
    return DisplayError(.missing, path: folder, detail: "the panel's light stays as it is: \(detail)")
  }

  static func backlight(_ path: String, _ cause: Errno) -> DisplayError {
    let (kind, reason): (Kind, String) =
      switch cause {
      case .readOnlyFileSystem:
        (
          .notPermitted,
          "the unit makes /sys read-only; copy share/doc/touchtree/systemd/backlight.conf to "
            + "/etc/systemd/system/touchtree.service.d, and type: "
            + "systemctl daemon-reload && systemctl restart touchtree"
        )
      case .permissionDenied:
        (
          .notPermitted,
          "this user may not write it; install the udev rule 90-touchtree-backlight.rules, which gives it to the group "
            + "video, and start the board again"
        )
      default: (.failed, "its brightness cannot be read or set")
      }
    return DisplayError(kind, path: path, detail: "the panel's light stays as it is: \(reason)", cause: cause)
  }
}
