/// Which view the keys act on, and how they move it. (`UIFocusSystem`.)
///
/// A touch needs no focus, so there is none until a key asks for it, and its ring shows while keys were used last. A view is focused
/// as a whole, or in one of its parts, as a list is in a row.
///
/// ```
///             arrow, tab, a step of an encoder              touch
///   no focus ────────────────────────────────→ ring shown ⇄ ring hidden
///                                                 │  ↑         key
///                          select on a slider     ↓  │ select, menu
///                                               editing
/// ```
public final class FocusSystem {
  /// What has the focus. (`UIFocusItem`.)
  public struct Item: Equatable {
    /// The view.
    public let view: View
    /// Which of its parts, counted from 0; nil for a view without parts.
    public let part: Int?

    /// A view, or a part of it.
    public init(_ view: View, part: Int? = nil) { (self.view, self.part) = (view, part) }

    /// Whether both are the same part of the same view.
    public static func == (one: Self, other: Self) -> Bool {
      one.view === other.view && one.part == other.part
    }

    /// Where it is, in the view's own space.
    package var localRect: LocalRect { part.map { view.focusRect(of: $0) } ?? view.bounds }
    /// Where it is, in window space.
    public var windowRect: WindowRect { rect }
    var rect: WindowRect { view.windowFromLocal.bounding(localRect) }
  }

  /// An item that is kept without its view.
  private struct Memory {
    weak var group: View?
    weak var view: View?
    var part: Int?
    var item: Item? { view.map { Item($0, part: part) } }
  }

  unowned let window: Window
  private weak var view: View?
  private var part: Int?
  /// Where the focus was last, and in what, from the inside out: for when its view goes.
  private var lastRect = WindowRect.zero
  private var lastAncestors: [Memory] = []
  /// What was focused last in sheets, in pages and in the window.
  private var memories: [Memory] = []
  private weak var lastScope: View?
  private var needsUpdate = false
  /// What the next update is to prefer.
  private weak var requested: View?
  /// Whether the ring was shown before the press that is being delivered.
  private var wasShown = false
  /// See `keyboard`.
  weak var enteredKeyboard: (any FirstResponderWatcher)?
  /// What the keyboard types into.
  weak var typedInto: View?
  /// The presses that hold a view down, as fingers.
  private var activations: [(press: Int, contact: ContactID, location: WindowPoint)] = []

  /// Whether a key was used last, so that the ring is shown.
  public private(set) var isRingShown = false { didSet { if oldValue != isRingShown { mark() } } }
  /// Whether the steps of an encoder, tab and the arrows change the focused view's value and leave the focus where it is.
  public private(set) var isEditing = false { didSet { if oldValue != isEditing { mark() } } }

  init(window: Window) { self.window = window }

  /// What is focused; nil for nothing. (`UIFocusSystem.focusedItem`.)
  public var focusedItem: Item? { view.map { Item($0, part: part) } }

  /// Whether anything was ever focused, so that there is something to be kept up to date.
  private var isUsed: Bool { view != nil || isRingShown }

  // MARK: Moving

  /// Focuses a view, or a part of it; what cannot be focused changes nothing.
  ///
  /// - Returns: whether it is focused now.
  @discardableResult
  public func focus(_ item: Item) -> Bool {
    window.layoutIfNeeded()
    guard FocusSearch(in: scope).has(item) else { return false }
    return move(to: item, .none)
  }

  /// Moves the focus. Where nothing is focused, the first item is. (`UIFocusSystem`, `UIFocusHeading`.)
  ///
  /// - Returns: whether it moved.
  @discardableResult
  public func move(_ heading: FocusHeading) -> Bool {
    updateIfNeeded()
    window.layoutIfNeeded()
    let search = FocusSearch(in: scope)
    guard let item = focusedItem, let place = search.place(of: item) else {
      return search.first.map { move(to: preferred(in: search) ?? $0, heading) } ?? false
    }
    if let id = item.view.nextFocus[heading], item.part == nil || leaves(item, heading) {
      guard let next = search.item(in: window.view(id: id)) else { return false }
      return move(to: next, heading)
    }
    let next =
      switch heading {
      case .next: search.item(after: place, by: 1)
      case .previous: search.item(after: place, by: -1)
      case .up, .down, .left, .right: search.neighbor(of: place, heading)
      case .none: Item?.none
      }
    guard let next, next != item else { return false }
    return move(to: next, heading)
  }

