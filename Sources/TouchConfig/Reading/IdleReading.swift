import TouchViews

extension ActionReader {
  /// Reads `idle:`, after all views: its steps are checked as those of actions are.
  mutating func readIdle(_ value: Value) -> [IdleStage] {
    let advice = "give a list of stages, such as [{after: 60, backlight: 20}, {after: 600, blank: true}]"
    var stages: [IdleStage] = []
    for item in value.list(advice, of: "a stage") ?? [] {
      let missing = "write {after: 600, blank: true}, or remove the \"-\""
      guard let fields = item.fields(.idleStage, missing: missing) else { continue }
      let after = fields.require("after")?.number(in: .extent)
      let effect = effect(fields)
      if let after, let effect { stages.append(IdleStage(after: after, effect)) }
    }
    return stages
  }

  private mutating func effect(_ fields: Fields) -> IdleStage.Effect? {
    let keys = fields.keys.filter { $0.key != "after" }
    guard let key = keys.first, let value = fields[key.key] else {
      // A key that is not known was reported.
      if (fields.node.entries?.count ?? 0) <= fields.keys.count {
        report.add(at: fields.node.place, "a stage does nothing; give it backlight, page, steps or blank")
      }
      return nil
    }
    if keys.count > 1 {
      report.add(
        at: keys[1].place,
        "a stage does one thing, and this is its second; begin it with \"-\", as a stage of its own")
    }
    switch key.key {
    case "backlight": return value.number(in: .percent).map { .backlight($0) }
    case "blank":
      guard value.bool() != false else {
        value.complain("blank is false, so the stage does nothing; write true, or remove the stage")
        return nil
      }
      return .blank
    default: return readIdle(value, key.key)
    }
  }
}
