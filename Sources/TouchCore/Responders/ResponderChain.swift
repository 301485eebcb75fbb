/// The responders that a touch goes up through, taken once when it began. (`UIResponder.next`.)
///
/// A view is followed by its controller if it is the controller's root view, else by its superview; a
/// controller by the one that presents it, else by its view's superview; the window by the application, which is
/// the last.
public final class ResponderChain {
  /// From the hit view to the application.
  public let responders: [Responder]

  /// Which of the responders have handlers that capture, the outermost first.
  private let capturing: [Int]

  struct Stop {
    let responder: Responder
    /// Whether the responder's capturing handlers are meant, or the responder itself.
    let captures: Bool
  }

  /// Where a touch is delivered, in order: down to the hit view at the responders whose handlers capture, and then up
  /// the chain. Computed, because a list of them is an allocation and a copy of every responder for each touch.
  var stops: Range<Int> { 0..<capturing.count + responders.count }

  func stop(_ index: Int) -> Stop {
    index < capturing.count
      ? Stop(responder: responders[capturing[index]], captures: true)
      : Stop(responder: responders[index - capturing.count], captures: false)
  }

  /// Follows `next` from `first` until it ends.
  public init(from first: Responder) {
    var responders: [Responder] = []
    // Most chains are shorter; without this the list would grow four times.
    responders.reserveCapacity(8)
    var responder: Responder? = first
    var hasHandlers = false
    while let current = responder {
      // A subclass may override `next`; a loop there ends the chain instead of the program.
      if responders.count >= Self.longest { break }
      responders.append(current)
      if !current.handlers.isEmpty { hasHandlers = true }
      responder = current.next
    }
    self.responders = responders
    // Most chains have none, and then there is no list.
    var capturing: [Int] = []
    if hasHandlers {
      for index in responders.indices.reversed() where responders[index].handlers.contains(where: \.captures)
      {
        capturing.append(index)
      }
    }
    self.capturing = capturing
  }

  /// Far more than any tree is deep; only a `next` that goes in circles reaches it.
  private static let longest = 100_000

  /// The chain from a view, which touches that go up the same responders share: by it they are grouped.
  static func shared(from view: View, with touches: [Touch]) -> ResponderChain {
    for touch in touches {
      if let chain = touch.chain, chain.isSame(from: view) { return chain }
    }
    return ResponderChain(from: view)
  }

  /// Whether the chain from `first` has the same responders, and the same of them capture.
  func isSame(from first: Responder) -> Bool {
    var next: Responder? = first
    // The outermost is the first.
    var captures = capturing.count
    for index in responders.indices {
      guard let responder = next, responder === responders[index] else { return false }
      if !responder.handlers.isEmpty, responder.handlers.contains(where: \.captures) {
        captures -= 1
        guard captures >= 0, capturing[captures] == index else { return false }
      }
      next = responder.next
    }
    return captures == 0 && (next == nil || responders.count == Self.longest)
  }
}

/// A responder between its view and that view's superview. (`UIViewController`.)
///
/// A program makes a subclass, overrides `viewDidLoad()`, and sets `Window.rootViewController`; or it sets
/// `View.viewController` of a view that it has.
open class ViewController: Responder {
  /// The controller's root view; nil before it is loaded. The view keeps the controller, not the other way round, so a controller
  /// whose view is gone is gone with it. (`UIViewController.view`, which UIKit loads when it is asked for.)
  public internal(set) weak var view: View! {
    didSet {
      guard view != nil, !isLoaded else { return }
      isLoaded = true
      viewDidLoad()
    }
  }
  private var isLoaded = false

  /// - Parameter id: unique in its tree; empty for a controller that needs no name.
  public override init(id: String = "") {
    super.init(id: id)
  }

  /// Makes the controller's view: a plain one, unless it is overridden. (`UIViewController.loadView()`.)
  open func loadView() -> View { View(id: id) }

  /// The controller has got its view: add subviews, gestures and actions here. It is called once. The view of a window's root
  /// controller is in the window then, and as large; any other may be in none. (`UIViewController.viewDidLoad()`.)
  open func viewDidLoad() {}

  /// The controller's view, made now if there is none. The caller has to keep the view, which keeps the controller.
  /// (`UIViewController.loadViewIfNeeded()`.)
  @discardableResult
  public final func loadViewIfNeeded() -> View {
    if let view { return view }
    let made = loadView()
    made.viewController = self
    return made
  }

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

/// The last responder of every chain. (`UIApplication` as a responder; `TouchKit` has the application itself.)
open class ApplicationResponder: Responder {
  public override init(id: String = "application") {
    super.init(id: id)
  }
}
