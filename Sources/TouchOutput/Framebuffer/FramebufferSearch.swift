import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// Chooses the framebuffer when none is named.
enum FramebufferSearch {
  /// Opens the framebuffer that shows the console, else the first usable one; one without a display (vfb) comes last.
  ///
  /// - Throws: the `DisplayError` of the best candidate; if there is no framebuffer, that of `/dev/fb0`, which names
  ///   what would provide one.
  static func open() throws(DisplayError) -> Framebuffer {
    let candidates = candidates()
    var errors: [DisplayError] = []
    for (index, path) in candidates.enumerated() {
      do throws(DisplayError) {
        return try Framebuffer(
          path: path,
          others: errors.map(\.description) + candidates.dropFirst(index + 1).map { "\($0): not needed" })
      } catch {
        errors.append(error)
      }
    }
    throw errors.first ?? FramebufferDevice.openError("/dev/fb0", .noSuchFileOrDirectory)
  }

  /// All framebuffers, by their numbers.
  static var paths: [String] {
    (0..<32).map { "/dev/fb\($0)" as String }.filter { path in access(path, F_OK) == 0 }
  }

  /// All framebuffers, the best first.
  private static func candidates() -> [String] {
    let paths = paths
    guard paths.count > 1 else { return paths }
    let shown = shownNumber(paths).map { "/dev/fb\($0)" }
    func rank(_ path: String) -> Int {
      if path == shown { return 0 }
      // The kernel's framebuffer without a display. (vfb)
      let driver = (try? FramebufferDevice(path: path))?.driverName
      return driver == "Virtual FB" ? 2 : 1
    }
    return paths.enumerated().map { (rank: rank($1), index: $0, path: $1) }
      .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { $0.path }
  }

  /// The number of the framebuffer that shows the visible console; nil if the kernel does not report it.
  private static func shownNumber(_ paths: [String]) -> UInt32? {
    guard let console = activeConsole() else { return nil }
    for path in paths {
      guard let device = try? FramebufferDevice(path: path) else { continue }
      var number: UInt32 = 0
      if touchtree_fb_of_console(device.descriptor.rawValue, console, &number) == 0 { return number }
    }
    return nil
  }

  /// The number of the visible virtual terminal, from sysfs: `tty1`.
  private static func activeConsole() -> UInt32? {
    guard let bytes = try? FileContents.read("/sys/class/tty/tty0/active", upTo: 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    return text.hasPrefix("tty") ? UInt32(text.dropFirst(3)) : nil
  }
}
