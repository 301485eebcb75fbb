/// The responders that a touch goes up through, taken once when it began.
public final class ResponderChain {
  /// From the hit view to the application.
  public let responders: [Responder]

  /// Follows `next` from `first` until it ends.
  public init(from first: Responder) {
    var responders: [Responder] = []
    var responder: Responder? = first
    while let current = responder {
      // A subclass may override `next`; a loop there ends the chain instead of the program.
      if responders.count >= Self.longest { break }
      responders.append(current)
      responder = current.next
    }
    self.responders = responders
  }

  /// Far more than any tree is deep; only a `next` that goes in circles reaches it.
  private static let longest = 100_000

  func isSame(as other: ResponderChain) -> Bool {
    responders.count == other.responders.count
      && zip(responders, other.responders).allSatisfy { $0 === $1 }
  }
}
