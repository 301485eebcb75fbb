// What a view says of the focus: whether it can have it, in which parts, and where it goes from there.

/// Which way the focus moves. (`UIFocusHeading`.)
public enum FocusHeading: String, CaseIterable, Sendable {
  /// An arrow.
  case up, down, left, right
  /// In the order of the tree: tab, a step of an encoder.
  case next, previous
  /// To a view that a program, or the view that had it, chose.
  case none

  /// Those that a view may overrule.
  package static let overruled: [FocusHeading] = [.up, .down, .left, .right, .next, .previous]
}

/// From where to where the focus moves. (`UIFocusUpdateContext`.)
public struct FocusUpdateContext {
  /// What had it; nil for nothing. (`UIFocusUpdateContext.previouslyFocusedItem`.)
  public let previous: FocusSystem.Item?
  /// What has it, or is about to have it; nil for nothing. (`nextFocusedItem`.)
  public let next: FocusSystem.Item?
  /// (`focusHeading`.)
  public let heading: FocusHeading
}

/// The focus has moved: what observers get.
public struct FocusReport: ViewReport {
  /// From where to where.
  public let context: FocusUpdateContext

  /// Whether no client hears of it, because the focus is in a private view. That a private view itself has it is no secret.
  public var isPrivate: Bool { (context.next ?? context.previous)?.isSecret ?? false }

  /// What others may know of it: not from which part of a private view the focus came.
  package var disclosed: FocusUpdateContext {
    FocusUpdateContext(
      previous: context.previous.flatMap { $0.isSecret ? nil : $0 }, next: context.next,
      heading: context.heading)
  }
}

extension FocusSystem.Item {
  /// Whether it is a part of a private view, or in one.
  fileprivate var isSecret: Bool {
    guard let privateView = view.privateView else { return false }
    return privateView !== view || part != nil
  }
}

/// A view that can show another part of what is in it. (`UIFocusItemScrollableContainer`.)
public protocol FocusScroller: View {
  /// Scrolls until a rectangle is seen.
  ///
  /// - Parameter rect: in the view's own bounds space.
  func revealFocus(_ rect: LocalRect)

  /// Scrolls by a step, or by what is seen at once, where nothing is left to be focused.
  ///
  /// - Returns: false at the end.
  func scrollFocus(_ heading: FocusHeading, isPage: Bool) -> Bool

  /// Scrolls to what lies further on, in a view whose content exists where it is seen; any other view has all
  /// of it already.
  ///
  /// - Parameters:
  ///   - heading: the direction in which the focus goes.
  ///   - view: in it; nil to show the beginning for `next`, and the end for `previous`.
  ///   - distance: how many rows further on, counted from 1.
  /// - Returns: whether there is something else now. The view is still there then.
  func showFocus(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool
}

extension FocusScroller {
  /// False: all of the content exists.
  public func showFocus(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool { false }
}

/// How the focused view is marked.
package enum FocusMark: UInt8, Sendable {
  /// Not at all.
  case none
  /// With a ring.
  case focused
  /// With a filled ring: steps change its value.
  case editing
}

/// What a file says of a view's focus; most views have none.
final class FocusRules {
  var isFocusable: Bool?
  var next: [FocusHeading: String] = [:]
}

extension View {
  /// Whether keys can reach the view, whatever its kind; nil, the default, leaves that to the kind: controls, and views that wait for
  /// a tap.
  public final var isFocusable: Bool? {
    get { focusRules?.isFocusable }
    set {
      guard newValue != isFocusable else { return }
      if focusRules == nil { focusRules = FocusRules() }
      focusRules?.isFocusable = newValue
      window?.usedFocusSystem?.setNeedsUpdate()
    }
  }

  /// Where the focus goes from the view, by the ids of views: these overrule what lies where. (`UIFocusGuide`.)
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

  /// Has the focus move to what the view prefers, if it is in the view. (`UIFocusEnvironment.setNeedsFocusUpdate()`.)
  public final func setNeedsFocusUpdate() {
    guard let system = window?.usedFocusSystem, system.focusedItem?.view.isDescendant(of: self) ?? false
    else { return }
    system.requestUpdate(to: self)
  }

  /// Moves the focus now where that was asked for. (`UIFocusEnvironment.updateFocusIfNeeded()`.)
  public final func updateFocusIfNeeded() { window?.usedFocusSystem?.updateIfNeeded() }

  /// What the view does with presses that its handlers left alone.
  final func focusTakes(_ presses: [Press], _ disposition: Disposition) -> Disposition {
    guard disposition == .forward, let system = window?.usedFocusSystem else { return disposition }
    var isTaken = false
    for press in presses where system.give(press, to: self) { isTaken = true }
    return isTaken ? .handled : .forward
  }

  /// Whether it waits for a single tap.
  final var waitsForTap: Bool {
    gestureRecognizers.contains { recognizer in
      (recognizer as? TapGestureRecognizer).map { $0.isEnabled && $0.numberOfTouchesRequired == 1 } ?? false
    }
  }

  /// Whether it lies over the window and keeps the focus to itself.
  final var isWindowCover: Bool { confinesFocus && superview.map { $0 === window } ?? false }
}

extension Window {
  /// Which view the keys act on. (`UIFocusSystem.focusSystem(for:)`.)
  public final var focusSystem: FocusSystem {
    if let usedFocusSystem { return usedFocusSystem }
    let made = FocusSystem(window: self)
    usedFocusSystem = made
    return made
  }
}
