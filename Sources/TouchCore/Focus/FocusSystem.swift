/// The focus of a window: the view on which keys act, and its moves. (`UIFocusSystem`.)
///
/// A touch needs no focus. No view has it until a key asks for it, and its ring shows while a key was the
/// last input. A view is focused as a whole, or in one of its parts, as a list is in a row.
///
/// ```
///             arrow, tab, a step of an encoder              touch
///   no focus ────────────────────────────────→ ring shown ⇄ ring hidden
///                                                 │  ↑         key
///                          select on a slider     ↓  │ select, menu
///                                               editing
/// ```
public final class FocusSystem {
  /// A view or a part of it that can have the focus. (`UIFocusItem`.)
  public struct Item: Equatable {
    /// The view.
    public let view: View
    /// The index of the part, from 0; nil for a view without parts.
    public let part: Int?

    /// Makes an item of a view, or of a part of it.
    public init(_ view: View, part: Int? = nil) { (self.view, self.part) = (view, part) }

    /// Whether both are the same part of the same view.
    public static func == (one: Self, other: Self) -> Bool {
      one.view === other.view && one.part == other.part
    }

    /// The item's rectangle in the view's bounds space.
    package var localRect: LocalRect { part.map { view.focusRect(of: $0) } ?? view.bounds }
    /// The item's rectangle in window space.
    public var windowRect: WindowRect { rect }
    var rect: WindowRect { view.windowFromLocal.bounding(localRect) }
  }

  /// An item that does not retain its view.
  private struct Memory {
    weak var group: View?
    weak var view: View?
    var part: Int?
    var item: Item? { view.map { Item($0, part: part) } }
  }

  unowned let window: Window
  private weak var view: View?
  private var part: Int?
  /// The focused rectangle, for the time after its view is removed.
  private var lastRect = WindowRect.zero
  private var lastAncestors: [Memory] = []
  /// The last focused items of sheets, of pages and of the window.
  private var memories: [Memory] = []
  private weak var lastScope: View?
  private var needsUpdate = false
  /// The room around the focused view for its shadow, without its ring.
  private var roomBefore = Insets.zero
  /// The view to which the next update moves the focus, if possible.
  private weak var requested: View?
  /// Whether the ring was shown before the current press.
  var wasShown = false
  /// The keyboard on the screen that has the focus; see `keyboard`.
  weak var enteredKeyboard: (any FirstResponderWatcher)?
  /// The view whose text the keyboard edits.
  weak var typedInto: View?
  /// The keys that hold a view down as fingers would.
  var activations: [(press: Int, contact: ContactID, location: WindowPoint)] = []

  /// Whether the ring is shown: true while a key was the last input.
  public internal(set) var isRingShown = false { didSet { if oldValue != isRingShown { mark() } } }
  /// Whether encoder steps, tab and the arrows change the focused view's value instead of moving the focus.
  public internal(set) var isEditing = false { didSet { if oldValue != isEditing { mark() } } }

  /// The touches of a person who does not see the screen; nil, as a rule, if touches reach the views.
  package internal(set) var exploration: TouchExploration?

  init(window: Window) { self.window = window }

  /// The focused item; nil for none. (`UIFocusSystem.focusedItem`.)
  public var focusedItem: Item? { view.map { Item($0, part: part) } }

  /// Whether there is a focus to keep up to date.
  private var isUsed: Bool { view != nil || isRingShown }

  // MARK: Moving

  /// Focuses a view, or a part of it. A view that cannot be focused changes nothing.
  ///
  /// - Returns: whether the item is focused now.
  @discardableResult
  public func focus(_ item: Item) -> Bool {
    window.layoutIfNeeded()
    guard FocusSearch(in: scope).has(item) else { return false }
    return move(to: item, .none)
  }

