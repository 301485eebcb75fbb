import TouchCore
import TouchSystem

/// Translates libyaml's errors into messages with advice.
struct YAMLErrorText {
  var problem: String
  var context: String
  var stop, start: SourceLocation
  /// The character where libyaml stopped; nil at the end of the file.
  var character: Unicode.Scalar?
  var previous: UInt8?
  /// The place of the last colour without quotes before it, which hides the rest of its line.
  var hiddenColor: SourceLocation?

  var translated: Diagnostic {
    if let hiddenColor {
      return Diagnostic(
        place: hiddenColor,
        message: "# starts a comment, so the rest of this line is not read; put the colour in quotes")
    }
    return switch problem {
    case "found character that cannot start any token": here(wrongCharacter)
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      here("a tab cannot indent YAML; use spaces")
    case "mapping values are not allowed in this context":
      here("a \":\" cannot stand here; check the indentation, or put the text in quotes")
    case "found unexpected ':'":
      here("a \":\" needs a space after it here; write one, or put the text in quotes")
    case "block sequence entries are not allowed in this context":
      here("a \"- \" cannot stand here; start the list on a line of its own")
    case "did not find expected key", "did not find expected ',' or '}'", "did not find expected ',' or ']'",
      "did not find expected '-' indicator":
      previous == UInt8(ascii: "}") && character.map { !"{[\"'".unicodeScalars.contains($0) } ?? false
        ? afterBraces : unfinished
    case "did not find expected node content":
      here("a value is missing here; write one, or remove what announces it")
    case "could not find expected ':'":
      atStart("this text is not a key; write \": \" after a key, and check the indentation")
    case "found unexpected end of stream", "found unexpected document indicator":
      atStart("this text in quotes does not end; add the closing quote")
    case "did not find expected <document start>":
      here("nothing can follow the end of the document; remove this, or check the indentation")
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      here(
        "the text in quotes has an escape that YAML does not know; write \"\\\\\" for a backslash, "
          + "or use single quotes")
    case "did not find expected alphabetic or numeric character":
      here("an anchor or alias needs a name; write letters, digits, \"-\" or \"_\" after \"&\" or \"*\"")
    case "found incompatible YAML document": here("this is not YAML 1.1 or 1.2; remove the %YAML line")
    default:
      here(
        "this is not valid YAML: \(problem)\(context.isEmpty ? "" : " " + context); "
          + "check the quotes and the indentation")
    }
  }

  /// The problem of a text that begins with a brace, and so is read as a mapping.
  private var afterBraces: Diagnostic {
    here(
      "nothing but a \",\" can follow the \"}\" here; put a text with braces in it in quotes, as in \"{ID.value} °\""
    )
  }

  /// The problem of a part that the parser did not find, by its own words.
  private var unfinished: Diagnostic {
    switch problem {
    case "did not find expected key": misfit("mapping", "indent its keys by the same number of spaces")
    case "did not find expected '-' indicator":
      misfit("list", "start each item with \"- \" in the same column")
    case "did not find expected ',' or '}'":
      unended("mapping", "separate its keys with \",\" and end it with \"}\"")
    default: unended("list", "separate its items with \",\" and end it with \"]\"")
    }
  }

  private func here(_ message: String) -> Diagnostic { Diagnostic(place: stop, message: message) }

  private func atStart(_ message: String) -> Diagnostic { Diagnostic(place: start, message: message) }

  private func misfit(_ collection: String, _ advice: String) -> Diagnostic {
    guard start.line < stop.line else {
      return here("this cannot follow what stands before it; remove it, or check the quotes")
    }
    return here("this does not fit the \(collection) that starts in line \(start.line); \(advice)")
  }

  private func unended(_ collection: String, _ advice: String) -> Diagnostic {
    if character == ":" {
      return here("a \":\" cannot stand here; put a text that has \": \" in it in quotes")
    }
    if character == nil { return atStart("this \(collection) does not end; \(advice)") }
    let line = start.line < stop.line ? " that starts in line \(start.line)" : ""
    return here("the \(collection)\(line) does not go on like this; \(advice)")
  }

  private var wrongCharacter: String {
    if character == "\t" { return "a tab cannot indent YAML; use spaces" }
    let shown = character.map { String(Character($0)).escaped } ?? ""
    return "a text cannot start with \"\(shown)\"; put the text in quotes"
  }

  /// Returns the message for a character of valid UTF-8 that the reader rejects first.
  static func reader(character: Int) -> String {
    let code = String(max(0, character), radix: 16, uppercase: true)
    return
      "the character U+\(String(repeating: "0", count: max(0, 4 - code.count)) + code) cannot be in YAML; "
      + "remove it, or write it as an escape in double quotes"
  }
}
