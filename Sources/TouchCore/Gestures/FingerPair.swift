/// Two fingers, as one line between them.
struct FingerPair {
  /// From the first finger to the second one, in window units; never zero.
  var way: WindowVector
  var distance: Double { way.length }

  /// - Parameters:
  ///   - touches: the first two that stay are the pair; nil with fewer.
  ///   - leaving: those that do not stay.
  init?(_ touches: [Touch], without leaving: [Touch] = []) {
    var first: WindowPoint?
    for touch in touches where !leaving.contains(where: { $0 === touch }) {
      guard let start = first else {
        first = touch.location
        continue
      }
      way = touch.location.vector(from: start)
      // Two contacts in one place have no direction and no ratio; a unit apart they have both.
      if !(way.length >= 1) { way = WindowVector(x: 1, y: 0) }
      return
    }
    return nil
  }
}
