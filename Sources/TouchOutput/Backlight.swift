import CLinux.Display
import Glibc
import SystemPackage
import TouchSystem

/// The light behind a panel. (kernel `ABI/stable/sysfs-class-backlight`)
///
/// The brightness that it had is restored when the value is destroyed, and when the process dies of a signal that can be
/// caught. After SIGKILL the panel stays as dark as it was.
package final class Backlight {
  /// Where the kernel lists them.
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
  ///   - folder: where backlights are listed.
  /// - Throws: `BacklightError`.
  package init(named name: String? = nil, in folder: String = Backlight.folder) throws(BacklightError) {
    let names = Self.names(in: folder)
    guard let name = name ?? (names.count == 1 ? names[0] : nil), names.contains(name) else {
      throw names.count > 1 && name == nil
        ? .several(names, folder: folder) : .missing(name, of: names, folder: folder)
    }
    path = "\(folder)/\(name)"
    let brightness = "\(path)/brightness"
    guard let maximum = Self.number(in: "\(path)/max_brightness"), maximum > 0 else {
      throw .failed("\(path)/max_brightness", .invalidArgument)
    }
    self.maximum = maximum
    do {
      file = try FileDescriptor.open(brightness, .readWrite, options: [.closeOnExec])
    } catch {
      throw .failed(brightness, error as? Errno ?? .ioError)
    }
  }

  deinit {
    restore()
    try? file.close()
  }

  /// Makes the panel as bright as this, and never brighter than it was.
  ///
  /// - Parameter percent: of the brightest; above 0 it stays visible.
  /// - Throws: `BacklightError`.
  package func dim(to percent: Double) throws(BacklightError) {
    guard let original = dimmed?.from ?? brightness else { throw .failed("\(path)/brightness", .ioError) }
    let wanted = Int((Double(maximum) * percent / 100).rounded(.up))
    // Before the change: the process may die right after it.
    touchtree_backlight_remember(file.rawValue, Int64(original))
    dimmed = (original, original)
    try write(min(wanted, original))
    // A driver may round.
    dimmed = (original, brightness ?? wanted)
  }

  /// Makes the panel as bright as it was, unless another program has changed the brightness in the meantime.
  package func restore() {
    guard let (original, now) = dimmed else { return }
    dimmed = nil
    touchtree_backlight_forget()
    if brightness == now { try? write(original) }
  }

  private var brightness: Int? { Self.number(in: "\(path)/brightness") }

  private func write(_ brightness: Int) throws(BacklightError) {
    do {
      _ = try file.writeAll(toAbsoluteOffset: 0, "\(brightness)\n".utf8)
    } catch {
      throw .failed("\(path)/brightness", error as? Errno ?? .ioError)
    }
  }

  private static func number(in path: String) -> Int? {
    guard let bytes = try? FileContents.read(path, upTo: 32) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
  }

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// Why a panel is not dimmed, and what to do.
package enum BacklightError: Error, Hashable, CustomStringConvertible {
  /// No backlight has that name, or the machine has no backlight.
  case missing(String?, of: [String], folder: String)
  /// There are several, and the configuration names none.
  case several([String], folder: String)
  /// A file of it cannot be opened, read or written.
  case failed(String, Errno)

  package var description: String {
    switch self {
    case .missing(let name, let names, let folder):
      let what = name.map { "\(folder) has no backlight \"\($0)\"" } ?? "\(folder) has no backlight"
      return "the panel is not dimmed: " + what
        + (names.isEmpty
          ? "; remove the stages with \"backlight\"" : "; it has \(names.joined(separator: ", "))")
    case .several(let names, let folder):
      return "the panel is not dimmed: \(folder) has \(names.joined(separator: ", ")); "
        + "name one: display: {backlight: \(names[0])}"
    case .failed(let path, .readOnlyFileSystem):
      return "\(path): the panel is not dimmed: the unit makes /sys read-only; copy "
        + "share/doc/touchtree/systemd/backlight.conf to /etc/systemd/system/touchtree.service.d, and type: "
        + "systemctl daemon-reload && systemctl restart touchtree"
    case .failed(let path, .permissionDenied):
      return "\(path): the panel is not dimmed: this user may not write it; install the udev rule "
        + "90-touchtree-backlight.rules, which gives it to the group video, and start the board again"
    case .failed(let path, let cause):
      return "\(path): the panel is not dimmed: \(cause)"
    }
  }
}