  /// Moves the focus. If nothing is focused, the item where reading begins is. (`UIFocusSystem`,
  /// `UIFocusHeading`.)
  ///
  /// - Returns: whether it moved.
  @discardableResult
  public func move(_ heading: FocusHeading) -> Bool {
    updateIfNeeded()
    window.layoutIfNeeded()
    let search = FocusSearch(in: scope)
    guard let item = focusedItem, search.place(of: item) != nil else {
      return preferred(in: search).map { move(to: $0, heading) } ?? false
    }
    if let id = item.view.nextFocus[heading], item.part == nil || leaves(item, heading),
      let next = window.view(id: id).flatMap({ search.initial(in: $0) })
    {
      return move(to: next, heading)
    }
    guard let next = next(after: item, heading, search), next != item else { return false }
    return move(to: next, heading)
  }

  /// The item that a heading leads to. A list first creates the rows that would come into view.
  private func next(after item: Item, _ heading: FocusHeading, _ search: FocusSearch) -> Item? {
    var (search, found) = (search, search.item(from: item, heading))
    /// Whether the item that was found lies further on in a view around the first one.
    func isFound(in container: View) -> Bool {
      found.map { $0.view.isDescendant(of: container) && !search.goesRound(from: item, to: $0, heading) }
        ?? false
    }
    func look() {
      window.layoutIfNeeded()
      search = FocusSearch(in: scope)
    }
    for case let container as any FocusScroller in environments(of: item) {
      var distance = 1
      while !isFound(in: container), container.showFocus(heading, beyond: item.view, by: distance) {
        look()
        found = search.item(from: item, heading)
        distance += 1
      }
    }
    // A list that is entered from outside is entered at its end.
    for case let container as any FocusScroller in environments(of: found) {
      if item.view.isDescendant(of: container), isFound(in: container) { continue }
      guard container.showFocus(heading, beyond: nil, by: 0) else { continue }
      look()
      found = search.end(of: container, heading)
    }
    return found
  }

  func leaves(_ item: Item, _ heading: FocusHeading) -> Bool {
    switch heading {
    case .next: item.part == item.view.focusPartCount - 1
    case .previous: item.part == 0
    case .up, .down, .left, .right, .none: true
    }
  }

  @discardableResult
  func move(to item: Item, _ heading: FocusHeading) -> Bool {
    let old = focusedItem
    guard item != old else { return true }
    let context = FocusUpdateContext(previous: old, next: item, heading: heading)
    let environments = environments(of: context)
    // A view that was removed cannot refuse.
    let asked = old?.view.window === window ? environments : self.environments(of: item)
    guard asked.allSatisfy({ $0.shouldUpdateFocus(in: context) }) else { return false }
    isEditing = false
    unmark()
    (view, part) = (item.view, item.part)
    reveal(item)
    remember(item)
    mark()
    for view in environments { view.didUpdateFocus(in: context) }
    window.observe(FocusReport(context, isExplored: exploration != nil))
    return true
  }

  private func clear() {
    guard let old = focusedItem else { return }
    isEditing = false
    unmark()
    (view, part) = (nil, nil)
    let context = FocusUpdateContext(previous: old, next: nil, heading: .none)
    for view in environments(of: context) { view.didUpdateFocus(in: context) }
    window.observe(FocusReport(context, isExplored: false))
  }

  private func environments(of context: FocusUpdateContext) -> [View] {
    // A removed view has lost its superviews; those it had are remembered.
    let isThere = context.previous?.view.window === window
    let before = isThere ? environments(of: context.previous) : lastAncestors.compactMap(\.group)
    return before + environments(of: context.next).filter { view in !before.contains { $0 === view } }
  }

  private func environments(of item: Item?) -> [View] {
    var views: [View] = []
    var next = item?.view
    while let view = next {
      views.append(view)
      next = view.superview
    }
    return views
  }

  func reveal(_ item: Item) {
    var next = item.view.superview
    while let view = next {
      (view as? any FocusScroller)?.revealFocus(item.view.convert(item.localRect, to: view))
      next = view.superview
    }
    window.layoutIfNeeded()
  }

  // MARK: Memory

