import Glibc
import TouchInput
import TouchMeasure
import TouchSystem

/// A controller's own numbers during one task of a test. Between tasks nothing is read.
final class RawSampling {
  private let node: RawTouchNode
  private let loop: EventLoop
  private var source: EventLoop.Source?
  private var figures: RawFigures

  /// Opens a node of a controller.
  init(node path: String, in loop: EventLoop) throws(Failure) {
    node = try RawTouchNode(path: path)
    self.loop = loop
    figures = RawFigures(columns: node.columns, rows: node.rows)
  }

  /// Returns the node of an input device's controller; nil for none. One driver makes both, so the device
  /// around the node is that around the input device, or lies in it. (kernel `Documentation/ABI/stable/sysfs-dev`)
  static func node(
    of device: DeviceDescription, among nodes: [String] = RawTouchNode.nodes(), sysfs: String = "/sys"
  ) -> String? {
    func resolved(_ path: String) -> String? {
      guard let real = realpath("\(sysfs)/\(path)", nil) else { return nil }
      defer { free(real) }
      return String(cString: real)
    }
    guard let number = device.number,
      let driven = resolved("dev/char/\(number.major):\(number.minor)/device/device")
    else { return nil }
    return nodes.first { node in
      let name = node.split(separator: "/").last ?? ""
      return resolved("class/video4linux/\(name)/device").map { "\($0)/".hasPrefix("\(driven)/") } ?? false
    }
  }

  /// The driver's name of the controller, and its node.
  var title: String { "\(node.name.onOneLine) (\(node.path))" }

  func begin() {
    figures = RawFigures(columns: node.columns, rows: node.rows)
    source = try? loop.watch(node.readiness) { [weak self] in self?.take() }
  }

  /// Ends the reading.
  /// - Returns: nil without numbers.
  func end() -> RawFigures.Strength? {
    if let source { loop.unwatch(source) }
    source = nil
    return RawFigures.Strength(of: figures.nodes())
  }

  private func take() {
    do throws(Failure) {
      if let frame = try node.read() { figures.add(frame) }
    } catch {
      // The controller is gone. What it sent before counts.
      if let source { loop.unwatch(source) }
      source = nil
    }
  }
}
