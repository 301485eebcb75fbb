import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// The light behind a panel. (kernel `ABI/stable/sysfs-class-backlight`)
///
/// The original brightness is restored when the value is destroyed, and when the process dies of a signal
/// that can be caught. After SIGKILL the panel stays as dark as it was.
package final class Backlight {
  /// The folder in which the kernel lists backlights.
  package static let folder = "/sys/class/backlight"

  /// The folder of the device.
  package let path: String
  private let maximum: Int
  private let file: FileDescriptor
  /// The brightness before `dim` and the one after it, in the device's units; nil while nothing is dimmed.
  private var dimmed: (from: Int, to: Int)?

  /// Opens a backlight. Its brightness stays as it is.
  ///
  /// - Parameters:
  ///   - name: the name of its folder; nil for the only one.
  ///   - folder: the folder in which backlights are listed.
  /// - Throws: `DisplayError`.
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

  /// Sets the panel to a share of its brightest light, but never brighter than it was.
  ///
  /// - Parameter percent: the share, from 0 to 100; above 0 the panel stays visible.
  /// - Throws: `DisplayError`.
  package func dim(to percent: Double) throws(DisplayError) {
    guard let original = dimmed?.from ?? brightness else { throw .backlight("\(path)/brightness", .ioError) }
    let wanted = Int((Double(maximum) * percent / 100).rounded(.up))
    // Before the change: the process may die right after it.
    touchtree_backlight_remember(file.rawValue, Int64(original))
    dimmed = (original, original)
    try write(min(wanted, original))
    // A driver may round.
    dimmed = (original, brightness ?? wanted)
  }

  /// Restores the original brightness, unless another program has changed it in the meantime.
  package func restore() {
    guard let (original, now) = dimmed else { return }
    dimmed = nil
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
          + (names.isEmpty ? "; remove the stages with \"backlight\"" : "; it has \(list)")
      }
    return DisplayError(.missing, path: folder, detail: "the panel is not dimmed: \(detail)")
  }

  /// Returns the error for a file of a backlight that cannot be opened, read or written.
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
    return DisplayError(kind, path: path, detail: "the panel is not dimmed: \(reason)", cause: cause)
  }
}
