import TouchConfig
import TouchCore
import TouchJSON
import TouchSystem

package struct HitQuestion: Hashable, Sendable {
  /// The x coordinate in window units, or in the bounds space of `start`. The same holds for `y`.
  package var x: Double
  package var y: Double
  /// The view at which the hit test begins; nil for the window.
  package var start: String?
  /// Whether every view under the point is wanted.
  package var isAll = false
  package var isExplained = false
  package var isJSON = false
  /// Whether a client asks. A hit inside a private view is then reported as that view.
  package var isDisclosed = false

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// Returns the present tree's answer, or throws without a view to start at.
  package func answer(in tree: ViewTree) throws(Failure) -> HitAnswer {
    let start = try start.map { (id) throws(Failure) in try tree.view(named: id) } ?? tree.window
    tree.window.layoutIfNeeded()
    let point = LocalPoint(x: x, y: y)
    let explanation = isExplained ? HitExplanation(at: point, from: start) : nil
    var answer = HitAnswer(
      point: point, hit: explanation.map(\.hit) ?? start.hitView(at: point, with: nil),
      all: isAll ? start.hitTestAll(point, with: nil) : nil,
      explanation: explanation, isJSON: isJSON)
    if isDisclosed { answer.leaveOutPrivateViews() }
    return answer
  }
}

extension ViewTree {
  fileprivate func view(named id: String) throws(Failure) -> View {
    if let view = viewsByID[id] { return view }
    if id == window.id { return window }
    let file = configuration.file
    throw Failure("\(file): there is no view '\(id)'. `touchtree tree \(file)` lists them.")
  }
}

package struct HitAnswer {
  package let point: LocalPoint
  /// The view that answered, or nil.
  package private(set) var hit: View?
  /// Every view under the point, front to back, if requested.
  package private(set) var all: [View]?
  package let explanation: HitExplanation?
  package let isJSON: Bool

  fileprivate mutating func leaveOutPrivateViews() {
    hit = hit?.disclosed
    all = all?.reduce(into: []) { views, view in
      if views.last !== view.disclosed { views.append(view.disclosed) }
    }
    explanation?.leaveOutPrivateViews()
  }

  /// The lines: one JSON object; or the explanation followed by the view, all views, or `none`.
  package var lines: [String] {
    if isJSON { return [json] }
    let views = all ?? (hit.map { [$0] } ?? [])
    return (explanation?.sentences ?? []) + (views.isEmpty ? ["none"] : views.map(\.id))
  }

  private var json: String {
    var json = JSONWriter()
    json.object(write)
    return json.string
  }

  package func write(to json: inout JSONWriter) {
    json.field("point", point)
    json.field("view", hit?.id)
    json.field("chain", hit.map { ResponderChain(from: $0).responders.map(\.id) } ?? [])
    if let all { json.field("views", all.map(\.id)) }
    guard let explanation else { return }
    json.objects("asked", of: zip(explanation.questions, explanation.sentences)) { json, asked in
      json.field("view", asked.0.view.id)
      json.field("point", asked.0.point)
      json.field("why", asked.1)
    }
  }
}
