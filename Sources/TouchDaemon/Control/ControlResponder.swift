import TouchCore

/// Finds the answers to requests in a running session and in what is shown of it.
struct ControlResponder {
  let pipeline: InputPipeline
  let renderer: Renderer
  /// Why nothing of the session is on the display; nil when it is.
  let hiddenBecause: String?

  func answer(_ request: ControlRequest) -> ControlResponse {
    do {
      switch request {
      case .tree: return text(TreeDescription.lines(of: pipeline.tree))
      case .hit(let question): return text(try question.answer(in: pipeline).lines)
      case .screenshot:
        if let hiddenBecause { return .refused(.notShown, hiddenBecause) }
        return .picture(try renderer.picture(of: pipeline))
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
