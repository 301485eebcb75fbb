import Foundation
import Testing

/// What `touchtree new` writes works as it is.
@Suite struct NewTests {
  @Test
  func `a first panel has neither errors nor warnings, and runs without and with its handler in Python`()
    throws
  {
    try Program.inFolder { folder in
      #expect(try Program.run(["new", "panel"], in: folder).status == 0)
      let file = URL(filePath: folder + "/panel/touchtree.yaml")
      for handler in [nil, "greeter"] {
        if let handler {
          let text = try String(contentsOf: file, encoding: .utf8)
          try text.replacing("# \(handler):", with: "\(handler):").replacing(
            "# handlers: [greeter]", with: "handlers: [greeter]"
          )
          .write(to: file, atomically: true, encoding: .utf8)
        }
        let check = try Program.run(["check", "--strict", "panel/touchtree.yaml"], in: folder)
        #expect(check.status == 0, "\(check.errors)")
        let recording = Program.package.appending(path: "config/demo.evemu").path
        let run = try Program.run(
          [
            "run", "panel/touchtree.yaml", "--display", "headless", "--control", "none", "--replay",
            recording,
          ],
          in: folder)
        #expect(run.status == 0, "\(run.errors)")
      }
    }
  }

  @Test func `its plugin in C is built with the header beside it, and is one that touchtree loads`() throws {
    try Program.inFolder { folder in
      #expect(try Program.run(["new", "panel"], in: folder).status == 0)
      let panel = folder + "/panel"
      let built = try Program.run(
        "/usr/bin/env", ["cc", "-shared", "-fPIC", "-I.", "-o", "libbell.so", "bell.c"], in: panel)
      #expect(built.status == 0, "\(built.errors)")
      let file = URL(filePath: panel + "/touchtree.yaml")
      let text = try String(contentsOf: file, encoding: .utf8)
      let changed = text.replacing("# bell:", with: "bell:").replacing(
        "# handlers: [greeter]", with: "handlers: [bell]")
      try changed.write(to: file, atomically: true, encoding: .utf8)
      let check = try Program.run(["check", "--strict", "touchtree.yaml"], in: panel)
      #expect(check.status == 0, "\(check.errors)")
    }
  }

  @Test func `its plugin in Swift is built by its package, and is one that touchtree loads`() throws {
    try Program.inFolder { folder in
      #expect(try Program.run(["new", "panel"], in: folder).status == 0)
      let panel = folder + "/panel"
      let built = try Program.run("/usr/bin/env", ["swift", "build", "--package-path", "lamp"], in: panel)
      #expect(built.status == 0, "\(built.output)\(built.errors)")
      let handler = "handlers: {lamp: {kind: plugin, path: lamp/.build/debug/liblamp.so}}\n"
      try (handler + "window: {subviews: [{id: light, frame: [0, 0, 9, 9], handlers: [lamp]}]}\n")
        .write(toFile: panel + "/lamp.yaml", atomically: true, encoding: .utf8)
      let check = try Program.run(["check", "--strict", "lamp.yaml"], in: panel)
      #expect(check.status == 0, "\(check.errors)")
    }
  }

  @Test func `the test without hardware in its README passes`() throws {
    try Program.inFolder { folder in
      #expect(try Program.run(["new", "panel"], in: folder).status == 0)
      let text = try String(contentsOfFile: folder + "/panel/README.md", encoding: .utf8)
      let section = try #require(text.split(separator: "## A test without hardware\n").last)
      let commands = try #require(section.split(separator: "```").dropFirst().first)
      let path = Program.executable.deletingLastPathComponent().path
      // The second time as the first: the panel keeps a value.
      for _ in 1...2 {
        let outcome = try Program.run(
          "/usr/bin/env",
          [
            "PATH=\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")", "sh", "-ec",
            String(commands),
          ],
          in: folder + "/panel")
        #expect(outcome.status == 0 && outcome.output.hasSuffix("2 of 2 cases passed\n"), "\(outcome.errors)")
      }
    }
  }
}