  private func remember(_ item: Item) {
    lastRect = item.rect
    let ancestors = environments(of: item)
    lastAncestors = ancestors.map { Memory(group: $0) }
    lastScope = scope
    memories.removeAll { $0.group == nil || $0.view == nil }
    for group in ancestors
    where group === lastScope || (group.superview?.keepsFocus(of: group) ?? false) {
      memories.removeAll { $0.group === group }
      memories.append(Memory(group: group, view: item.view, part: item.part))
    }
  }

  private func remembered(in group: View, _ search: FocusSearch) -> Item? {
    memories.last { $0.group === group }?.item.flatMap { search.has($0) ? $0 : nil }
  }

  private func preferred(in search: FocusSearch) -> Item? {
    remembered(in: scope, search)
      ?? search.shownGroups.lazy.compactMap { self.remembered(in: $0, search) }.first
      ?? preferredItem(of: scope, in: search)
  }

  /// The item that a view prefers, else the one where reading begins.
  private func preferredItem(of view: View, in search: FocusSearch, asked: [View] = []) -> Item? {
    // Two views may prefer each other.
    guard !asked.contains(where: { $0 === view }) else { return nil }
    return view.preferredFocusEnvironments.lazy.compactMap {
      self.preferredItem(of: $0, in: search, asked: asked + [view])
    }.first ?? search.initial(in: view)
  }

  /// The view in which the focus stays: a keyboard that has it, the foremost sheet, or the window.
  var scope: View {
    keyboard ?? window.layeredSubviews.last { $0.confinesFocus && !$0.isConcealed } ?? window
  }

  /// Requests an update, after a view was hidden, disabled or removed, or a sheet was shown.
  /// (`UIFocusEnvironment.setNeedsFocusUpdate()`.)
  public func setNeedsUpdate() { needsUpdate = true }

  /// Moves the focus to the item that a view prefers, with the next update.
  /// (`UIFocusSystem.requestFocusUpdate(to:)`.)
  public func requestUpdate(to view: View) { (requested, needsUpdate) = (view, true) }

  /// Moves the focus if an update is due and the focused item can no longer have it.
  /// (`UIFocusEnvironment.updateFocusIfNeeded()`.)
  public func updateIfNeeded() {
    guard needsUpdate else { return }
    needsUpdate = false
    let requested = requested
    self.requested = nil
    guard isUsed || requested != nil else { return }
    window.layoutIfNeeded()
    let scope = scope
    let search = FocusSearch(in: scope)
    if let requested, requested.window === window, let item = preferredItem(of: requested, in: search) {
      move(to: item, .none)
      return
    }
    if let item = focusedItem, search.has(item) {
      // The part may have moved.
      return remember(item)
    }
    guard let next = successor(in: search, scope) else { return clear() }
    move(to: next, .none)
  }

  private func successor(in search: FocusSearch, _ scope: View) -> Item? {
    guard scope === lastScope else { return preferred(in: search) }
    for memory in lastAncestors {
      guard let group = memory.group, group.isDescendant(of: scope) else { continue }
      guard let first = search.initial(in: group) else { continue }
      for shown in search.shownGroups where shown.isDescendant(of: group) {
        if let item = remembered(in: shown, search) { return item }
      }
      // The first item of a page that replaced another one; else the item nearest to the removed view.
      return group.subviews.contains { group.keepsFocus(of: $0) }
        ? first : search.nearest(to: lastRect, in: group)
    }
    return preferred(in: search)
  }

  // MARK: The ring

  private func unmark() {
    guard let view, view.focusMark != .none else { return }
    view.focusMark = .none
    view.makeRoomForFocus(false, beside: roomBefore)
  }

  private func mark() {
    guard let view else { return }
    if view.focusMark == .none { roomBefore = view.paintOutset }
    view.focusMark = isRingShown ? (isEditing ? .editing : .focused) : .none
    view.makeRoomForFocus(view.focusMark != .none, beside: roomBefore)
    view.setNeedsDisplay()
  }
}
