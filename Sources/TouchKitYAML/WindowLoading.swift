import TouchConfig
import TouchCore
import TouchKit
import TouchSystem

extension Window {
  /// Shows the views of a file in place of those that are there, as `touchtree run` would lay them out. The program finds them by
  /// `view(id:)`, and gives them closures. (A storyboard; `UINib.instantiate(withOwner:options:)`.)
  ///
  /// ```swift
  /// try app.window.load("panel.yaml")
  /// (app.window.view(id: "horn") as? Button)?.addAction(for: .touchUpInside) { print("honk") }
  /// ```
  ///
  /// Of the file the window counts: its views, controllers and gestures. What it says of the display and the devices is the
  /// program's affair, and so is what happens on a touch: a file that names handlers or actions is refused, and so is one whose
  /// properties follow expressions, since nothing would compute them again.
  ///
  /// - Parameters:
  ///   - path: of the file; the paths of pictures in it start from its folder.
  ///   - kinds: the kinds of the program's own views, which the file can have beside those of TouchKit.
  /// - Throws: `ApplicationError` with everything that is wrong, each with its line and column. The window is as before then.
  public final func load(_ path: String, kinds: [ViewKind] = []) throws(ApplicationError) {
    let configuration: Configuration
    do {
      configuration = try Configuration.load(path: path, kinds: kinds)
      let foreign = configuration.partsOfTheDaemon
      if !foreign.isEmpty { throw ConfigurationError.invalid(foreign) }
    } catch {
      throw ApplicationError(error)
    }
    _ = ViewTree(configuration, in: self)
    setNeedsLayout()
  }
}

extension Configuration {
  /// What only `touchtree run` can do.
  fileprivate var partsOfTheDaemon: [Diagnostic] {
    let advice = "belong to `touchtree run`; in a program, give the view a closure with addAction(for:)"
    var found = handlers.map { handler in
      diagnostic(at: handlerLocations[handler.name] ?? .start, "handlers \(advice)")
    }
    if found.isEmpty, !(applicationHandlers + window.handlers).isEmpty {
      found.append(diagnostic(at: .start, "handlers \(advice)"))
    }
    for view in views where !view.handlers.isEmpty {
      found.append(diagnostic(at: view.place, "handlers \(advice)"))
    }
    for list in actions {
      if let step = list.steps.first { found.append(diagnostic(at: step.place, "actions \(advice)")) }
    }
    for binding in bindings {
      found.append(
        diagnostic(
          at: binding.place,
          "expressions are followed by `touchtree run`; in a program, give a value and set the property when it changes"
        ))
    }
    return found.sorted { $0.place < $1.place }
  }
}
