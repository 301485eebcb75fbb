import TouchCore

/// The properties that a program gives a kind of its own: each is a variable of its class, by the name of a
/// key.
extension ViewProperty {
  /// A property that is true or false.
  public static func flag<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Bool> & Sendable, _ sentence: String = ""
  ) -> ViewProperty {
    ViewProperty(name, of: ViewKinds.none, path, .flag, sentence)
  }

  /// A property that is a number between two limits.
  public static func number<Owner: View>(
    _ name: String, in range: ClosedRange<Double>, _ path: ReferenceWritableKeyPath<Owner, Double> & Sendable,
    _ sentence: String = ""
  ) -> ViewProperty {
    ViewProperty(
      name, of: ViewKinds.none, path, .number(NumberRange(lower: range.lowerBound, upper: range.upperBound)),
      sentence)
  }

  /// A property that is a text.
  public static func text<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, String> & Sendable, _ sentence: String = ""
  ) -> ViewProperty {
    ViewProperty(name, of: ViewKinds.none, path, .text, is: .cosmetic, sentence)
  }

  /// A property that is a colour.
  public static func color<Owner: View>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Color> & Sendable, _ sentence: String = ""
  ) -> ViewProperty {
    ViewProperty(name, of: ViewKinds.none, path, .color, is: .cosmetic, sentence)
  }

  /// A property that is one of the words of an enumeration.
  public static func word<Owner: View, Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Owner, Word> & Sendable, _ sentence: String = ""
  ) -> ViewProperty {
    ViewProperty(name, of: ViewKinds.none, path, .word, sentence)
  }
}
