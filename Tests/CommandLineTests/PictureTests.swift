import Foundation
import Testing
import TouchDisplay

/// What `render` draws, compared with committed pictures, pixel by pixel.
///
/// `TOUCHTREE_RECORD_GOLDENS=1` writes the pictures instead, except where `CI` is set.
@Suite("Pictures")
struct PictureTests {
  private static let experiments =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Program.package.appending(path: "config/experiments").path))?
    .filter { $0.hasSuffix(".yaml") }.sorted() ?? []

  @Test("each experiment looks as it did", arguments: experiments)
  func experiment(file: String) throws {
    try compare("config/experiments/\(file)", [], String(file.dropLast(5)))
  }

  @Test("the experiments are there")
  func experimentsAreThere() {
    #expect(Self.experiments.count >= 13)
  }

  @Test("the demo is the same however the display is mounted", arguments: [90, 180, 270])
  func rotation(degrees: Int) throws {
    let demo = try String(
      contentsOf: Program.package.appending(path: "config/touchtree.yaml"), encoding: .utf8)
    try Program.inFolder { folder in
      try demo.replacing("rotation: 0 ", with: "rotation: \(degrees) ")
        .write(toFile: "\(folder)/demo.yaml", atomically: true, encoding: .utf8)
      let size = degrees == 180 ? "400x240" : "240x400"
      try compare("\(folder)/demo.yaml", ["--size", size, "--touch", "600,400"], "demo-\(degrees)")
    }
  }

  private func compare(_ configuration: String, _ arguments: [String], _ name: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let golden = Program.package.appending(path: "Tests/CommandLineTests/Golden/\(name).png").path
    let isRecording = environment["TOUCHTREE_RECORD_GOLDENS"] == "1" && environment["CI"] == nil
    let failures = Program.package.appending(path: ".build/golden-failures")
    try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
    let drawn = isRecording ? golden : failures.appending(path: "\(name).actual.png").path
    let outcome = try Program.run(["render", configuration, "-o", drawn] + arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    guard !isRecording else { return }
    let (actual, expected) = (try PNGReader.read(path: drawn), try PNGReader.read(path: golden))
    try #require(actual.width == expected.width && actual.height == expected.height)
    for index in 0..<actual.width * actual.height where actual.pixels[index] != expected.pixels[index] {
      let (x, y) = (index % actual.width, index / actual.width)
      let (seen, wanted) = (actual.color(x: x, y: y).hex, expected.color(x: x, y: y).hex)
      Issue.record("\(name): pixel (\(x), \(y)) is \(seen), not \(wanted); see \(drawn) and \(golden)")
      return
    }
    try? FileManager.default.removeItem(atPath: drawn)
  }
}
