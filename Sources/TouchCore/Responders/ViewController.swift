/// A responder between its view and that view's superview. (`UIViewController`.)
open class ViewController: Responder {
  /// The controller's root view. The view keeps the controller, not the other way round.
  public internal(set) weak var view: View?

  /// The controller that presented this one, if any. It follows this controller in the chain.
  public weak var presentingViewController: ViewController?

  /// The presenting controller, or the superview of the controller's view. (`UIViewController.next`.)
  open override var next: Responder? { presentingViewController ?? view?.superview }

  open override var coordinateView: View? { view }
}

extension Responder {
  /// The controller that a view belongs to: the first one on the way up from this responder, itself included.
  /// (What UIKit programs look for by following `UIResponder.next`.)
  public final var owningViewController: ViewController? {
    ResponderChain(from: self).responders.lazy.compactMap { $0 as? ViewController }.first
  }
}
