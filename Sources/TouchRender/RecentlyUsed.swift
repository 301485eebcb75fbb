/// Values by key, up to a limit of what they cost: a new one takes the place of those that were used longest ago.
///
/// Finding a value allocates nothing.
struct RecentlyUsed<Key: Hashable, Value> {
  private struct Entry {
    let key: Key
    var value: Value
    var cost: Int
    /// The places of the next older and the next newer entry; −1 at the ends.
    var older: Int
    var newer: Int
  }

  private var places: [Key: Int] = [:]
  /// Nil where an entry was removed.
  private var entries: [Entry?] = []
  private var free: [Int] = []
  private var newest = -1
  private var oldest = -1
  /// In the unit of the limit.
  private(set) var cost = 0
  private let limit: Int

  /// - Parameter limit: of what all values cost together. The newest one stays even if it exceeds the limit by itself:
  ///   otherwise it would be made again at each use.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { places.count }

  /// The value of a key, which is now the one that was used last.
  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if place != newest {
      unlink(place)
      link(place)
    }
    return entries[place]?.value
  }

  /// Adds a value, or replaces the key's.
  mutating func insert(_ value: Value, for key: Key, cost added: Int) {
    removeValue(for: key)
    let place = free.popLast() ?? entries.count
    let entry = Entry(key: key, value: value, cost: added, older: -1, newer: -1)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    places[key] = place
    cost += added
    link(place)
    while cost > limit, oldest != newest, let key = entries[oldest]?.key { removeValue(for: key) }
  }

  mutating func removeValue(for key: Key) {
    guard let place = places.removeValue(forKey: key), let removed = entries[place] else { return }
    unlink(place)
    cost -= removed.cost
    entries[place] = nil
    free.append(place)
  }

  mutating func removeAll(where isUnwanted: (Key) -> Bool) {
    for key in places.keys.filter(isUnwanted) { removeValue(for: key) }
  }

  private mutating func link(_ place: Int) {
    entries[place]?.older = newest
    entries[place]?.newer = -1
    if newest >= 0 { entries[newest]?.newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    guard let entry = entries[place] else { return }
    if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
    if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
  }
}
