import TouchMeasure
import TouchSystem

/// A controller's own numbers during one task of a test. Between tasks nothing is read.
final class RawSampling {
  private let node: RawTouchNode
  private let loop: EventLoop
  private var source: EventLoop.Source?
  private var figures: RawFigures

  /// Opens the first node of the machine; nil where there is none, or none that can be read.
  init?(in loop: EventLoop) {
    guard let path = RawTouchNode.nodes().first, let node = try? RawTouchNode(path: path) else { return nil }
    (self.node, self.loop) = (node, loop)
    figures = RawFigures(columns: node.columns, rows: node.rows)
  }

  /// The driver's name of the controller, and its node.
  var title: String { "\(node.name.onOneLine) (\(node.path))" }

  func begin() {
    figures = RawFigures(columns: node.columns, rows: node.rows)
    source = try? loop.watch(node.readiness) { [weak self] in self?.take() }
  }

  /// Ends the reading.
  /// - Returns: nil without numbers.
  func end() -> RawFigures.Strength? {
    if let source { loop.unwatch(source) }
    source = nil
    return RawFigures.Strength(of: figures.nodes())
  }

  private func take() {
    do throws(Failure) {
      if let frame = try node.read() { figures.add(frame) }
    } catch {
      // The controller is gone. What it sent before counts.
      if let source { loop.unwatch(source) }
      source = nil
    }
  }
}
