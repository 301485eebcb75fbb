/// Is asked before a text field does something, and told afterwards; what it does not answer is allowed.
/// (`UITextFieldDelegate`.)
///
/// For one field after another: the next one is asked whether editing may begin, then the first one whether
/// it may end and told that it has, and then the next one is told that it has begun.
public protocol TextFieldDelegate: AnyObject {
  /// Whether the field may become the first responder.
  func textFieldShouldBeginEditing(_ textField: TextField) -> Bool

  /// The field is the first responder.
  func textFieldDidBeginEditing(_ textField: TextField)

  /// Whether the field may resign. A field that is hidden, disabled or removed, and one that is forced to
  /// end, is not asked.
  func textFieldShouldEndEditing(_ textField: TextField) -> Bool

  /// The field has resigned.
  func textFieldDidEndEditing(_ textField: TextField)

  /// Whether what is typed or deleted may change the text. Nothing is asked where a program sets it.
  ///
  /// - Parameters:
  ///   - textField: that is edited.
  ///   - range: the letters that are replaced, as people count them; empty where letters are only added.
  ///   - string: what takes their place; empty where they are deleted.
  func textField(
    _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
  ) -> Bool

  /// Another part of the text is selected, or the caret is elsewhere, while the field is edited.
  func textFieldDidChangeSelection(_ textField: TextField)

  /// Whether the button at the right end may delete the text, or the beginning of editing where
  /// `clearsOnBeginEditing` is set.
  func textFieldShouldClear(_ textField: TextField) -> Bool

  /// Whether the return key does what `returnKey` says. The action `returned` is sent in any case.
  func textFieldShouldReturn(_ textField: TextField) -> Bool
}

extension TextFieldDelegate {
  /// True.
  public func textFieldShouldBeginEditing(_ textField: TextField) -> Bool { true }

  /// Does nothing.
  public func textFieldDidBeginEditing(_ textField: TextField) {}

  /// True.
  public func textFieldShouldEndEditing(_ textField: TextField) -> Bool { true }

  /// Does nothing.
  public func textFieldDidEndEditing(_ textField: TextField) {}

  /// True.
  public func textField(
    _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
  ) -> Bool { true }

  /// Does nothing.
  public func textFieldDidChangeSelection(_ textField: TextField) {}

  /// True.
  public func textFieldShouldClear(_ textField: TextField) -> Bool { true }

  /// True.
  public func textFieldShouldReturn(_ textField: TextField) -> Bool { true }
}
