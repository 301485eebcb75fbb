import Logging
import TouchCore
import TouchExpressions
import TouchJSON
import TouchSystem
import TouchViews

/// What handlers need from the daemon that runs them. Everything is called on the loop's thread.
package protocol HandlerHost: AnyObject {
  /// Where handlers write.
  var logger: Logger { get }

  /// The other ends of the protocol: process handlers, and clients.
  var peers: Peers { get }

  /// The named values, and the properties that follow expressions.
  var bindings: Bindings { get }

  /// The steps of actions that are being done.
  var runningSteps: RunningSteps { get }

  /// The view of the tree that has this id, or nil.
  func view(id: String) -> View?

  /// Calls `callback` on the loop's thread after a time, once or repeatedly, until it is cancelled.
  ///
  /// - Parameter milliseconds: at least 1.
  /// - Returns: a number for `cancelTimer(_:)`, never used twice.
  func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int

  /// Ends a timer before its time; one that is over is left alone. May be called from the timer's own
  /// callback.
  func cancelTimer(_ timer: Int)

  /// Calls `callback` on the loop's thread whenever a descriptor has something to read, or its other end went away.
  ///
  /// - Returns: a number for `unwatch(_:)`, never used twice.
  /// - Throws: when the kernel cannot wait for such a descriptor, or it is watched already.
  func watch(_ descriptor: Int32, callback: @escaping () -> Void) throws(SystemError) -> Int

  /// Stops watching; the descriptor must still be open. May be called from the watch's own callback.
  func unwatch(_ watch: Int)

  /// The path by which a file is opened that a path names, which may be relative to the configuration's folder.
  ///
  /// - Returns: nil for a file that the configuration does not open.
  func opened(_ path: String) -> String?

  /// Hands on the message of a `send` action.
  ///
  /// - Parameters:
  ///   - message: one JSON value.
  ///   - sender: the id of the control, or of the gesture's view.
  func send(_ message: String, to recipient: ActionStep.Recipient, from sender: String)

  /// Makes sure that the rows and the theme which named values make can be shown.
  ///
  /// - Parameter isText: as in `NamedValue.checked`.
  /// - Throws: why they cannot, or the first value that cannot be set.
  func requireShowable(_ entries: [PropertyValue.Entry], isText: Bool) throws(PropertyError)
}

extension HandlerHost {
  /// Sets properties of a view, by the names that they have in the configuration: all of them, or none. What is so
  /// already is not drawn again.
  ///
  /// - Parameter isText: whether all values are texts; see `ViewSetting`.
  /// - Throws: the first that cannot be set, or that there is no such view.
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

  /// Makes the path of a picture one that can be opened; throws for one that the configuration does not open.
  func opened(_ setting: ViewSetting, on id: String) throws(PropertyError) -> ViewSetting {
    do throws(PropertyError) {
      return try setting.opening(opened)
    } catch {
      var error = error
      error.view = id
      throw error
    }
  }

  /// Throws for a property that follows something: what is set would be gone at the next change.
  private func requireUnbound(_ setting: ViewSetting, on id: String) throws(PropertyError) {
    guard let binding = bindings.binding(of: setting.property, view: id),
      binding.setting.part.map(setting.sets) ?? true
    else { return }
    throw PropertyError(key: binding.setting.property.name, cause: .unusable(binding.refusal))
  }

  /// Sets named values: all of them, or none.
  ///
  /// - Parameter isText: as in `NamedValue.checked`.
  /// - Throws: the first that is not there, or cannot be that.
  package func setValues(_ entries: [PropertyValue.Entry], isText: Bool = false) throws(PropertyError) {
    let values = bindings.values
    let entries = isText ? entries.map { $0.readingList(for: values) } : entries
    try requireShowable(entries, isText: isText)
    try values.set(entries, isText: isText, at: MonotonicClock.now())
  }

  /// Throws for a picture that cannot be shown: otherwise a placeholder would be shown, and the setter not know why.
  private func requirePicture(_ setting: ViewSetting, of view: View) throws(PropertyError) {
    guard let path = setting.picturePath, !path.isEmpty, let problem = PictureFile.problem(at: path) else {
      return
    }
    throw PropertyError(
      view: view.id, key: ViewProperty.image.name, cause: .unusable("\"\(path)\" \(problem)"))
  }

  /// Sets what was read before; the paths in it can be opened as they are.
  func set(_ settings: [ViewSetting], on id: String) throws(PropertyError) {
    let view = try requireView(id)
    for setting in settings { try requireUnbound(setting, on: id) }
    try view.set(settings)
  }

  /// Adds to the value of a control.
  func change(_ id: String, by amount: Double) throws(PropertyError) {
    let number = try requireView(id).controlValue?.number ?? 0
    try set([ViewSetting(.value, number + amount)], on: id)
  }

  /// Turns a property over that is true or false.
  func toggle(_ property: ViewProperty, of id: String) throws(PropertyError) {
    guard case .flag(let flag)? = property.value(of: try requireView(id)) else {
      throw PropertyError(
        view: id, key: property.name, cause: .notOfThisView(has: property.owners.many))
    }
    try set([PropertyValue.Entry(key: property.name, value: .flag(!flag))], on: id)
  }

  /// Shows another page of a view of the kind `pages`.
  ///
  /// - Parameter transition: nil for as its pages slide.
  /// - Throws: when there is no such view or page.
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

  /// Scrolls a view of the kind `scroll`.
  ///
  /// - Throws: when there is no such view, or place in it.
  package func scroll(_ id: String, to target: ScrollView.Target) throws(PropertyError) {
    let view = try requireView(id)
    guard let scrollView = view.scrollView else {
      throw PropertyError(view: id, key: "scroll", cause: .notOfThisView(has: ViewKind.scroll.many))
    }
    try scrollView.scroll(to: target)
  }

  /// What the log has of a property that was not set: of one in a private view nothing of what it was to be.
  ///
  /// - Parameter id: the view's, which the error may not name.
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
  /// A text that is a list in JSON, where the value holds a list: `rooms=[{"name": "Kitchen"}]`.
  package func readingList(for values: NamedValues) -> PropertyValue.Entry {
    guard case .text(let text) = value, text.hasPrefix("["), let place = values.place(of: key),
      [.any, .list].contains(values.declarations[place].type),
      let list = Array(text.utf8).withUnsafeBytes({ try? JSONReader.read($0) })
    else { return self }
    return PropertyValue.Entry(key: key, value: PropertyValue(list))
  }
}
