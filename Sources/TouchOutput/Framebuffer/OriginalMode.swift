import CLinux.Display

/// What a framebuffer was before it was taken, to be given back: also by a process that dies of a signal, on a display
/// with a console and on one without.
final class OriginalMode {
  private let device: FramebufferDevice
  private let depth: UInt32?
  private var mode: fb_var_screeninfo?
  /// Red, green and blue of each entry of the colour map, where a fault handler finds them; nil while there is none.
  private var colors: UnsafeMutablePointer<UInt16>?
  private var count = 0
  /// Whether something is still to be put back.
  private var isTaken = false

  init(device: FramebufferDevice) {
    self.device = device
    depth = device.variable()?.bits_per_pixel
  }

  deinit {
    if isTaken { putBack() }
    colors?.deallocate()
  }

  func remember(mode: fb_var_screeninfo) {
    self.mode = mode
    takeAgain()
  }

  func remember(colors map: ColorMap) {
    count = map.red.count
    let colors = UnsafeMutablePointer<UInt16>.allocate(capacity: 3 * count)
    for (index, channel) in [map.red, map.green, map.blue].enumerated() {
      (colors + index * count).update(from: channel, count: count)
    }
    self.colors = colors
    takeAgain()
  }

  /// Leaves the device as it was.
  func putBack() {
    touchtree_fb_put_back(device.descriptor.rawValue)
    forget()
  }

  /// Leaves the device as it was, as far as nobody else has changed it: a mode of another size stays, and with another depth
  /// its colours, too.
  func putBackWhatIsOurs() {
    if let now = device.variable(), now.bits_per_pixel == depth {
      if let mode, (now.xres, now.yres) != (mode.xres, mode.yres) {
        touchtree_fb_remember_mode(device.descriptor.rawValue, nil)
      }
      touchtree_fb_put_back(device.descriptor.rawValue)
    }
    forget()
  }

  /// The device is ours again, and to be put back again in the end.
  func takeAgain() {
    isTaken = true
    if let mode { touchtree_fb_remember_mode(device.descriptor.rawValue, [mode]) }
    guard let colors else { return }
    touchtree_fb_remember_colors(
      device.descriptor.rawValue, colors, colors + count, colors + 2 * count, UInt32(count))
  }

  /// Leaves the mode as it was, and only that.
  func putModeBack() {
    guard var wanted = mode else { return }
    let original = wanted
    mode = nil
    touchtree_fb_remember_mode(device.descriptor.rawValue, nil)
    _ = touchtree_fb_put_variable(device.descriptor.rawValue, &wanted)
    wanted = original
    _ = touchtree_fb_pan(device.descriptor.rawValue, &wanted)
  }

  /// Leaves the device as it is.
  func forget() {
    isTaken = false
    touchtree_fb_forget(device.descriptor.rawValue)
  }
}
