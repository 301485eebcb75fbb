import FolderSupport
import Glibc
import Testing
import TouchInput

@testable import TouchInstruments

/// The node of a controller's own numbers that belongs to a panel, in a sysfs of drivers in the kernel.
@Suite struct RawNodeTests {
  /// The device around the input device, the one around the node, and whether they are of one controller.
  private static let rows = [
    ("i2c-1/1-004a", "i2c-1/1-004a", true),  // atmel_mxt_ts
    ("rmi4-00", "rmi4-00/rmi4-00.fn54", true),  // rmi4
    ("rmi4-0", "rmi4-00", false),
    ("i2c-1/1-004a", "i2c-2/2-004a", false),
    ("i2c-1/1-004a/child", "i2c-1/1-004a", false),
  ]

  @Test(arguments: rows)
  func `signal and noise are those of the panel's own controller`(panel: String, node: String, isOwn: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    func make(_ path: String) throws {
      var made = ""
      for part in path.split(separator: "/") {
        made += made.isEmpty ? part : "/\(part)"
        if access(folder.file(made), F_OK) != 0 { try folder.makeFolder(made) }
      }
    }
    func link(_ target: String, at path: String) throws {
      try #require(symlink(folder.file(target), folder.file(path)) == 0)
    }
    for path in [
      "devices/\(panel)/input5", "devices/\(node)/video", "dev/char/13:69", "class/video4linux/v4l-touch3",
    ] {
      try make(path)
    }
    try link("devices/\(panel)/input5", at: "dev/char/13:69/device")
    try link("devices/\(panel)", at: "devices/\(panel)/input5/device")
    try link("devices/\(node)", at: "class/video4linux/v4l-touch3/device")
    let device = DeviceDescription(number: DeviceNumber(rawValue: 13 << 8 | 69), name: "Panel")
    let nodes = ["/dev/v4l-touch0", "/dev/v4l-touch3"]
    #expect(
      RawSampling.node(of: device, among: nodes, sysfs: folder.path) == (isOwn ? "/dev/v4l-touch3" : nil))
    #expect(RawSampling.node(of: DeviceDescription(name: "Virtual"), among: nodes, sysfs: folder.path) == nil)
  }
}
