/// Whether a touch that begins reaches the view that it hit. One that is shut out stays so for its whole life.
/// (`UIView.isMultipleTouchEnabled`, `isExclusiveTouch`.)
enum MultipleTouchPolicy {
  case admitted
  /// The view has a touch, and is given no second one. Recognisers may look at it all the same.
  case secondTouch
  /// An exclusive view keeps it out: the hit view itself, or another one that has a touch.
  case excluded

  /// - Parameter touches: those that are down, this one among them or not.
  init(of touch: Touch, to view: View, among touches: [Touch]) {
    self = .admitted
    for other in touches where other !== touch && other.chain != nil {
      guard let otherView = other.view else { continue }
      if otherView === view {
        if !view.isMultipleTouchEnabled { self = .secondTouch }
      } else if otherView.isExclusiveTouch || view.isExclusiveTouch {
        self = .excluded
        return
      }
    }
  }
}
