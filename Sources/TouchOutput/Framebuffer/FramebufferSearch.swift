import CLinux.Display
import Glibc
import TouchCore
import TouchPixels
import TouchSystem

enum FramebufferSearch {
  /// Opens the framebuffer of the console, else the first usable one. One without a display (vfb) comes last.
  ///
  /// - Throws: the `DisplayError` of the best candidate; without a framebuffer, that
  ///   of `/dev/fb0`, which names possible providers.
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

  /// Surveys all framebuffers, or throws with the possible providers of one.
  static func survey() throws(DisplayError) -> [DisplayReport] {
    let candidates = candidates()
    guard !candidates.isEmpty else { throw FramebufferDevice.openError("/dev/fb0", .noSuchFileOrDirectory) }
    let shown = shownNumber(paths).map { "/dev/fb\($0)" }
    var reports = candidates.map(report)
    guard let first = reports.firstIndex(where: { $0.refusal == nil }) else { return reports }
    for index in reports.indices where index != first {
      reports[index] = reports[index].notTaken(because: reports[first].name)
    }
    reports[first].isUsed = true
    reports[first].reason =
      reports[first].name == shown ? "it shows the console" : "it is the first framebuffer that can be used"
    return reports
  }

  private static func report(_ path: String) -> DisplayReport {
    var report = DisplayReport(name: path, kind: "framebuffer")
    do throws(DisplayError) {
      let device = try FramebufferDevice(path: path)
      let driver = try device.report()
      report.driver = driver.driver
      let layout = try FramebufferLayout(driver, path: path)
      report.size = Size(width: Double(layout.width), height: Double(layout.height))
      report.format = layout.format.text
      report.mounting = mounting(of: device)
    } catch {
      report.refuse(error.description)
    }
    return report
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
      // vfb is the kernel's framebuffer without a display.
      let driver = (try? FramebufferDevice(path: path))?.driverName
      return driver == "Virtual FB" ? 2 : 1
    }
    return paths.enumerated().map { (rank: rank($1), index: $0, path: $1) }
      .sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { $0.path }
  }

  /// The number of the framebuffer that shows the visible console; nil if the kernel does not report it.
  private static func shownNumber(_ paths: [String]) -> UInt32? {
    guard let console = activeConsole() else { return nil }
    return framebuffer(ofConsole: console, asking: paths)
  }

  /// The number of the framebuffer that shows a console; nil if none does, or the kernel does not report it.
  static func framebuffer(ofConsole console: UInt32) -> UInt32? {
    framebuffer(ofConsole: console, asking: paths)
  }

  private static func framebuffer(ofConsole console: UInt32, asking paths: [String]) -> UInt32? {
    for path in paths {
      guard let device = try? FramebufferDevice(path: path) else { continue }
      var number: UInt32 = 0
      if touchtree_fb_of_console(device.descriptor.rawValue, console, &number) == 0 { return number }
    }
    return nil
  }

  /// Returns the rotation that makes a picture upright: that of the console, else of the connector's driver.
  static func mounting(of device: FramebufferDevice) -> DisplayGeometry.Rotation? {
    consoleRotation(on: device) ?? device.number.flatMap { KMSSearch.mounting(ofFramebuffer: $0) }
  }

  /// Returns the kernel's clockwise rotation of a framebuffer's console; nil without one. It follows the
  /// panel's mounting, or `fbcon=rotate:` of the kernel's command line. (kernel `fb/fbcon.rst`)
  private static func consoleRotation(on device: FramebufferDevice) -> DisplayGeometry.Rotation? {
    guard activeConsole().flatMap(device.shows) == true,
      let bytes = try? FileContents.read("/sys/class/graphics/fbcon/rotate", upTo: 16)
    else { return nil }
    switch String(decoding: bytes, as: UTF8.self).first {
    case "0": return DisplayGeometry.Rotation.none
    case "1": return .quarter
    case "2": return .half
    case "3": return .threeQuarters
    default: return nil
    }
  }

  /// The number of the visible virtual terminal, from sysfs: `tty1`.
  private static func activeConsole() -> UInt32? {
    guard let bytes = try? FileContents.read("/sys/class/tty/tty0/active", upTo: 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    return text.hasPrefix("tty") ? UInt32(text.dropFirst(3)) : nil
  }
}
