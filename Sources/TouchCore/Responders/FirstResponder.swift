/// A responder that takes text letter by letter. As first responder it gets the text of a keyboard, a scanner
/// or a program. (`UIKeyInput`.)
public protocol KeyInput: Responder {
  /// Whether there is text to delete. (`UIKeyInput.hasText`.)
  var hasText: Bool { get }

  /// Inserts a text at the caret. (`UIKeyInput.insertText(_:)`.)
  func insertText(_ text: String)

  /// Deletes the selection, or the visible character before the caret. (`UIKeyInput.deleteBackward()`.)
  func deleteBackward()
}

/// A view that follows the first responder of its window, such as a keyboard on the screen.
package protocol FirstResponderWatcher: View {
  /// Called when the view's window has another first responder, or none.
  func firstResponderChanged(in window: Window)

  /// Whether devices without letters type with it, since its keys can be focused.
  var isTypedWithByFocus: Bool { get }
}

extension Responder {
  /// Whether the responder's window gives it the text that is typed. (`UIResponder.isFirstResponder`.)
  public final var isFirstResponder: Bool { coordinateView?.window?.firstResponder === self }

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
    window.reportFirstResponder()
    return true
  }

  final func leaveFirstPlace() -> Bool {
    guard let window = coordinateView?.window, window.firstResponder === self else { return true }
    guard window.isDismissing || canResignFirstResponder else { return false }
    window.firstResponder = nil
    window.reportFirstResponder()
    return true
  }
}

extension View {
  /// Whether a responder in the view can get text: it is in a window, and nothing hides or disables it.
  final var canHoldFirstResponder: Bool {
    !isSelfOrAncestor {
      $0.refusals[.hidden] || $0.refusals[.otherPage] || $0.refusals[.userInteractionDisabled]
        || $0.refusals[.disabled]
    }
  }

  /// Makes the first responder resign if it is this view, or belongs to it or to a view in it.
  /// (`UIView.endEditing(_:)`.)
  ///
  /// - Parameter force: whether to resign without asking it.
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
  /// Removes the first responder, which cannot refuse, from a view that leaves the window, or is hidden or
  /// disabled. Returns whether there was one.
  @discardableResult
  final func dismissFirstResponder(in view: View) -> Bool {
    usedFocusSystem?.setNeedsUpdate()
    guard let first = firstResponder, first.coordinateView?.isDescendant(of: view) ?? true else {
      return false
    }
    isDismissing = true
    _ = first.resignFirstResponder()
    isDismissing = false
    // The responder may refuse, and a removed one finds no window in which to resign.
    if firstResponder === first {
      firstResponder = nil
      reportFirstResponder()
    }
    return true
  }

  fileprivate func reportFirstResponder() {
    guard !isPassingFirstPlace, !responderWatchers.isEmpty else { return }
    responderWatchers.removeAll { $0.window !== self }
    for watcher in responderWatchers { watcher.firstResponderChanged(in: self) }
    usedFocusSystem?.firstResponderChanged()
  }

  /// Reports every change of the first responder to a view, as long as it is in the window.
  package final func reportFirstResponder(_ watcher: any FirstResponderWatcher) {
    // A tree that is reloaded again and again brings new ones, while the first responder may never change.
    responderWatchers.removeAll { $0.window !== self }
    if !responderWatchers.contains(where: { $0 === watcher }) { responderWatchers.append(watcher) }
  }
}
