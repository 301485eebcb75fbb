import TouchInspection

/// Figures in the text format of Prometheus, for node_exporter's textfile collector.
package struct MetricsText {
  package enum Kind: String { case counter, gauge, summary }

  package struct Label {
    let name, value: String

    /// - Parameter value: any text, which is escaped in the output.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    fileprivate var text: String {
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
        "\n", with: "\\n")
      return "\(name)=\"\(escaped)\""
    }
  }

  package private(set) var text = ""
  private var name = ""

  package init() {}

  /// Begins a metric, named without `touchtree_`, with one line of help. Its figures follow.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "touchtree_\(name)"
    text += "# HELP \(self.name) \(help)\n# TYPE \(self.name) \(kind.rawValue)\n"
  }

  package mutating func add(_ number: Int, _ labels: [Label] = [], suffix: String = "") {
    add(number.description, labels, suffix)
  }

  package mutating func add(seconds: Double, _ labels: [Label] = [], suffix: String = "") {
    add(seconds.description, labels, suffix)
  }

  private mutating func add(_ value: String, _ labels: [Label], _ suffix: String) {
    let list = labels.isEmpty ? "" : "{\(labels.map(\.text).joined(separator: ","))}"
    text += "\(name)\(suffix)\(list) \(value)\n"
  }
}

extension LatencyHistogram {
  func write(to metrics: inout MetricsText, _ labels: [MetricsText.Label]) {
    for percent in [50.0, 90, 99] {
      let quantile = MetricsText.Label("quantile", (percent / 100).description)
      metrics.add(seconds: Double(percentile(percent)) / 1e6, labels + [quantile])
    }
    metrics.add(seconds: Double(sum) / 1e6, labels, suffix: "_sum")
    metrics.add(count, labels, suffix: "_count")
  }
}
