import TouchMeasure

/// The rows of a report's table of figures, and its footnotes. The contacts that were not as asked for are
/// counted in each test. A test has a row for them only if there are some, and the last row has their sum.
struct TestRows {
  struct Row {
    /// The test's name in its first row, else empty.
    var test = ""
    /// The test's result in words in its first row, else empty.
    var result = ""
    /// The result of the row: that of its figure, or of a test without figures.
    var conformity: Conformity?
    var figure: JudgedFigure?
    /// The number of the footnote, from 1; nil for a row without one.
    var note: Int?

    /// The result of the figure in words, with the number of its footnote.
    var decision: String {
      [figure?.result?.title, note.map { "[\($0)]" }].compactMap(\.self).joined(separator: " ")
    }
  }

  private(set) var rows: [Row] = []
  /// The reasons of what is undecided or not measured: sentences without their end.
  private(set) var notes: [String] = []

  init(_ judgement: PanelJudgement) {
    for result in judgement.results {
      let figures = result.figures.filter { !Self.isCounted($0) }
      let first = rows.count
      for figure in figures {
        let reason = figure.result == .undecided || figure.result == .notMeasured ? figure.reason : nil
        rows.append(Row(conformity: figure.result, figure: figure, note: reason.map { note($0) }))
      }
      if figures.isEmpty {
        let reason = result.conformity == .notMeasured ? result.reason : nil
        rows.append(Row(conformity: result.conformity, note: reason.map { note($0) }))
      }
      rows[first].test = result.test.rawValue
      rows[first].result = Self.words(result.conformity)
    }
    addCounted(judgement)
  }

  static func words(_ conformity: Conformity?) -> String { conformity?.title ?? "no limit" }

  private static func isCounted(_ figure: JudgedFigure) -> Bool {
    figure.measure.key == "wrong" && figure.measure != .protocolWrong && figure.value == 0
  }

  private mutating func addCounted(_ judgement: PanelJudgement) {
    let figures = judgement.results.flatMap(\.figures)
      .filter { $0.measure.key == "wrong" && $0.measure != .protocolWrong && $0.value != nil }
    guard var sum = figures.first else { return }
    sum.value = figures.reduce(0) { $0 + ($1.value ?? 0) }
    sum.result = Conformity.common(figures.compactMap(\.result))
    if Set(figures.map(\.limit)).count > 1 { sum.limit = nil }
    rows.append(Row(test: "all", result: sum.result?.title ?? "", conformity: sum.result, figure: sum))
  }

  /// Returns the number of a footnote. Figures with the same reason share one.
  private mutating func note(_ text: String) -> Int {
    if let index = notes.firstIndex(of: text) { return index + 1 }
    notes.append(text)
    return notes.count
  }
}
