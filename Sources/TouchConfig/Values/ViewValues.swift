import TouchCore
import TouchExpressions
import TouchViews

extension Configuration {
  /// The window, which covers the canvas.
  package struct Window: Hashable, Sendable {
    package var id = "window"
    /// Behind all views; nil for nothing.
    package var background: Color?
    /// Of the ring around what is focused; nil for that of the highlight.
    package var focusColor: Color?
    package var handlers: [String] = []
    /// The id of the view that is the result of every hit test.
    package var fixedTarget: String?
    /// The number of hit tests before began: 1 or 2.
    package var passes = 1
    /// Whether touches find views in place of using them, at first.
    package var isExplored = false

    package init() {}
  }

  /// One view: what it is, where it belongs, and its settings.
  package struct View: Hashable, Sendable {
    /// The controller whose root view this is.
    package struct Controller: Hashable, Sendable {
      package var id: String
      package var handlers: [String] = []
      package var presentedBy: String?
    }

    /// A property that the row of a named value fills in.
    struct Filled: Hashable, Sendable {
      let property: ViewProperty
      let list: String
    }

    /// The id as written, or one made up that is unlike every id of the file.
    package var id: String
    /// Whether the id is made up: the same view may have another one when the file has changed.
    package var isNameless = false
    package var kind: ViewKind
    /// The index of the superview in `views`; nil for the window.
    package var parent: Int?
    /// Whether the superview lays the view out: the file has no frame for it.
    package var isArranged = false
    /// The differences from a new view of the kind.
    package var settings: [ViewSetting] = []
    /// The properties that expressions give, in the whole or in parts.
    package var bound: [ViewProperty] = []
    /// The places that rows of named values fill in.
    var filled: [Filled] = []
    /// The part of the view that is hit, in its own units; nil for all of it.
    package var hitShape: HitShape?
    /// The id of the view that is hit instead, where both are.
    package var redirect: String?
    /// The views to which the focus goes from the view, by their ids.
    package var nextFocus: [FocusHeading: String] = [:]
    /// The rows of a list whose rows are views; nil for any other view.
    package var rows: Rows?
    /// The index of the view's slot in its list; nil for a view outside of rows.
    package var slot: Int?
    /// Nil if the view is not a controller's root view.
    package var controller: Controller?
    package var handlers: [String] = []
    package var place: SourceLocation
    /// The places of the path of its picture and of the family of its font in the file; nil where they have
    /// none.
    var picturePlace, fontPlace: SourceLocation?

    package init(id: String, kind: ViewKind, parent: Int?, place: SourceLocation) {
      (self.id, self.kind, self.parent, self.place) = (id, kind, parent, place)
    }
  }
}

extension Configuration.View {
  /// The rows of a list, which are views where they are seen.
  package struct Rows: Hashable, Sendable {
    /// The index among the file's lists, from 0.
    package let list: Int
    /// The named value that holds the rows; nil for rows of the file.
    package let source: String?
    /// Of each row, in units of the list.
    package let height: Double
    /// The number of rows.
    package let count: Int
    /// The number of rows that exist as views at the same time.
    package let slotCount: Int
    /// The names of the rows' fields, besides `index`.
    package let names: [String]
    /// The values in the order of the names; empty where there are no names.
    package let values: [[PropertyValue]]

    /// The values that the views of a slot read: the place of the row first.
    package func fields(ofSlot slot: Int) -> [RowField] {
      ([Self.index] + names).map { RowField(list: list, slot: slot, name: $0) }
    }

    func value(_ column: Int, of row: Int) -> PropertyValue {
      column == 0 ? .number(Double(row)) : values[row][column - 1]
    }

    func key(of row: Int) -> PropertyValue {
      guard let column = names.firstIndex(of: "key"), values[row][column] != .null else {
        return .number(Double(row))
      }
      return values[row][column]
    }

    /// The parameter that every row has: its place, from 0.
    static let index = "index"
  }

  /// Returns the file's value of a property; nil where it has none.
  package func value<Value>(of property: ViewProperty, as type: Value.Type = Value.self) -> Value? {
    settings.last { $0.property == property }?.value()
  }

  /// Whether the control holds a value, as the file has it.
  package var holdsValue: Bool {
    kind.showsValue || settings.contains(where: \.property.givesValue) || bound.contains(where: \.givesValue)
  }

  /// The path of its picture, and where that stands in the file; nil for none.
  package var picture: (path: String, place: SourceLocation)? {
    guard let path = settings.lazy.compactMap(\.picturePath).last, !path.isEmpty else { return nil }
    return (path, picturePlace ?? place)
  }

  /// The place where the file gives a font to a view that shows text in it.
  package func place(ofFont family: String) -> SourceLocation? {
    guard kind.hasText, !(value(of: .text) ?? "").isEmpty else { return nil }
    let font = value(of: .font, as: PartValues.self)?.value("family") ?? TextStyle(alignment: .left).family
    return font == family ? fontPlace ?? place : nil
  }

  /// Whether the file gives it an icon, or several.
  package var hasIcon: Bool { settings.contains { $0.property == .icon || $0.property == .icons } }

  /// The view itself, without parent, page, controller and handlers.
  package func makeView() -> View {
    let view = kind.make(id)
    if let rows { (view as? ListView)?.showViews(count: rows.count) }
    if holdsValue, view.control?.controlValue == nil { view.control?.controlValue = ControlValue(0) }
    view.apply(settings)
    view.isArranged = isArranged
    return view
  }
}
