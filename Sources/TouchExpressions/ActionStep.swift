import TouchViews

/// A step of `actions:`, which runs when a control sends an action or a gesture is recognised. Its texts,
/// arguments and values may be expressions, which are computed when the step runs. In them `value` and `text`
/// are those of the control that sent the action.
package indirect enum ActionStep: Hashable, Sendable {
  /// Sets properties of a view: all of them, or none. Those of `computed` are expressions.
  case set(view: String, [ViewSetting], computed: [BoundSetting] = [])
  case setValue(String, BoundSetting.Content)
  /// Inverts a property of a view that is true or false.
  case toggle(view: String, ViewProperty)
  /// Adds to the value of a control. The result is the nearest that its limits and step allow.
  case change(view: String, by: Double)
  /// Shows another page of a view, by a transition; nil for that of its slides.
  case page(view: String, PagesView.Target, by: PagesView.Transition? = nil)
  case scroll(view: String, ScrollView.Target)
  /// Starts a program; never with a shell. The first word is a bare name, which is searched in PATH, or a
  /// path.
  /// - `show`: the view that gets the first line of output as its text; nil for none.
  /// - `timeLimit`: in seconds; a process that takes longer is ended. Nil for no limit.
  case run(command: [Formula], show: String?, timeLimit: Double?)
  case send(message: MessageFormula, to: Recipient)
  /// Runs one list of steps or another.
  case either(that: Formula, then: [ActionStep], otherwise: [ActionStep])
  /// Runs steps later. If it waits already, it begins to wait again.
  /// - `timer`: a number that no other step of the control or gesture has.
  case after(seconds: Double, [ActionStep], timer: Int)

  /// Runs steps, and animates the pictures from their present state to the result.
  case animate(Timing, [ActionStep])

  package enum Recipient: Hashable, Sendable {
    /// The handler of that name, which is a process.
    case handler(String)
    /// Every client that subscribed.
    case subscribers
  }

  /// The ids of the views that it sets, and of those that it reads for that.
  package var views: [String] {
    func read(_ contents: [BoundSetting.Content]) -> [String] {
      contents.flatMap(\.formulas).flatMap(\.references).compactMap { reference in
        if case .property(let view, _) = reference { view } else { nil }
      }
    }
    switch self {
    case .set(let view, _, let computed): return [view] + read(computed.map(\.content))
    case .setValue(_, let content): return read([content])
    case .toggle(let view, _), .change(let view, _), .page(let view, _, _), .scroll(let view, _):
      return [view]
    case .run, .send, .either, .after, .animate: return []
    }
  }

  /// The step, and every step in it.
  package var all: [ActionStep] {
    switch self {
    case .either(_, let then, let otherwise): [self] + (then + otherwise).flatMap(\.all)
    case .after(_, let steps, _), .animate(_, let steps): [self] + steps.flatMap(\.all)
    default: [self]
    }
  }
}
