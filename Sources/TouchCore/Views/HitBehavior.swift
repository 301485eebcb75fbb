/// What a view can do in a hit test beyond UIKit. Every default is plain UIKit.
public struct HitBehavior {
  /// What of a view and its subviews can be hit. (React Native's `pointerEvents`.)
  public enum PointerEvents: String, CaseIterable, Sendable {
    case auto
    /// Neither the view nor anything in it.
    case nothing = "none"
    /// The view, but nothing in it.
    case boxOnly = "box-only"
    /// What is in the view, but not the view.
    case boxNone = "box-none"
  }

  /// How far outside its edges the view can be hit, in its own units, outward. The superview's bounds still hold.
  public var slop = Insets.zero
  /// What of the view and its subviews can be hit; `auto` is all of it.
  public var pointerEvents = PointerEvents.auto
  /// The part of the view that is hit; `slop` stretches it.
  public var shape = HitShape.rect()
  /// Whether subviews can be hit outside the view, unless it clips. The view itself cannot.
  /// (React Native's `RCTView` does so.)
  public var overflows = false
  /// Answers instead of this view and what is in it where a point lies in both. It must be one that could answer
  /// by itself: in the same tree, and neither it nor an ancestor hidden, disabled or the like.
  public weak var redirect: View?
  /// Moves the view in front of siblings with a smaller one, and behind those with a larger; the order in which
  /// they were added decides among equals. (CSS `z-index`; UIKit's `zPosition` does not change who is hit.)
  public var z = 0.0

  /// Plain UIKit, until something is changed.
  public init() {}

  /// Whether this is plain UIKit.
  var isPlain: Bool {
    slop == .zero && pointerEvents == .auto && shape == .rect() && !overflows && redirect == nil && z == 0
  }

  /// Whether the view itself, not something in it, can be the answer.
  var answersItself: Bool { pointerEvents != .boxNone && shape != .children }

  /// Whether subviews are asked where the view is not.
  func asksOutside(_ view: View) -> Bool { overflows && !view.clipsToBounds }

  /// Whether the places where something in the view can be hit depend on what is in it.
  var dependsOnSubviews: Bool { overflows || shape == .children }
}

/// Where a view keeps its behavior, so that a view without one pays a pointer.
final class HitExtension {
  let behavior: HitBehavior
  /// Whether there was a redirect when the behavior was set; its target may be gone since.
  let redirects: Bool

  init(_ behavior: HitBehavior) {
    self.behavior = behavior
    redirects = behavior.redirect != nil
  }

  /// The behavior's `z`, where a number that is none counts as 0.
  var z: Double { behavior.z.isNaN ? 0 : behavior.z }
}
