import TouchCore

extension Configuration {
  /// What is to be done on one occasion, in order.
  package struct ActionList: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
      /// The view with this place in `views`, a control, sends an action.
      case control(Int, Control.Action)
      /// The gesture with this place in `gestures` enters a state.
      case gesture(Int, GestureRecognizer.State)
    }

    package var occasion: Occasion
    package var steps: [Step]
  }

  /// A step, and where it stands in the file.
  package struct Step: Hashable, Sendable {
    package var step: ActionStep
    package var place: SourceLocation
  }
}
