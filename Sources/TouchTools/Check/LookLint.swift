import TouchConfig
import TouchCore
import TouchExpressions
import TouchOutput
import TouchPixels
import TouchRender
import TouchViews

// What a picture shows: texts that are cut, and stacks without room.

extension TreeLint {
  /// Returns each finding about looks once, naming the language if others are without it.
  func lookFindings() throws(DisplayError) -> [Finding] {
    let languages = configuration.translations.languages
    guard languages.count > 1, let shown = tree.bindings.values.value(Translations.valueName) else {
      return try flaws()
    }
    defer { show(shown) }
    var found: [(flaw: Finding, languages: [String])] = []
    for language in languages {
      show(.text(language))
      for flaw in try flaws() {
        let known = found.firstIndex { $0.flaw.place == flaw.place && $0.flaw.sentence == flaw.sentence }
        if let known, found[known].languages.last != language {
          found[known].languages.append(language)
        } else if known == nil {
          found.append((flaw, [language]))
        }
      }
    }
    return found.map { flaw, bad in
      let names = bad.map { "\"\($0.escaped)\"" }.joined(separator: ", ")
      let start = bad.count == languages.count ? "" : "in the language\(bad.count == 1 ? "" : "s") \(names), "
      return Finding(
        place: flaw.place, sentence: start + flaw.sentence, figures: flaw.figures, isOfSize: flaw.isOfSize)
    }
  }

  private func show(_ language: PropertyValue) {
    let values = tree.bindings.values
    // A language that the file declares is never refused.
    try? values.set([PropertyValue.Entry(key: Translations.valueName, value: language)], at: .zero)
    tree.followLanguage()
    if tree.hasRowLists { tree.window.layoutIfNeeded() }
    tree.bindings.settle()
    tree.window.layoutIfNeeded()
  }

  private func flaws() throws(DisplayError) -> [Finding] {
    let measurer = ContentMeasurer()
    let cramped = crampedStacks(measurer)
    return cramped.map(\.flaw) + (try paintFlaws(measurer, cramped: Set(cramped.map(\.stack))))
  }

  /// Returns findings about cut text, missing fonts and characters, and too small stacks (`cramped`) of known
  /// height.
  private func paintFlaws(
    _ measurer: ContentMeasurer, cramped: Set<String>
  ) throws(DisplayError) -> [Finding] {
    let surface = try HeadlessDisplay.surface(of: geometry.displaySize, file: configuration.file)
    let painter = try Painter(geometry: geometry, background: configuration.display.background)
    var flaws: [Finding] = []
    painter.reportsAll = true
    painter.report = { [configuration, tree] notice in
      var figures = ""
      if case .imageUnreadable = notice { return }
      if case .textTooHigh(let id) = notice, let view = tree.viewsByID[id] {
        if let stack = view.superview, cramped.contains(stack.id) { return }
        let height = view.bounds.size.height
        if view.kind == .list {
          figures = " (row_height is that of its rows)"
        } else if let text = measurer.textSize(of: view, atWidth: view.bounds.size.width),
          text.height > height
        {
          figures = " (it is \(height.plain) units high, and needs \(text.height.plain))"
        }
      }
      flaws.append(
        Finding(
          place: configuration.place(of: notice) ?? .start, sentence: "\(notice)", figures: figures,
          isOfSize: notice.isOfRoom))
    }
    painter.paintAll(tree.window, highlights: nil, on: surface)
    // Views out of sight are examined one by one: showing each place would paint everything again.
    var isLeftOut: [Bool] = []
    for values in configuration.views {
      let view = tree.viewsByID[values.id]
      isLeftOut.append(
        view.map { $0.isHidden || $0.alpha == 0 || showsNoRow($0, values) } ?? true
          || values.parent.map { isLeftOut[$0] } ?? false)
      guard isLeftOut.last == false, let view else { continue }
      painter.reportText(of: view)
    }
    return flaws
  }

  /// Returns findings about stacks without room for their views, apart from too wide text.
  private func crampedStacks(_ measurer: ContentMeasurer) -> [(stack: String, flaw: Finding)] {
    configuration.views.compactMap { values in
      guard let stack = tree.viewsByID[values.id] as? StackView, !showsNoRow(stack, values) else {
        return nil
      }
      for view in stack.arrangedSubviews where !view.isHidden {
        let (frame, room) = (view.layoutRect, stack.bounds.size)
        var problem: String?
        if frame.maxX > room.width + 0.5 || frame.maxY > room.height + 0.5 {
          problem = "\(view.id) ends outside it"
        } else if let text = measurer.textSize(of: view, atWidth: frame.size.width),
          text.height > frame.size.height + 0.5
        {
          problem =
            "\(view.id) is \(frame.size.height.plain) units high, and its text needs \(text.height.plain)"
        }
        guard let problem else { continue }
        let flaw = Finding(
          place: values.place,
          sentence:
            "the stack \(stack.id) is too small for what is in it: \(problem); enlarge it, or take smaller sizes, "
            + "fonts, spacing or insets", isOfSize: true)
        return (stack.id, flaw)
      }
      return nil
    }
  }

  /// Returns whether the view is for the rows of a list and shows none at the moment, so that it has no size.
  func showsNoRow(_ view: View, _ values: Configuration.View) -> Bool {
    values.slot != nil && view.window == nil
  }
}

extension PaintNotice {
  fileprivate var isOfRoom: Bool {
    switch self {
    case .textCut, .textTooHigh: true
    case .charactersUnknown, .iconsUnavailable, .iconUnknown, .fontReplaced, .fontUnavailable,
      .textUnavailable, .orderUnavailable, .breaksUnavailable, .codesUnavailable, .codeTooLong,
      .imageUnreadable, .nestedTooDeep,
      .namesLeftOut, .more:
      false
    }
  }
}
