/// Values by key, up to a limit of their costs. A new value replaces those that were used longest ago.
/// Finding a value allocates nothing.
struct RecentlyUsed<Key: Hashable, Value> {
  private struct Entry {
    let key: Key
    let value: Value
    let cost: Int
  }

  /// The places of the next older and the next newer entry; −1 at the ends.
  private struct Link {
    var older = -1
    var newer = -1
  }

  private var places: [Key: Int] = [:]
  /// The entries; nil where an entry was removed.
  private var entries: [Entry?] = []
  /// The links of the entries. They are numbers alone, so that following them retains nothing.
  private var links: [Link] = []
  private var free: [Int] = []
  private var newest = -1
  private var oldest = -1
  private(set) var cost = 0
  private let limit: Int

  /// - Parameter limit: the greatest cost of all values together. The newest value stays even
  ///   if it exceeds the limit by itself, because otherwise each use would make it again.
  init(limit: Int) { self.limit = limit }

  var count: Int { places.count }

  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if place != newest {
      unlink(place)
      link(place)
    }
    return entries[place]?.value
  }

  mutating func insert(_ value: Value, for key: Key, cost added: Int) {
    removeValue(for: key)
    let place = free.popLast() ?? entries.count
    if place == entries.count {
      entries.append(nil)
      links.append(Link())
    }
    entries[place] = Entry(key: key, value: value, cost: added)
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
    links[place] = Link(older: newest, newer: -1)
    if newest >= 0 { links[newest].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    let link = links[place]
    if link.older >= 0 { links[link.older].newer = link.newer } else { oldest = link.newer }
    if link.newer >= 0 { links[link.newer].older = link.older } else { newest = link.older }
  }
}
