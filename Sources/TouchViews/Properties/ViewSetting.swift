import TouchCore

/// A property with its new value, checked: what the property takes, for a kind of view that has it. It is
/// made once and may be applied any number of times, to any view of that kind.
package struct ViewSetting: Hashable, Sendable {
  /// The property that is set.
  package let property: ViewProperty
  let value: CheckedValue

  private init(_ property: ViewProperty, checked value: CheckedValue) {
    (self.property, self.value) = (property, value)
  }

  /// A value of the type that the property has, as it is read: a `String` for `text`, a `Double` for `value`.
  package init<Value: Hashable & Sendable>(_ property: ViewProperty, _ value: Value) {
    self.init(property, checked: CheckedValue(value))
  }

  /// The new value; nil for a property of another type.
  package func value<Value>(as type: Value.Type = Value.self) -> Value? { value.base as? Value }

  /// The same with another value, unless the property has another type.
  package func map<Value: Hashable & Sendable>(_ change: (Value) -> Value) -> ViewSetting {
    value(as: Value.self).map { ViewSetting(property, change($0)) } ?? self
  }

  /// Whether it sets a part of its property; true for a setting of the whole.
  package func sets(_ part: String) -> Bool {
    value(as: PartValues.self)?.has(part) ?? (value(as: PartValues?.self) ?? nil)?.has(part) ?? true
  }
}

extension [ViewSetting] {
  /// Gives a property that has parts those that the settings leave out.
  package mutating func fill(_ property: ViewProperty, with parts: PartValues?) {
    guard let parts else { return }
    if let index = lastIndex(where: { $0.property == property }) {
      self[index] = self[index].map { (own: PartValues) in own.filled(with: parts) }
    } else {
      append(ViewSetting(property, parts))
    }
  }
}

// MARK: Reading

extension ViewSetting {
  /// Reads a property's new value.
  /// - Parameter entry: its name, or that of a part of it with a dot: `font.size`.
  /// - Parameter isText: whether every value is a text, as a command line or a plugin gives it: `true`,
  ///   `0.5`, `10, 20`, and `none` for null.
  /// - Throws: when the property does not exist, that kind of view does not have it, or the value is not
  ///   valid.
  package init(_ entry: PropertyValue.Entry, for kind: ViewKind, isText: Bool = false) throws(PropertyError) {
    let entry = Self.split(entry)
    guard let property = ViewProperty.named(entry.key, of: kind), property.isSettable else {
      let known = ViewProperty.settable(with: kind).filter { kind.has($0) }.map(\.name)
      throw PropertyError(key: entry.key, cause: .noSuchProperty(known: known))
    }
    guard kind.has(property) else {
      throw PropertyError(
        key: entry.key, value: entry.value, cause: .notOfThisView(has: property.owners.many))
    }
    try self.init(property, entry.value, for: kind, isText: isText)
  }

  /// Reads the value of a property that a file gives a view.
  /// - Parameters:
  ///   - kind: nil where it is not known: then a value is right that any kind takes.
  ///   - others: gets all errors but the one that is thrown. Wrong parts of the property are left out then.
  package init(
    _ property: ViewProperty, _ value: PropertyValue, for kind: ViewKind?, isText: Bool = false,
    others: PropertyErrors? = nil
  ) throws(PropertyError) {
    let reader = PropertyReader(key: property.name, value: value, kind: kind, isText: isText, others: others)
    self.init(property, checked: try property.read(reader))
  }

  /// `font.size` is the part `size` of `font`.
  private static func split(_ entry: PropertyValue.Entry) -> PropertyValue.Entry {
    guard let dot = entry.key.firstIndex(of: ".") else { return entry }
    let part = String(entry.key[entry.key.index(after: dot)...])
    return PropertyValue.Entry(
      key: String(entry.key[..<dot]), value: .map([PropertyValue.Entry(key: part, value: entry.value)]))
  }
}

// MARK: Pictures

extension ViewSetting {
  /// The path of the picture that is set; nil where none is, empty for no picture.
  package var picturePath: String? { property == .image ? value(as: PartValues.self)?.value("path") : nil }

  /// Makes the path of a picture one that can be opened from here.
  package func resolving(_ resolve: (String) -> String) -> ViewSetting {
    guard let path = picturePath, !path.isEmpty else { return self }
    return map { (values: PartValues) in
      var values = values
      values["path"] = CheckedValue(resolve(path))
      return values
    }
  }
}

