/// The responders up through which a touch goes, recorded once when it began. (`UIResponder.next`.)
///
/// A view is followed by its controller if it is the controller's root view, else by its superview. A
/// controller is followed by the one that presents it, else by its view's superview. The window is followed
/// by the application, which is the last.
public final class ResponderChain {
  /// The responders, from the hit view to the application.
  public private(set) var responders: [Responder] = []

  /// The indices of the responders whose handlers capture, the outermost first.
  private var capturing: [Int] = []

  struct Stop {
    let responder: Responder
    /// Whether the stop is for the responder's capturing handlers, or for the responder itself.
    let captures: Bool
  }

  /// The stops of a delivery: down to the hit view at responders that capture, and then up the chain. They
  /// are computed, because a list would cost an allocation for each touch.
  var stops: Range<Int> { 0..<capturing.count + responders.count }

  func stop(_ index: Int) -> Stop {
    index < capturing.count
      ? Stop(responder: responders[capturing[index]], captures: true)
      : Stop(responder: responders[index - capturing.count], captures: false)
  }

  /// Makes a chain that follows `next` from `first` to its end.
  public init(from first: Responder) {
    // Most chains are shorter; without the reserve the list would grow four times.
    responders.reserveCapacity(8)
    follow(from: first)
  }

  /// Becomes the chain from another responder, while nothing else holds this one.
  func follow(from first: Responder) {
    responders.clear()
    capturing.clear()
    var responder: Responder? = first
    var hasHandlers = false
    while let current = responder {
      // A subclass may override `next`; a loop there ends the chain instead of the program.
      if responders.count >= Self.longest { break }
      responders.append(current)
      if !current.handlers.isEmpty { hasHandlers = true }
      responder = current.next
    }
    // Most chains have no capturing handlers, and then there is no list.
    guard hasHandlers else { return }
    for index in responders.indices.reversed() where responders[index].handlers.contains(where: \.captures) {
      capturing.append(index)
    }
  }

  /// The limit of a chain, which only a `next` that goes in circles reaches.
  private static let longest = 100_000

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

extension Responder {
  /// The controller to which a view belongs: the first one on the way up from this responder, itself
  /// included. (UIKit programs find it by following `UIResponder.next`.)
  public final var owningViewController: ViewController? {
    ResponderChain(from: self).responders.lazy.compactMap { $0 as? ViewController }.first
  }
}

/// The last responder of every chain. (`UIApplication` as a responder; `TouchKit` has the application
/// itself.)
open class ApplicationResponder: Responder {
  public override init(id: String = "application") { super.init(id: id) }
}
