/// Shows one of its subviews, the page, and no other. (UIKit's container controllers; `UIPageViewController`.)
///
/// The other subviews are as if they were hidden: neither painted nor hit. Their own `isHidden` stays as it is. Touches
/// on a page that goes are cancelled.
open class PagesView: View {
  /// The subview that is shown; the first one, until it is set, and nil without subviews. A view that is not a subview
  /// is ignored.
  public final var page: View? {
    get { shown }
    set {
      guard let newValue, newValue.superview === self, newValue !== shown else { return }
      show(newValue)
    }
  }
  /// The subview keeps its page view alive for as long as it is one.
  private weak var shown: View?

  /// Which page to show.
  public enum Target: Hashable, Sendable {
    /// The next one in the order of the subviews, or the one before. At either end, the page stays.
    /// (`UIPageViewControllerDataSource`.)
    case next, previous
    /// The subview with this id.
    case id(String)

    /// `next`, `previous`, or an id.
    public init(_ text: String) {
      switch text {
      case "next": self = .next
      case "previous": self = .previous
      default: self = .id(text)
      }
    }
  }

  /// Shows another page.
  ///
  /// - Throws: when there is no such page.
  public final func show(_ target: Target) throws(PropertyError) {
    switch target {
    case .next: page = page(after: 1)
    case .previous: page = page(after: -1)
    case .id(let id): try set([.page(id)])
    }
  }

  private func page(after steps: Int) -> View? {
    guard let index = subviews.firstIndex(where: { $0 === shown }) else { return nil }
    let next = index + steps
    return subviews.indices.contains(next) ? subviews[next] : nil
  }

  open override func didAddSubview(_ subview: View) {
    super.didAddSubview(subview)
    if shown == nil { show(subview) } else { subview.isOnOtherPage = true }
  }

  open override func willRemoveSubview(_ subview: View) {
    super.willRemoveSubview(subview)
    if subview === shown { show(subviews.first { $0 !== subview }) }
    subview.isOnOtherPage = false
  }

  private func show(_ page: View?) {
    let old = shown
    shown = page
    old?.isOnOtherPage = true
    page?.isOnOtherPage = false
    guard let window else { return }
    window.observe(.page(self))
    if let old { window.subtreeLeft(old) }
  }
}

extension View {
  /// Whether the superview shows another page than this view.
  final var isOnOtherPage: Bool {
    get { refusals[.otherPage] }
    set {
      refusals[.otherPage] = newValue
      concealmentChanged()
    }
  }
}
