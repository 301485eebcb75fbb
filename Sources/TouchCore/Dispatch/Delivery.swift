/// Takes touches up their chains, grouped by chain and phase. Its buffers are reused.
struct Delivery {
  private var group: [Touch] = []
  private var waiting: [Touch] = []

  init() {
    group.reserveCapacity(32)
    waiting.reserveCapacity(32)
  }

  /// Delivers began, moved, ended and cancelled, in this order, each group once. Touches without a chain are
  /// left out.
  mutating func deliver(_ touches: [Touch], with event: Event) {
    deliver(touches, in: .began, with: event)
    deliver(touches, in: .moved, with: event)
    deliver(touches, in: .ended, with: event)
    deliver(touches, in: .cancelled, with: event)
  }

  private mutating func deliver(_ touches: [Touch], in phase: Touch.Phase, with event: Event) {
    waiting.removeAll(keepingCapacity: true)
    for touch in touches where touch.phase == phase && touch.chain != nil { waiting.append(touch) }
    while let first = waiting.first, let chain = first.chain {
      group.removeAll(keepingCapacity: true)
      for touch in waiting where touch.chain === chain && touch.reach == first.reach { group.append(touch) }
      waiting.removeAll { $0.chain === chain && $0.reach == first.reach }
      climb(chain, phase: phase, with: event)
    }
  }

  /// Gives the group to the responders of its chain until one has handled it.
  ///
  /// Who saw began also sees the end: when a responder handles the end, the ones above it that saw began get
  /// cancelled instead, and a cancelled is not stopped by anyone.
  private func climb(_ chain: ResponderChain, phase: Touch.Phase, with event: Event) {
    let limit = phase == .began ? chain.responders.count : group[0].reach
    var index = 0
    while index < limit {
      let disposition = ask(chain.responders[index], phase: phase, with: event)
      index += 1
      if disposition == .handled && phase != .cancelled { break }
    }
    if phase == .began { for touch in group { touch.reach = index } }
    guard phase == .ended, index < limit else { return }
    for touch in group { touch.phase = .cancelled }
    while index < limit {
      _ = ask(chain.responders[index], phase: .cancelled, with: event)
      index += 1
    }
    for touch in group { touch.phase = .ended }
  }

  private func ask(_ responder: Responder, phase: Touch.Phase, with event: Event) -> Disposition {
    let disposition: Disposition
    switch phase {
    case .began: disposition = responder.touchesBegan(group, with: event)
    case .moved: disposition = responder.touchesMoved(group, with: event)
    case .ended: disposition = responder.touchesEnded(group, with: event)
    case .cancelled: disposition = responder.touchesCancelled(group, with: event)
    case .stationary: return .handled
    }
    if let observer = event.observer {
      for touch in group {
        observer.observe(.touch(touch, responder: responder, disposition: disposition))
      }
    }
    return disposition
  }
}
