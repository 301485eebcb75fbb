import TouchCore
import TouchSystem
import TouchViews

/// Checks what stands in the braces of texts, arguments and messages of steps.
extension ActionReader {
  /// A placeholder is shown as it stands where there is no value, which is not what was meant.
  ///
  /// - Parameter isCommand: as in `ActionStep.braces`.
  mutating func checkPlaceholders(in text: String, at place: SourceLocation, isCommand: Bool = false) {
    for inside in ActionStep.braces(in: text, isCommand: isCommand) {
      guard let placeholder = ActionStep.Placeholder(inside[...]) else {
        refuse(inside, at: place)
        continue
      }
      switch (placeholder.part, placeholder.view) {
      case (.value, let view?): requireValue(of: view, at: place)
      case (.text, let view?): requireText(of: view, at: place)
      case (.text, nil) where !(owner?.kind.hasFont ?? false):
        report.add(
          at: place,
          "{text} stands for the text of the control that has these actions, and it has none; "
            + "name another view, as in {title.text}")
      case (.value, nil) where !(owner?.holdsValue ?? false):
        report.add(
          at: place,
          "{value} stands for the value of the control that has these actions, and it has no value; "
            + "give the control a value, or name another view, as in {setpoint.value}")
      case (.value, nil), (.text, nil): break
      }
    }
  }

  private mutating func requireText(of view: String, at place: SourceLocation) {
    let placeholder = "{\(view.escaped).text}"
    guard let target = target(view, at: place, placeholder), !target.kind.hasFont else { return }
    report.add(
      at: place,
      "\"\(view.escaped)\" is \(target.kind.row.one) without a text, so \(placeholder) stands for nothing; "
        + "name a label, a button, a segmented control or a list")
  }

  private mutating func requireValue(of view: String, at place: SourceLocation) {
    let placeholder = "{\(view.escaped).value}"
    guard let target = target(view, at: place, placeholder) else { return }
    guard !holdsValue(target) else { return }
    report.add(
      at: place,
      "\"\(view.escaped)\" is \(target.kind.row.one) without a value, so \(placeholder) stands for nothing; "
        + "name a control that has one")
  }

  /// Reports what is no placeholder, with the one that was meant.
  private mutating func refuse(_ inside: String, at place: SourceLocation) {
    let shown = "{\(inside.escaped)}"
    func report(_ advice: String) {
      self.report.add(at: place, "\"\(shown)\" stands for nothing; \(advice)")
    }
    // A format of printf, as other toolkits have it.
    let name = inside.prefix { $0 != ":" }
    if name.count < inside.count, ActionStep.Placeholder(name) != nil {
      return report("write {\(String(name).escaped)}: no format is understood here")
    }
    if let dot = inside.lastIndex(of: "."), dot > inside.startIndex {
      let id = String(inside[..<dot])
      guard let target = target(id, at: place, shown) else { return }
      let parts = parts(of: target.kind, hasValue: holdsValue(target))
      let nearest = Suggestion.nearest(to: String(inside[dot...].dropFirst()), among: parts)
      guard let part = nearest ?? (parts.count == 1 ? parts.first : nil) else {
        return report(
          parts.isEmpty
            ? "\"\(id.escaped)\" has neither a value nor a text"
            : "did you mean {\(id.escaped).value} or {\(id.escaped).text}?")
      }
      return report("did you mean {\(id.escaped).\(part)}?")
    }
    let known = ActionStep.Placeholder.Part.allCases.map(\.rawValue)
    if let part = Suggestion.nearest(to: inside, among: known) { return report("did you mean {\(part)}?") }
    if let target = existing(inside),
      let part = parts(of: target.kind, hasValue: holdsValue(target)).first
    {
      return report("did you mean {\(inside.escaped).\(part)}?")
    }
    report("give {value}, {text}, or those of another view, such as {title.text}; \"{{\" is a brace")
  }

  /// What a view has a placeholder for.
  private func parts(of kind: ViewKind, hasValue: Bool) -> [String] {
    (hasValue ? ["value"] : []) + (kind.hasFont ? ["text"] : [])
  }
}
