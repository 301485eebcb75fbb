import TouchCore
import TouchExpressions
import TouchViews

/// The responders that a configuration describes, without their handlers.
package struct ViewTree {
  /// The configuration that is shown: the one that the tree was made from, in the theme that its views have.
  package var configuration: Configuration { theming?.shown ?? made }
  private let made: Configuration
  /// Nil for a file without a theme.
  package private(set) var theming: ThemeFollower?
  /// The window keeps it weakly.
  package let application: ApplicationResponder
  /// The root of the tree; as large as the canvas.
  package let window: Window
  /// Every view by its id, the window included.
  package let viewsByID: [String: View]
  /// Every controller by its id.
  package private(set) var controllersByID: [String: ViewController] = [:]
  /// The responders that have handlers, and the handlers' names in the order in which they are called.
  package private(set) var attachments: [(responder: Responder, handlers: [String])] = []

  private var rowLists: [(view: ListView, list: RowList)] = []
  /// Whether there are any: their layout decides what is computed. Asked in every turn, where a computed
  /// property would copy the tree.
  package private(set) var hasRowLists = false
  package let hasRepeatedValues: Bool
  private let inRows: Set<String>

  /// The named values, and the properties that follow them.
  package let bindings: Bindings

  /// The reasons why views are private that the file does not call so.
  package private(set) var disclosures: [Disclosure] = []

  /// The keyboards on the screen, whose keys follow the language.
  package let keyboards: [KeyboardView]
  /// Those that show numbers of their own, which are written as the bindings write theirs.
  private let numbered: [any NumberShowing]

  /// The views of the tree before that are in this one too; nil where all are new.
  let reused: ReusedViews?
  /// The changes that `show()` makes where views stay: their subviews, and their new gestures.
  private var changedSubviews: [(view: View, subviews: [View])] = []
  var lateGestures: [(owner: View, gesture: GestureRecognizer)] = []

  /// The views that `show()` puts into the window, back to front.
  private(set) var roots: [View] = []
  var windowGestures: [GestureRecognizer] = []
  /// In the order of the configuration.
  var recognizers: [GestureRecognizer] = []
  /// The gestures that have handlers, and the handlers' names in the order in which they are called.
  package internal(set) var gestureAttachments: [(gesture: GestureRecognizer, handlers: [String])] = []

  /// The controls and gestures that do something by themselves, and what.
  package internal(set) var controlActions: [(control: View, steps: [Control.Action: [Configuration.Step]])] =
    []
  package internal(set) var gestureActions:
    [(gesture: GestureRecognizer, steps: [GestureRecognizer.State: [Configuration.Step]])] = []

  /// The actions of the window and the application when a key is pressed that no view handled, and when a
  /// scanner has read something.
  package internal(set) var keyActions: [KeyActions] = []

  /// The steps of the stages of `idle:`, by their numbers.
  package internal(set) var idleActions: [Int: [Configuration.Step]] = [:]

  package struct KeyActions {
    package let responder: Responder
    package var steps: [KeyCommand: [Configuration.Step]] = [:]
    /// Nil where what scanners read is not waited for.
    package var scan: [Configuration.Step]?
  }

  /// Makes the responders.
  /// - Parameter canvasSize: what the window covers, in window units.
  package init(_ configuration: Configuration, canvasSize: Size) {
    let window = Window(id: configuration.window.id, size: canvasSize)
    self.init(configuration, in: window)
  }

  /// Makes the responders in an empty window, whose id is the configuration's. It gets an application if it
  /// has none.
  package init(_ configuration: Configuration, in window: Window) {
    let application = window.application ?? ApplicationResponder(id: Names.application)
    window.application = application
    self.init(configuration, application, window)
    show()
  }

  /// Makes the responders of the same file with other rows, with the views that are shown and that are in
  /// both. Nothing of the old tree changes until `show()`, which puts new rows among those that stay and
  /// takes away what is gone. Touches on what stays go on.
  package init(repeating configuration: Configuration, in old: ViewTree) {
    self.init(configuration, old.application, old.window, reusing: ReusedViews(of: old))
  }

  /// Makes the responders of another configuration for the window and the application of a tree, which stays
  /// in the window until `show()`. The window keeps its id.
  package init(_ configuration: Configuration, inPlaceOf old: ViewTree) {
    self.init(configuration, old.application, old.window)
  }

  private init(
    _ configuration: Configuration, _ application: ApplicationResponder, _ window: Window,
    reusing reused: ReusedViews? = nil, values: NamedValues? = nil
  ) {
    let configuration = configuration.fitting(height: window.bounds.size.height)
    made = configuration
    hasRepeatedValues = !configuration.repeatedValues.isEmpty
    self.application = application
    self.window = window
    let views = configuration.views.map { reused?.view($0) ?? $0.makeView() }
    self.reused = reused
    if reused == nil, let background = configuration.window.background { window.background = background }
    window.focusColor = configuration.window.focusColor
    window.initialBacklight = configuration.display.light
    let viewsByID = Dictionary(
      [(configuration.window.id, window)] + views.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    self.viewsByID = viewsByID
    let inRows = Set(configuration.views.lazy.filter { $0.slot != nil }.map(\.id))
    self.inRows = inRows
    bindings = Bindings(
      configuration.bindings,
      values: values ?? reused?.tree?.bindings.values
        ?? NamedValues(configuration.values, translations: configuration.translations),
      locale: configuration.localeFollowsLanguage ? nil : configuration.locale,
      view: { viewsByID[$0] }, isOfRow: { inRows.contains($0) }, clock: configuration.clock)
    bindings.opened = configuration.opened
    keyboards = views.compactMap { $0 as? KeyboardView }
    numbered = views.compactMap { $0 as? any NumberShowing }
    writeNumbers()
    for case let chart as ChartView in views { chart.connect(bindings.values.series(of:)) }
    attach(configuration.applicationHandlers, to: application)
    attach(configuration.window.handlers, to: window)
    for (view, values) in zip(views, configuration.views) {
      attach(values.handlers, to: view)
      if let controller = values.controller { add(controller, to: view) }
    }
    link(views, parents: configuration.views.map(\.parent))
    addRows(views)
    disclosures = Disclosure.hide(bindings, in: configuration, views)
    for (view, values) in zip(views, configuration.views) {
      // Pages are there only now.
      guard !stays(view) else { continue }
      view.apply(values.settings.filter { $0.property == .page })
    }
    for controller in configuration.views.compactMap(\.controller) {
      guard let presenter = controller.presentedBy else { continue }
      controllersByID[controller.id]?.presentingViewController = controllersByID[presenter]
    }
    for (view, values) in zip(views, configuration.views) where !values.nextFocus.isEmpty {
      view.nextFocus = values.nextFocus
    }
    for (view, values) in zip(views, configuration.views) {
      guard values.hitShape != nil || values.redirect != nil, !stays(view) else { continue }
      var behavior = view.hitBehavior ?? HitBehavior()
      if let shape = values.hitShape { behavior.shape = shape }
      behavior.redirect = values.redirect.flatMap { viewsByID[$0] }
      view.hitBehavior = behavior
    }
    add(configuration.gestures, to: views)
    addActions(to: views)
    theming = ThemeFollower(configuration, views, rowLists.map(\.list), window, bindings)
    if let theming { bindings.willSettle = theming.follow }
    layOutKeyboards()
    if reused == nil { bindings.settle() }
  }

  /// Whether a view, by its id, shows one row of a list after the other.
  package func showsRows(_ id: String) -> Bool { inRows.contains(id) }

  /// Whether a view was shown before.
  func stays(_ view: View) -> Bool { reused?.stays(view) ?? false }

  /// Puts the views and gestures into the window, in place of those that are there.
  /// (`UIWindow.rootViewController`: the window stays, and so does whatever refers to it.)
  package func show() {
    guard reused == nil else { return showRows() }
    for gesture in window.gestureRecognizers { window.removeGestureRecognizer(gesture) }
    for view in window.subviews.reversed() { view.removeFromSuperview() }
    for root in roots { window.addSubview(root) }
    for gesture in windowGestures { window.addGestureRecognizer(gesture) }
    showLists()
    followLanguage()
    window.hitTestPasses = configuration.window.passes
    window.isExplored = configuration.window.isExplored
    window.fixedTarget = configuration.window.fixedTarget.flatMap { viewsByID[$0] }
  }

  /// Lays the window out from right to left where the language of the moment is written so, has keyboards
  /// show its letters where no layout is named, and controls and charts write numbers as it does.
  package func followLanguage() {
    window.layoutDirection = language.map(Translations.direction) ?? .leftToRight
    layOutKeyboards()
    writeNumbers()
  }

  private func writeNumbers() {
    let mark = bindings.locale.decimal
    for view in numbered { view.decimalSeparator = mark }
  }

  /// The language of the moment; nil where the file has texts in none.
  private var language: String? {
    guard case .text(let language)? = bindings.values.value(Translations.valueName) else { return nil }
    return language
  }

  private func layOutKeyboards() {
    guard !keyboards.isEmpty else { return }
    let language = language
    for keyboard in keyboards { keyboard.layout = configuration.layout(of: keyboard, in: language) }
  }

  private func showRows() {
    reused?.update()
    for (view, subviews) in changedSubviews + [(window, roots)] {
      let before = reused?.subviews(of: view) ?? []
      for gone in before where !subviews.contains(where: { $0 === gone }) { gone.removeFromSuperview() }
      view.arrange(subviews)
    }
    for (owner, gesture) in lateGestures { owner.addGestureRecognizer(gesture) }
    if let old = reused?.tree { bindings.continue(old.bindings) }
    showLists()
    bindings.settle()
    reused?.finish()
  }

  /// Takes over what was set on the views of another tree while it was shown. A view is known by its id, if
  /// the file gives it one; what the new file says otherwise than the old one counts.
  package func keepSettings(of old: ViewTree) {
    let window = Window(id: old.configuration.window.id, size: old.window.bounds.size)
    // It has the same values: a property that follows one was not set.
    let made = ViewTree(
      old.configuration, ApplicationResponder(id: Names.application), window, values: old.bindings.values)
    if old.configuration.window.background != nil, configuration.window.background == nil {
      self.window.background = nil
    }
    let named = Set(old.configuration.views.lazy.filter { !$0.isNameless }.map(\.id))
    for values in configuration.views
    where !values.isNameless && values.slot == nil && named.contains(values.id) {
      guard let view = viewsByID[values.id], let before = old.viewsByID[values.id],
        let original = made.viewsByID[values.id]
      else { continue }
      let image = view as? ImageView
      let picture = image?.path
      view.keepSettings(of: before, madeAs: original)
      // This file may open less.
      if let picture, let image, !image.path.isEmpty,
        configuration.opened(image.path) == nil
      {
        image.path = picture
      }
    }
    for (view, list) in rowLists {
      guard let before = old.rowLists.first(where: { $0.view.id == view.id }) else { continue }
      if let host = before.view.host { list.keep(before.list, shownBy: host) }
    }
    bindings.keep(old.bindings)
    bindings.settle()
  }

  /// Finds the views that show the rows of lists: those of one list follow it, slot by slot.
  private mutating func addRows(_ views: [View]) {
    for (index, values) in configuration.views.enumerated() {
      guard let rows = values.rows, let view = views[index] as? ListView else { continue }
      var slots: [[(view: View, values: Configuration.View)]] = []
      for next in configuration.views.indices.dropFirst(index + 1) {
        guard let slot = configuration.views[next].slot, configuration.views[next].parent ?? -1 >= index
        else { break }
        while slots.count <= slot { slots.append([]) }
        slots[slot].append((views[next], configuration.views[next]))
      }
      rowLists.append((view, RowList(rows, slots, bindings)))
      hasRowLists = true
    }
  }

  /// Sets what the rows of some named values fill in once more. These values were set after what a finger or
  /// a program has changed in their rows, perhaps to the same lists. A view that a finger holds stays as it
  /// is.
  package func fillRows(of lists: Set<String>) {
    for values in configuration.views {
      let filled = values.filled.lazy.filter { lists.contains($0.list) }.map(\.property)
      guard !filled.isEmpty, let view = viewsByID[values.id], !view.isHeld else { continue }
      let made = values.makeView()
      // The value comes last: a limit may allow it.
      for property in filled.filter({ $0 != .value }) + filled.filter({ $0 == .value }) {
        guard let value = property.value(of: made), value != property.value(of: view) else { continue }
        try? view.set([PropertyValue.Entry(key: property.name, value: value)])
      }
    }
    for (_, list) in rowLists where list.rows.source.map(lists.contains) ?? false { list.fillAgain() }
  }

  private func showLists() {
    for (view, list) in rowLists {
      view.host?.reload(list.roots, count: list.rows.count, from: list)
    }
  }

  /// Makes the tree from the leaves up: a view that is added to a tree costs as much as the tree is deep. A
  /// sheet comes into the window, in front of everything, wherever the file has it.
  private mutating func link(_ views: [View], parents: [Int?]) {
    var sheets: [(sheet: SheetView, presenter: View)] = []
    var keyboards: [KeyboardView] = []
    var subviews = [[View]](repeating: [], count: views.count)
    for (view, parent) in zip(views, parents) {
      if let sheet = view as? SheetView {
        sheets.append((sheet, parent.map { views[$0] } ?? window))
      } else if let keyboard = view as? KeyboardView, parent == nil, !keyboard.isAlways,
        keyboard.isArranged || keyboard.placesItself
      {
        (keyboard.isArranged, keyboard.placesItself) = (false, true)
        keyboards.append(keyboard)
      } else if let parent {
        subviews[parent].append(view)
      } else {
        roots.append(view)
      }
    }
    for (index, view) in views.enumerated().reversed() {
      // Rows come into their list where they are seen.
      if configuration.views[index].rows != nil { continue }
      let subviews = subviews[index]
      if stays(view) {
        changedSubviews.append((view, subviews))
      } else {
        for subview in subviews { view.addSubview(subview) }
      }
    }
    for (sheet, presenter) in sheets {
      roots.append(reused?.backdrop(of: sheet) ?? SheetBackdrop(of: sheet, over: presenter))
    }
    // Over sheets too, in which there may be fields.
    for keyboard in keyboards {
      var behavior = keyboard.hitBehavior ?? HitBehavior()
      behavior.z = NumberRange.farthest
      keyboard.hitBehavior = behavior
      roots.append(keyboard)
    }
  }

  private mutating func add(_ values: Configuration.View.Controller, to view: View) {
    let known = stays(view) && view.viewController?.id == values.id ? view.viewController : nil
    let controller = known ?? ViewController(id: values.id)
    if known == nil { view.viewController = controller }
    controllersByID[values.id] = controller
    attach(values.handlers, to: controller)
  }

  private mutating func attach(_ handlers: [String], to responder: Responder) {
    if !handlers.isEmpty { attachments.append((responder, handlers)) }
  }
}

extension View {
  /// Whether a finger holds it, or a text is typed into it.
  var isHeld: Bool { isFirstResponder || controlTouch != nil }
}
