import TouchCore
import TouchExpressions
import TouchViews

/// The rows of a list that are views, of one tree: what each row holds, and what was set on it while it was
/// seen. A row is known by its `key`, or else by its place. What somebody set on the views that show it, or a
/// finger changed there, is kept when they show another one, and comes back with the row.
final class RowList: RowSource {
  let rows: Configuration.View.Rows
  /// Weakly: they keep what follows a theme, which keeps the views of the tree, and the list keeps this. The
  /// tree keeps them.
  private weak var bindings: Bindings?
  /// The views of each slot, the root first: each slot has the same ones.
  private var slots: [[(view: View, values: Configuration.View)]]
  /// The values that each slot's views read: the place of their row, then those of `rows`.
  private let fields: [[RowField]]
  /// The properties that are kept, by the place of the view in its slot, with what they are when nobody has
  /// set them. Read when they are needed first.
  private var standards: [Int: [(property: ViewProperty, value: PropertyValue)]] = [:]
  private typealias Kept = [(place: Int, entries: [PropertyValue.Entry])]
  private var kept: [PropertyValue: Kept] = [:]
  /// The count of settings of a slot's views when they had just been filled, and whether something that was
  /// kept is set on them.
  private var states: [(timesSet: UInt32, isChanged: Bool)]

  /// - Parameter slots: the views, as they were made.
  init(
    _ rows: Configuration.View.Rows, _ slots: [[(view: View, values: Configuration.View)]],
    _ bindings: Bindings
  ) {
    (self.rows, self.slots, self.bindings) = (rows, slots, bindings)
    fields = slots.indices.map { rows.fields(ofSlot: $0) }
    states = Array(repeating: (0, false), count: slots.count)
    // What is computed before a row is seen is computed of a row.
    for slot in slots.indices where rows.count > 0 { fill(slot, with: min(slot, rows.count - 1)) }
  }

  var roots: [View] { slots.compactMap { $0.first?.view } }

  // MARK: What rows hold

  func key(of row: Int) -> PropertyValue { rows.key(of: row) }

  private func fill(_ slot: Int, with row: Int) {
    for (column, field) in fields[slot].enumerated() { bindings?.set(field, to: rows.value(column, of: row)) }
  }

  func show(row: Int, in slot: Int) {
    // Somebody may have set what nobody saw.
    if timesSet(slot) != states[slot].timesSet { setStandards(slot) }
    fill(slot, with: row)
    bindings?.settleRows()
    let known = kept[key(of: row)]
    if let known {
      for (place, entries) in known where place < slots[slot].count {
        set(entries, on: slots[slot][place].view)
      }
      bindings?.settleRows()
    }
    states[slot] = (timesSet(slot), known != nil)
  }

  func refresh(row: Int, in slot: Int) {
    let isChanged = states[slot].isChanged || timesSet(slot) != states[slot].timesSet
    fill(slot, with: row)
    bindings?.settleRows()
    states[slot] = (timesSet(slot), isChanged)
  }

  // MARK: What was set

  /// Sets what parameters fill in once more: the list was set after what a finger or a program has changed.
  func fillAgain() {
    for (key, changes) in kept {
      let left: Kept = changes.compactMap { place, entries in
        guard let slot = slots.first, place < slot.count else { return nil }
        let bound = slot[place].values.bound
        let left = entries.filter { entry in !bound.contains { $0.name == entry.key } }
        return left.isEmpty ? nil : (place, left)
      }
      kept[key] = left.isEmpty ? nil : left
    }
    for slot in slots.indices {
      for (place, (view, values)) in slots[slot].enumerated() where !view.isHeld {
        set(changes(slot, place, of: values.bound) { $1 }, on: view)
      }
    }
  }

  func forget(slot: Int, showing key: PropertyValue) {
    guard keep(slot, key) else { return }
    setStandards(slot)
    states[slot] = (timesSet(slot), false)
  }

