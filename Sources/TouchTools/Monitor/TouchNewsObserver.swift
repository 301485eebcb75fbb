import TouchCore

/// Gathers what becomes of touches while a frame goes through the dispatcher.
final class TouchNewsObserver: DispatchObserver {
  private var news: [MonitoredOutcome.TouchNews] = []

  func observe(_ step: DispatchStep) {
    if case .hit(let touch, let view) = step {
      news.append(.init(touch, .began))
      // The touch learns of its view after this.
      news[news.count - 1].view = view?.id
    } else if case .dropped(let touch) = step {
      news.append(.init(touch, .dropped))
    } else if case .touch(let touch, let responder, disposition: _, captured: false) = step,
      responder === touch.view, let what = MonitoredOutcome.TouchNews.What(rawValue: touch.phase.rawValue),
      what != .began
    {
      news.append(.init(touch, what))
    }
  }

  /// What was gathered since this was last asked.
  func take() -> [MonitoredOutcome.TouchNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }
}
