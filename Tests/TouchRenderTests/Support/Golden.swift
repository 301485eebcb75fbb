import Foundation
import Testing

@testable import TouchPixels

/// Compares a picture with the committed one, exactly.
///
/// `TOUCHTREE_RECORD_GOLDENS=1` writes the picture instead, except where `CI` is set.
func expectGolden(
  _ display: HeadlessDisplay, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectGolden(display.surface, name, sourceLocation: sourceLocation)
}

func expectGolden(
  _ picture: Surface, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let environment = ProcessInfo.processInfo.environment
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  let golden = folder.appendingPathComponent("Golden/\(name).png").path
  if environment["TOUCHTREE_RECORD_GOLDENS"] == "1", environment["CI"] == nil {
    try PNGWriter.write(picture, to: golden)
    return
  }
  let expected = try PNGReader.read(path: golden)
  guard let difference = firstDifference(picture, expected) else { return }
  let failures = folder.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/golden-failures")
  try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
  let actual = failures.appendingPathComponent("\(name).actual.png").path
  let wanted = failures.appendingPathComponent("\(name).expected.png").path
  try PNGWriter.write(picture, to: actual)
  try PNGWriter.write(expected, to: wanted)
  Issue.record("\(name): \(difference); see \(actual) and \(wanted)", sourceLocation: sourceLocation)
}

/// Where two pictures differ first, in words; nil when they are the same.
func firstDifference(_ actual: Surface, _ expected: Surface) -> String? {
  guard actual.width == expected.width, actual.height == expected.height else {
    return "the size is \(actual.width)x\(actual.height), not \(expected.width)x\(expected.height)"
  }
  for index in 0..<actual.width * actual.height where actual.pixels[index] != expected.pixels[index] {
    let (x, y) = (index % actual.width, index / actual.width)
    let (is_, wanted) = (actual.color(x: x, y: y).hex, expected.color(x: x, y: y).hex)
    return "pixel (\(x), \(y)) is \(is_), not \(wanted)"
  }
  return nil
}
