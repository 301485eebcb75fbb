import Foundation

/// A line of `touchtree devices --json`: one object.
struct DeviceListing {
  /// By name, what each device is; nil inside for one that is nothing to touchtree.
  var kinds: [String: String?] = [:]
  private(set) var devices: [Device] = []

  struct Device: Decodable {
    var path: String
    /// Missing where the node could not be opened, as is everything that follows.
    var name: String?
    var kind: String?
    var reason: String?
    var syspath: String?
    var phys: String?
    var `protocol`: String?
    var contacts: Int?
    var widthMillimetres: Double?
    var heightMillimetres: Double?
    var stanza: String?
  }

  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      do {
        let device = try JSONDecoder().decode(Device.self, from: Data(line.utf8))
        devices.append(device)
        if let name = device.name { kinds.updateValue(device.kind, forKey: name) }
      } catch {
        throw MachineError("no device: \(line)")
      }
    }
  }
}
