/// What takes text, letter by letter: a keyboard, a scanner or a program types into the first responder if it is one.
/// (`UIKeyInput`.)
public protocol KeyInput: Responder {
  /// Whether there is a text to delete from. (`UIKeyInput.hasText`.)
  var hasText: Bool { get }

  /// Inserts a text where the next letter belongs. (`UIKeyInput.insertText(_:)`.)
  func insertText(_ text: String)

  /// Deletes what is before that place: a letter as people see it, or what is selected. (`UIKeyInput.deleteBackward()`.)
  func deleteBackward()
}

/// A view that hears of the first responder of its window, such as a keyboard on the screen.
package protocol FirstResponderWatcher: View {
  /// The window, which the view is in, has another first responder, or none.
  func firstResponderChanged(in window: Window)

  /// Whether keys without letters can type with it: it types into the first responder, and has keys to be focused.
  var isTypedWithByFocus: Bool { get }
}

extension Responder {
  /// Whether the window of the responder gives it what is typed. (`UIResponder.isFirstResponder`.)
  public final var isFirstResponder: Bool { coordinateView?.window?.firstResponder === self }

  /// What `becomeFirstResponder()` does unless it is overridden.
  final func takeFirstPlace() -> Bool {
    guard let view = coordinateView, let window = view.window, view.canHoldFirstResponder else {
      return false
    }
    if window.firstResponder === self { return true }
    guard canBecomeFirstResponder else { return false }
    if let old = window.firstResponder {
      window.isPassingFirstPlace = true
      let resigned = old.resignFirstResponder() && window.firstResponder == nil
      window.isPassingFirstPlace = false
      guard resigned else { return false }
    }
    window.firstResponder = self
    window.tellOfFirstResponder()
    return true
  }

  /// What `resignFirstResponder()` does unless it is overridden.
  final func leaveFirstPlace() -> Bool {
    guard let window = coordinateView?.window, window.firstResponder === self else { return true }
    guard window.isDismissing || canResignFirstResponder else { return false }
    window.firstResponder = nil
    window.tellOfFirstResponder()
    return true
  }
}

extension View {
  /// Whether a responder in the view can be given text: the view is in a window, and nothing hides or disables it. UIKit's
  /// documents leave open what happens to one that is hidden; there as here it gets none.
  final var canHoldFirstResponder: Bool {
    !isSelfOrAncestor {
      $0.refusals[.hidden] || $0.refusals[.otherPage] || $0.refusals[.userInteractionDisabled]
        || $0.refusals[.disabled]
    }
  }

  /// Has the first responder resign if it is this view, or belongs to it or to a view in it. (`UIView.endEditing(_:)`.)
  ///
  /// - Parameter force: whether it is not asked.
  /// - Returns: whether one resigned.
  @discardableResult
  public final func endEditing(_ force: Bool) -> Bool {
    guard let window, let first = window.firstResponder, let view = first.coordinateView,
      view.isDescendant(of: self)
    else { return false }
    if force { return window.dismissFirstResponder(in: self) }
    return first.resignFirstResponder()
  }
}

extension Window {
  /// The first responder is in a view that leaves the window, or is hidden or disabled: it goes whether it wants to or not.
  ///
  /// - Parameter view: no longer in the window, or hidden or disabled there.
  /// - Returns: whether there was one.
  @discardableResult
  final func dismissFirstResponder(in view: View) -> Bool {
    usedFocusSystem?.setNeedsUpdate()
    guard let first = firstResponder, first.coordinateView?.isDescendant(of: view) ?? true else {
      return false
    }
    isDismissing = true
    _ = first.resignFirstResponder()
    isDismissing = false
    // A responder may refuse, and one that has left finds no window to resign in.
    if firstResponder === first {
      firstResponder = nil
      tellOfFirstResponder()
    }
    return true
  }

  fileprivate func tellOfFirstResponder() {
    guard !isPassingFirstPlace, !responderWatchers.isEmpty else { return }
    responderWatchers.removeAll { $0.window !== self }
    for watcher in responderWatchers { watcher.firstResponderChanged(in: self) }
    usedFocusSystem?.firstResponderChanged()
  }

  /// Has a view in the window hear of every other first responder, as long as it is there.
  package final func tellOfFirstResponder(_ watcher: any FirstResponderWatcher) {
    if !responderWatchers.contains(where: { $0 === watcher }) { responderWatchers.append(watcher) }
  }
}
