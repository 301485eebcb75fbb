import TouchCore
import TouchExpressions
import TouchHandlers
import TouchInput
import TouchSystem
import TouchViews

/// The subscriptions of clients. Events are queued as they happen, and written when the turn is painted.
package final class Subscriptions: DispatchObserver {
  private struct Subscriber {
    let peer: Peer
    let wants: Request.Subscription

    func wants(_ event: Request.Subscription.Event, of view: View?) -> Bool {
      guard wants.events.contains(event) else { return false }
      guard let ids = wants.views else { return true }
      var next = view
      while let current = next {
        if ids.contains(current.id) { return true }
        next = current.superview
      }
      return false
    }
  }

  private let pipeline: InputPipeline
  private let peers: Peers
  private var subscribers: [Subscriber] = []
  /// The previous observer of the dispatcher, such as the trace, which stays one.
  private var other: (any DispatchObserver)?
  private weak var bindings: Bindings?

  package init(to pipeline: InputPipeline, _ peers: Peers) { (self.pipeline, self.peers) = (pipeline, peers) }

  package var count: Int { subscribers.count }

  /// Adds a subscription. A peer has one subscription, and a new one replaces it.
  package func add(_ subscription: Request.Subscription, of peer: Peer) {
    subscribers.removeAll { $0.peer === peer }
    if subscribers.isEmpty, pipeline.dispatcher.observer !== self {
      other = pipeline.dispatcher.observer
      pipeline.dispatcher.observer = self
    }
    subscribers.append(Subscriber(peer: peer, wants: subscription))
    peer.isListening = true
    followScans()
  }

  package func remove(_ peer: Peer) {
    guard !subscribers.isEmpty else { return }
    subscribers.removeAll { $0.peer === peer }
    followScans()
    guard subscribers.isEmpty, pipeline.dispatcher.observer === self else { return }
    pipeline.dispatcher.observer = other
    other = nil
  }

  /// Holds letters back for a moment while a client waits for scans.
  private func followScans() {
    pipeline.clientsWantScans = subscribers.contains { $0.wants.events.contains(.scanned) }
  }

  // MARK: Events

  package func observe(_ step: DispatchStep) {
    other?.observe(step)
    if case .report(let report as FocusReport) = step { return send(report) }
    guard !step.isPrivate else { return }
    switch step {
    case .delivery(let touch, let responder, let captured):
      // The touch comes before its effects in the view: a reader expects the cause first.
      if !captured, responder === touch.view { send(touch) }
    case .report(let report as PressReport): send(report.press)
    case .report(let report as ScanReport):
      send(.scanned, of: report.responder.coordinateView, as: .event) { _ in
        Message.scanned(
          report.scan, at: report.responder, device: self.peers.delegate?.name(of: report.scan.device) ?? "")
      }
    case .report: if let step = step.viewStep { send(step) }
    case .gesture(let gesture): send(gesture)
    case .hitTest, .pointInside, .hit, .dropped, .chain, .touch, .pointer, .press: break
    }
  }

  /// Sends a move of the focus. Clients that may act also get the key of a private keypad, or the secure field,
  /// that exploring touches found. They speak it, as VoiceOver speaks the keys of iOS's passcode.
  private func send(_ report: FocusReport) {
    let context = report.disclosed
    let secret = report.secret.flatMap { $0.next.map { isKey($0.view) } == true ? $0 : nil }
    for subscriber in subscribers where subscriber.wants(.focus, of: (context.next ?? context.previous)?.view)
    {
      if let secret, subscriber.peer.access == .everything {
        subscriber.peer.send(Message.focus(secret, isKey: true), as: .event)
      } else if !report.isPrivate {
        subscriber.peer.send(Message.focus(context), as: .event)
      }
    }
  }

  /// Whether the name of a view in a private one tells nothing of what is typed there: that of a key on a
  /// keyboard, of a button with a text of its own, or of a secure field.
  private func isKey(_ view: View) -> Bool {
    if view.control?.isConfidential ?? false { return true }
    guard view.kind == .button else { return view.kind == .keyboard }
    let names: [ViewProperty] = [.text, .label]
    return bindings?.bindings.contains {
      $0.target == .property && $0.view == view.id && names.contains($0.setting.property)
    } == false
  }

  private func send(_ step: ViewStep) {
    switch step {
    case .control(let control, let action, _):
      send(.action, of: control) { Message.action(action, of: control) }
    case .value(let control): send(.value, of: control) { Message.value(of: control) }
    case .page(let pages): send(.page, of: pages) { Message.page(of: pages) }
    case .text(let view): send(.text, of: view) { Message.text(of: view) }
    case .sheet(let sheet): send(.sheet, of: sheet) { Message.sheet(sheet) }
    case .scroll(let scrollView, let phase):
      let subject = OutputQueue.Subject(of: scrollView)
      send(.scroll, of: scrollView.owner, as: phase == .changed ? .latest(of: subject) : .change(of: subject))
      {
        Message.scroll(scrollView, phase, sequence: $0, time: pipeline.time)
      }
    }
  }

  /// Reports changes of the named values of a tree from now on.
  func follow(_ bindings: Bindings) {
    self.bindings = bindings
    let values = bindings.values
    values.observe(self) { [weak self, weak values] place in
      guard let self, let values, !subscribers.isEmpty else { return }
      let (name, value) = (values.declarations[place].name, values[place])
      var line: [UInt8]?
      // A subscriber to some views gets only their events.
      for subscriber in subscribers
      where subscriber.wants.events.contains(.value) && subscriber.wants.views == nil {
        let made = line ?? Message.value(value, named: name)
        line = made
        subscriber.peer.send(made, as: .event)
      }
    }
  }

  private func send(_ touch: Touch) {
    let subject = OutputQueue.Subject(touch: touch.id)
    send(.touch, of: touch.view, as: touch.phase == .moved ? .move(of: subject) : .change(of: subject)) {
      Message.touch(
        touch, phase: touch.phase, at: nil, sequence: $0,
        device: peers.delegate?.name(of: touch.contact.device) ?? "")
    }
  }

  private func send(_ press: Press) {
    send(.press, of: press.responder?.coordinateView, as: .event) {
      Message.press(press, at: nil, sequence: $0, device: peers.delegate?.name(of: press.device) ?? "")
    }
  }

  private func send(_ gesture: GestureRecognizer) {
    switch gesture.state {
    case .possible, .failed: return
    case .began, .changed, .ended, .cancelled: break
    }
    let subject = OutputQueue.Subject(of: gesture)
    send(
      .gesture, of: gesture.view, as: gesture.state == .changed ? .move(of: subject) : .change(of: subject)
    ) {
      Message.gesture(gesture, sequence: $0, time: pipeline.time)
    }
  }

  /// Sends subscribers a view's message, with the key of its row; nil outside lists.
  func send(_ message: String, from view: String, row: PropertyValue?) {
    send(.message) { Message.message(message, from: view, row: row) }
  }

  /// Sends an event that belongs to no view, such as another configuration.
  func send(_ event: Request.Subscription.Event, _ makeLine: () -> [UInt8]) {
    let peers = subscribers.filter { $0.wants.events.contains(event) }.map(\.peer)
    guard !peers.isEmpty else { return }
    let line = makeLine()
    for peer in peers { peer.send(line, as: .event) }
  }

  private func send(
    _ event: Request.Subscription.Event, of view: View, _ makeLine: () -> [UInt8]
  ) {
    send(event, of: view, as: .event) { _ in makeLine() }
  }

  private func send(
    _ event: Request.Subscription.Event, of view: View?, as kind: OutputQueue.Kind,
    _ makeLine: (_ sequence: Int) -> [UInt8]
  ) {
    var line: [UInt8]?
    for subscriber in subscribers where subscriber.wants(event, of: view) {
      let made = line ?? makeLine(peers.nextSequence())
      line = made
      subscriber.peer.send(made, as: kind)
    }
  }
}
