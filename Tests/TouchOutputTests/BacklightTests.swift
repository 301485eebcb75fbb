import Foundation
import SystemPackage
import Testing

@testable import TouchOutput
@testable import TouchPixels

/// Backlights as the kernel lists them, in a folder of the test.
struct BacklightFolder: ~Copyable {
  let path = FileManager.default.temporaryDirectory.appending(path: "backlight-\(UUID().uuidString)").path

  init(_ backlights: (name: String, maximum: Int, brightness: Int)...) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, maximum, brightness) in backlights {
      try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      try write("\(maximum)\n", to: "\(name)/max_brightness")
      try write("\(brightness)\n", to: "\(name)/brightness")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to file: String) throws {
    try text.write(toFile: "\(path)/\(file)", atomically: false, encoding: .utf8)
  }

  /// What a file begins with: sysfs has no length, a file of the test keeps what was longer before.
  func brightness(of name: String = "panel") throws -> String {
    String(
      try String(contentsOfFile: "\(path)/\(name)/brightness", encoding: .utf8).prefix { !$0.isNewline })
  }
}

@Suite struct BacklightTests {
  @Test(arguments: [
    (255, 200, 20.0, "51"), (7, 7, 1, "1"), (100, 100, 0, "0"), (100, 10, 50, "10"), (100, 100, 100, "100"),
    (1000, 1000, 0.1, "1"), (10, 0, 50, "0"),
  ])
  func `a panel is dimmed to a part of the brightest, never brightened, and is then as it was`(
    maximum: Int, before: Int, percent: Double, dimmed: String
  ) throws {
    let folder = try BacklightFolder((name: "panel", maximum: maximum, brightness: before))
    let backlight = try Backlight(in: folder.path)
    #expect(try folder.brightness() == "\(before)")
    try backlight.show(nil, atMost: percent)
    #expect(try folder.brightness() == dimmed)
    try backlight.show(nil)
    #expect(try folder.brightness() == "\(before)")
  }

  @Test(
    arguments: [
      (255, 100, 20.0, nil, "51"), (255, 10, 100, nil, "255"), (100, 40, 80, 20, "20"),
      (100, 40, 10, 20, "10"), (100, 40, 0, nil, "0"),
    ] as [(Int, Int, Double, Double?, String)])
  func `a requested brightness may be higher than the original one`(
    maximum: Int, before: Int, percent: Double, limit: Double?, shown: String
  ) throws {
    let folder = try BacklightFolder((name: "panel", maximum: maximum, brightness: before))
    let backlight = try Backlight(in: folder.path)
    try backlight.show(percent, atMost: limit)
    #expect(try folder.brightness() == shown)
    try backlight.show(nil)
    #expect(try folder.brightness() == "\(before)")
  }

  @Test func `a second stage keeps what is restored, and the end restores it`() throws {
    let folder = try BacklightFolder((name: "panel", maximum: 100, brightness: 80))
    var backlight: Backlight? = try Backlight(in: folder.path)
    try backlight?.show(nil, atMost: 50)
    try backlight?.show(nil, atMost: 10)
    #expect(try folder.brightness() == "10")
    backlight = nil
    #expect(try folder.brightness() == "80")
  }

  @Test func `what another program has set stays`() throws {
    let folder = try BacklightFolder((name: "panel", maximum: 100, brightness: 80))
    let backlight = try Backlight(in: folder.path)
    try backlight.show(nil, atMost: 10)
    try folder.write("44\n", to: "panel/brightness")
    try backlight.show(nil)
    #expect(try folder.brightness() == "44")
  }

  @Test func `a name chooses among several`() throws {
    let folder = try BacklightFolder(
      (name: "a", maximum: 100, brightness: 80), (name: "b", maximum: 100, brightness: 80))
    let backlight = try Backlight(named: "b", in: folder.path)
    try backlight.show(nil, atMost: 10)
    #expect(try folder.brightness(of: "a") == "80" && folder.brightness(of: "b") == "10")
    for (name, words) in [(nil, "{backlight: a}"), ("c", "no backlight \"c\"; it has a, b")]
      as [(String?, String)]
    {
      let error = #expect(throws: DisplayError.self) { _ = try Backlight(named: name, in: folder.path) }
      #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
  }

  @Test(arguments: [
    (DisplayError.noBacklight(nil, of: [], folder: "/sys/class/backlight"), "remove what sets"),
    (.backlight("/sys/x/brightness", .permissionDenied), "90-touchtree-backlight.rules"),
    (.backlight("/sys/x/brightness", .readOnlyFileSystem), "backlight.conf"),
  ])
  func `an error says what to do`(error: DisplayError, words: String) {
    #expect(
      error.description.contains("the panel's light stays as it is") && error.description.contains(words))
  }

  @Test func `an empty folder and a panel without a maximum are errors`() throws {
    let empty = try BacklightFolder()
    #expect(throws: DisplayError.noBacklight(nil, of: [], folder: empty.path)) {
      _ = try Backlight(in: empty.path)
    }
    let dark = try BacklightFolder((name: "panel", maximum: 0, brightness: 0))
    #expect(throws: DisplayError.backlight("\(dark.path)/panel/max_brightness", .invalidArgument)) {
      _ = try Backlight(in: dark.path)
    }
  }

  @Test func `a process that dies of a fault leaves the panel as bright as it was`() async throws {
    let folder = try BacklightFolder((name: "panel", maximum: 100, brightness: 80))
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
      let backlight = try Backlight(in: path)
      try backlight.show(nil, atMost: 10)
      let dimmed = try String(contentsOfFile: "\(path)/panel/brightness", encoding: .utf8)
      guard dimmed.hasPrefix("10") else { exit(1) }
      alarm(900)
      kill(getpid(), SIGSEGV)
      while true { pause() }
    }
    #expect(try folder.brightness() == "80")
  }
}
