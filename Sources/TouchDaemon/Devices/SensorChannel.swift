import TouchCore
import TouchInput
import TouchSystem

/// A channel of a device of the kernel's industrial I/O: the light, the distance. (kernel
/// `ABI/testing/sysfs-bus-iio`)
struct SensorChannel {
  static let folder = "/sys/bus/iio/devices"

  private let path: String
  /// The number that is added to a reading, and then multiplies it: 0 and 1 for one in the kernel's units.
  private var (offset, scale) = (0.0, 1.0)

  /// Finds a channel; nil while there is none, or a device's driver does not say its value.
  ///
  /// - Parameters:
  ///   - device: a pattern for the device's name.
  ///   - name: `illuminance`, or `illuminance0` where a device has several.
  init?(_ name: String, ofDevice device: String, in folder: String = SensorChannel.folder) {
    for entry in FileContents.names(in: folder).sorted() {
      let own = "\(folder)/\(entry)"
      guard let title = Self.text(in: "\(own)/name"), DeviceMatch(name: device).fits(name: title) else {
        continue
      }
      for channel in [name, name + "0"] {
        let stem = "\(own)/in_\(channel)"
        if Self.number(in: stem + "_input") != nil {
          path = stem + "_input"
          return
        }
        guard Self.number(in: stem + "_raw") != nil else { continue }
        path = stem + "_raw"
        offset = Self.number(in: stem + "_offset") ?? 0
        scale = Self.number(in: stem + "_scale") ?? 1
        return
      }
    }
    return nil
  }

  func read() -> Double? { Self.number(in: path).map { ($0 + offset) * scale } }

  private static func number(in path: String) -> Double? {
    text(in: path).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func text(in path: String) -> String? {
    guard let bytes = try? FileContents.read(path, upTo: 128) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
