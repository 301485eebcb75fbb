import Glibc
import SystemPackage
import TouchSystem

/// The kernel's messages that concern touch and display. (`Documentation/ABI/testing/dev-kmsg`)
struct KernelMessages {
  private static let path = "/dev/kmsg"
  /// The greatest length of a record, in bytes. (PRINTK_MESSAGE_MAX)
  private static let longest = 8192
  private static let most = 300
  /// Words of drivers and subsystems of input and displays. (kernel `drivers/input/touchscreen`)
  private static let words = [
    "touch", "input:", "hid", "evdev", "uinput", "goodix", "ft5x", "edt-", "atmel_mxt", "maxtouch", "ili2",
    "ilitek", "elan", "egalax",
    "eeti", "silead", "zinitix", "melfas", "cyttsp", "st1232", "stmfts", "stmpe", "ads7846", "tsc2", "rmi4",
    "synaptics", "wacom",
    "weida", "himax", "novatek", "pixcir", "raydium", "drm", "fb0", "fb1", "fbcon", "framebuffer", "simplefb",
    "panel", "dsi", "hdmi",
    "backlight", "vc4", "console: switching", "bochs", "virtio_gpu",
  ]

  /// Returns the messages, the oldest first; EPERM if only root may. (`kernel.dmesg_restrict`)
  static func read() throws(Errno) -> [String] {
    let file = try FileContents.open(path, waits: false)
    defer { try? file.close() }
    var record = [UInt8](repeating: 0, count: longest)
    var lines: [String] = []
    while true {
      let count: Int
      do {
        count = try record.withUnsafeMutableBytes { try file.read(into: $0) }
      } catch Errno.wouldBlock {
        break
      } catch Errno.brokenPipe {
        // The next message has been overwritten. Reading goes on after it.
        continue
      } catch {
        throw error as? Errno ?? .ioError
      }
      guard count > 0 else { break }
      guard let line = line(of: record[..<count]), concerns(line) else { continue }
      lines.append(line)
    }
    return lines.suffix(most)
  }

  /// Returns the text of a record: `priority,number,microseconds,flags;text`, and indented details.
  static func line(of record: ArraySlice<UInt8>) -> String? {
    guard let semicolon = record.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let head = record[..<semicolon].split(separator: UInt8(ascii: ","))
    let text = record[(semicolon + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    let microseconds = head.count > 2 ? Int(String(decoding: head[2], as: UTF8.self)) ?? 0 : 0
    let digits = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "[\(microseconds / 1_000_000).\(digits)] \(String(decoding: text, as: UTF8.self).onOneLine)"
  }

  static func concerns(_ line: String) -> Bool {
    let line = line.lowercased()
    return words.contains { line.contains($0) }
  }
}
