import TouchHandlers
import TouchInput
import TouchKit
import TouchSystem

/// The touchscreens of peers. Each peer that injects touches has one while it is connected.
package final class RemoteDevices: DisplayFollower {
  private let pipeline: InputPipeline
  private let host: Host
  private var devices: [ObjectIdentifier: RemoteDevice] = [:]
  private var lastID = 0

  init(_ pipeline: InputPipeline, host: Host) { (self.pipeline, self.host) = (pipeline, host) }

  /// - Throws: the reason why the finger cannot do that.
  func apply(_ injection: Request.Injection, of peer: Peer) throws(Failure) {
    let device = try device(of: peer)
    for frame in try device.frames(for: injection, at: MonotonicClock.now()) {
      pipeline.apply(frame, from: device.source)
    }
  }

  /// - Throws: the reason why the key cannot be pressed.
  func apply(_ press: Request.KeyPress, of peer: Peer) throws(Failure) {
    let device = try device(of: peer)
    pipeline.apply(device.changes(for: press), at: MonotonicClock.now(), by: device.scanner)
  }

  private func device(of peer: Peer) throws(Failure) -> RemoteDevice {
    if let device = devices[ObjectIdentifier(peer)] { return device }
    lastID -= 1
    let rules = DeviceRules(host.tree.configuration.input.rules)
    guard let device = RemoteDevice(id: lastID, rules: rules, canvasSize: pipeline.geometry.canvasSize) else {
      throw Failure(
        "the configuration excludes the device \"\(RemoteDevice.name)\", so nothing can be injected")
    }
    devices[ObjectIdentifier(peer)] = device
    return device
  }

  func forget(_ peer: Peer) {
    guard let device = devices.removeValue(forKey: ObjectIdentifier(peer)) else { return }
    pipeline.lose(device.source, at: MonotonicClock.now())
  }

  func forgetAll() {
    for device in devices.values { pipeline.lose(device.source, at: MonotonicClock.now()) }
    devices.removeAll()
  }

  package func displayChanged(_ change: Output.Change) { if case .replaced = change { forgetAll() } }
}
