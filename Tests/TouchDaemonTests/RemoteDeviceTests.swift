import Testing

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchKit
@testable import TouchSystem

/// Fingers of a client.
@Suite struct RemoteDeviceTests {
  private func device() throws -> RemoteDevice {
    try #require(
      RemoteDevice(id: -1, rules: DeviceRules([]), canvasSize: Size(width: 100, height: 100)))
  }

  private func injection(_ phase: Request.Injection.Phase, _ finger: Int = 1) -> Request.Injection {
    Request.Injection(phase: phase, finger: finger, location: WindowPoint(x: 10, y: 10))
  }

  @Test(arguments: [Request.Injection.Phase.ended, .cancelled])
  func `a finger that ended or was cancelled may come down again`(end: Request.Injection.Phase) throws {
    let device = try device()
    for _ in 1...20 {
      #expect(try !device.frames(for: injection(.began), at: .zero).isEmpty)
      #expect(throws: Failure.self) { try device.frames(for: injection(.began), at: .zero) }
      #expect(try !device.frames(for: injection(end), at: .zero).isEmpty)
      #expect(throws: Failure.self) { try device.frames(for: injection(.moved), at: .zero) }
    }
  }
}
