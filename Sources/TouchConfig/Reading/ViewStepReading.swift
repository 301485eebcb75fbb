import TouchCore
import TouchExpressions
import TouchViews

/// The steps that do something to one view: `change`, `toggle`, `page`, `present`, `dismiss` and `scroll_to`.
extension ActionReader {
  func change(_ value: Value, of target: Target) -> ActionStep? {
    guard target.kind.has(.value) else {
      value.complain(
        "\"\(target.id.escaped)\" is \(target.kind.one) and has no value to change; "
          + "only \(ViewProperty.value.owners.many) have")
      return nil
    }
    requireValue(of: target, value)
    return value.number(in: .coordinate).map { .change(view: target.id, by: $0) }
  }

  func toggle(_ value: Value, of target: Target) -> ActionStep? {
    let flags = ViewProperty.settable(with: target.kind).filter { $0.isFlag(of: target.kind) }
    let advice = "give " + flags.map(\.name).joined(lastWith: "or")
    guard let name = value.nonEmptyText(advice) else { return nil }
    if let property = flags.first(where: { $0.name == name }) { return .toggle(view: target.id, property) }
    let help = Suggestion.nearestKey(to: name, among: flags.map(\.name))
    value.complain(
      "\(target.kind.one) has no \"\(name.escaped)\" that is true or false; "
        + (help.map { "did you mean \"\($0)\"?" } ?? advice))
    return nil
  }

  mutating func page(
    _ value: Value, of target: Target, by transition: PagesView.Transition?
  ) -> ActionStep? {
    guard target.kind == .pages, let index = target.index else {
      value.complain(
        "\"\(target.id.escaped)\" is \(target.kind.one) and has no pages; name a view of the kind pages")
      return nil
    }
    guard let text = value.nonEmptyText("give next, previous or the id of one of its subviews") else {
      return nil
    }
    var page = PagesView.Target(text)
    if case .id(let id) = page { page = .id(value.node.global(id)) }
    if case .id(let id) = page { requirePage(id, at: value.node.place, of: index) }
    return .page(view: target.id, page, by: transition)
  }

  // MARK: Sheets and scroll views

  mutating func sheet(_ value: Value, isPresented: Bool) -> ActionStep? {
    guard let id = value.nonEmptyText("give the id of a sheet").map(value.node.global),
      let target = target(id, at: value.node.place, value.name)
    else { return nil }
    guard target.kind == .sheet else {
      value.complain("\"\(id.escaped)\" is \(target.kind.one) and is not presented; give the id of a sheet")
      return nil
    }
    return .set(view: id, [ViewSetting(.presented, isPresented)])
  }

  mutating func scroll(_ value: Value, of target: Target) -> ActionStep? {
    guard target.kind == .scroll || target.index.flatMap({ configuration.views[$0].rows }) != nil else {
      value.complain(
        "\"\(target.id.escaped)\" is \(target.kind.one) and does not scroll; name a view of the kind scroll"
      )
      return nil
    }
    let advice = "give top, left, bottom, right, an offset [x, y], or the id of a view in it"
    guard value.node.items == nil else {
      guard let numbers = value.numbers([("x", .coordinate), ("y", .coordinate)]) else { return nil }
      return .scroll(view: target.id, .offset(LocalPoint(x: numbers[0], y: numbers[1])))
    }
    guard let text = value.nonEmptyText(advice) else { return nil }
    var place = ScrollView.Target(text)
    if case .view(let id) = place { place = .view(value.node.global(id)) }
    if case .view(let id) = place {
      guard let inside = self.target(id, at: value.node.place, value.name) else { return nil }
      guard isInside(inside, target) else {
        value.complain("\"\(id.escaped)\" is not in \"\(target.id.escaped)\"; \(advice)")
        return nil
      }
    }
    return .scroll(view: target.id, place)
  }

  private func isInside(_ view: Target, _ other: Target) -> Bool {
    var ancestor = view.index.flatMap { configuration.views[$0].parent }
    while let index = ancestor {
      if index == other.index { return true }
      ancestor = configuration.views[index].parent
    }
    return false
  }
}
