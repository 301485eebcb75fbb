import Foundation
import TouchPixels

/// Compares a picture with `Golden/NAME.png` in the folder of the test file, exactly. If they differ, both
/// pictures are written to `.build/golden-failures`.
///
/// `TOUCHTREE_RECORD_GOLDENS=1` writes the picture instead, except where `CI` is set.
///
/// - Returns: the first difference, or nil.
package func goldenDifference(_ picture: Surface, _ name: String, testFile: String = #filePath) throws
  -> String?
{
  let environment = ProcessInfo.processInfo.environment
  let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
  let golden = folder.appendingPathComponent("Golden/\(name).png").path
  if environment["TOUCHTREE_RECORD_GOLDENS"] == "1", environment["CI"] == nil {
    try PNGWriter.write(picture, to: golden)
    return nil
  }
  let expected = try PNGReader.read(path: golden)
  guard let difference = firstDifference(picture, expected) else { return nil }
  let failures = folder.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/golden-failures")
  try FileManager.default.createDirectory(at: failures, withIntermediateDirectories: true)
  let actual = failures.appendingPathComponent("\(name).actual.png").path
  let wanted = failures.appendingPathComponent("\(name).expected.png").path
  try PNGWriter.write(picture, to: actual)
  try PNGWriter.write(expected, to: wanted)
  return "\(name): \(difference); see \(actual) and \(wanted)"
}

/// Where two pictures differ first, as text; nil if they are equal.
package func firstDifference(_ actual: Surface, _ expected: Surface) -> String? {
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
