import PictureSupport
import Testing
import TouchPixels

/// Fails the test if the display's picture differs from the committed one.
func expectGolden(
  _ display: Surface, _ name: String, testFile: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  guard let difference = try goldenDifference(display, name, testFile: testFile) else { return }
  Issue.record("\(difference)", sourceLocation: sourceLocation)
}
