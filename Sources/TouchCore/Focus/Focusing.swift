// The focus of a single view: whether it can have it, in which parts, and the next item from there.

/// The direction in which the focus moves. (`UIFocusHeading`.)
public enum FocusHeading: String, CaseIterable, Sendable {
  /// The arrow keys.
  case up, down, left, right
  /// The order of the tree, for tab and for encoder steps.
  case next, previous
  /// No direction: a program or the focused view chose the item.
  case none
}

/// A move of the focus. (`UIFocusUpdateContext`.)
public struct FocusUpdateContext {
  /// The item that had the focus; nil for none. (`UIFocusUpdateContext.previouslyFocusedItem`.)
  public let previous: FocusSystem.Item?
  /// The item that has the focus, or is about to get it; nil for none. (`nextFocusedItem`.)
  public let next: FocusSystem.Item?
  /// The direction of the move. (`focusHeading`.)
  public let heading: FocusHeading
}

/// The report to observers that the focus moved.
public struct FocusReport: ViewReport {
  /// The move.
  public let context: FocusUpdateContext
  /// The move to an item in a private view that exploring touches found; nil for any other move.
  package private(set) var secret: FocusUpdateContext?

  /// - Parameter isExplored: whether touches that explore found the item.
  init(_ context: FocusUpdateContext, isExplored: Bool) {
    self.context = isExplored ? context.spoken : context
    guard isExplored, let next = context.next, next.isSecret else { return }
    secret = FocusUpdateContext(previous: disclosed.previous, next: next, heading: context.heading)
  }

  /// Whether the report stays hidden from clients, because the focus is in a private view. Focus on the
  /// private view itself is reported.
  public var isPrivate: Bool { (context.next ?? context.previous)?.isSecret ?? false }

  /// The move without the part of a private view that had the focus.
  package var disclosed: FocusUpdateContext {
    FocusUpdateContext(
      previous: context.previous.flatMap { $0.isSecret ? nil : $0 }, next: context.next,
      heading: context.heading)
  }
}

extension FocusUpdateContext {
  /// The move as it is spoken: to a private view as a whole, once, in place of what is in it.
  var spoken: FocusUpdateContext {
    guard let next, next.isSecret, let around = next.view.privateView, previous?.view.privateView !== around
    else { return self }
    return FocusUpdateContext(previous: previous, next: FocusSystem.Item(around), heading: heading)
  }
}

extension FocusSystem.Item {
  /// Whether the item is a part of a private view, or lies in one.
  fileprivate var isSecret: Bool {
    guard let privateView = view.privateView else { return false }
    return privateView !== view || part != nil
  }
}

/// A view that can scroll to show another part of its content. (`UIFocusItemScrollableContainer`.)
public protocol FocusScroller: View {
  /// Scrolls until a rectangle is visible.
  ///
  /// - Parameter rect: in the view's own bounds space.
  func revealFocus(_ rect: LocalRect)

  /// Scrolls by a step or by a page, when there is no further item to focus.
  ///
  /// - Returns: false at the end.
  func scrollFocus(_ heading: FocusHeading, isPage: Bool) -> Bool

  /// Scrolls to content that is created only when it becomes visible. A view whose content exists as a whole
  /// does nothing.
  ///
  /// - Parameters:
  ///   - heading: the direction in which the focus moves.
  ///   - view: a view in the content; nil to show the beginning for `next`, and the end for `previous`.
  ///   - distance: the number of rows beyond the view, from 1.
  /// - Returns: whether other content is shown now. The view still exists then.
  func showFocus(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool
}

extension FocusScroller {
  /// Returns false: all of the content exists.
  public func showFocus(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool { false }
}

package enum FocusMark: UInt8, Sendable {
  case none
  case focused
  /// A filled ring: steps change the view's value.
  case editing
}

/// The settings of a view's focus in a configuration; most views have none.
final class FocusRules {
  var isFocusable: Bool?
  var next: [FocusHeading: String] = [:]
}

extension View {
  /// Whether keys can reach the view. The default, nil, leaves that to its kind: controls, and views that
  /// wait for a tap, can be focused.
  public final var isFocusable: Bool? {
    get { focusRules?.isFocusable }
    set {
      guard newValue != isFocusable else { return }
      if focusRules == nil { focusRules = FocusRules() }
      focusRules?.isFocusable = newValue
      window?.usedFocusSystem?.setNeedsUpdate()
    }
  }

  /// The ids of the views to which the focus moves from this one. They go before positions. (`UIFocusGuide`.)
  public final var nextFocus: [FocusHeading: String] {
    get { focusRules?.next ?? [:] }
    set {
      guard newValue != nextFocus else { return }
      if focusRules == nil { focusRules = FocusRules() }
      focusRules?.next = newValue
    }
  }

  /// Whether the view has the focus. (`UIView.isFocused`.)
  public final var isFocused: Bool { window?.usedFocusSystem?.focusedItem?.view === self }

  /// Has the focus move to the item that the view prefers, if the focus is in the view.
  /// (`UIFocusEnvironment.setNeedsFocusUpdate()`.)
  public final func setNeedsFocusUpdate() {
    guard let system = window?.usedFocusSystem, system.focusedItem?.view.isDescendant(of: self) ?? false
    else { return }
    system.requestUpdate(to: self)
  }

  /// Moves the focus now if an update is due. (`UIFocusEnvironment.updateFocusIfNeeded()`.)
  public final func updateFocusIfNeeded() { window?.usedFocusSystem?.updateIfNeeded() }

  /// Gives the focus the presses that the view's handlers did not handle.
  final func focusTakes(_ presses: [Press], _ disposition: Disposition) -> Disposition {
    guard disposition == .forward, let system = window?.usedFocusSystem else { return disposition }
    var isTaken = false
    for press in presses where system.give(press, to: self) { isTaken = true }
    return isTaken ? .handled : .forward
  }

  /// Whether a gesture of the view waits for a single tap.
  package final var waitsForTap: Bool {
    gestureRecognizers.contains { recognizer in
      (recognizer as? TapGestureRecognizer).map { $0.isEnabled && $0.numberOfTouchesRequired == 1 } ?? false
    }
  }

  final var isWindowCover: Bool { confinesFocus && superview.map { $0 === window } ?? false }
}

extension Window {
  /// The focus of the view's window. (`UIFocusSystem.focusSystem(for:)`.)
  public final var focusSystem: FocusSystem {
    if let usedFocusSystem { return usedFocusSystem }
    let made = FocusSystem(window: self)
    usedFocusSystem = made
    return made
  }
}
