import TouchCore

/// Collects the views between braces, for `StackView.init(_:spacing:insets:_:)`.
@resultBuilder
public enum ViewBuilder {
  /// A view.
  public static func buildExpression(_ view: View) -> [View] { [view] }
  /// Views from somewhere else.
  public static func buildExpression(_ views: [View]) -> [View] { views }
  /// One after the other.
  public static func buildBlock(_ parts: [View]...) -> [View] { parts.flatMap { $0 } }
  /// An `if` without an `else`.
  public static func buildOptional(_ part: [View]?) -> [View] { part ?? [] }
  /// An `if`.
  public static func buildEither(first part: [View]) -> [View] { part }
  /// An `else`.
  public static func buildEither(second part: [View]) -> [View] { part }
  /// A loop.
  public static func buildArray(_ parts: [[View]]) -> [View] { parts.flatMap { $0 } }
}

/// The short name, for views that are written down as they lie:
/// `Stack(.vertical) { Label("Hello"); Button("Horn") { … } }`.
public typealias Stack = StackView

extension StackView {
  /// Makes a stack of views. It fills its superview, or its place in another stack, until `isArranged` is set
  /// to false.
  ///
  /// - Parameters:
  ///   - axis: the direction in which the views follow each other.
  ///   - spacing: between two views, in units of the stack.
  ///   - insets: left free at every edge, in units of the stack.
  ///   - views: made once, now; nothing is made again when something changes.
  public convenience init(
    _ axis: Axis, spacing: Double = 8, insets: Double = 0, @ViewBuilder _ views: () -> [View]
  ) {
    self.init(id: "")
    arrangement.axis = axis
    arrangement.spacing = spacing
    arrangement.insets = Insets(top: insets, left: insets, bottom: insets, right: insets)
    isArranged = true
    for view in views() { addArrangedSubview(view) }
  }
}
