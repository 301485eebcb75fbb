import TouchConfig
import TouchCore

/// Warnings about what programs, or people who do not see the screen, cannot get.
extension TreeLint {
  func accessWarnings() -> [Diagnostic] {
    namelessButtons() + lostMessages() + disclosedValues() + followingViews()
  }

  private func namelessButtons() -> [Diagnostic] {
    var namesBelow: Set<Int> = []
    var picturesBelow: Set<Int> = []
    let views = configuration.views
    for view in views {
      let isName = hasName(view) || view.kind == .label && hasText(view)
      let isPicture = view.kind == .image
      guard isName || isPicture else { continue }
      var ancestor = view.parent
      while let index = ancestor {
        if isName { namesBelow.insert(index) }
        if isPicture { picturesBelow.insert(index) }
        ancestor = views[index].parent
      }
    }
    return views.indices.compactMap { index in
      let view = views[index]
      guard view.kind == .button, !hasText(view), !hasName(view), picturesBelow.contains(index),
        !namesBelow.contains(index)
      else { return nil }
      return warning(
        at: view.place,
        "\(view.id) shows a picture and has no name for programs and people who do not see it; give it one: label: …"
      )
    }
  }

  private func hasName(_ view: Configuration.View) -> Bool {
    tree.viewsByID[view.id]?.accessibilityLabel != nil
  }

  private func hasText(_ view: Configuration.View) -> Bool {
    !(tree.viewsByID[view.id]?.shownText ?? "").isEmpty
  }

  private func privateView(around trigger: Configuration.ActionList.Trigger) -> View? {
    let owner: Int? =
      switch trigger {
      case .control(let index, _): index
      case .gesture(let index, _): configuration.gestures[index].owner
      // The window and the application are not private.
      case .key, .scan, .idle: nil
      }
    return owner.flatMap { tree.viewsByID[configuration.views[$0].id]?.privateView }
  }

  /// Returns warnings about messages to subscribers that private views send, so that no subscriber gets them.
  private func lostMessages() -> [Diagnostic] {
    configuration.actions.flatMap { list -> [Diagnostic] in
      guard let privateView = privateView(around: list.trigger) else { return [] }
      return list.steps.compactMap { step in
        let sends = step.step.all.contains { if case .send(_, to: .subscribers) = $0 { true } else { false } }
        guard sends else { return nil }
        return warning(
          at: step.place,
          "\(privateView.id) is private, so no subscriber gets this message; send it to a handler: to: NAME")
      }
    }
  }

  /// Returns warnings about views that are private only because they show something from a private one.
  private func followingViews() -> [Diagnostic] {
    tree.disclosures.map { disclosure in
      let (view, source) = (disclosure.binding.view, disclosure.privateView)
      if disclosure.binding.target == .value {
        return warning(
          at: disclosure.binding.place,
          "\(view) would show what is in \(source), which is private, so it stays null; let it follow something else"
        )
      }
      let property = disclosure.binding.setting.property
      if [.frame, .size, .boundsOrigin].contains(property) || property.name == "transform" {
        return warning(
          at: disclosure.binding.place,
          "the \(property.name) of \(view) follows \(source), which is private: who may look at the screen sees how large "
            + "or where it is, and so how much is written; let it follow something else")
      }
      return warning(
        at: disclosure.binding.place,
        "\(view) shows what is in \(source), which is private, so clients and MQTT get nothing of \(view) either; "
          + "say so: private: true")
    }
  }

  /// Returns warnings about named values made of input in a private view, which anybody may read.
  private func disclosedValues() -> [Diagnostic] {
    configuration.actions.flatMap { list -> [Diagnostic] in
      let sender = privateView(around: list.trigger)
      return list.steps.compactMap { step in
        let disclosed = step.step.all.lazy.compactMap { step -> (value: String, view: String)? in
          guard case .setValue(let name, let content) = step else { return nil }
          return content.formulas.flatMap(\.references).lazy.compactMap { reference -> View? in
            switch reference {
            case .property(let view, _): tree.viewsByID[view]?.privateView
            case .sent: sender
            // The added text discloses the pressed key.
            case .value(name): sender
            case .value, .string, .now, .row, .parameter: nil
            }
          }.first.map { (name, $0.id) }
        }.first
        return disclosed.map {
          warning(
            at: step.place,
            "\($0.view) is private, and clients and MQTT get the value \"\($0.value)\", which is made of what is in it; "
              + "keep it in the text of a private label: set: {LABEL: {text: ...}}")
        }
      }
    }
  }
}
