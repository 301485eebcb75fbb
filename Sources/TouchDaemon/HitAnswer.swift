import TouchCore

/// What `touchtree hit --json` prints.
public enum HitAnswer {
  /// - Parameters:
  ///   - x: the point that was asked for, in the space that it was asked in.
  ///   - hit: the view that answered, or nil.
  ///   - explanation: sentences to add, if any were asked for.
  public static func json(x: Double, y: Double, hit: View?, explanation: [String]?) -> String {
    var json = JSONText()
    json.beginObject()
    json.key("point")
    json.value(LocalPoint(x: x, y: y))
    json.key("view")
    json.value(hit?.id)
    json.key("chain")
    json.beginArray()
    if let hit {
      for responder in ResponderChain(from: hit).responders { json.value(responder.id) }
    }
    json.endArray()
    if let explanation {
      json.key("explanation")
      json.beginArray()
      for line in explanation { json.value(line) }
      json.endArray()
    }
    json.endObject()
    return json.string
  }
}
