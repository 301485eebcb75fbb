import TouchCore
import TouchExpressions
import TouchViews

/// Lists whose rows are views: `kind: list` with nothing but a `repeat` in it.
extension ConfigurationReader {
  /// The mapping of the `repeat` that gives a list its rows; nil for any other view.
  func rowViews(_ fields: Fields) -> Value? {
    guard fields["kind"]?.node.text == ViewKind.list.name, let items = fields["subviews"]?.node.items,
      items.count == 1, let entries = items[0].entries, entries.count == 1, entries[0].key.text == "repeat"
    else { return nil }
    return Value(name: "repeat", node: entries[0].value, report: report)
  }

  /// The views that show the rows of a list: as many as can be seen at the same time.
  mutating func slots(_ value: Value, _ fields: Fields, _ index: Int) -> [WaitingView] {
    let place = value.node.place
    guard configuration.views[index].slot == nil else {
      report.add(
        at: place,
        "a list whose rows are views is in a row of another one; repeat its rows in a stack instead")
      return []
    }
    let height = fields.unlessNull(.rowHeight)?.number(in: .extent) ?? ValueControl.fingerSize
    let given = rowParameters(value)
    let names = Set(given.lazy.flatMap(\.keys)).subtracting([Configuration.View.Rows.index]).sorted()
    var values: [[PropertyValue]] = []
    if !names.isEmpty {
      values.reserveCapacity(given.count)
      for row in given {
        var held: [PropertyValue] = []
        for name in names {
          switch row[name] {
          case .value(let value)?, .given(let value)?: held.append(value)
          case nil: held.append(.null)
          case .node?, .follows?, .live?, .row?:
            report.add(
              at: place,
              "\"\(name.escaped)\" of the rows of this list is no plain value; give numbers, texts, true or false, "
                + "or repeat the rows in a stack in a scroll view, where all of them exist")
            return []
          }
        }
        values.append(held)
      }
    }
    // One more, since the first and the last one may be seen in part.
    let room = max(
      configuration.roomForRows,
      configuration.views[index].value(of: .frame, as: LocalRect.self)?.size.height ?? 0)
    let fitting = Int(saturating: (room / height).rounded(.up)) + 1
    let source = Self.list(ofRows: value.node)
    let isFixed = source == nil
    let rows = Configuration.View.Rows(
      list: configuration.views.count { $0.rows != nil }, source: source, height: height, count: given.count,
      slotCount: given.isEmpty ? 0 : isFixed ? min(fitting, given.count) : fitting, names: names,
      values: values)
    configuration.views[index].rows = rows
    if given.isEmpty, let row = rowToCome(value) { return [.row(mapping: value.node, parameters: row)] }
    let types = names.indices.map { column in
      // What all rows have is what expressions may count on.
      let types = Set(values.lazy.map { ExpressionType(of: $0[column]) })
      return isFixed && types.count == 1 ? types.first ?? .any : .any
    }
    return (0..<rows.slotCount).map { slot in
      let parameters = zip(rows.fields(ofSlot: slot), [.number] + types).map {
        ($0.name, TemplateInstance.Parameter.row($0, $1))
      }
      return .slot(slot, mapping: value.node, parameters: Dictionary(parameters, uniquingKeysWith: { $1 }))
    }
  }
}
