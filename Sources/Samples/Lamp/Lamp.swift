// A sample plugin: a finger that is lifted inside the view turns a lamp on or off.
//
//   handlers:
//     lamp: {kind: plugin, path: liblamp.so}
//
// The lamp is the background of the view that was touched.
import CTouchtree

final class Lamp {
  private let host: UnsafePointer<touchtree_host>
  private let table = UnsafeMutablePointer<touchtree_plugin>.allocate(capacity: 1)
  private var isOn = false

  init(host: UnsafePointer<touchtree_host>) {
    self.host = host
  }

  deinit {
    table.deallocate()
  }

  /// The table that the host calls. It owns the lamp until `destroy`.
  func makeTable() -> UnsafePointer<touchtree_plugin> {
    // Field by field: the struct's initializer changes whenever the interface grows.
    table.initialize(to: touchtree_plugin())
    table.pointee.size = UInt32(MemoryLayout<touchtree_plugin>.size)
    table.pointee.abi = TOUCHTREE_ABI
    table.pointee.context = Unmanaged.passRetained(self).toOpaque()
    table.pointee.touch = { plugin, touches in Lamp.behind(plugin).touch(touches.pointee) }
    table.pointee.destroy = { plugin in Unmanaged.passUnretained(Lamp.behind(plugin)).release() }
    return UnsafePointer(table)
  }

  private static func behind(_ plugin: UnsafePointer<touchtree_plugin>) -> Lamp {
    Unmanaged.fromOpaque(plugin.pointee.context!).takeUnretainedValue()
  }

  private func touch(_ touches: touchtree_touches) -> Int32 {
    guard touches.phase == TOUCHTREE_ENDED else { return TOUCHTREE_FORWARD }
    for index in 0..<Int(touches.count) where touches.touch[index].pointee.inside != 0 { isOn.toggle() }
    _ = host.pointee.set_property(host, touches.view, "background", isOn ? "#ffd75e" : "#3a3a3a")
    return TOUCHTREE_HANDLED
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func touchtree_plugin_create(
  _ hostABI: UInt32, _ host: UnsafePointer<touchtree_host>, _ configJSON: UnsafePointer<CChar>,
  _ error: UnsafeMutablePointer<UnsafePointer<CChar>?>
) -> UnsafePointer<touchtree_plugin>? {
  Lamp(host: host).makeTable()
}
