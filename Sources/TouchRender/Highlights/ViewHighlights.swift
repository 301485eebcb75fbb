import TouchCore

/// The views that are marked: those that touches hit, and the others of their chains. A mark whose last finger has
/// left fades, if its style says so, and goes.
public struct ViewHighlights {
  /// The mark on one view.
  public struct Highlight {
    public let view: View
    /// Whether the view is marked for being on the chain only.
    public internal(set) var isPath: Bool
    /// How strong the mark is: 255 while a finger is on it, then less and less.
    public internal(set) var level: UInt8 = 255
    var isHeld = true
    /// When the last finger left.
    var released: Timestamp?
  }

  /// In the order in which they were touched; a view comes before the ones that contain it.
  public private(set) var lights: [Highlight] = []
  private let style: HighlightStyle

  /// A deeper chain is marked this far up: nobody can tell more frames apart.
  private static let longestPath = 64

  init(style: HighlightStyle) {
    self.style = style
  }

  /// Whether a mark is there that gets fainter by itself.
  public var areFading: Bool { lights.contains { $0.released != nil } }

  mutating func update(touches: [Touch], at time: Timestamp) {
    for index in lights.indices { lights[index].isHeld = false }
    if style.view.shape != .none {
      for touch in touches {
        if touch.chain != nil, !touch.isTaken, let view = touch.view { hold(view, isPath: false) }
      }
    }
    if style.path.shape != .none {
      for touch in touches { holdPath(of: touch) }
    }
    lights.removeAll { $0.view.window == nil }
    fade(at: time)
  }

  /// Forgets what fades.
  mutating func settle() {
    lights.removeAll { !$0.isHeld }
  }

  private mutating func holdPath(of touch: Touch) {
    guard !touch.isTaken, let chain = touch.chain else { return }
    for responder in chain.responders.prefix(Self.longestPath) {
      guard let view = responder as? View, view !== touch.view else { continue }
      hold(view, isPath: true)
    }
  }

  /// Marks a view. That it was hit counts more than that it is on a chain.
  private mutating func hold(_ view: View, isPath: Bool) {
    guard let index = lights.firstIndex(where: { $0.view === view }) else {
      lights.append(Highlight(view: view, isPath: isPath))
      return
    }
    if !(lights[index].isHeld && isPath) { lights[index].isPath = isPath }
    lights[index].isHeld = true
    lights[index].level = 255
    lights[index].released = nil
  }

  private mutating func fade(at time: Timestamp) {
    for index in lights.indices where !lights[index].isHeld {
      let released = lights[index].released ?? time
      lights[index].released = released
      let fadeTime = style.mark(isPath: lights[index].isPath).fadeTime
      let rest = fadeTime > 0 ? 1 - time.seconds(since: released) / fadeTime : 0
      lights[index].level = UInt8(max(0, min(1, rest)) * 255)
    }
    lights.removeAll { $0.level == 0 }
  }
}
