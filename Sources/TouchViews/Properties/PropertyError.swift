import TouchCore

/// Why properties of a view were not set.
public struct PropertyError: Error, Hashable, CustomStringConvertible {
  /// The kinds of errors; the text with each is for the message.
  public enum Cause: Hashable, Sendable {
    /// No view has the id.
    case noSuchView
    /// The properties that there are, or the parts that the property has.
    case noSuchProperty(known: [String])
    /// The kinds of view that have it, in the plural.
    case notOfThisView(has: String)
    /// The advice about what to give instead.
    case badValue(Expected)
    /// The error of what the value names, such as a file, and the remedy.
    case unusable(String)
  }

  /// The kind of value that was expected.
  public struct Expected: Hashable, Sendable {
    /// The kind of the wanted value, for readers that can say more about the one given: why a file's text is
    /// not a number.
    package enum Form: Hashable, Sendable {
      case flag
      case number(NumberRange?)
      case text, name
      /// One of these words.
      case word([String])
      /// A colour; the name that was probably meant.
      case color(nearest: String?)
      /// So many values.
      case list(count: Int)
      case other
    }

    package var form: Form
    /// The object of "give": "a number from 0 to 1".
    public var words: String

    init(_ form: Form, _ words: String) { (self.form, self.words) = (form, words) }
  }

  /// A step into a value.
  public enum Step: Hashable, Sendable {
    /// Into the part with this key.
    case key(String)
    /// The place in a list, and what stands there: "width".
    case item(Int, name: String)
  }

  /// The id of the view; nil where only a kind of view is known.
  public var view: String?
  /// The name as it was given, even if the property does not exist.
  public var key: String
  /// The place in the value.
  public var path: [Step] = []
  /// The wrong value at that place; nil where the key is wrong.
  public var value: PropertyValue?
  /// The kind of the error.
  public var cause: Cause

  /// - Parameters:
  ///   - view: its id; nil where only a kind of view is known.
  ///   - key: as it was given.
  ///   - path: from the property's value to the wrong part of it.
  ///   - value: the wrong value at that place; nil where the key is wrong.
  ///   - cause: what is wrong.
  public init(
    view: String? = nil, key: String, path: [Step] = [], value: PropertyValue? = nil, cause: Cause
  ) {
    (self.view, self.key, self.path, self.value) = (view, key, path, value)
    self.cause = cause
  }

  /// The name of the wrong part: `font.size`, `width in frame`.
  public var name: String {
    var name = key
    for step in path {
      switch step {
      case .key(let key): name += ".\(key)"
      case .item(_, let item): name = "\(item) in \(name)"
      }
    }
    return name
  }

  /// The key that is wrong, where the path ends in one.
  private var lastKey: String {
    if case .key(let key)? = path.last { key } else { key }
  }

  /// The text to write instead of a name that does not exist.
  private static func advice(for key: String, among known: [String]) -> String {
    if let meant = ForeignWords.property(for: key, among: known) { return meant }
    if let meant = Suggestion.nearestKey(to: key, among: known) { return "did you mean \"\(meant)\"?" }
    return "there are \(known.joined(separator: ", "))"
  }

  /// For people: what, why, and what to do.
  public var description: String {
    let subject = view.map { "view \($0): " } ?? ""
    switch cause {
    case .noSuchView: return "there is no view \"\(view ?? "")\""
    case .noSuchProperty(let known):
      let whole = path.isEmpty ? "no property \"\(key)\" can be set" : "no \"\(name)\" can be set"
      return "\(subject)\(whole); \(Self.advice(for: path.isEmpty ? key : lastKey, among: known))"
    case .notOfThisView(let owners): return "\(subject)has no property \(key); only \(owners) have"
    case .unusable(let problem): return "\(subject)\(name): \(problem)"
    case .badValue(let expected):
      let what = value.map { " cannot be \($0)" } ?? " is not set"
      return "\(subject)\(name)\(what); give \(expected.words)"
    }
  }

  /// Returns the text for a log where it happened in a private view, or with what is in one: nothing of what
  /// was to be set, and of the view the id by which others know of it.
  package func masked(in privateView: View) -> String {
    switch cause {
    case .noSuchView, .noSuchProperty, .notOfThisView:
      var error = self
      if view != nil { error.view = privateView.id }
      return error.description
    case .badValue, .unusable:
      return "a property cannot be what it is set to; \(privateView.id) is private, so the log has no more"
    }
  }
}
