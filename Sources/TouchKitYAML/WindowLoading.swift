import TouchConfig
import TouchCore
import TouchKit
import TouchSystem

extension Window {
  /// Shows the views of a file in place of the present ones, laid out as by `touchtree run`.
  ///
  /// The program finds the views by `view(id:)`, and gives them closures. (A
  /// storyboard; `UINib.instantiate(withOwner:options:)`.)
  ///
  /// ```swift
  /// try app.window.load("panel.yaml")
  /// (app.window.view(id: "horn") as? Button)?.addAction(for: .touchUpInside) { print("honk") }
  /// ```
  ///
  /// Only the window of the file counts: its views, controllers and gestures. Display and devices are up to
  /// the program, and so are the effects of touches. A file that names handlers or actions is refused. So is
  /// one whose properties follow expressions, since nothing would compute them again.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Paths of pictures in it start from its folder.
  ///   - kinds: the kinds of the program's own views, which the file can have beside those of TouchKit.
  /// - Throws: `ApplicationError` with all errors of the file, each with its
  ///   line and column. The window is unchanged then.
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
