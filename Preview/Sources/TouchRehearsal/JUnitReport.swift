import TouchSystem

/// The results of rehearsals as JUnit's XML, which CI systems read.
package struct JUnitReport {
  private var suites: [String] = []

  package init() {}

  /// Adds the cases of one file.
  package mutating func add(_ results: [Rehearser.Result], of file: String) {
    let failures = results.count { $0.failure != nil }
    let skipped = results.count { $0.failure == nil && !$0.missing.isEmpty }
    var lines = [
      "  <testsuite name=\"\(file.inXML)\" tests=\"\(results.count)\" failures=\"\(failures)\" skipped=\"\(skipped)\">"
    ]
    for result in results {
      let start =
        "    <testcase classname=\"\(file.inXML)\" name=\"\(result.name.inXML)\" time=\"\(result.seconds.plain)\""
      if let failure = result.failure {
        lines.append(
          start + "><failure message=\"\(failure.message.inXML)\">\("\(failure)".inXML)</failure></testcase>")
      } else if let missing = result.missing.first {
        lines.append(start + "><skipped message=\"\(missing.message.inXML)\"/></testcase>")
      } else {
        lines.append(start + "/>")
      }
    }
    suites.append((lines + ["  </testsuite>"]).joined(separator: "\n"))
  }

  package var xml: String {
    (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"] + suites + ["</testsuites>", ""])
      .joined(separator: "\n")
  }
}

extension String {
  /// The text in an attribute of XML. Characters that XML cannot have are replaced.
  fileprivate var inXML: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\u{0}"..<"\u{20}", "\u{fffe}", "\u{ffff}": "\u{fffd}"
      default: String(scalar)
      }
    }.joined()
  }
}
