import Logging
import TouchCore
import TouchExpressions
import TouchJSON
import TouchSystem
import TouchViews

/// The services of the daemon for the handlers that it runs. Everything is called on the loop's thread.
package protocol HandlerHost: AnyObject {
  var logger: Logger { get }

  /// The other ends of the protocol: process handlers and clients.
  var peers: Peers { get }

  var bindings: Bindings { get }

  var runningSteps: RunningSteps { get }

  func view(id: String) -> View?

  /// Calls `callback` on the loop's thread after a time of at least 1 ms, once or repeatedly. It returns a
  /// number for `cancelTimer(_:)`, never used twice.
  func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int

  /// Ends a timer, also from the timer's own callback. One that is over is ignored.
  func cancelTimer(_ timer: Int)

  /// Calls `callback` on the loop's thread whenever a descriptor is readable or its other end is gone. It
  /// returns a number for `unwatch(_:)`, never used twice, and throws if the kernel cannot wait for it.
  func watch(_ descriptor: Int32, callback: @escaping () -> Void) throws(SystemError) -> Int

  /// Stops watching. The descriptor must still be open. It may be called from the watch's own callback.
  func unwatch(_ watch: Int)

  /// Returns the path for opening a file of the configuration, maybe relative to its folder; nil for others.
  func opened(_ path: String) -> String?

  func send(_ message: String, to recipient: ActionStep.Recipient, from sender: String)

  /// Verifies that the rows and the theme made by named values can be shown. It throws the reason why not, or
  /// the first value that cannot be set. (`NamedValue.checked`)
  func requireShowable(_ entries: [PropertyValue.Entry], isText: Bool) throws(PropertyError)
}

extension HandlerHost {
  /// Sets properties of a view by their names in the configuration: all of them, or none. It throws for the
  /// first that cannot be set. (`ViewSetting`)
  package func set(
    _ properties: [PropertyValue.Entry], on id: String, isText: Bool = false
  ) throws(PropertyError) {
    let view = try requireView(id)
    var settings = try view.settings(for: properties, isText: isText)
    for index in settings.indices {
      settings[index] = try opened(settings[index], on: id)
      try requirePicture(settings[index], of: view)
      try requireUnbound(settings[index], on: id)
    }
    try view.set(settings)
  }

  /// Returns a setting whose picture's path the configuration opens, or throws.
  func opened(_ setting: ViewSetting, on id: String) throws(PropertyError) -> ViewSetting {
    do throws(PropertyError) {
      return try setting.opening(opened)
    } catch {
      var error = error
      error.view = id
      throw error
    }
  }

  /// Throws for a property that follows an expression, because the next change would undo the setting.
  private func requireUnbound(_ setting: ViewSetting, on id: String) throws(PropertyError) {
    guard let binding = bindings.binding(of: setting.property, view: id),
      binding.setting.part.map(setting.sets) ?? true
    else { return }
    throw PropertyError(key: binding.setting.property.name, cause: .unusable(binding.refusal))
  }

  /// Sets named values: all of them, or none. It throws for the first that is missing or cannot be set.
  /// (`NamedValue.checked`)
  /// - Parameter time: the earlier time from which on they count, in seconds since 1970; nil for now.
  package func setValues(
    _ entries: [PropertyValue.Entry], isText: Bool = false, at time: Double? = nil
  ) throws(PropertyError) {
    let values = bindings.values
    var entries = isText ? entries.map { $0.readingList(for: values) } : entries
    for (index, entry) in entries.enumerated().reversed() {
      guard let samples = try entry.samples(at: time, isText: isText, in: values) else { continue }
      try values.fill(entry.key, with: samples)
      entries.remove(at: index)
    }
    guard !entries.isEmpty else { return }
    try requireShowable(entries, isText: isText)
    try values.set(entries, isText: isText, at: peers.loop.now)
  }

  /// Throws for a picture that cannot be shown. Otherwise a placeholder would hide the error.
  private func requirePicture(_ setting: ViewSetting, of view: View) throws(PropertyError) {
    guard let path = setting.picturePath, !path.isEmpty, let problem = PictureFile.problem(at: path) else {
      return
    }
    throw PropertyError(
      view: view.id, key: ViewProperty.image.name, cause: .unusable("\"\(path)\" \(problem)"))
  }

  func set(_ settings: [ViewSetting], on id: String) throws(PropertyError) {
    let view = try requireView(id)
    for setting in settings { try requireUnbound(setting, on: id) }
    try view.set(settings)
  }

