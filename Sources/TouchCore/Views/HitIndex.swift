/// An index that finds the frontmost of several subviews at a point without asking each of them.
///
/// It has the boxes in which the subviews can be hit: in a list while they are few, in a tree when they are
/// many. The views whose boxes contain a point are then tested themselves. The result is therefore the
/// walk's, and a box may be too large.
///
/// Changes are noted, and applied at the next hit test. In a list, a view that moved costs one box. In a
/// tree, a view that moved, was added or was removed costs the logarithm of the number of subviews. Only a
/// change in the middle of the order rebuilds the index.
final class HitIndex {
  /// The fewest subviews for which the index is faster than the walk.
  static let fewest = 8
  /// The most subviews for which a search of the list is faster than one of the tree.
  private static let longestList = 256

  private struct Slot {
    var view: Unmanaged<View>?
    var rank: Int32
    var isNoted: Bool
  }

  // Unchecked: a search calls nothing that changes them, since without overrides alone there is an index.
  @exclusivity(unchecked) private var slots: ContiguousArray<Slot> = []
  /// The boxes of the slots, in the order of the subviews; empty if there is a tree.
  @exclusivity(unchecked) private var list = BoxList()
  @exclusivity(unchecked) private var tree = BoundingVolumeTree()
  private var isList = true
  private var freeSlots: ContiguousArray<Int32> = []
  /// The slots whose views' reach may have changed.
  private var noted: ContiguousArray<Int32> = []
  private var nextRank: Int32 = 0
  private var isStale = true
  /// Whether nothing has changed since the last update.
  @exclusivity(unchecked) private(set) var isCurrent = false

  deinit { list.removeAll() }

  /// The box around every subview's reach, in the superview's own space.
  var reach: HitBounds {
    let box = isList ? list.box : tree.box ?? .nothing
    return box == .nothing ? .nothing : HitBounds(box)
  }

  // MARK: Search

  /// The answer of the frontmost subview that has one, at a point in the superview's bounds space.
  func frontmost<Asker: HitAsker>(at point: LocalPoint, with event: Event?, by asker: Asker) -> Asker.Found? {
    let probe = IndexProbe(point)
    func ask(_ slot: Int) -> Asker.Found? {
      slots[slot].view?._withUnsafeGuaranteedRef { asker.ask($0, fromSuperview: point, with: event) }
    }
    return isList ? list.last(at: probe, ask: ask) : tree.frontmost(at: probe, ask: ask)
  }

  // MARK: Noting changes

  func note(_ view: View) { if !isStale { note(view.indexSlot) } }

  /// Notes that the order of the subviews changed, other than at its front end.
  func noteOrder() {
    isStale = true
    isCurrent = false
  }

  func append(_ view: View) {
    guard !isStale else { return }
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = Int(free)
    } else {
      slot = slots.count
      slots.append(Slot(view: nil, rank: 0, isNoted: false))
      if isList { list.append(.nothing) }
    }
    slots[slot].view = .passUnretained(view)
    slots[slot].rank = nextRank
    nextRank += 1
    view.indexSlot = slot
    note(slot)
    // Ranks are 32 bits wide, and a list keeps removed slots: trees that change for months are rebuilt.
    if isList ? slots.count > 2 * Self.longestList : nextRank == .max { noteOrder() }
  }

  func remove(_ view: View, left: Int) {
    guard !isStale else { return }
    let slot = view.indexSlot
    slots[slot].view = nil
    if isList {
      list[slot] = .nothing
    } else {
      tree.set(slot, box: nil, rank: 0)
      freeSlots.append(Int32(truncatingIfNeeded: slot))
      if left < Self.longestList / 2 { noteOrder() }
    }
  }

  private func note(_ slot: Int) {
    guard !slots[slot].isNoted else { return }
    slots[slot].isNoted = true
    noted.append(Int32(truncatingIfNeeded: slot))
    isCurrent = false
  }

  // MARK: Updating

  /// Applies the noted changes to the subviews, back to front.
  func bringUpToDate(_ views: [View]) {
    // Beyond a share of them, one rebuild is cheaper than many changes.
    if isStale || !isList && noted.count > 64 && noted.count > slots.count / 8 {
      rebuild(views)
    } else {
      for slot in noted {
        let slot = Int(slot)
        slots[slot].isNoted = false
        guard let view = slots[slot].view?.takeUnretainedValue() else { continue }
        let box = Self.box(of: view)
        if isList {
          list[slot] = box ?? .nothing
        } else {
          tree.set(slot, box: box, rank: slots[slot].rank)
        }
      }
      noted.removeAll(keepingCapacity: true)
    }
    isCurrent = true
  }

  private func rebuild(_ views: [View]) {
    slots.removeAll(keepingCapacity: true)
    freeSlots.removeAll(keepingCapacity: true)
    noted.removeAll(keepingCapacity: true)
    isList = views.count <= Self.longestList
    list.removeAll()
    var leaves: [BoundingVolumeTree.Leaf] = []
    for (slot, view) in views.enumerated() {
      let rank = Int32(truncatingIfNeeded: slot)
      view.indexSlot = slot
      slots.append(Slot(view: .passUnretained(view), rank: rank, isNoted: false))
      let box = Self.box(of: view)
      if isList {
        list.append(box ?? .nothing)
      } else if let box {
        leaves.append(BoundingVolumeTree.Leaf(box: box, rank: rank, slot: rank))
      }
    }
    nextRank = Int32(truncatingIfNeeded: views.count)
    isStale = false
    tree.rebuild(&leaves, slots: slots.count)
  }

  private static func box(of view: View) -> IndexBox? {
    let reach = view.reach
    return reach.isNothing ? nil : IndexBox(reach)
  }
}

