import TouchCore
import TouchViews

/// The properties of a tree that follow expressions, and the values that these read. A change of a value
/// marks its readers. `settle` computes the marked ones once each, in an order in which nothing is computed
/// before the values that it reads. Without a mark, nothing is computed. Properties of views that expressions
/// read are compared in each turn, since any code may change them.
package final class Bindings {
  package let values: NamedValues
  /// The bindings, in an order in which each comes after those that it follows.
  package let bindings: [Binding]
  /// The present form of numbers, days and months.
  package var locale: Locale { computation.locale }
  private let followsLanguage: Bool
  /// Called with a property that cannot be set: a sentence for people, the view, and the place of the
  /// expression in the file; nil for none. Reports from before it is set are delivered when it is.
  package var report: ((String, View, SourceLocation?) -> Void)? {
    didSet {
      guard let report else { return }
      for (message, view, place) in unreported { report(message, view, place) }
      unreported = []
    }
  }
  private var unreported: [(message: String, view: View, place: SourceLocation?)] = []
  /// The reports about rows of lists. Each slot fills in the same ones repeatedly, and they are made once.
  var reportedOfRows: Set<String> = []
  private static let mostReported = 500

  /// Reports a property that cannot follow its expression.
  package func report(_ message: String, _ view: View, at place: SourceLocation? = nil) {
    if let report { report(message, view, place) } else { unreported.append((message, view, place)) }
  }
  /// Returns the path of a picture as it is opened, from the path that an expression at a place gives; nil
  /// for a file that is not opened.
  package var opened: (String, SourceLocation) -> String? = { path, _ in path }
  /// Called before anything is computed, for values that are followed by something other than a property.
  package var willSettle: () -> Void = {}
  /// The number of computations of expressions, for tests and `ctl stats`.
  package private(set) var computations = 0

  struct Bound {
    /// The view; for a value or a parameter one that is nowhere. It is private if that would show the content
    /// of a private view.
    let view: View
    let kind: ViewKind
    /// The sources of the references of each formula; nil for the time.
    let sources: [[Int?]]
    /// The value of the property while the expression has none that it takes.
    var standard: PropertyValue?
    var last: PropertyValue?
    /// The view's value after that was set.
    var set: PropertyValue?
    /// The last moment of the clock, in its steps.
    var moment: Int64 = .min
    let step: ClockFormat.Step?
    /// Whether a finger changes it too.
    let isTouched: Bool
    /// Whether its view shows one row of a list after the other.
    let isOfRow: Bool
    /// See `Binding.isOfRowAlone`.
    let isOfRowAlone: Bool
    /// The length of its texts, in bytes.
    var length = 0
    /// The index of its view in `watched`; nil for a view that only the bindings change.
    var watched: Int?
  }

  /// The length of all computed texts, in bytes.
  private var length = 0
  /// The most bytes of all texts: beyond it, a text is left out. Each alone has a limit, too, but there may
  /// be thousands.
  private static let mostLength = 16 << 20

  private var sources: BindingSources
  var bound: [Bound] = []
  private var watched: [WatchedView] = []
  var computation: Computation
  private var timed: [Int] = []
  private var ofRows: [Int] = []
  private var rowValues: [RowField: PropertyValue] = [:]
  package let clock: () -> LocalTime
  let byView: [String: [Int]]

  /// - Parameter bindings: in the order of `Binding.ordered`.
  /// - Parameter locale: nil for that of the current language.
  /// - Parameter view: returns a view by its id; a binding without a view is left out.
  /// - Parameter isOfRow: whether a view, by its id, shows one row of a list after the other.
  /// - Parameter clock: returns the time on the wall clock.
  package init(
    _ bindings: [Binding], values: NamedValues, locale: Locale? = .english, view: (String) -> View?,
    isOfRow: (String) -> Bool = { _ in false }, clock: @escaping () -> LocalTime
  ) {
    (self.values, self.clock) = (values, clock)
    followsLanguage = locale == nil
    computation = Computation(locale: locale ?? values.localeOfLanguage)
    self.bindings = bindings.filter { $0.target != .property || view($0.view) != nil }
    let bindings = self.bindings
    byView = Dictionary(grouping: bindings.indices.filter { bindings[$0].target == .property }) {
      bindings[$0].view
    }
    sources = BindingSources(of: values, readBy: self.bindings.count)
    for (index, binding) in bindings.enumerated() {
      let isProperty = binding.target == .property
      guard let owner = isProperty ? view(binding.view) : View(id: binding.view) else { continue }
      let formulas = binding.setting.content.formulas
      let touchable: [ViewProperty] = [.value, .page, .boundsOrigin]
      let isOfRowAlone = binding.isOfRowAlone
      bound.append(
        Bound(
          view: owner, kind: owner.kind,
          sources: formulas.map { $0.references.map { sources.add($0, view, readBy: index) } },
          step: formulas.compactMap(\.clockStep).min(),
          isTouched: touchable.contains(binding.setting.property) && isProperty && !isOfRowAlone,
          isOfRow: isProperty ? isOfRow(binding.view) : binding.readsRow, isOfRowAlone: isOfRowAlone))
      if bound[index].isOfRow { ofRows.append(index) }
      if bound[index].step != nil { timed.append(index) }
    }
    watch()
    values.observe(self) { [weak self] place in self?.valueChanged(place) }
  }

  deinit { values.forget(self) }

  /// Lists the views that may change without the bindings.
  private func watch() {
    var places: [ObjectIdentifier: Int] = [:]
    func place(of view: View) -> Int {
      if let place = places[ObjectIdentifier(view)] { return place }
      places[ObjectIdentifier(view)] = watched.count
      watched.append(WatchedView(view))
      return watched.count - 1
    }
    for source in sources.indices {
      if let (view, property) = sources.view(of: source) { watched[place(of: view)].add(source, property) }
    }
    for (index, binding) in bindings.enumerated() {
      let view = bound[index].view
      if binding.isLimit || binding.setting.property == .value, view.control?.controlValue != nil {
        watched[place(of: view)].range.append(index)
      } else if bound[index].isTouched {
        watched[place(of: view)].moved.append(index)
      }
    }
    for index in bound.indices { bound[index].watched = places[ObjectIdentifier(bound[index].view)] }
  }

  private func valueChanged(_ place: Int) {
    let name = values.declarations[place].name
    sources.set(.value(name), to: values[place])
    guard name == Translations.valueName else { return }
    sources.setTranslations()
    guard followsLanguage, computation.locale != values.localeOfLanguage else { return }
    computation.locale = values.localeOfLanguage
    sources.markAll()
  }

  // MARK: Computing

  /// The most rounds. A property of a view may change another one of it, such as a limit its value, which
  /// takes another round. Properties that still change after the last one stay as they are.
  private static let mostRounds = 8

  /// Computes the marked bindings, and sets their properties.
  ///
  /// - Parameters:
  ///   - isSeen: whether the display shows anything: a clock that nobody sees stands still.
  ///   - now: the time of the turn; nil for that of the last set value.
  package func settle(isSeen: Bool = true, at now: Timestamp? = nil) {
    if let now { values.time = now }
    willSettle()
    guard !bound.isEmpty else { return }
    if !timed.isEmpty, isSeen { computation.time = clock() }
    for _ in 0..<Self.mostRounds {
      // In each round, since one before may have shown a clock.
      if isSeen { markClocks() }
      compareViews()
      guard sources.isMarked else { return }
      markRanges()
      sources.beginRound()
      for index in bound.indices where sources.marked[index] { compute(index) }
    }
    stop()
  }

  /// Marks the readers of views that have changed, and the bindings of properties that a finger or a program
  /// has moved. A value waits until the finger is gone.
  private func compareViews() {
    var next = 0
    while let place = watched[next...].firstIndex(where: { $0.isChanged }) {
      watched[place].willCompare()
      for source in watched[place].sources { sources.compare(source) }
      for index in watched[place].moved where bound[index].set != nil && !hasWhatItFollows(index) {
        sources.mark(index)
      }
      let view = watched[place].view
      if watched[place].became != view.control?.controlValue, view.controlTouch == nil {
        for index in watched[place].range where !bound[index].isOfRowAlone { setAgain(index) }
      }
      next = place + 1
    }
  }

  private func markRanges() {
    for place in watched.indices where !watched[place].range.isEmpty {
      let (view, range) = (watched[place].view, watched[place].range)
      watched[place].isWhole = range.contains { sources.marked[$0] && bindings[$0].isLimit }
      guard watched[place].isWhole else { continue }
      for index in range
      where bound[index].isOfRowAlone
        ? hasWhatItFollows(index) : bindings[index].isLimit || view.controlTouch == nil
      {
        setAgain(index)
      }
    }
  }

  func setAgain(_ index: Int) {
    bound[index].last = nil
    sources.mark(index)
  }

  /// Whether no other code has set a property since it was computed.
  private func hasWhatItFollows(_ index: Int) -> Bool {
    bound[index].set.map { bindings[index].setting.value(of: bound[index].view) == $0 } ?? false
  }

  /// Reports bindings that change in each round. They wait for the next change of their sources, or each turn
  /// would repeat them.
  private func stop() {
    guard let first = sources.marked.firstIndex(of: true) else { return }
    sources.unmarkAll()
    report(
      "\(bindings[first].name) follows \"\(bindings[first].setting.content.source)\", which changes each time that it is set: it stays as it is after \(Self.mostRounds) times; let it follow what it does not change",
      bound[first].view, at: bindings[first].place)
  }

  // MARK: Rows

  /// Sets a parameter of the row that some views show from now on. `settleRows()` computes its readers.
  package func set(_ field: RowField, to value: PropertyValue) {
    rowValues[field] = value
    sources.set(.row(field), to: value)
  }

  /// The parameter of the row that some views show; null for none.
  package func value(of field: RowField) -> PropertyValue { rowValues[field] ?? .null }

  /// Computes the marked bindings of the views that show rows, while these are laid out. Other readers of
  /// them wait for `settle`.
  package func settleRows() {
    compareViews()
    markRanges()
    for index in ofRows where sources.marked[index] { compute(index) }
  }

  /// The last computed value of a property that a row fills in; nil for any other one.
  package func filled(_ property: ViewProperty, of view: String) -> PropertyValue? {
    byView[view]?.first {
      bindings[$0].setting.property == property && bindings[$0].setting.part == nil && bound[$0].isOfRowAlone
    }.flatMap { bound[$0].set }
  }

  // MARK: Setting properties

  private func compute(_ index: Int) {
    sources.unmark(index)
    computations += 1
    if bound[index].standard == nil, bindings[index].target == .property {
      let setting = bindings[index].setting
      // A choice without a list is none.
      bound[index].standard =
        setting.isChoice && !setting.keepsChoice ? .list([]) : setting.value(of: bound[index].view)
    }
    let (setting, view, kind) = (bindings[index].setting, bound[index].view, bound[index].kind)
    length -= bound[index].length
    computation.longest = min(Function.longestText, Self.mostLength - length)
    let value = setting.value(
      in: &computation, for: bindings[index].target == .property ? kind : nil, last: bound[index].last,
      Reading(bindings: self, index: index))
    bound[index].length = value.textLength
    length += bound[index].length
    if computation.isTooLong { reportTooLong(index) }
    guard bindings[index].target == .property else {
      bound[index].last = value
      return set(bindings[index], to: value, isPrivate: view.isPrivate)
    }
    let isSame = value == bound[index].last
    // The choice in the file counts when there are texts for the first time.
    let keepsChoice = setting.keepsChoice || setting.isChoice && bound[index].set == nil
    let chosen = keepsChoice ? view.control?.controlValue?.number : nil
    bound[index].last = value
    if isSame, !bound[index].isTouched { return }
    do throws(PropertyError) {
      let place = bindings[index].place
      try view.set(setting.setting(of: value, for: kind).opening { opened($0, place) })
      if let chosen { view.control?.controlValue?.number = chosen }
    } catch {
      // Null restores the former value of the property.
      if let standard = bound[index].standard, let setting = try? setting.setting(of: standard, for: kind) {
        try? view.set(setting)
      }
      if value != .null { reportError(error, index) }
    }
    bound[index].set = setting.value(of: view)
    guard let place = bound[index].watched else { return }
    if watched[place].range.contains(index) { wasSet(index, in: place) }
    // Its readers come later in the order.
    for source in watched[place].sources { sources.compare(source) }
  }

  private func set(_ binding: Binding, to value: PropertyValue, isPrivate: Bool) {
    if binding.target == .parameter { return sources.set(.parameter(binding.view), to: value) }
    values.follow(binding.view, isPrivate ? .null : value)
  }

  private func reportTooLong(_ index: Int) {
    let (view, most) = (bound[index].view, computation.longest)
    report(
      "\(bindings[index].name): the text is left out, since it would have more than \(most) bytes; a text has "
        + "\(Function.longestText) at most, and all that are computed \(Self.mostLength >> 20) MiB",
      view, at: bindings[index].place)
  }

  private func reportError(_ error: PropertyError, _ index: Int) {
    let (view, place) = (bound[index].view, bindings[index].place)
    if bound[index].isOfRow {
      if reportedOfRows.count >= Self.mostReported { reportedOfRows.removeAll() }
      guard reportedOfRows.insert("\(place.file):\(place.line):\(place.column): \(error)").inserted else {
        return
      }
    }
    var error = error
    error.view = view.id
    report("\(error)", view, at: place)
  }

  /// Sets all again in the next round if a limit changed in the middle of a round, after its reader. A value
  /// that is computed before its limit, because the limit follows it, is set again for as long as it is cut
  /// off.
  private func wasSet(_ index: Int, in place: Int) {
    let (view, before) = (watched[place].view, watched[place].became)
    // A value that a finger holds goes back when it is gone.
    guard view.controlTouch == nil else { return }
    watched[place].became = view.control?.controlValue
    guard bindings[index].isLimit,
      view.control?.controlValue?.minimum != before?.minimum
        || view.control?.controlValue?.maximum != before?.maximum
    else { return }
    for member in watched[place].range where !bound[member].isOfRowAlone {
      let isCutOff = !bindings[member].isLimit && bound[member].set != bound[member].last
      if isCutOff || !watched[place].isWhole { setAgain(member) }
    }
  }

  private struct Reading: ReferenceReading {
    let bindings: Bindings
    let index: Int
    var ordinal = 0

    private func source(_ reference: Int) -> Int? { bindings.bound[index].sources[ordinal][reference] }

    func value(of reference: Int, in formula: Formula) -> PropertyValue {
      source(reference).map { bindings.sources[$0] } ?? .null
    }

    func shown(_ reference: Int, in formula: Formula) -> String? {
      guard case .property(_, "value") = formula.references[reference] else { return nil }
      return source(reference).flatMap { bindings.sources.view(of: $0)?.0.control?.controlValue?.text }
    }
  }

  // MARK: The clock

  private func markClocks() {
    guard let time = computation.time else { return }
    for index in timed where matters(index) {
      let moment = time.moment(bound[index].step ?? .day)
      guard moment != bound[index].moment else { continue }
      bound[index].moment = moment
      sources.mark(index)
    }
  }

  /// Whether the property has to be up to date: a text in a view that is not shown need not, unless an
  /// expression reads it.
  private func matters(_ index: Int) -> Bool {
    let property = bindings[index].setting.property
    if !property.isCosmetic || bound[index].moment == .min { return true }
    if let place = bound[index].watched, !watched[place].sources.isEmpty { return true }
    let view = bound[index].view
    return view.window != nil && !view.isSelfOrAncestor { $0.isConcealed || $0.alpha <= 0.01 }
  }

  /// Returns the next time at which a visible text changes by the time alone, in seconds since 1970; nil for
  /// none.
  package func nextChange(isSeen: Bool = true) -> Int64? {
    guard isSeen, !timed.isEmpty, let time = computation.time else { return nil }
    return timed.lazy.filter(matters).compactMap { [self] in bound[$0].step }.min().map(time.next)
  }
}
