import Foundation

/// What `touchtree devices --json` prints: one object a line.
struct DeviceListing {
  /// By name, what each device is; nil inside for one that is nothing to touchtree.
  var kinds: [String: String?] = [:]

  init(_ text: String) throws {
    struct Device: Decodable {
      /// Missing where the node could not be opened.
      var name: String?
      var kind: String?
    }
    for line in text.split(separator: "\n") {
      do {
        let device = try JSONDecoder().decode(Device.self, from: Data(line.utf8))
        if let name = device.name { kinds.updateValue(device.kind, forKey: name) }
      } catch {
        throw MachineError("no device: \(line)")
      }
    }
  }
}
