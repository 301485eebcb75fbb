import Foundation
import Testing

@testable import TouchPreview

@Suite("Problems of a file") struct ProblemTests {
  @Test func `a problem has the line that it is in`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "panel-\(UUID().uuidString).yaml")
    try Data("version: 1\nwindow: {id: [}\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let problem = Problem("error: \(file.path):2:14: error: no")
    #expect(problem.line == nil, "a head is no part of the path")
    let plain = Problem("\(file.path):2:14: error: no")
    #expect(plain.line == "window: {id: [}" && plain.column == 14)
  }

  @Test(arguments: [
    "no place", "/nowhere/panel.yaml:1:1: error: x", "panel.yaml:0:0: x", "panel.yaml:9:x: y",
  ])
  func `one without a place, or whose file is not there, has no line`(text: String) {
    #expect(Problem(text).line == nil)
    #expect(Problem(text).text == text)
  }
}
