import TouchCore
import TouchSystem

/// What `touchtree hit` prints.
package struct HitAnswer {
  /// As it was asked for, in the space that it was asked in.
  package let point: LocalPoint
  /// The view that answered, or nil.
  package let hit: View?
  /// Every view under the point, front to back, if that was asked for.
  package let all: [View]?
  /// How the answer came about, if that was asked for.
  package let explanation: HitExplanation?
  package let isJSON: Bool

  /// One JSON object; or the sentences of the explanation, and then the view, or all of them, or `none`.
  package var lines: [String] {
    if isJSON { return [json] }
    let views = all ?? (hit.map { [$0] } ?? [])
    return (explanation?.sentences ?? []) + (views.isEmpty ? ["none"] : views.map(\.id))
  }

  private var json: String {
    var json = JSONWriter()
    json.beginObject()
    json.key("point")
    json.value(point)
    json.key("view")
    json.value(hit?.id)
    json.key("chain")
    json.beginArray()
    if let hit {
      for responder in ResponderChain(from: hit).responders { json.value(responder.id) }
    }
    json.endArray()
    if let all {
      json.key("views")
      json.beginArray()
      for view in all { json.value(view.id) }
      json.endArray()
    }
    if let explanation { Self.write(explanation, to: &json) }
    json.endObject()
    return json.string
  }

  private static func write(_ explanation: HitExplanation, to json: inout JSONWriter) {
    json.key("asked")
    json.beginArray()
    for (question, sentence) in zip(explanation.questions, explanation.sentences) {
      json.beginObject()
      json.key("view")
      json.value(question.view.id)
      json.key("point")
      json.value(question.point)
      json.key("why")
      json.value(sentence)
      json.endObject()
    }
    json.endArray()
  }
}
