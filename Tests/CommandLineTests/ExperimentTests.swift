import Foundation
import Testing

/// Each experiment of `config/experiments`, tapped as its comment says, by the real program.
///
/// In the expected order `a?` is a hitTest on a, `a+` and `a-` are its answers to pointInside, `=a` is the
/// hit view, and `began a` a delivery.
@Suite struct ExperimentTests {
  @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: folder).sorted())
  func `every experiment is a good configuration and says what to try`(file: String) throws {
    let outcome = try Program.run(["check", Self.folder + "/" + file])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(contentsOfFile: Self.folder + "/" + file, encoding: .utf8)
    #expect(text.contains("#   touchtree "))
    #expect(text.contains("config/experiments/\(file) "))
  }

  @Test func `there are thirteen`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    #expect(files.map { Int($0.prefix(2)) } == Array(1...13))
  }

  @Test(arguments: [
    ("01", "10,10", "white? white+ brown? brown- green? green- =white"),
    ("01", "120,280", "white? white+ brown? brown+ b? b+ blue? blue+ yellow? yellow- =blue"),
    ("02", "300,600", "=green"), ("02", "5,5", "=green"),
    ("03", "180,400", "root? root+ 3? 3- 2? 2- 1? 1- =root"),
    ("03", "70,130", "root? root+ 3? 3- 2? 2- 1? 1+ =1"),
    ("04", "40,380", "root? root+ 1? 1+ 3? 3- 2? 2- =1"),
    ("04", "100,180", "root? root+ 1? 1+ 3? 3- 2? 2+ =2"),
    ("05", "30,600", "father? father+ 3? 2? 2- 1? 1- =father"),
    ("05", "60,60", "father? father+ 3? 2? 2- 1? 1+ =1"), ("05", "180,280", "father? father+ 3? 2? 2+ =2"),
    ("06", "240,250", "root? root+ yellow? yellow- gray? gray+ blue? blue+ =blue"),
    ("06", "100,150", "root? root+ yellow? yellow- gray? gray+ blue? blue- red? red+ =red"),
    ("07", "240,250", "root? root+ control? control+ blue? blue+ =blue"),
    ("08", "85,85", "root? root+ button? button+ =button"),
    ("08", "84.9,90", "root? root+ button? button- =root"),
    ("08", "164.9,164.9", "root? root+ button? button+ =button"),
    ("08", "165,165", "root? root+ button? button- =root"),
    (
      "09", "130,130",
      "root? root+ children? children- overflow? overflow- overflow-child? overflow-child- "
        + "plain? plain- =root"
    ),
    (
      "09", "130,330",
      "root? root+ children? children- overflow? overflow- overflow-child? overflow-child+ "
        + "=overflow-child"
    ),
    (
      "09", "30,230",
      "root? root+ children? children- overflow? overflow+ overflow-child? overflow-child- "
        + "=overflow"
    ),
    ("09", "130,530", "root? root+ children? children+ children-child? children-child+ =children-child"),
    (
      "09", "30,430",
      "root? root+ children? children- overflow? overflow- overflow-child? overflow-child- "
        + "plain? plain- =root"
    ),
    ("10", "30,30", "root? root+ container? container+ button? button+ =button"),
    ("10", "100,100", "root? root+ container? container+ button? button- under? under+ =under"),
    ("10", "300,280", "root? root+ container? container+ button? button- under? under- =root"),
    ("11", "120,120", "root? root+ shelter? shelter+ button+ =button"),
    ("11", "70,200", "root? root+ shelter? shelter+ button- =shelter"),
    ("11", "230,130", "root? root+ shelter? shelter- button? button+ =button"),
    ("11", "10,600", "root? root+ shelter? shelter- button? button- =root"),
    ("12", "30,330", "root? root+ panel? panel+ leaf? leaf+ =leaf"),
    ("13", "50,50", "root? root+ eager-label? eager-label- image? label? view? view+ =view"),
    ("13", "50,150", "root? root+ eager-label? eager-label- image? label? view? view- =root"),
    ("13", "50,250", "root? root+ eager-label? eager-label- image? label? view? view- =root"),
    ("13", "50,350", "root? root+ eager-label? eager-label+ =eager-label"),
  ])
  func `views are asked in this order`(experiment: String, point: String, expected: String) throws {
    let file = try Self.file(experiment)
    let asked = try trace(file, "--tap", point).prefix { !$0.hasPrefix("chain") }
    // The window is asked first, except in the experiment in which it answers by itself.
    let window = experiment == "02" ? "window? " : "window? window+ "
    #expect(asked.joined(separator: " ") == window + expected)
    let twice = try trace(file, "--tap", point, "--passes", "2").prefix { !$0.hasPrefix("chain") }
    #expect(
      Array(twice) == Array(asked.dropLast()) + Array(asked), "the whole order comes twice before the hit")
  }

  @Test(arguments: [
    ("1", "user_interaction: false", "40,380", "root? root+ 1? =root"),
    ("2", "user_interaction: false", "100,180", "root? root+ 1? 1+ 3? 3- 2? =1"),
    ("2", "hidden: true", "100,180", "root? root+ 1? 1+ 3? 3- 2? =1"),
    ("2", "alpha: 0.01", "100,180", "root? root+ 1? 1+ 3? 3- 2? =1"),
    ("2", "alpha: 0.0099", "100,180", "root? root+ 1? 1+ 3? 3- 2? =1"),
    ("2", "alpha: 0.011", "100,180", "root? root+ 1? 1+ 3? 3- 2? 2+ =2"),
    ("2", "enabled: false", "100,180", "root? root+ 1? 1+ 3? 3- 2? =1"),
    ("1", "enabled: false", "100,180", "root? root+ 1? =root"),
  ])
  func `a view that takes no touches is asked hit test alone`(
    view: String, key: String, point: String, expected: String
  ) throws {
    let text = try String(contentsOfFile: Self.file("04"), encoding: .utf8)
    // Button 1 is written over several lines, button 2 in one.
    let changed = text.replacing("id: \"\(view)\",", with: "id: \"\(view)\", \(key),")
      .replacing("id: \"\(view)\"\n", with: "id: \"\(view)\"\n          \(key)\n")
    try Program.inFolder { folder in
      try changed.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let asked = try trace(folder + "/tree.yaml", "--tap", point).prefix { !$0.hasPrefix("chain") }
      #expect(asked.joined(separator: " ") == "window? window+ " + expected)
    }
  }

  @Test(arguments: [
    (
      "06", ["--tap", "240,250"],
      [
        "began blue", "began gray", "began root", "began controller", "began window", "began application",
        "ended blue", "ended gray", "ended root", "ended controller", "ended window", "ended application",
      ]
    ),
    (
      "06", ["--drag", "240,250:10,10"],
      [
        "began blue", "began gray", "began root", "began controller", "began window", "began application",
        "moved blue", "moved gray", "moved root", "moved controller", "moved window", "moved application",
        "ended blue", "ended gray", "ended root", "ended controller", "ended window", "ended application",
      ]
    ),
    ("07", ["--tap", "240,250"], ["began blue", "began control", "ended blue", "ended control"]),
  ])
  func `the chain receives phases in this order`(experiment: String, arguments: [String], expected: [String])
    throws
  {
    let lines = try trace(Self.file(experiment), arguments)
    #expect(
      lines.filter { $0.hasPrefix("began") || $0.hasPrefix("moved") || $0.hasPrefix("ended") } == expected)
  }

  @Test func `a views controller is the first one up its chain`() throws {
    let lines = try trace(Self.file("12"), "--tap", "30,330")
    #expect(lines.contains("chain leaf panel inner root outer window application"))
    let tree = try Program.run(["tree", Self.file("12")]).lines
    #expect(tree.contains { $0.contains("panel") && $0.contains("controller inner") })
  }

  // MARK: Reading the trace

  private static let folder = Program.package.appending(path: "config/experiments").path

  private static func file(_ number: String) throws -> String {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try folder + "/" + #require(files.first { $0.hasPrefix(number + "-") })
  }

  private func trace(_ file: String, _ arguments: String...) throws -> [String] {
    try trace(file, arguments)
  }

  private func trace(_ file: String, _ arguments: [String]) throws -> [String] {
    let outcome = try Program.run(["trace", file, "--json"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.lines.compactMap(Self.short)
  }

  private static func short(_ line: String) throws -> String? {
    let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let view = object["view"] as? String ?? "nothing"
    switch object["event"] as? String {
    case "hitTest": return view + "?"
    case "pointInside": return view + (object["inside"] as? Bool == true ? "+" : "-")
    case "hit": return "=" + view
    case "chain": return "chain " + (object["responders"] as? [String] ?? []).joined(separator: " ")
    case "touch":
      return "\(object["phase"] as? String ?? "") \(object["responder"] as? String ?? "")"
    default: return nil
    }
  }
}
