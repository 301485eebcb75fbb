/// Finds the frontmost of many subviews at a point without asking each of them.
///
/// It keeps a tree over the boxes in which the subviews can be hit. The views in whose boxes a point lies are asked
/// themselves, so the answer is the walk's; that is why it does not matter if a box is too large. What changes is
/// noted, and brought up to date at the next hit test: a view that moved costs the logarithm of the number of
/// subviews, one that is put in or taken out does too, and only a change in the middle of the order starts anew.
final class HitIndex {
  /// With fewer subviews than this the walk is as fast.
  static let fewest = 24

  private struct Slot {
    var view: Unmanaged<View>?
    var rank: Int32
    var isNoted: Bool
  }

  // Unchecked, because a search reads both from its begin to its end, and nothing that it asks can change them:
  // where code from elsewhere might run, there is no index.
  @exclusivity(unchecked) private var slots: ContiguousArray<Slot> = []
  @exclusivity(unchecked) private var tree = BoundingVolumeTree()
  private var freeSlots: ContiguousArray<Int32> = []
  /// The slots whose views' reach may have changed.
  private var noted: ContiguousArray<Int32> = []
  private var nextRank: Int32 = 0
  private var isStale = true

  /// Around every subview's reach, in the superview's own space.
  var reach: HitBounds { tree.box.map { HitBounds($0) } ?? .nothing }

  // MARK: Search

  /// The answer of the frontmost subview that has one, as the walk finds it.
  ///
  /// - Parameter point: in the superview's bounds space.
  func frontmost(at point: LocalPoint, with event: Event?) -> View? {
    tree.frontmost(at: IndexProbe(point)) { slot in
      guard let view = slots[slot].view?.takeUnretainedValue() else { return nil }
      return view.hitTest(view.convertFromSuperview(point), with: event)
    }
  }

  // MARK: What changed

  /// A subview may be hit elsewhere now.
  func note(_ view: View) {
    if !isStale { note(view.indexSlot) }
  }

  /// The order of the subviews changed, other than at its front end.
  func noteOrder() {
    isStale = true
  }

  /// A subview was put in front of all the others.
  func append(_ view: View) {
    guard !isStale else { return }
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = Int(free)
    } else {
      slot = slots.count
      slots.append(Slot(view: nil, rank: 0, isNoted: false))
    }
    slots[slot].view = .passUnretained(view)
    slots[slot].rank = nextRank
    nextRank += 1
    view.indexSlot = slot
    note(slot)
    // Ranks are 32 bits wide; a list that is turned over for months starts anew.
    if nextRank == .max { isStale = true }
  }

  /// A subview was taken out.
  func remove(_ view: View) {
    guard !isStale else { return }
    let slot = view.indexSlot
    tree.set(slot, box: nil, rank: 0)
    slots[slot].view = nil
    freeSlots.append(Int32(truncatingIfNeeded: slot))
  }

  private func note(_ slot: Int) {
    guard !slots[slot].isNoted else { return }
    slots[slot].isNoted = true
    noted.append(Int32(truncatingIfNeeded: slot))
  }

  // MARK: Bringing up to date

  /// Takes in what was noted.
  ///
  /// - Parameter views: the subviews, back to front.
  func bringUpToDate(_ views: [View]) {
    // Beyond some share of them, one rebuild is cheaper than many changes.
    if isStale || noted.count > 64 && noted.count > slots.count / 8 {
      rebuild(views)
    } else if !noted.isEmpty {
      for slot in noted {
        let slot = Int(slot)
        slots[slot].isNoted = false
        guard let view = slots[slot].view?.takeUnretainedValue() else { continue }
        tree.set(slot, box: Self.box(of: view), rank: slots[slot].rank)
      }
      noted.removeAll(keepingCapacity: true)
    }
  }

  private func rebuild(_ views: [View]) {
    slots.removeAll(keepingCapacity: true)
    freeSlots.removeAll(keepingCapacity: true)
    noted.removeAll(keepingCapacity: true)
    var leaves: [BoundingVolumeTree.Leaf] = []
    leaves.reserveCapacity(views.count)
    for (slot, view) in views.enumerated() {
      let rank = Int32(truncatingIfNeeded: slot)
      view.indexSlot = slot
      slots.append(Slot(view: .passUnretained(view), rank: rank, isNoted: false))
      if let box = Self.box(of: view) {
        leaves.append(BoundingVolumeTree.Leaf(box: box, rank: rank, slot: rank))
      }
    }
    nextRank = Int32(truncatingIfNeeded: views.count)
    tree.rebuild(&leaves, slots: slots.count)
    isStale = false
  }

  private static func box(of view: View) -> IndexBox? {
    let reach = view.reach
    return reach.isNothing ? nil : IndexBox(reach)
  }
}
