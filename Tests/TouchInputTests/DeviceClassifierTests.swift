import Testing
import TouchCore

@testable import TouchInput

@Suite struct DeviceClassifierTests {
  @Test(arguments: DeviceFacts.known + DeviceFacts.odd)
  func `a device is taken for what it is, and the sentence says why`(_ device: DeviceFacts) {
    let verdict = DeviceClassifier.classify(device.capabilities)
    #expect(verdict.kind == device.kind)
    #expect(verdict.reason.contains(device.words), "\(verdict.reason)")
    #expect(verdict.reason.hasSuffix("."))
  }

  @Test func `the table has every device of the collection`() {
    #expect(DeviceFacts.known.count == 29)
  }

  @Test func `a range that ends before it begins is refused with its numbers`() {
    var capabilities = DeviceFacts.panel("", slots: 5, 0...799, 0...479).capabilities
    capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 800, maximum: -1)
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 800, maximum: -1)
    let verdict = DeviceClassifier.classify(capabilities)
    #expect(verdict.kind == nil)
    #expect(verdict.reason.contains("ABS_MT_POSITION_X goes from 800 to -1"))
    #expect(verdict.reason.contains("EVDEV_ABS_35=MIN:MAX"))
  }

  @Test func `slots without tracking ids fall back to the one finger that can be followed`() {
    var capabilities = DeviceFacts.panel("", slots: 5, 0...799, 0...479).capabilities
    capabilities.axes[EventCode.absMTTrackingID] = nil
    #expect(DeviceClassifier.classify(capabilities).kind == .singleTouch)
    capabilities.axes[EventCode.absX] = nil
    let verdict = DeviceClassifier.classify(capabilities)
    #expect(verdict.kind == nil)
    #expect(verdict.reason.contains("no ABS_MT_TRACKING_ID"))
  }
}