  /// Keeps what was set on a row that is shown.
  /// - Returns: whether anything may have been set since the slot was filled, or before.
  @discardableResult private func keep(_ slot: Int, _ key: PropertyValue) -> Bool {
    let isScrolled = slots[slot].contains { $0.view is ScrollView }
    guard isScrolled || states[slot].isChanged || timesSet(slot) != states[slot].timesSet else {
      return false
    }
    var all: Kept = []
    for place in slots[slot].indices {
      let entries = changes(slot, place) { now, _ in now }
      if !entries.isEmpty { all.append((place, entries)) }
    }
    kept[key] = all.isEmpty ? nil : all
    return true
  }

  private func setStandards(_ slot: Int) {
    for place in slots[slot].indices { set(changes(slot, place) { $1 }, on: slots[slot][place].view) }
  }

  func take(over source: any RowSource) {
    guard let old = source as? RowList else { return }
    kept = old.kept
    for slot in states.indices where slot < old.states.count { states[slot] = old.states[slot] }
  }

  /// Keeps what was set on the rows of the same list in a tree that is about to go.
  func keep(_ old: RowList, shownBy view: RowsView) {
    for (slot, views) in old.slots.enumerated() {
      if let root = views.first?.view, let row = view.row(of: root) { old.keep(slot, old.key(of: row)) }
    }
    kept = old.kept
  }

  /// Shows its rows in another theme. Properties that nobody has set become those of the theme, in rows out
  /// of sight too.
  /// - Parameter views: as the theme has them, by their ids.
  func follow(_ views: [String: Configuration.View]) {
    let first = slots.first ?? []
    let before = kept.isEmpty ? [] : first.indices.map { standards(of: first[$0].values, $0) }
    standards = [:]
    for slot in slots.indices {
      for place in slots[slot].indices {
        slots[slot][place].values = views[slots[slot][place].values.id] ?? slots[slot][place].values
      }
    }
    kept = kept.mapValues { changes in
      changes.map { place, entries in
        guard place < before.count else { return (place, entries) }
        let after = standards(of: slots[0][place].values, place)
        var entries = entries
        for (was, now) in zip(before[place], after) where was.value != now.value {
          for index in entries.indices where entries[index].key == now.property.name {
            entries[index].value = now.value.keeping(entries[index].value, insteadOf: was.value)
          }
        }
        return (place, entries)
      }
    }
  }

  private func timesSet(_ slot: Int) -> UInt32 { slots[slot].reduce(0) { $0 &+ $1.view.timesSet } }

  /// Returns the properties that were set on a view.
  /// - Parameter properties: those that are looked at; nil for all.
  /// - Parameter value: of what it is now and what it would be, the one that is wanted.
  private func changes(
    _ slot: Int, _ place: Int, of properties: [ViewProperty]? = nil,
    _ value: (PropertyValue, PropertyValue) -> PropertyValue
  ) -> [PropertyValue.Entry] {
    let (view, values) = slots[slot][place]
    return standards(of: values, place).compactMap { property, standard in
      guard properties?.contains(property) ?? true, let now = property.value(of: view) else { return nil }
      let standard =
        values.bound.contains(property) ? bindings?.filled(property, of: values.id) ?? now : standard
      return now == standard ? nil : PropertyValue.Entry(key: property.name, value: value(now, standard))
    }
  }

  private func standards(
    of values: Configuration.View, _ place: Int
  ) -> [(property: ViewProperty, value: PropertyValue)] {
    if let known = standards[place] { return known }
    let made = values.makeView()
    let found = ViewProperty.settable.compactMap { property in
      // The list places rows, and stacks what is in them.
      property == .frame && (place == 0 || values.isArranged)
        ? nil : property.value(of: made).map { (property: property, value: $0) }
    }
    standards[place] = found
    return found
  }

  /// The value comes last: a limit may allow it.
  private func set(_ entries: [PropertyValue.Entry], on view: View) {
    let value = ViewProperty.value.name
    for entry in entries where entry.key != value { try? view.set([entry]) }
    for entry in entries where entry.key == value { try? view.set([entry]) }
  }
}
