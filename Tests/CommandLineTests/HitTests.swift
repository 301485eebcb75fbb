import Foundation
import Testing

/// `touchtree hit`, its explanation and its picture.
@Suite struct HitTests {
  private static let tree = """
    version: 1
    display: {canvas: {size: [200, 200]}}
    window:
      subviews:
        - id: root
          frame: [0, 0, 200, 200]
          subviews:
            - {id: far, frame: [150, 150, 20, 20]}
            - {id: under, frame: [10, 10, 100, 100]}
            - {id: lid, frame: [10, 10, 30, 30], redirect: under}
            - id: box
              frame: [0, 0, 120, 120]
              pointer_events: box-none
              subviews:
                - {id: "off", frame: [0, 0, 9, 9], hidden: true, subviews: [{id: deep, frame: [0, 0, 9, 9]}]}
            - {id: ok, kind: button, frame: [20, 20, 40, 40], enabled: false}
            - {id: flat, frame: [0, 0, 10, 10], transform: [0, 0, 0, 0, 0, 0]}
            - {id: round, frame: [20, 20, 40, 40], shape: ellipse, hit_slop: 2}
            - id: kids
              frame: [0, 0, 5, 5]
              overflow_hits: true
              subviews: [{id: kid, frame: [90, 90, 20, 20]}]
    """

  private func hit(_ arguments: String...) throws -> Program.Outcome {
    var outcome = Program.Outcome(status: -1, output: "", errors: "")
    try Program.inFolder { folder in
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      outcome = try Program.run(["hit", folder + "/tree.yaml"] + arguments)
    }
    return outcome
  }

  @Test func `an explanation says of each view why it did or did not answer`() throws {
    #expect(
      try hit("23,24", "--explain").lines == [
        "window: point (23, 24) inside bounds; its subview root answered",
        "root: point (23, 24) inside bounds; its subview lid answered",
        "kids: point (23, 24) outside bounds; overflow_hits, but no subview answered, so skipped",
        "kid: point (-67, -66) outside bounds, so skipped",
        "round: point (3, 4) outside shape ellipse and hit slop, so skipped",
        "flat: point (nan, nan) outside bounds; its transform has no inverse, so skipped",
        "ok: point (3, 4) inside bounds; disabled control, so skipped",
        "box: point (23, 24) inside bounds; box-none, and no subview answered, so skipped",
        "off: point (23, 24) outside bounds; hidden, so skipped, and everything in it",
        "lid: point (13, 14) inside bounds; the point is in under too, to which it redirects, so that answers",
        "under",
      ])
    #expect(
      try hit("40,40", "--explain").lines.suffix(2) == [
        "round: point (20, 20) inside shape ellipse and hit slop; no subviews, so it answers", "round",
      ])
    #expect(try hit("100,100", "--explain").lines.suffix(1) == ["kid"])
    #expect(
      try hit("--explain", "--", "-1,5").lines == [
        "window: point (-1, 5) outside bounds, so skipped", "none",
      ])
  }

  @Test func `an explanation is also JSON`() throws {
    let line = try #require(try hit("180,180", "--explain", "--json").lines.first)
    let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let asked = try #require(object["asked"] as? [[String: Any]])
    #expect(object["view"] as? String == "root")
    #expect(asked.first?["view"] as? String == "window")
    #expect(asked.last?["why"] as? String == "far: point (30, 30) outside bounds, so skipped")
  }

  @Test func `all lists every view under the point front to back`() throws {
    #expect(try hit("40,40", "--all").lines == ["round", "under", "root", "window"])
    #expect(try hit("100,100", "--all").lines == ["kid", "under", "root", "window"])
    #expect(try hit("--all", "--", "-1,5").lines == ["none"])
    #expect(
      try hit("180,180", "--all", "--json").lines == [
        #"{"point":[180,180],"view":"root","chain":["root","window","application"],"views":["root","window"]}"#
      ])
  }

  @Test func `the picture outlines who was asked and marks the point`() throws {
    try Program.inFolder { folder in
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let plain = try Program.run(["render", folder + "/tree.yaml", "-o", folder + "/plain.png"])
      #expect(plain.status == 0)
      for (name, point) in [("a", "40,40"), ("b", "180,180")] {
        let outcome = try Program.run([
          "hit", folder + "/tree.yaml", point, "--explain", "-o", "\(folder)/\(name).png",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let pictures = try ["plain", "a", "b"].map {
        try Data(contentsOf: URL(filePath: "\(folder)/\($0).png"))
      }
      #expect(Set(pictures).count == 3)
      #expect(pictures.allSatisfy { $0.starts(with: [0x89, 0x50, 0x4e, 0x47]) })
    }
  }

  @Test func `a picture without an explanation is a usage error`() throws {
    let outcome = try hit("1,1", "-o", "out.png")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--explain"))
  }
}
