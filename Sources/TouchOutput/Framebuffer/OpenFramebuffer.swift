import CLinux.Display
import TouchCore
import TouchPixels

/// An open framebuffer in the mode of its opening. Damage is composed in ordinary memory (`StagingBuffer`),
/// converted (`RowConverter`) and written to the device (`FramebufferMemory`).
final class OpenFramebuffer {
  let device: FramebufferDevice
  let layout: FramebufferLayout
  let converter: RowConverter
  let original: OriginalState
  private let memory: FramebufferMemory
  private let staging: StagingBuffer
  private let driverReport: FramebufferReport

  /// - Throws: `DisplayError`; the device is then unchanged.
  init(path: String) throws(DisplayError) {
    device = try FramebufferDevice(path: path)
    original = OriginalState(device: device)
    driverReport = try device.report()
    layout = try FramebufferLayout(driverReport, path: path)
    try device.claim()
    memory = FramebufferMemory(device: device, report: driverReport)
    staging = try StagingBuffer(width: layout.width, height: layout.height, showsPictures: false)
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.format))
    if let map = layout.colorMap, let before = try device.replaceColors(with: map) {
      original.remember(colors: before)
    }
    // The console may have blanked the screen. Not every driver supports the call.
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
  }

  var driver: String { driverReport.driver }

  /// Called with a log message for each fault of the driver.
  var report: (String) -> Void {
    get { memory.report }
    set { memory.report = newValue }
  }

  func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    staging.compose(layout.wholeBytes(rect.intersection(layout.bounds)), paint) { target, part, pixel in
      converter.write(part, of: target, filledWith: pixel) { memory.write($0) }
    }
  }

  /// Whether the driver still reports the mode of the opening, in the part that a program can set.
  var isCurrent: Bool {
    guard let mode = device.variable() else { return false }
    return driverReport.isOf(mode)
  }

  /// Continues after another program has drawn on the device.
  func takeAgain() {
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    if let map = layout.colorMap { _ = map.write(descriptor: device.descriptor.rawValue) }
  }

  /// Returns the look of pictures on a framebuffer in its current mode. The device is not changed.
  static func preview(path: String) throws(DisplayError) -> DisplayPreview {
    let device = try FramebufferDevice(path: path)
    let layout = try FramebufferLayout(try device.report(), path: path)
    let converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.format))
    return DisplayPreview(
      size: Size(width: Double(layout.width), height: Double(layout.height)),
      reduce: { converter.reduce($0) })
  }
}
