extension View {
  /// Has a recogniser look at the touches on this view and on everything in it. One that another view has leaves that
  /// first. (`UIView.addGestureRecognizer(_:)`.)
  public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
    recognizer.view?.removeGestureRecognizer(recognizer)
    recognizer.view = self
    gestureRecognizers.append(recognizer)
  }

  /// Breaks off what the recogniser is about, and forgets it. (`UIView.removeGestureRecognizer(_:)`.)
  public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
    guard recognizer.view === self else { return }
    window?.dispatcher?.gestureWithdrew(recognizer)
    gestureRecognizers.removeAll { $0 === recognizer }
    recognizer.view = nil
  }
}
