/// Finds the name that was probably meant.
package enum Suggestion {
  /// The candidate that `name` most likely is a slip of, or nil.
  /// - Parameter leastSlips: how many are allowed in names of two or three letters, too: 1 where few names
  ///   are short, as with ids.
  package static func nearest(
    to name: String, among candidates: some Sequence<String>, leastSlips: Int = 0
  ) -> String? {
    let typed = Array(name.unicodeScalars)
    // Comparing a long text would take long and find nothing.
    guard !typed.isEmpty, typed.count <= longest else { return nil }
    let words = name.words
    var best: (candidate: String, slips: Int)?
    for candidate in candidates {
      // The same words in another order.
      if words.count > 1, candidate.utf8.count == name.utf8.count, candidate.words == words {
        return candidate
      }
      let meant = Array(candidate.unicodeScalars)
      let shorter = min(typed.count, meant.count)
      let allowed = max(shorter > 1 ? leastSlips : 0, min(3, shorter / 3))
      guard abs(typed.count - meant.count) <= allowed else { continue }
      let slips = slips(from: typed, to: meant)
      if slips <= allowed, slips < best?.slips ?? .max { best = (candidate, slips) }
    }
    return best?.candidate
  }

  /// Returns the nearest key. Like `nearest`, but it also reads UIKit's way of writing them, such as
  /// `isHidden` and `cornerRadius`.
  package static func nearestKey(to name: String, among keys: [String]) -> String? {
    if let key = nearest(to: name, among: keys) { return key }
    guard name.utf8.count <= longest else { return nil }
    let plain = name.withoutCase
    if let key = keys.first(where: { $0.withoutCase == plain }) { return key }
    return keys.filter { $0.utf8.count > 3 && plain.holds($0.withoutCase) }.max {
      $0.utf8.count < $1.utf8.count
    }
  }

  private static let longest = 64

  /// Returns the number of letters that were added, left out, mistaken or swapped with their neighbour.
  /// (Optimal string alignment distance.)
  private static func slips(from typed: [Unicode.Scalar], to meant: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...meant.count)
    for row in 1...typed.count {
      var current = [row]
      for column in stride(from: 1, through: meant.count, by: 1) {
        let same = typed[row - 1] == meant[column - 1]
        var least = min(above[column] + 1, current[column - 1] + 1, above[column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, typed[row - 1] == meant[column - 2], typed[row - 2] == meant[column - 1] {
          least = min(least, before[column - 2] + 1)
        }
        current.append(least)
      }
      (before, above) = (above, current)
    }
    return above[meant.count]
  }
}

extension String {
  fileprivate var words: [Substring] { split { $0 == "_" || $0 == "-" || $0 == " " }.sorted() }

  /// Lower case letters only: `bounds_origin`, `boundsOrigin` and `Bounds-Origin` are one.
  fileprivate var withoutCase: [Character] { lowercased().filter { $0 != "_" && $0 != "-" }.map { $0 } }
}

extension [Character] {
  fileprivate func holds(_ part: [Character]) -> Bool {
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0...].starts(with: part) }
  }
}
