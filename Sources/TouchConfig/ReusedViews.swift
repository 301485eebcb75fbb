import TouchCore
import TouchViews

/// The views and gestures of a tree that go on in the next one, which repeats other rows: those of the same
/// id, in whose place the file has nothing that only a new view can have.
final class ReusedViews {
  private(set) var tree: ViewTree?
  private var before: [String: Int]
  private var gestures: [String: (values: Configuration.Gesture, gesture: GestureRecognizer)]
  private var staying: Set<ObjectIdentifier> = []
  /// The differences for views that stay.
  private var arranged: [(view: View, isArranged: Bool)] = []
  private var changes: [(view: View, entries: [PropertyValue.Entry])] = []

  init(of tree: ViewTree) {
    self.tree = tree
    let old = tree.configuration
    before = Dictionary(
      old.views.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    gestures = Dictionary(
      zip(old.gestures, tree.recognizers).map { ($0.id, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
  }

  func stays(_ object: AnyObject) -> Bool { staying.contains(ObjectIdentifier(object)) }

  func view(_ values: Configuration.View) -> View? {
    guard let tree, let place = before[values.id], let view = tree.viewsByID[values.id] else { return nil }
    let old = tree.configuration.views[place]
    guard old.kind == values.kind, old.hitShape == values.hitShape, old.redirect == values.redirect,
      old.fixed == values.fixed
    else { return nil }
    staying.insert(ObjectIdentifier(view))
    if old.isArranged != values.isArranged { arranged.append((view, values.isArranged)) }
    if old.settings != values.settings || old.bound != values.bound {
      changes.append((view, Self.changes(from: old, to: values)))
    }
    return view
  }

  /// The properties with other values in the file, and those that follow nothing any more.
  private static func changes(
    from old: Configuration.View, to new: Configuration.View
  ) -> [PropertyValue.Entry] {
    let (before, after) = (old.makeView(), new.makeView())
    let entries = ViewProperty.settable.compactMap { property -> PropertyValue.Entry? in
      guard let value = property.value(of: after), !new.bound.contains(property),
        value != property.value(of: before) || old.bound.contains(property)
      else { return nil }
      return PropertyValue.Entry(key: property.name, value: value)
    }
    let value = ViewProperty.value.name
    return entries.filter { $0.key != value } + entries.filter { $0.key == value }
  }

  /// The gesture that a view has already, if the file says the same of it.
  func gesture(_ values: Configuration.Gesture, of owner: View?) -> GestureRecognizer? {
    guard owner.map(stays) ?? true, let (old, gesture) = gestures[values.id],
      old.withoutPlace == values.withoutPlace
    else { return nil }
    staying.insert(ObjectIdentifier(gesture))
    return gesture
  }

  func backdrop(of sheet: SheetView) -> View? {
    guard stays(sheet) else { return nil }
    return tree?.roots.first { $0.id == "\(sheet.id).backdrop" }
  }

  func subviews(of view: View) -> [View] {
    guard let tree else { return [] }
    if view === tree.window { return tree.roots }
    guard let place = before[view.id] else { return [] }
    if children == nil {
      var children: [Int: [View]] = [:]
      for values in tree.configuration.views where values.kind != .sheet {
        guard let parent = values.parent, let view = tree.viewsByID[values.id] else { continue }
        children[parent, default: []].append(view)
      }
      self.children = children
    }
    return children?[place] ?? []
  }

  private var children: [Int: [View]]?

  func update() {
    for (view, isArranged) in arranged { view.isArranged = isArranged }
    for change in changes {
      // What the view cannot be now stays as it is.
      for entry in change.entries { try? change.view.set([entry]) }
    }
    for (_, gesture) in gestures.values where !stays(gesture) {
      gesture.view?.removeGestureRecognizer(gesture)
    }
  }

  func finish() {
    (tree, children) = (nil, nil)
    (before, gestures, staying, arranged, changes) = ([:], [:], [], [], [])
  }
}

extension View {
  /// Brings subviews into an order. One that stays behind the same ones is not moved, since what leaves its
  /// superview loses touches, and pages the one that they show. What a view puts between them stays, such as
  /// the dots of pages.
  func arrange(_ subviews: [View]) {
    var next = 0
    for subview in subviews {
      let isThere = subview.superview === self
      // The last one that was presented is in front.
      if isThere, subview is SheetBackdrop || (subview as? KeyboardView)?.placesItself ?? false { continue }
      if isThere, let place = self.subviews[next...].firstIndex(where: { $0 === subview }) {
        next = place + 1
      } else {
        if isThere { next -= 1 }
        insertSubview(subview, at: next)
        next += 1
      }
    }
  }
}

extension Configuration.View {
  fileprivate var fixed: [ViewSetting] { settings.filter { !$0.property.isSettable } }
}

extension Configuration.Gesture {
  fileprivate var withoutPlace: Configuration.Gesture {
    var gesture = self
    (gesture.owner, gesture.place) = (nil, .start)
    return gesture
  }
}