  func change(_ id: String, by amount: Double) throws(PropertyError) {
    let number = try requireView(id).control?.controlValue?.number ?? 0
    try set([ViewSetting(.value, number + amount)], on: id)
  }

  func toggle(_ property: ViewProperty, of id: String) throws(PropertyError) {
    guard case .flag(let flag)? = property.value(of: try requireView(id)) else {
      throw PropertyError(view: id, key: property.name, cause: .notOfThisView(has: property.owners.many))
    }
    try set([PropertyValue.Entry(key: property.name, value: .flag(!flag))], on: id)
  }

  /// Shows another page of a view of the kind `pages`, by a transition or the view's own.
  package func show(
    _ page: PagesView.Target, in id: String, by transition: PagesView.Transition? = nil
  ) throws(PropertyError) {
    let view = try requireView(id)
    guard let pages = view as? PagesView else {
      throw PropertyError(
        view: id, key: ViewProperty.page.name,
        cause: .notOfThisView(has: ViewProperty.page.owners.many))
    }
    if let binding = bindings.binding(of: .page, view: id) {
      throw PropertyError(key: ViewProperty.page.name, cause: .unusable(binding.refusal))
    }
    if let transition { try pages.show(page, by: transition) } else { try pages.show(page) }
  }

  /// Scrolls a view of the kind `scroll`, or throws if there is no such view or place.
  package func scroll(_ id: String, to target: ScrollView.Target) throws(PropertyError) {
    let view = try requireView(id)
    guard let scrollView = view.scrollView else {
      throw PropertyError(view: id, key: "scroll", cause: .notOfThisView(has: ViewKind.scroll.many))
    }
    try scrollView.scroll(to: target)
  }

  /// Returns the log's text for a property of a view that was not set, without the value if it is private.
  func logged(_ error: PropertyError, on id: String) -> String {
    guard let around = view(id: error.view ?? id)?.privateView else { return "\(error)" }
    return error.masked(in: around)
  }

  private func requireView(_ id: String) throws(PropertyError) -> View {
    guard let view = view(id: id) else { throw PropertyError(view: id, key: "", cause: .noSuchView) }
    return view
  }
}

extension PropertyValue.Entry {
  /// Returns a list for a text in JSON, if the named value holds a list: `rooms=[{"name": "Kitchen"}]`.
  package func readingList(for values: NamedValues) -> PropertyValue.Entry {
    guard case .text(let text) = value, text.hasPrefix("["), let place = values.place(of: key),
      [.any, .list].contains(values.declarations[place].type) || values.declarations[place].history != nil,
      let list = Array(text.utf8).withUnsafeBytes({ try? JSONReader.read($0) })
    else { return self }
    return PropertyValue.Entry(key: key, value: PropertyValue(list))
  }

  /// Returns the values of earlier times that it stands for: one, at a time that is given for it, or a list
  /// of pairs of a time and a value, `[[1764349200, 21.5], [1764349260, null]]`. Nil for a value that counts
  /// from now on.
  ///
  /// - Throws: for a time that is to come, or none.
  fileprivate func samples(
    at time: Double?, isText: Bool, in values: NamedValues
  ) throws(PropertyError) -> [(time: Timestamp, value: PropertyValue)]? {
    var pairs: [(time: Double, value: PropertyValue)] = []
    if case .list(let items) = value, let place = values.place(of: key),
      values.declarations[place].history != nil
    {
      for item in items {
        guard case .list(let pair) = item, pair.count == 2, let time = pair[0].number else {
          throw PropertyError(
            key: key,
            cause: .unusable("a list for a history has pairs of a time and a value: [[1764349200, 21.5]]"))
        }
        pairs.append((time, pair[1]))
      }
    } else if let time {
      guard let place = values.place(of: key) else { return nil }
      pairs = [(time, try values.declarations[place].checked(value, isText: isText))]
    } else {
      return nil
    }
    let now = WallClock.now()
    guard pairs.allSatisfy({ $0.time.isFinite && $0.time <= now + Self.mostAhead }) else {
      throw PropertyError(
        key: key,
        cause: .unusable("a time is to come; give seconds since 1970 that are past, such as \(Int(now))"))
    }
    return pairs.map { (WallClock.moment(of: min($0.time, now)), $0.value) }
  }

  /// The difference of two machines' clocks that is no fault, in seconds.
  private static var mostAhead: Double { 60 }
}
