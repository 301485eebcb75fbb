import TouchCore
import TouchJSON
import TouchViews

/// The published part of the daemon's `tree`.
struct Panel {
  struct View {
    let id: String
    let kind: ViewKind
    /// The name for people; nil if the file has none.
    let label: String?
    /// Whether Home Assistant gets it; nil where the label decides.
    let isAnnounced: Bool?
    let parent: String?
    /// The value: a number, true or false; nil for a view without one.
    var value: JSONValue?
    let minimum, maximum: Double
    /// The step; 0 for any number between the limits.
    let step: Double
    var text: String?
    /// The texts of a segmented control from left to right, or of a list from top to bottom.
    let choices: [String]
    var page: String?
    /// Whether the file gives the view's id, and not its kind and a number.
    let isNamed: Bool
    /// The key of the row that the view shows at the moment; nil for a view outside lists.
    let rowKey: JSONValue?

    fileprivate init?(_ json: JSONValue) {
      // Nothing of a private view is published. An unknown kind belongs to a later touchtree.
      guard json["private"] != .boolean(true), let id = json["id"]?.text,
        let name = json["kind"]?.text, let kind = ViewKind.named(name)
      else { return nil }
      (self.id, self.kind) = (id, kind)
      label = json["label"]?.text
      isAnnounced = json["announce"]?.boolean
      parent = json["parent"]?.text
      value = json["value"].flatMap { $0 == .null ? nil : $0 }
      minimum = json["minimum"]?.number ?? 0
      maximum = json["maximum"]?.number ?? 1
      step = json["step"]?.number ?? 0
      text = json["text"]?.text
      choices = kind.choiceName.flatMap { json[$0 + "s"]?.elements }?.compactMap(\.text) ?? []
      page = json["page"]?.text
      rowKey = json["row_key"]
      isNamed = !(id.hasPrefix(name + "-") && Int(id.dropFirst(name.count + 1)) != nil)
    }

    var isNamedText: Bool { isNamed && (kind.role == .text || kind.role == .entry) }

    /// Whether Home Assistant gets the view: what has a label, and a control that holds a value, unless the
    /// file says otherwise. A view that shows one row of a list after the other has no state of its own.
    var isEntity: Bool {
      isNamed && rowKey == nil && (isAnnounced ?? (label != nil || kind.isControl && kind.role != .press))
    }

    /// Returns the text that a value chooses; nil if it chooses none.
    func choice(of value: JSONValue) -> String? {
      guard case .integer(let index) = value, choices.indices.contains(index) else { return nil }
      return choices[index]
    }
  }

  struct NamedValue {
    let name: String
    var value: JSONValue
    /// The name for people, the unit and the device class, as the file has them.
    let label, unit, deviceClass: String?
    /// Whether Home Assistant gets it.
    let isAnnounced: Bool
    /// Whether it follows an expression, and is not set.
    let isDerived: Bool
    /// The limits of the number, as the file has them; nil for none.
    let limits: Limits?
  }

  /// The limits of a number. A step of 0 stands for any number between them.
  struct Limits {
    let minimum, maximum, step: Double

    fileprivate init?(_ json: JSONValue) {
      guard let minimum = json["minimum"]?.number, let maximum = json["maximum"]?.number else { return nil }
      (self.minimum, self.maximum, step) = (minimum, maximum, json["step"]?.number ?? 0)
    }
  }

  struct Light {
    let isOn: Bool
    /// The brightness in per cent; nil if it is the panel's own, or cannot be set.
    let brightness: Double?
    let hasBrightness: Bool

    /// Fails for an object without it, such as a window that no display shows.
    init?(_ json: JSONValue) {
      guard let blank = json["blank"]?.boolean else { return nil }
      hasBrightness = json["backlight"] != nil
      brightness = json["backlight"]?.number
      isOn = !blank && brightness != 0
    }
  }

  private(set) var values: [NamedValue] = []
  /// The light of the display; nil if the user wants some views only, or a view or a value has its topics.
  private(set) var light: Light?

  func hasValue(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The views, each after its superview.
  private(set) var views: [View] = []
  private var places: [String: Int] = [:]
  /// The ids of the views in each view, private ones too: a page's id discloses nothing.
  private var subviews: [String: [String]] = [:]

  init() {}

  /// Reads the daemon's answer, with only some views and those in them, or all.
  init(_ tree: JSONValue, only ids: [String]) {
    // A user who requests some views gets only those.
    values = (ids.isEmpty ? tree["values"]?.elements ?? [] : []).compactMap { json in
      json["name"]?.text.map {
        NamedValue(
          name: $0, value: json["value"] ?? .null, label: json["label"]?.text, unit: json["unit"]?.text,
          deviceClass: json["class"]?.text,
          isAnnounced: json["announce"]?.boolean ?? (json["label"] != nil || json["class"] != nil),
          isDerived: json["follows"] != nil, limits: Limits(json))
      }
    }
    var wanted = Set(ids)
    for json in tree["views"]?.elements ?? [] {
      if let id = json["id"]?.text, let parent = json["parent"]?.text {
        subviews[parent, default: []].append(id)
      }
      if ids.isEmpty, json["kind"]?.text == ViewKind.window.name { light = Light(json) }
      guard let view = View(json) else { continue }
      if !ids.isEmpty {
        guard wanted.contains(view.id) || view.parent.map({ wanted.contains($0) }) == true else { continue }
        wanted.insert(view.id)
      }
      places[view.id] = views.count
      views.append(view)
    }
    if self[Topics.display] != nil || hasValue(Topics.display) { light = nil }
  }

  subscript(id: String) -> View? { places[id].map { views[$0] } }

  /// Returns the view or the value that was probably meant by an unknown name.
  func nearest(to name: String) -> String? {
    guard self[name] == nil else { return nil }
    let names = values.map(\.name) + views.filter(\.isNamed).prefix(Self.mostCompared).map(\.id)
    return Suggestion.nearest(to: name, among: names, leastSlips: 1)
  }

  /// The most names to compare. More would take longer than a finger should wait.
  private static let mostCompared = 2000

  func pages(of view: View) -> [String] { subviews[view.id] ?? [] }
}

extension ViewKind {
  static func hasChoice(_ name: String) -> Bool { all.contains { $0.choiceName == name } }
}