extension ViewSetting {
  /// Makes the path of a picture one that can be opened from here, where it was not read from the file
  /// itself.
  ///
  /// - Parameter open: the path as it is opened; nil for a file that the configuration does not open.
  /// - Throws: for such a file. It is not looked at, so the setter does not learn whether it exists.
  package func opening(_ open: (String) -> String?) throws(PropertyError) -> ViewSetting {
    guard let path = picturePath, !path.isEmpty else { return self }
    guard let opened = open(path) else {
      throw PropertyError(
        key: property.name,
        cause: .unusable(
          "\"\(path)\" is not opened, since the configuration names neither it nor its folder; add the folder to "
            + "\"files:\""))
    }
    return resolving { _ in opened }
  }
}

// MARK: Setting

extension View {
  /// Sets properties: all of them, or none. What is so already is not changed, and not drawn again.
  ///
  /// - Parameter isText: as for `ViewSetting`.
  /// - Throws: the first that cannot be set. Then nothing has changed.
  public final func set(_ properties: [PropertyValue.Entry], isText: Bool = false) throws(PropertyError) {
    try set(settings(for: properties, isText: isText))
  }

  /// Reads properties for this kind of view, and sets none.
  /// - Throws: the first that is wrong.
  package final func settings(
    for properties: [PropertyValue.Entry], isText: Bool = false
  ) throws(PropertyError) -> [ViewSetting] {
    var settings: [ViewSetting] = []
    settings.reserveCapacity(properties.count)
    do throws(PropertyError) {
      for entry in properties { settings.append(try ViewSetting(entry, for: kind, isText: isText)) }
    } catch {
      var error = error
      error.view = id
      throw error
    }
    return settings
  }

  /// Sets what was read before for this kind of view: all of it, or nothing.
  /// - Throws: when one cannot be set on this view: a page that it does not have, a border without a color.
  package final func set(_ settings: [ViewSetting]) throws(PropertyError) {
    for setting in settings { if let problem = problem(with: setting) { throw problem } }
    apply(settings)
  }

  /// Sets what was read before for this kind of view.
  /// - Throws: when it cannot be set on this view.
  package final func set(_ setting: ViewSetting) throws(PropertyError) {
    if let problem = problem(with: setting) { throw problem }
    timesSet &+= 1
    setting.property.set(self, setting.value)
  }

  /// Sets what was read for this kind of view, while it is made. What is not a property of it is left out.
  package final func apply(_ settings: [ViewSetting]) {
    timesSet &+= 1
    // Most often there is one, and no order.
    if settings.count == 1 { return settings[0].property.set(self, settings[0].value) }
    // The limits come before the value, which they would change.
    for rank in 0...2 {
      for setting in settings where setting.property.rank == rank {
        setting.property.set(self, setting.value)
      }
    }
  }

  /// Takes over what was set on another view that this one replaces, unless that was made with another value
  /// than this one.
  /// - Parameter old: the view as it is now.
  /// - Parameter original: the same view as it was made.
  package final func keepSettings(of old: View, madeAs original: View) {
    // All are read before one is set: a limit that is kept may move the other one.
    let kept = ViewProperty.settable(with: kind).compactMap { property -> PropertyValue.Entry? in
      guard let made = property.value(of: original), let now = property.value(of: old), now != made,
        let own = property.value(of: self)
      else { return nil }
      return PropertyValue.Entry(key: property.name, value: own.keeping(now, insteadOf: made))
    }
    // The value comes last, as in `set`: limits and segments that are kept may allow it.
    let value = ViewProperty.value.name
    for entry in kept.filter({ $0.key != value }) + kept.filter({ $0.key == value }) {
      // What this view cannot be, such as showing a page that is gone, stays as it is.
      try? set([entry])
    }
  }

  private func problem(with setting: ViewSetting) -> PropertyError? {
    let property = setting.property
    let isMissing = !kind.has(property) || property.givesValue && control?.controlValue == nil
    guard
      let cause = isMissing
        ? .notOfThisView(has: property.owners.many) : property.problem(self, setting.value)
    else { return nil }
    let given = setting.value(as: String.self).map { PropertyValue.text($0) }
    return PropertyError(view: id, key: property.name, value: given, cause: cause)
  }
}
