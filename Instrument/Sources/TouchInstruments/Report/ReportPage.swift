/// The report as one page of HTML that needs nothing else. The recording, which is long, is folded up.
struct ReportPage {
  private let title: String
  private let sections: [HardwareReport.Section]

  init(title: String, _ sections: [HardwareReport.Section]) {
    (self.title, self.sections) = (title, sections)
  }

  /// The most lines of a section that is not folded up.
  private static let longest = 200

  var lines: [String] {
    let title = TestReport.escaped(title)
    let head = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title): report</title>
      <style>\(TestPage.style)</style>
      </head>
      <body>
      <h1>\(title): report</h1>
      """
    let parts = [head] + sections.map(Self.html) + ["</body>", "</html>"]
    return parts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  private static func html(_ section: HardwareReport.Section) -> String {
    let heading = "<h2>\(TestReport.escaped(section.title))</h2>"
    if let html = section.html { return "<section>\(heading)\n\(html)\n</section>" }
    let text = "<pre>\(TestReport.escaped(section.lines.joined(separator: "\n")))</pre>"
    guard section.lines.count > longest else { return "<section>\(heading)\n\(text)\n</section>" }
    return
      "<section>\(heading)\n<details><summary>\(section.lines.count) lines</summary>\n\(text)\n</details>\n</section>"
  }
}
