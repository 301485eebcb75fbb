// The order of subviews, and what the index over them has to be told.

extension View {
  /// Whether a class is one that is known to leave hit testing as it is here. A subclass from elsewhere may override
  /// it; there is no way to look.
  static func isStandard(_ type: View.Type) -> Bool {
    type == View.self || type == Control.self || type == Button.self || type == Label.self
      || type == ImageView.self
  }

  /// The index over the subviews, up to date; nil where they are walked through, because they are few, because an
  /// override is among what is in them, or because `indexesSubviews` is off.
  final var currentIndex: HitIndex? {
    guard subviews.count >= HitIndex.fewest, overridesBelow == 0, isIndexed else { return nil }
    let index: HitIndex
    if let hitIndex {
      index = hitIndex
    } else {
      index = HitIndex()
      hitIndex = index
    }
    index.bringUpToDate(layeredSubviews)
    return index
  }

  /// The places where the view can be hit are others now.
  final func reachChanged() {
    var view = self
    while let parent = view.superview {
      parent.hitIndex?.note(view)
      guard parent.hitExtension?.behavior.dependsOnSubviews ?? false else { return }
      view = parent
    }
  }

  final func subviewAdded(_ view: View, at index: Int) {
    if view.z != 0 { raisedSubviews += 1 }
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
    sortedByZ = nil
    if subviews.count < HitIndex.fewest { hitIndex = nil }
    hitIndex?.remove(view)
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

  /// Where the view is among its siblings.
  final var z: Double { hitExtension?.z ?? 0 }

  /// The subviews by `z`, which Swift's sort, being stable, leaves in their order among equals.
  final func sortedSubviews() -> [View] {
    if let sortedByZ { return sortedByZ }
    let sorted = subviews.sorted { $0.z < $1.z }
    sortedByZ = sorted
    return sorted
  }

  // MARK: Overrides

  /// How many views in this one, and this one, run code from elsewhere in a hit test. A redirect counts: it may lead
  /// to a view of any class.
  private var overrides: Int { overridesBelow + (hasStandardHitTest ? 0 : 1) + (redirects ? 1 : 0) }

  private var redirects: Bool { hitExtension?.redirects ?? false }

  /// Tells this view and its ancestors that there are more overrides in it.
  private func countOverrides(_ more: Int) {
    guard more != 0 else { return }
    var view: View? = self
    while let current = view {
      current.overridesBelow += more
      view = current.superview
    }
  }
}
