/// A finger that is dragged from an edge of the screen into it. (`UIScreenEdgePanGestureRecognizer`.)
///
/// It fails as soon as the touch is clearly another one: it went down away from the edges, or moved along the
/// edge or back out of the screen. Scroll views wait for it until then, so that an edge leads from page to
/// page even where the rest scrolls.
public final class ScreenEdgePanGestureRecognizer: PanGestureRecognizer {
  /// An edge of the window. (`UIRectEdge`.)
  public enum Edge: String, CaseIterable, Sendable {
    /// The upper edge, from which a finger goes down.
    case top
    /// The left edge, from which a finger goes right.
    case left
    /// The lower edge, from which a finger goes up.
    case bottom
    /// The right edge, from which a finger goes left.
    case right
  }

  /// The edges at which a finger may begin. (`UIScreenEdgePanGestureRecognizer.edges`, which has to be set.)
  public var edges: Set<Edge> = []
  /// The width of the strip along an edge in which a touch may begin, in window units. Apple documents no
  /// figure. A finger hardly reaches the outermost pixels of a panel in a frame.
  public var edgeWidth = 20.0

  private var begunAt: Edge?

  /// Makes a recogniser of one finger. (A screen edge has room for no more.)
  public override init(id: String = "") {
    super.init(id: id)
    maximumNumberOfTouches = 1
  }

  public override var kind: String { "screen_edge_pan" }

  /// Whether a touch may still turn out to be the gesture.
  package var isPending: Bool { state == .possible && begunAt != nil && wanted != .failed }

  public override func touchesBegan(_ touches: [Touch], with event: Event) {
    super.touchesBegan(touches, with: event)
    guard state == .possible, self.touches.count == 1, let touch = touches.first else { return }
    begunAt = edge(at: touch.location)
    if begunAt == nil { transition(to: .failed) }
  }

  private func edge(at point: WindowPoint) -> Edge? {
    guard let size = view?.window?.bounds.size else { return nil }
    return Edge.allCases.first { edge in
      guard edges.contains(edge) else { return false }
      return switch edge {
      case .top: point.y <= edgeWidth
      case .left: point.x <= edgeWidth
      case .bottom: point.y >= size.height - edgeWidth
      case .right: point.x >= size.width - edgeWidth
      }
    }
  }

  public override func begins(after travel: WindowVector) -> Bool {
    guard let begunAt, travel.length >= minimumMovement else { return false }
    let (inward, along) =
      switch begunAt {
      case .top: (travel.y, travel.x)
      case .left: (travel.x, travel.y)
      case .bottom: (-travel.y, travel.x)
      case .right: (-travel.x, travel.y)
      }
    if inward > abs(along) { return true }
    transition(to: .failed)
    return false
  }

  public override func reset() {
    super.reset()
    begunAt = nil
  }
}
