import CLinux.Display
import Glibc
import TouchCore
import TouchPixels
import TouchSystem

extension DisplayKind {
  /// Displays named by the path of a device, such as `/dev/fb1`.
  static let framebuffer = DisplayKind(
    example: "a framebuffer such as /dev/fb0",
    automatic: { (_, _) throws(DisplayError) in try FramebufferSearch.open() },
    survey: { () throws(DisplayError) in try FramebufferSearch.survey() },
    named: { path throws(DisplayError) in
      guard path.hasPrefix("/") else { return nil }
      return Named(preview: { () throws(DisplayError) in try OpenFramebuffer.preview(path: path) }) {
        _ throws(DisplayError) in try Framebuffer(path: path)
      }
    })
}

/// A kernel framebuffer, `/dev/fbN`. (kernel `fb/framebuffer.rst`) It follows the device when it is
/// unplugged, returns, or gets another mode from another program.
package final class Framebuffer: Display {
  package let path: String
  package var onEvent: (DisplayEvent) -> Void = { _ in }

  private var open: OpenFramebuffer
  /// The other framebuffers, each with the reason why it was not taken.
  private var others: [String]
  private var watch: FramebufferWatch?
  /// False once the driver has refused to switch the display off.
  private var canBlank = true
  private var isSuspended = false

  /// Opens a framebuffer. The picture on the screen stays until something is composed.
  /// - Parameters:
  ///   - path: the device, such as `/dev/fb0`.
  /// - others: log messages about the framebuffers that were not taken.
  /// - Throws: `DisplayError`.
  package init(path: String, others: [String] = []) throws(DisplayError) {
    (self.path, self.others) = (path, others)
    open = try OpenFramebuffer(path: path)
    followReports()
  }

  deinit { restore() }

  package var name: String { "\(path) (\(open.driver), \(width)x\(height))" }

  package var remarks: [DisplayRemark] {
    open.layout.notices.map { DisplayRemark(.warning, "\(path): \($0)") }
      + others.map { DisplayRemark(.info, $0) }
      + [
        DisplayRemark(.debug, "\(path): \(open.layout.bitsPerPixel) bits a pixel: \(open.layout.format.text)")
      ]
  }

  package var scanout: Scanout? { .framebuffer(path) }

  /// Returns the position of a canvas, by the panel's mounting unless the configuration says otherwise.
  package func geometry(of canvas: CanvasLayout) -> DisplayGeometry {
    canvas.geometry(on: size, mounting: FramebufferSearch.mounting(of: open.device) ?? .none)
  }

  private func followReports() { open.report = { [weak self] in self?.report($0) } }

  private func report(_ sentence: String) { onEvent(.notice("\(path): \(sentence)")) }

  // MARK: Drawing

  package var width: Int { open.layout.width }
  package var height: Int { open.layout.height }
  package var picture: Surface? { nil }
  package var isCurrent: Bool { open.isCurrent }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    open.compose(rect, paint)
  }

  package func reduce(_ picture: Surface) { open.converter.reduce(picture) }

  // MARK: In the loop

  package func begin(in loop: EventLoop) {
    watch = FramebufferWatch(
      of: path, in: loop, report: { [weak self] in self?.report($0) },
      look: { [weak self] in self?.onEvent(.changed) })
    watch?.followNode()
  }

  package func restore() {
    // Drivers with deferred I/O would drop the picture at the close. (kernel `fb/deferred_io.rst`)
    _ = fsync(open.device.descriptor.rawValue)
    suspend()
  }

  // MARK: By turns with other programs

  package var takesConsole: Bool { true }
  package var otherUser: String? { open.device.number.flatMap { KMSSearch.otherUser(ofFramebuffer: $0) } }

  package func shows(console: Int32) -> Bool? { UInt32(exactly: console).flatMap(open.device.shows) }

  package func share(byTurns: Bool) throws(DisplayError) { try open.device.share(byTurns: byTurns) }

  /// Restores the original colours, for the console.
  package func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    open.original.restore()
  }

  /// Unblanks the display and sets its colours again.
  package func resume() {
    if isSuspended { open.original.resume() }
    isSuspended = false
    open.takeAgain()
  }

  // MARK: Blanking

  /// Switches the display off. (FBIOBLANK) A driver that cannot is reported once, and the picture stays.
  package func blank() {
    if touchtree_fb_blank(open.device.descriptor.rawValue) == 0 {
      open.original.remember(isBlank: true)
    } else if canBlank {
      canBlank = false
      report("the driver does not switch the display off, so it shows black")
    }
  }

  package func unblank() {
    _ = touchtree_fb_unblank(open.device.descriptor.rawValue)
    open.original.remember(isBlank: false)
  }

  // MARK: Another mode, and none

  /// Whether the node exists. A removed driver answers a little longer, and the kernel reports no end.
  package var isAttached: Bool { access(path, F_OK) == 0 }

  package func abandon() {
    if !isSuspended { open.original.restoreUnlessChanged() }
    isSuspended = true
    _ = DeviceLock.none.take(on: open.device.descriptor)
  }

  /// Opens the same device, however it was chosen, because another framebuffer may be on an unused display.
  package func reopen() throws(DisplayError) {
    // The watch begins before the opening, so that no event in between is missed.
    watch?.awaitNode()
    open = try OpenFramebuffer(path: path)
    watch?.followNode()
    followReports()
    others = []
    (canBlank, isSuspended) = (true, false)
  }
}
