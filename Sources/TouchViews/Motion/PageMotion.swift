import TouchCore

extension PagesView {
  /// The motion from one page to another in pictures.
  public enum Transition: String, CaseIterable, Sendable {
    /// No motion: the page appears at once.
    case none
    /// Both pages move side by side. (`UIPageViewController.TransitionStyle.scroll`.)
    case slide
    /// One page fades in or out over the other. (`UIModalTransitionStyle.crossDissolve`.)
    case fade
    /// A later page comes over the present one, which moves away by a third. On the way back
    /// it uncovers the other page. (`UINavigationController.pushViewController(_:animated:)`.)
    case push
  }

  /// The sliding of pages, as it is written.
  public enum Slide: String, CaseIterable, Sendable {
    /// No sliding.
    case no = "false"
    /// From side to side.
    case yes = "true"
    /// From side to side.
    case horizontal
    /// Up and down.
    case vertical

    /// The axis; nil for no sliding.
    public var axis: Axis? {
      switch self {
      case .no: nil
      case .yes, .horizontal: .horizontal
      case .vertical: .vertical
      }
    }
  }

  /// A page to show.
  public enum Target: Hashable, Sendable {
    /// The next one in the order of the subviews, or the one before. At either end, the page stays.
    /// (`UIPageViewControllerDataSource`.)
    case next, previous
    /// The subview with this id.
    case id(String)

    /// Makes a target of `next`, `previous`, or an id.
    public init(_ text: String) {
      switch text {
      case "next": self = .next
      case "previous": self = .previous
      default: self = .id(text)
      }
    }
  }
}

/// The motion from the present page to the next one. It is made before the page
/// changes, so that moving pages go on from where they are seen.
struct PageMotion {
  private let pages: PagesView
  private let old: View?
  /// The seen places and alphas of the pages that move.
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
      // A finger has moved the page.
      return (page, page.layoutRect.origin.offset(x: -offset.x, y: -offset.y))
    }
    alphas = pages.pages.compactMap { page in
      if case .number(let alpha) = animator?.presented(.alpha, of: page) { (page, alpha) } else { nil }
    }
  }

  /// Moves the pages in pictures if another page is shown now.
  ///
  /// - Parameter completion: called at the end of the motion.
  /// - Returns: false if nothing moves. Then the closure is not called.
  func begin(_ transition: PagesView.Transition, _ completion: @escaping () -> Void) -> Bool {
    guard transition != .none, let old, let new = pages.page, new !== old, let window = pages.window,
      let animator = window.runningAnimator, let first = pages.pages.firstIndex(where: { $0 === old }),
      let last = pages.pages.firstIndex(where: { $0 === new })
    else { return false }
    window.layoutIfNeeded()
    let isForward = last > first
    /// Returns a place moved by lengths of the pages view, towards the side from which a later page comes.
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
    case .none: return false
    case .slide:
      group = animator.group(Timing(0.3)) { _ in completion() }
      // The pages are side by side, even if the old one has not reached its place yet.
      let (x, y) = (oldPlace.x - oldHome.x, oldPlace.y - oldHome.y)
      let start = places.contains { $0.page === new } ? seen(new) : away(1, newHome).offset(x: x, y: y)
      animator.move(.place, of: new, from: .point(start), in: group)
      animator.move(.place, of: old, from: .point(oldPlace), to: .point(away(-1, oldHome)), in: group)
      // A page ends at its edges, as at rest: shadows of one do not lie over the other. Round corners would
      // cut off what reaches into them at rest.
      for page in [old, new] where !page.clipsToBounds && page.cornerRadius == 0 {
        animator.move(.clipping, of: page, from: .flag(true), to: .flag(true), in: group)
      }
    case .push:
      group = animator.group(Timing(0.3, curve: .easeOut)) { _ in completion() }
      // The later page is in front of the other one.
      let (comes, goes) = isForward ? (1.0, -1.0 / 3) : (1.0 / 3, -1.0)
      let start = places.contains { $0.page === new } ? seen(new) : away(comes, newHome)
      animator.move(.place, of: new, from: .point(start), in: group)
      animator.move(.place, of: old, from: .point(oldPlace), to: .point(away(goes, oldHome)), in: group)
    case .fade:
      group = animator.group(Timing(0.2)) { _ in completion() }
      // The page in front fades in, or fades out to uncover the other one.
      let (front, isNew) = isForward ? (new, true) : (old, false)
      let alpha = alphas.first { $0.page === front }?.alpha ?? (isNew ? 0 : front.alpha)
      animator.move(.alpha, of: front, from: .number(alpha), to: .number(isNew ? front.alpha : 0), in: group)
    }
    animator.move(.concealment, of: old, from: .flag(false), to: .flag(false), in: group)
    if !pages.clipsToBounds {
      animator.move(.clipping, of: pages, from: .flag(true), to: .flag(true), in: group)
    }
    return true
  }
}

/// The change from one page to another, as the controllers in both are told of it. The order is that of
/// UIKit's containers: `UINavigationController` for `push`, `UIPageViewController` for `slide`, else
/// `UITabBarController`.
final class PageChange {
  private let old, new: [ViewController]
  private let transition: PagesView.Transition
  /// Called at the end.
  var completion: (() -> Void)?

  /// Made before the page changes.
  init(_ pages: PagesView, from old: View?, to new: View?, by transition: PagesView.Transition) {
    let isShown = pages.isOnShownPage
    self.old = isShown ? old?.controllers ?? [] : []
    self.new = isShown ? new?.controllers ?? [] : []
    self.transition = transition
  }

  func begin() {
    let isAnimated = transition != .none
    if transition == .push { old.begin(false, animated: isAnimated) }
    new.begin(true, animated: isAnimated)
    old.begin(false, animated: isAnimated)
  }

  func end() {
    if transition == .slide { new.end() }
    old.end()
    new.end()
    completion?()
  }
}
