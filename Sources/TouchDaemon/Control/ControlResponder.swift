import TouchConfig
import TouchCore
import TouchRender

/// Finds the answers to requests in a running session and in what is shown of it.
package struct ControlResponder {
  package let tree: ViewTree
  package let renderer: Renderer
  /// Why nothing of the session is on the display; nil when it is.
  package let hiddenBecause: String?

  package func answer(_ request: ControlRequest) -> ControlResponse {
    do {
      switch request {
      case .tree: return text(TreeDescription.lines(of: tree))
      case .hit(let question): return text(try question.answer(in: tree).lines)
      case .screenshot:
        if let hiddenBecause { return .refused(.notShown, hiddenBecause) }
        return .picture(try renderer.picture(of: tree.window))
      }
    } catch let error as UnknownView {
      return .refused(.failed, "there is no view '\(error.id)'. `touchtree ctl tree` lists them.")
    } catch {
      return .refused(.failed, "\(error)")
    }
  }

  private func text(_ lines: [String]) -> ControlResponse {
    .text(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
