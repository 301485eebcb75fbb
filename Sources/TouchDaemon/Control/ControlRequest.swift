/// What a running daemon can be asked.
package enum ControlRequest: Hashable, Sendable {
  /// The view tree as it is now.
  case tree
  /// What is under a point now.
  case hit(HitQuestion)
  /// What the display shows.
  case screenshot

  /// As it goes through the socket. Words that are not understood are refused, so more may follow.
  package var words: [String] {
    switch self {
    case .tree: ["tree"]
    case .screenshot: ["screenshot"]
    case .hit(let question): ["hit"] + question.words
    }
  }

  /// Nil when it is none that this version knows.
  package init?(words: [String]) {
    switch words.first {
    case "tree" where words.count == 1: self = .tree
    case "screenshot" where words.count == 1: self = .screenshot
    case "hit":
      guard let question = HitQuestion(words: Array(words.dropFirst())) else { return nil }
      self = .hit(question)
    default: return nil
    }
  }
}

extension HitQuestion {
  fileprivate var words: [String] {
    let flags = [(isAll, "all"), (isExplained, "explain"), (isJSON, "json")].filter(\.0).map(\.1)
    return ["\(x)", "\(y)", start ?? ""] + flags
  }

  fileprivate init?(words: [String]) {
    guard words.count >= 3, let x = Double(words[0]), let y = Double(words[1]), x.isFinite, y.isFinite else {
      return nil
    }
    self.init(x: x, y: y)
    start = words[2].isEmpty ? nil : words[2]
    for flag in words.dropFirst(3) {
      switch flag {
      case "all": isAll = true
      case "explain": isExplained = true
      case "json": isJSON = true
      default: return nil
      }
    }
  }
}
