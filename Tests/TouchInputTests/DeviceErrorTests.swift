import FolderSupport
import Glibc
import SystemPackage
import Testing

@testable import TouchInput

@Suite struct DeviceErrorTests {
  static func openingError(_ path: String) -> DeviceError? {
    do throws(DeviceError) {
      _ = try EvdevDevice(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("/dev/input/event4095", DeviceError.Reason.noSuchFile, "no such file"),
    ("/dev/null/event0", .noSuchFile, "no such file"),
    ("/dev", .notEvdev, "it is a directory"),
    ("/dev/null", .notEvdev, "it is another driver's device, 1:3"),
    (#filePath, .notEvdev, "it is a regular file"),
  ])
  func `the error for a path that is not an evdev node says what it is`(
    _ path: String, _ reason: DeviceError.Reason, _ words: String
  ) throws {
    let error = try #require(Self.openingError(path))
    #expect(error.reason == reason)
    #expect(error.path == path)
    #expect(error.description.hasPrefix("\(path): "))
    #expect(error.description.contains(words))
    #expect(error.description.contains("touchtree devices"))
  }

  @Test func `a socket is not an evdev node, and is not opened`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/event0"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(Self.openingError(path)?.reason == .notEvdev)
  }

  @Test(arguments: [
    ("/dev/input/event0", Errno.permissionDenied, #"KERNEL=="event*", GROUP="input""#),
    ("/dev/input/event0", .permissionDenied, "usermod -aG input"),
    ("/dev/input/event0", .notPermitted, "DeviceAllow=char-input"),
    ("/dev/input", .permissionDenied, "chmod 755 /dev/input"),
    ("/dev/uinput", .permissionDenied, #"udev rule in /etc/udev/rules.d/60-uinput.rules: KERNEL=="uinput""#),
  ])
  func `a missing permission says what would give it`(_ path: String, _ cause: Errno, _ words: String) {
    let error = DeviceError(path: path, cause: cause)
    #expect(error.reason == .notPermitted)
    #expect(error.description.contains(words))
  }

  @Test(arguments: [
    (Errno.tooManyOpenFiles, "LimitNOFILE="), (.tooManyOpenFilesInSystem, "fs.file-max"),
  ])
  func `a lack of descriptors is reported as such`(_ cause: Errno, _ words: String) {
    let error = DeviceError(path: "/dev/input", cause: cause)
    #expect(error.reason == .tooManyOpen)
    #expect(error.description.contains(words))
  }

  @Test(arguments: [
    (Errno.tooManyOpenFiles, "sysctl fs.inotify.max_user_instances="),
    (.noSpace, "sysctl fs.inotify.max_user_watches="),
    (.permissionDenied, "chmod 755 /dev/input"),
  ])
  func `a folder that cannot be watched says what keeps it from that`(_ cause: Errno, _ words: String) {
    let error = DeviceError(watching: "/dev/input", cause: cause)
    #expect(error.description.hasPrefix("/dev/input: "))
    #expect(error.description.contains("it cannot be watched"))
    #expect(error.description.contains(words), "\(error)")
  }

  @Test(arguments: [
    (Errno.resourceBusy, DeviceError.Reason.busy), (.operationNotSupportedByDevice, .gone),
    (.noSuchAddressOrDevice, .gone), (.ioError, .failed),
  ])
  func `an error number has its reason`(_ cause: Errno, _ reason: DeviceError.Reason) {
    let error = DeviceError(path: "/dev/input/event0", cause: cause)
    #expect(error.reason == reason)
    #expect(error.description.contains("(\(cause))"))
  }
}
