import Glibc
import SystemPackage
import TouchSystem

package struct DeviceReport: Sendable {
  package var path: String
  /// The names that stay the same over boots and replugs: links under `by-id` and `by-path`.
  package var links: [String]
  /// The path of the device in sysfs, which shows where it is plugged in; empty when that is not known.
  package var syspath: String
  package var finding: Finding

  /// A device with its classification, or the reason why there is none.
  package enum Finding: Sendable {
    case device(DeviceDescription, Classification)
    /// The node could not be opened.
    case failure(DeviceError)
  }

  package init(path: String, links: [String], syspath: String = "", finding: Finding) {
    (self.path, self.links, self.syspath, self.finding) = (path, links, syspath, finding)
  }
}

/// The directory in which the kernel's input nodes appear.
package struct DeviceDirectory: Sendable {
  /// The path without a slash at the end.
  package var path: String

  /// - Parameter path: without a slash at the end. The default is udev's folder of nodes.
  package init(path: String = "/dev/input") { self.path = path }

  /// Returns the event nodes by number, or throws `noSuchFile` (no directory), `notPermitted` or `failed`.
  package func nodes() throws(DeviceError) -> [String] {
    do throws(Errno) {
      return try FileContents.entries(of: path)
        .compactMap { name in Self.number(ofNode: name).map { ($0, name) } }
        .sorted { $0.0 < $1.0 }.map { "\(path)/\($0.1)" }
    } catch {
      var failure = DeviceError(path: path, cause: error)
      if failure.reason == .noSuchFile {
        failure.detail = "no input device is connected, or the container does not show them"
      }
      throw failure
    }
  }

  /// Opens every node, reports its device, and closes it again.
  package func reports() throws(DeviceError) -> [DeviceReport] {
    let nodes = try nodes()
    let links = linksByNumber()
    return nodes.map { node in
      let number = DeviceNumber(path: node)
      return DeviceReport(
        path: node, links: number.flatMap { links[$0] } ?? [], syspath: number.map(Self.syspath) ?? "",
        finding: Self.look(at: node))
    }
  }

  private static func look(at node: String) -> DeviceReport.Finding {
    do throws(DeviceError) {
      let description = try EvdevDevice(path: node).description
      return .device(description, DeviceClassifier.classify(description.capabilities))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the sysfs folder of a node's input device. (kernel `Documentation/ABI/stable/sysfs-dev`)
  private static func syspath(of number: DeviceNumber) -> String {
    guard let path = realpath("/sys/dev/char/\(number.major):\(number.minor)/device", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  static func number(ofNode name: String) -> Int? {
    let prefix = "event"
    let digits = name.utf8.dropFirst(prefix.utf8.count)
    guard name.hasPrefix(prefix), !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(name.dropFirst(prefix.count))
  }

  /// Whether a path to a device is a permanent name, not its present node.
  package static func isLink(_ path: String) -> Bool { !isEventNode(path) }

  static func isEventNode(_ path: String) -> Bool {
    FilePath(path).lastComponent.map { number(ofNode: $0.string) != nil } ?? false
  }

  private func linksByNumber() -> [DeviceNumber: [String]] {
    var links: [DeviceNumber: [String]] = [:]
    for folder in ["by-id", "by-path"] {
      // Without udev's links there is no such folder.
      for link in FileContents.names(in: "\(path)/\(folder)").map({ "\(path)/\(folder)/\($0)" }) {
        if let number = DeviceNumber(path: link) { links[number, default: []].append(link) }
      }
    }
    return links
  }
}
