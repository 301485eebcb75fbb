import TouchCore

extension PagesView {
  /// How pictures go from one page to another.
  public enum Transition: String, CaseIterable, Sendable {
    /// They do not: the page is there at once.
    case none
    /// Both pages move, side by side. (`UIPageViewController.TransitionStyle.scroll`.)
    case slide
    /// One becomes visible over the other. (`UIModalTransitionStyle.crossDissolve`.)
    case fade
    /// A page further on comes over the one that is shown, which gives way by a third; on the way back it uncovers the other one.
    /// (`UINavigationController.pushViewController(_:animated:)`.)
    case push
  }
}

/// The way from the page that is shown to the one that is shown next. It is made before the page changes: what moves then goes on from where
/// it is seen.
struct PageMotion {
  private let pages: PagesView
  private let old: View?
  /// Where each page is seen and how visible it is, as far as it moves.
  private let places: [(page: View, place: LocalPoint)]
  private let alphas: [(page: View, alpha: Double)]

  init(of pages: PagesView) {
    self.pages = pages
    old = pages.page
    let animator = pages.window?.animator
    let offset = pages.bounds.origin
    places = pages.pages.compactMap { page in
      if case .point(let place) = animator?.presented(.place, of: page) { return (page, place) }
      guard offset != .zero, !page.isOnOtherPage else { return nil }
      // A finger has moved it.
      return (page, page.layoutRect.origin.offset(x: -offset.x, y: -offset.y))
    }
    alphas = pages.pages.compactMap { page in
      if case .number(let alpha) = animator?.presented(.alpha, of: page) { (page, alpha) } else { nil }
    }
  }

  /// Moves the pages in pictures, if another one is shown now.
  func begin(_ transition: PagesView.Transition) {
    guard transition != .none, let old, let new = pages.page, new !== old, let window = pages.window,
      let animator = window.runningAnimator, let first = pages.pages.firstIndex(where: { $0 === old }),
      let last = pages.pages.firstIndex(where: { $0 === new })
    else { return }
    window.layoutIfNeeded()
    let isForward = last > first
    /// Of the pages view, to the side from which a page further on comes.
    func away(_ lengths: Double, _ place: LocalPoint) -> LocalPoint {
      let way = pages.length * lengths * (isForward ? 1 : -1) * pages.direction
      return pages.isVertical ? place.offset(x: 0, y: way) : place.offset(x: way, y: 0)
    }
    func seen(_ page: View) -> LocalPoint {
      places.first { $0.page === page }?.place ?? page.layoutRect.origin
    }
    let (oldHome, newHome) = (old.layoutRect.origin, new.layoutRect.origin)
    let oldPlace = seen(old)
    let group: Animator.Group
    switch transition {
    case .none: return
    case .slide:
      group = animator.group(Timing(0.3))
      // Side by side also where the old one has not come to its place yet.
      let (x, y) = (oldPlace.x - oldHome.x, oldPlace.y - oldHome.y)
      let start = places.contains { $0.page === new } ? seen(new) : away(1, newHome).offset(x: x, y: y)
      animator.move(.place, of: new, from: .point(start), in: group)
      animator.move(.place, of: old, from: .point(oldPlace), to: .point(away(-1, oldHome)), in: group)
    case .push:
      group = animator.group(Timing(0.3, curve: .easeOut))
      // The page further on is in front of the other one.
      let (comes, goes) = isForward ? (1.0, -1.0 / 3) : (1.0 / 3, -1.0)
      let start = places.contains { $0.page === new } ? seen(new) : away(comes, newHome)
      animator.move(.place, of: new, from: .point(start), in: group)
      animator.move(.place, of: old, from: .point(oldPlace), to: .point(away(goes, oldHome)), in: group)
    case .fade:
      group = animator.group(Timing(0.2))
      // What is in front becomes visible, or gives the other one free.
      let (front, isNew) = isForward ? (new, true) : (old, false)
      let alpha = alphas.first { $0.page === front }?.alpha ?? (isNew ? 0 : front.alpha)
      animator.move(.alpha, of: front, from: .number(alpha), to: .number(isNew ? front.alpha : 0), in: group)
    }
    animator.move(.concealment, of: old, from: .flag(false), to: .flag(false), in: group)
    if !pages.clipsToBounds {
      animator.move(.clipping, of: pages, from: .flag(true), to: .flag(true), in: group)
    }
  }
}
