import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

/// What the daemon's `tree` says about the views of a panel, as far as it is published.
struct Panel {
  struct View {
    let id: String
    let kind: ViewKind
    /// What people call it; nil if the file does not say.
    let label: String?
    let parent: String?
    /// A number, true or false; nil for a view without a value.
    var value: JSONValue?
    let minimum: Double
    let maximum: Double
    /// 0 for any number between the limits.
    let step: Double
    /// Of a label, a button or a text field.
    var text: String?
    /// Of a segmented control from left to right, or of a list from top to bottom.
    let choices: [String]
    /// Of a view of the kind pages: the id of the page that is shown.
    var page: String?
    /// Whether the file gives it an id. Others have their kind and a number, which is another one when the file changes.
    let isNamed: Bool
    /// The key of the row that it shows, one after the other; nil for a view in no list.
    let rowKey: JSONValue?

    fileprivate init?(_ json: JSONValue) {
      // Of a private view nothing is published. A kind that is not known is a later touchtree's.
      guard json["private"] != .boolean(true), let id = json["id"]?.text,
        let name = json["kind"]?.text, let kind = ViewKind.named(name)
      else { return nil }
      (self.id, self.kind) = (id, kind)
      label = json["label"]?.text
      parent = json["parent"]?.text
      value = json["value"].flatMap { $0 == .null ? nil : $0 }
      minimum = json["minimum"]?.number ?? 0
      maximum = json["maximum"]?.number ?? 1
      step = json["step"]?.number ?? 0
      text = json["text"]?.text
      choices =
        kind.choiceName.flatMap { json[$0 + "s"]?.elements }?.compactMap(\.text) ?? []
      page = json["page"]?.text
      rowKey = json["row_key"]
      isNamed = !(id.hasPrefix(name + "-") && Int(id.dropFirst(name.count + 1)) != nil)
    }

    /// Whether its text is published.
    var isNamedText: Bool { isNamed && (kind.role == .text || kind.role == .entry) }

    /// The text that a value chooses; nil if it chooses none.
    func choice(of value: JSONValue) -> String? {
      guard case .integer(let index) = value, choices.indices.contains(index) else { return nil }
      return choices[index]
    }
  }

  /// A named value of the file.
  struct NamedValue {
    let name: String
    var value: JSONValue
    /// What it is measured in, and what it is, as the file says.
    let unit, deviceClass: String?
    /// The numbers that it can be, as the file says; nil for all.
    let limits: Limits?
  }

  /// The numbers that something can be. A step of 0 is for any number between them.
  struct Limits {
    let minimum, maximum, step: Double

    fileprivate init?(_ json: JSONValue) {
      guard let minimum = json["minimum"]?.number, let maximum = json["maximum"]?.number else { return nil }
      (self.minimum, self.maximum, step) = (minimum, maximum, json["step"]?.number ?? 0)
    }
  }

  private(set) var values: [NamedValue] = []

  /// Whether the file has a value of this name.
  func hasValue(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Each after its superview.
  private(set) var views: [View] = []
  private var places: [String: Int] = [:]
  /// The ids of the views in each view, those that are private too: that a page is shown is no secret of what is in it.
  private var subviews: [String: [String]] = [:]

  init() {}

  /// - Parameters:
  ///   - tree: the daemon's answer.
  ///   - ids: only these views and what is in them; all if it is empty.
  init(_ tree: JSONValue, only ids: [String]) {
    // Who asked for some views gets those alone.
    values = (ids.isEmpty ? tree["values"]?.elements ?? [] : []).compactMap { json in
      json["name"]?.text.map {
        NamedValue(
          name: $0, value: json["value"] ?? .null, unit: json["unit"]?.text, deviceClass: json["class"]?.text,
          limits: Limits(json))
      }
    }
    var wanted = Set(ids)
    for json in tree["views"]?.elements ?? [] {
      if let id = json["id"]?.text, let parent = json["parent"]?.text {
        subviews[parent, default: []].append(id)
      }
      guard let view = View(json) else { continue }
      if !ids.isEmpty {
        guard wanted.contains(view.id) || view.parent.map({ wanted.contains($0) }) == true else { continue }
        wanted.insert(view.id)
      }
      places[view.id] = views.count
      views.append(view)
    }
  }

  subscript(id: String) -> View? { places[id].map { views[$0] } }

  /// The view or the value that was probably meant by a name that none has.
  func nearest(to name: String) -> String? {
    guard self[name] == nil else { return nil }
    let names = values.map(\.name) + views.filter(\.isNamed).prefix(Self.mostCompared).map(\.id)
    return Suggestion.nearest(to: name, among: names, leastSlips: 1)
  }

  /// Comparing more takes longer than a finger should wait.
  private static let mostCompared = 2000

  /// The views that a view of the kind pages shows one of.
  func pages(of view: View) -> [String] { subviews[view.id] ?? [] }
}

extension ViewKind {
  /// Whether a topic may name a choice so.
  static func hasChoice(_ name: String) -> Bool { all.contains { $0.choiceName == name } }
}
