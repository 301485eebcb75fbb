/// What libyaml objects to, in words that say what to do.
struct YAMLComplaint {
  /// libyaml's own words.
  var problem: String
  var context: String
  /// Where the problem is, and where the thing that it is a part of starts.
  var place: Place
  var start: Place
  /// What stands at the problem's place, unless that is the end of the file.
  var character: Unicode.Scalar?

  var message: String {
    switch problem {
    case "found character that cannot start any token": return wrongCharacter
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return "a tab cannot indent YAML; use spaces"
    case "mapping values are not allowed in this context":
      return "a \":\" cannot stand here; check the indentation, or put the text in quotes"
    case "block sequence entries are not allowed in this context":
      return "a \"- \" cannot stand here; start the list on a line of its own"
    case "did not find expected key":
      return "this does not fit the mapping that starts \(line); indent its keys by the same number of spaces"
    case "did not find expected '-' indicator":
      return "this does not fit the list that starts \(line); start each item with \"- \" in the same column"
    case "did not find expected ',' or ']'":
      return
        "the list that starts \(line) does not go on here; separate its items with \",\" and end it with \"]\""
    case "did not find expected ',' or '}'":
      return
        "the mapping that starts \(line) does not go on here; separate its keys with \",\" and end it with \"}\""
    case "did not find expected node content":
      return "a value is missing here; write one, or remove what announces it"
    case "could not find expected ':'":
      return "the text that starts \(line) is no key; write \": \" after a key, and check the indentation"
    case "found unexpected end of stream", "found unexpected document indicator":
      return "the quoted text that starts \(line) does not end; add the closing quote"
    case "did not find expected <document start>":
      return "nothing can follow the end of the document; remove this, or check the indentation"
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return "the text in quotes has an escape that YAML does not know; write \"\\\\\" for a backslash, "
        + "or use single quotes"
    case "did not find expected alphabetic or numeric character":
      return "an anchor or alias needs a name; write letters, digits, \"-\" or \"_\" after \"&\" or \"*\""
    case "found incompatible YAML document":
      return "this is not YAML 1.1 or 1.2; remove the %YAML line"
    default:
      let part = context.isEmpty ? "" : " \(context) that starts \(line)"
      return "this is not valid YAML: \(problem)\(part); check the quotes and the indentation"
    }
  }

  private var wrongCharacter: String {
    guard let character else { return "the file ends too early; finish its last line" }
    if character == "\t" { return "a tab cannot indent YAML; use spaces" }
    return "a text cannot start with \"\(character)\"; put the text in quotes"
  }

  private var line: String { start.line == place.line ? "in this line" : "in line \(start.line)" }

  /// What the reader, which comes before everything else, objects to.
  static func reader(problem: String, value: Int) -> String {
    let code = String(max(0, value), radix: 16, uppercase: true)
    if problem == "control characters are not allowed" {
      return
        "the character U+\(String(repeating: "0", count: max(0, 4 - code.count)) + code) cannot be in YAML; "
        + "remove it, or write it as an escape in double quotes"
    }
    return "the file is not UTF-8 text (\(problem), 0x\(code)); save it as UTF-8"
  }
}
