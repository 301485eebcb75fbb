import DeviceSupport
import Testing

@testable import TouchCore
@testable import TouchInput

@Suite struct DeviceClassifierTests {
  @Test(arguments: DeviceSummary.known + DeviceSummary.odd)
  func `a device is taken for what it is, and the sentence says why`(_ device: DeviceSummary) {
    let classification = DeviceClassifier.classify(device.capabilities)
    #expect(classification.kind == device.kind)
    #expect(classification.reason.contains(device.words), "\(classification.reason)")
    #expect(classification.reason.hasSuffix("."))
  }

  @Test(arguments: [
    ("Wacom pen", DeviceKind.singleTouch, "use: true. It is a pen"),
    ("Synaptics touchpad", .multitouch, "use: true. It is a touchpad"),
    ("Low DPI Mouse", .relativePointer, "a mouse"),
    ("joystick", nil, "no touches can be made of it. It reports ABS_X and ABS_Y, but neither BTN_TOUCH"),
    ("accelerometer", nil, "neither BTN_TOUCH"), ("keyboard", nil, "made of it. It is a keyboard."),
    ("MT range of one value", nil, "made of it. Its driver declares no usable range"),
  ])
  func `a device that is insisted on is used if touches can be made of it`(
    _ name: String, _ kind: DeviceKind?, _ words: String
  ) throws {
    let device = try #require((DeviceSummary.known + DeviceSummary.odd).first { $0.name == name })
    let classification = DeviceClassifier.classify(device.capabilities, isForced: true)
    #expect(classification.kind == kind)
    #expect(classification.reason.contains(words), "\(classification.reason)")
  }

  @Test func `the table has every device of the collection`() {
    #expect(DeviceSummary.known.count == 29)
  }

  @Test func `a range that ends before it begins is rejected with its numbers`() {
    var capabilities = DeviceSummary.panel("", slots: 5, 0...799, 0...479).capabilities
    capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 800, maximum: -1)
    capabilities.axes[EventCode.absX] = AxisRange(minimum: 800, maximum: -1)
    let classification = DeviceClassifier.classify(capabilities)
    #expect(classification.kind == nil)
    #expect(classification.reason.contains("ABS_MT_POSITION_X goes from 800 to -1"))
    #expect(classification.reason.contains("EVDEV_ABS_35=MIN:MAX"))
  }

  @Test func `slots without tracking ids fall back to the one finger that can be followed`() {
    var capabilities = DeviceSummary.panel("", slots: 5, 0...799, 0...479).capabilities
    capabilities.axes[EventCode.absMTTrackingID] = nil
    #expect(DeviceClassifier.classify(capabilities).kind == .singleTouch)
    capabilities.axes[EventCode.absX] = nil
    let classification = DeviceClassifier.classify(capabilities)
    #expect(classification.kind == nil)
    #expect(classification.reason.contains("no ABS_MT_TRACKING_ID"))
  }
}