// The order of subviews, and the changes that reach the index over them.

extension View {
  /// The updated index; nil if the subviews are walked: few, overridden below, or `indexesSubviews` off.
  final var currentIndex: Unmanaged<HitIndex>? {
    if let hitIndex, hitIndex.isCurrent, overridesBelow == 0 { return .passUnretained(hitIndex) }
    guard storedSubviews.count >= HitIndex.fewest, overridesBelow == 0, indexesSubviews else { return nil }
    let index: HitIndex
    if let hitIndex {
      index = hitIndex
    } else {
      index = HitIndex()
      hitIndex = index
    }
    index.bringUpToDate(layeredSubviews)
    return .passUnretained(index)
  }

  /// Notes that the area in which the view can be hit has changed.
  final func reachChanged() {
    changes &+= 1
    var view = self
    while let parent = view.superview {
      parent.hitIndex?.note(view)
      guard parent.hitExtension?.behavior.dependsOnSubviews ?? false else { return }
      view = parent
    }
  }

  final func subviewAdded(_ view: View, at index: Int) {
    if view.z != 0 { raisedSubviews += 1 }
    if view.minimumHitSize > 0 { enlargedSubviews += 1 }
    sortedByZ = nil
    if raisedSubviews == 0 && index == subviews.count - 1 {
      hitIndex?.append(view)
    } else {
      hitIndex?.noteOrder()
    }
    countOverrides(view.overrides)
    view.reachChanged()
  }

  final func subviewRemoved(_ view: View) {
    if view.z != 0 { raisedSubviews -= 1 }
    if view.minimumHitSize > 0 { enlargedSubviews -= 1 }
    sortedByZ = nil
    if subviews.count < HitIndex.fewest { hitIndex = nil }
    hitIndex?.remove(view, left: subviews.count)
    countOverrides(-view.overrides)
    reachChanged()
  }

  final func behaviorChanged(from old: HitExtension?) {
    let oldZ = old?.z ?? 0
    if let superview {
      if oldZ != z {
        superview.raisedSubviews += (z != 0 ? 1 : 0) - (oldZ != 0 ? 1 : 0)
        superview.sortedByZ = nil
        superview.hitIndex?.noteOrder()
        setNeedsDisplay()
      }
      superview.countOverrides((redirects ? 1 : 0) - (old?.redirects ?? false ? 1 : 0))
    }
    reachChanged()
  }

  // MARK: Order

  /// The view's order among its siblings.
  package final var z: Double { hitExtension?.z ?? 0 }

  /// Returns the subviews by `z`. Swift's sort is stable, so equals keep their order.
  final func sortedSubviews() -> [View] {
    if let sortedByZ { return sortedByZ }
    let sorted = subviews.sorted { $0.z < $1.z }
    sortedByZ = sorted
    return sorted
  }

  // MARK: Overrides

  /// The number of views from here that may run overridden code in a hit test, redirects included.
  private var overrides: Int { overridesBelow + (hasStandardHitTest ? 0 : 1) + (redirects ? 1 : 0) }

  final var redirects: Bool { hitExtension?.redirects ?? false }

  private func countOverrides(_ more: Int) {
    guard more != 0 else { return }
    var view: View? = self
    while let current = view {
      current.overridesBelow += more
      view = current.superview
    }
  }
}
