import TouchCore

/// Finds the answers to requests in a running session and in what is shown of it.
struct ControlAnswering {
  let session: Session
  let screen: Screen
  /// Why nothing of the session is on the display; nil when it is.
  let hiddenBecause: String?

  func answer(_ request: ControlRequest) -> ControlAnswer {
    do {
      switch request {
      case .tree: return text(TreeDescription.lines(of: session.scene))
      case .hit(let question): return text(try question.answer(in: session).lines)
      case .screenshot:
        if let hiddenBecause { return .refused(.notShown, hiddenBecause) }
        return .picture(try screen.picture(of: session))
      }
    } catch let error as UnknownView {
      return .refused(.failed, "there is no view '\(error.id)'. `touchtree ctl tree` lists them.")
    } catch {
      return .refused(.failed, "\(error)")
    }
  }

  private func text(_ lines: [String]) -> ControlAnswer {
    .text(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