  /// Whether a step from a part goes out of the view.
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
    // What has gone cannot keep it.
    let asked = old?.view.window === window ? environments : self.environments(of: item)
    guard asked.allSatisfy({ $0.shouldUpdateFocus(in: context) }) else { return false }
    isEditing = false
    unmark()
    (view, part) = (item.view, item.part)
    reveal(item)
    remember(item)
    mark()
    for view in environments { view.didUpdateFocus(in: context) }
    window.observe(FocusReport(context: context))
    return true
  }

  private func clear() {
    guard let old = focusedItem else { return }
    isEditing = false
    unmark()
    (view, part) = (nil, nil)
    let context = FocusUpdateContext(previous: old, next: nil, heading: .none)
    for view in environments(of: context) { view.didUpdateFocus(in: context) }
    window.observe(FocusReport(context: context))
  }

  /// Everything around what had the focus, and around what gets it, from the inside out and each once.
  private func environments(of context: FocusUpdateContext) -> [View] {
    // Of a view that has gone, what was around it.
    let isThere = context.previous?.view.window === window
    let before = isThere ? environments(of: context.previous) : lastAncestors.compactMap(\.group)
    return before + environments(of: context.next).filter { view in !before.contains { $0 === view } }
  }

  /// The view and those around it. (`UIFocusEnvironment`.)
  private func environments(of item: Item?) -> [View] {
    var views: [View] = []
    var next = item?.view
    while let view = next {
      views.append(view)
      next = view.superview
    }
    return views
  }

  private func reveal(_ item: Item) {
    var next = item.view.superview
    while let view = next {
      (view as? any FocusScroller)?.revealFocus(item.view.convert(item.localRect, to: view))
      next = view.superview
    }
    window.layoutIfNeeded()
  }

  // MARK: What is remembered

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

  /// What was focused last in the view, if it can be focused still.
  private func remembered(in group: View, _ search: FocusSearch) -> Item? {
    memories.last { $0.group === group }?.item.flatMap { search.has($0) ? $0 : nil }
  }

  /// Where the focus goes in a scope that it was not in.
  private func preferred(in search: FocusSearch) -> Item? {
    remembered(in: scope, search)
      ?? search.shownGroups.lazy.compactMap { self.remembered(in: $0, search) }.first
      ?? preferredItem(of: scope, in: search)
  }

  /// What a view wants to have the focus first, or what is first in it.
  private func preferredItem(of view: View, in search: FocusSearch, asked: [View] = []) -> Item? {
    // Views may name each other.
    guard !asked.contains(where: { $0 === view }) else { return nil }
    return view.preferredFocusEnvironments.lazy.compactMap {
      self.preferredItem(of: $0, in: search, asked: asked + [view])
    }.first ?? search.item(in: view)
  }

  /// The view in which the focus stays: the keyboard that is worked, the foremost sheet, or the window.
  var scope: View {
    keyboard ?? window.layeredSubviews.last { $0.confinesFocus && !$0.isConcealed } ?? window
  }

  /// Something was hidden, disabled or removed, or a sheet came: what is focused may have to be another view.
  /// (`UIFocusEnvironment.setNeedsFocusUpdate()`.)
  public func setNeedsUpdate() { needsUpdate = true }

  /// Moves the focus to what a view prefers, with the next update. (`UIFocusSystem.requestFocusUpdate(to:)`.)
  public func requestUpdate(to view: View) { (requested, needsUpdate) = (view, true) }

  /// Moves the focus on if what had it cannot have it any more. (`UIFocusEnvironment.updateFocusIfNeeded()`.)
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
      // The part may lie elsewhere by now.
      return remember(item)
    }
    guard let next = successor(in: search, scope) else { return clear() }
    move(to: next, .none)
  }

  /// What is focused after the view that was has gone.
  private func successor(in search: FocusSearch, _ scope: View) -> Item? {
    guard scope === lastScope else { return preferred(in: search) }
    for memory in lastAncestors {
      guard let group = memory.group, group.isDescendant(of: scope) else { continue }
      guard let first = search.first(in: group) else { continue }
      for shown in search.shownGroups where shown.isDescendant(of: group) {
        if let item = remembered(in: shown, search) { return item }
      }
      // Of a page that is another one now, the first; beside a view that is gone, the nearest.
      return group.subviews.contains { group.keepsFocus(of: $0) }
        ? first : search.nearest(to: lastRect, in: group)
    }
    return preferred(in: search)
  }

  // MARK: Keys

  /// A key went down. The ring shows if it is one that works the focus.
  func keysAreUsed(_ press: Press) {
    updateIfNeeded()
    wasShown = isRingShown
    if types(press) {
      if keyboard != nil, showsLetters(press) { leaveKeyboard() }
      return
    }
    guard press.type != nil || press.key.keyCode == .tab else { return }
    if isEditing || press.type == .select { leaveUnseen() }
    isRingShown = true
    followFirstResponder()
  }

  /// What was covered since it got the focus is not pressed; where the focus goes then is shown first.
  private func leaveUnseen() {
    guard let item = focusedItem, item.view !== window.firstResponder else { return }
    window.layoutIfNeeded()
    guard !FocusSearch(in: scope).has(item) else { return }
    setNeedsUpdate()
    updateIfNeeded()
    wasShown = false
  }

  /// From a field that a finger has chosen the focus goes on as from one that keys have.
  private func followFirstResponder() {
    guard keyboard == nil, let field = window.firstResponder as? View, field is any KeyInput,
      focusedItem?.view !== field
    else { return }
    focus(Item(field))
  }

  /// A finger or a mouse touches: the ring goes.
  package func touchesAreUsed() {
    isRingShown = false
    isEditing = false
  }

  /// What the focused view does with a press, before anything around it gets it.
  ///
  /// - Returns: whether it was for it.
  func give(_ press: Press, to view: View) -> Bool {
    guard let item = focusedItem, item.view === view else { return false }
    let isFirst = press.phase == .began
    // What the caret marks is known without a ring.
    if view === window.firstResponder, view is any KeyInput {
      if types(press) { return false }
      if press.type == .select, isFirst, enterKeyboard() { return true }
    }
    if isEditing, let steps = press.steps {
      adjust(item, by: steps, press, wraps: press.key.keyCode == .tab)
      return true
    }
    switch press.type {
    case .select where !isFirst: return true
    // What is not marked is not known to who presses.
    case .select where !wasShown: return true
    case .select where view.canAdjustFocus(of: item.part):
      isEditing.toggle()
      return true
    case .select:
      activate(item, press)
      return true
    case .menu where isEditing:
      isEditing = false
      return true
    case .menu where isFirst && keyboard === view:
      _ = window.firstResponder?.resignFirstResponder()
      leaveKeyboard()
      return true
    default: return false
    }
  }

  /// A press that no responder handled moves the focus.
  func take(_ press: Press) {
    switch press.type {
    case .upArrow: moveOrScroll(.up)
    case .downArrow: moveOrScroll(.down)
    case .leftArrow: moveOrScroll(.left)
    case .rightArrow: moveOrScroll(.right)
    case .turnRight: step(.next)
    case .turnLeft: step(.previous)
    case .pageUp: scroll(.up, isPage: true)
    case .pageDown: scroll(.down, isPage: true)
    case .select where focusedItem == nil && press.phase == .began: step(.next)
    case .menu where press.phase == .began: _ = window.firstResponder?.resignFirstResponder()
    case nil where press.key.keyCode == .tab && press.key.modifierFlags.isDisjoint(with: .commanding):
      step(press.key.modifierFlags.contains(.shift) ? .previous : .next)
    case .select, .menu, .playPause, nil: break
    }
  }

  /// The first key after a touch shows where the focus is, and moves it from there; the first of all shows the first item.
  private func step(_ heading: FocusHeading) {
    if keyboard != nil { return stepInKeyboard(heading) }
    let wasTyping = window.firstResponder is any KeyInput
    guard move(heading), wasTyping else { return }
    // As tab does between fields on an iPad: what is typed goes on in the next one.
    if let field = focusedItem?.view, field is any KeyInput {
      field.becomeFirstResponder()
    } else {
      _ = window.firstResponder?.resignFirstResponder()
    }
  }

  private func moveOrScroll(_ heading: FocusHeading) {
    if !move(heading), keyboard == nil { scroll(heading, isPage: false) }
  }

  /// Scrolls what the focus is in, where there is nothing further to be focused.
  private func scroll(_ heading: FocusHeading, isPage: Bool) {
    let start = focusedItem?.view ?? FocusSearch(in: scope).scroller
    var next = start
    while let view = next {
      if let scroller = view as? any FocusScroller, scroller.scrollFocus(heading, isPage: isPage) { return }
      next = view.superview
    }
  }

  /// Holds the item as a finger on its middle would, until the key comes up.
  private func activate(_ item: Item, _ press: Press) {
    guard let dispatcher = window.dispatcher else { return }
    reveal(item)
    let rect = item.rect
    let location = WindowPoint(x: rect.midX, y: rect.midY)
    // A device may have fingers, too.
    let contact = ContactID(device: press.device, serial: -press.id)
    activations.append((press.id, contact, location))
    dispatcher.dispatchIndirect(contact, on: item.view, at: location, time: press.timestamp)
  }

  /// The key of a press came up, or was broken off.
  func release(_ press: Press) {
    guard let index = activations.firstIndex(where: { $0.press == press.id }) else { return }
    let held = activations.remove(at: index)
    window.dispatcher?.dispatch(
      [
        TouchChange(
          contact: held.contact, kind: press.phase == .cancelled ? .cancelled : .ended,
          location: held.location)
      ], at: press.timestamp)
    enterKeyboard(after: press)
  }

  private func adjust(_ item: Item, by steps: Int, _ press: Press, wraps: Bool) {
    window.dispatcher?.actIndirectly(on: item.view, by: press.device, at: press.timestamp) { touch, event in
      item.view.adjustFocus(of: item.part, by: steps, wraps: wraps, touch, event)
    }
  }

  // MARK: The ring

  private func unmark() {
    guard let view else { return }
    view.setNeedsDisplay(focusedItem?.localRect ?? view.bounds)
    view.focusMark = .none
  }

  private func mark() {
    guard let view else { return }
    view.focusMark = isRingShown ? (isEditing ? .editing : .focused) : .none
    view.setNeedsDisplay(focusedItem?.localRect ?? view.bounds)
  }
}

extension Press {
  /// How far it changes what is edited; nil for a key that does not.
  fileprivate var steps: Int? {
    switch type {
    case .turnRight, .rightArrow, .upArrow: 1
    case .turnLeft, .leftArrow, .downArrow: -1
    case nil where key.keyCode == .tab: key.modifierFlags.contains(.shift) ? -1 : 1
    case .select, .menu, .playPause, .pageUp, .pageDown, nil: nil
    }
  }
}
