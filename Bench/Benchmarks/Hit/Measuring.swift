import TouchCore

/// Prints one line of the table. Stops the program where index and walk answer differently.
func report(_ name: String, _ tree: BenchmarkScene) {
  var times = [text(measure(tree, rounds: 301, probes: tree.probes))]
  let expected = answers(tree)
  let missed = ObjectIdentifier(tree.root)
  let points = zip(tree.points, expected).filter { tree.change == nil && $0.1 != nil }
  for part in [points.filter { $0.1 != missed }, points.filter { $0.1 == missed }] {
    var tree = tree
    tree.points = part.map(\.0)
    times.append(part.count < 100 ? "" : text(measure(tree, rounds: 301, probes: tree.probes)))
  }
  setIndexing(false, in: tree.root)
  precondition(
    tree.change != nil || answers(tree, 300) == Array(expected.prefix(300)), "\(name): index and walk differ")
  // The walk is much slower, and needs fewer probes to be as exact.
  let walkProbes = max(10, min(tree.probes, 100_000 / max(1, tree.root.subviews.count)))
  times.append(text(measure(tree, rounds: 31, probes: walkProbes)))
  print("| \(name) | \(times.joined(separator: " | ")) |")
}

private func answers(_ tree: BenchmarkScene, _ count: Int = 4096) -> [ObjectIdentifier?] {
  tree.points.prefix(count).map { tree.root.hitView(at: $0, with: nil).map(ObjectIdentifier.init) }
}

/// Nanoseconds a probe, the median of the rounds. A round is short, so that most of them pass without another
/// program having its turn; what `change` takes by itself is not in it.
private func measure(_ tree: BenchmarkScene, rounds: Int, probes: Int) -> Double {
  let clock = ContinuousClock()
  var results: [Double] = []
  var hits = 0
  // The first round builds the index and warms the caches.
  for round in 0...rounds {
    var changing = Duration.zero
    let whole = clock.measure { hits += probe(tree, probes, round) }
    if let change = tree.change {
      changing = clock.measure { for probe in 0..<probes { change(round * probes + probe) } }
      _ = tree.root.hitView(at: tree.points[0], with: nil)
    }
    let time = max(.zero, whole - changing)
    if round > 0 {
      results.append(Double(time.components.attoseconds) / 1e9 / Double(probes) + seconds(time))
    }
  }
  precondition(hits > 0)
  results.sort()
  return results[results.count / 2]

  func seconds(_ time: Duration) -> Double { Double(time.components.seconds) * 1e9 / Double(probes) }
}

/// A round of probes, with the changes before them; a function of its own, so that a profiler can count its
/// instructions.
@inline(never)
private func probe(_ tree: BenchmarkScene, _ probes: Int, _ round: Int) -> Int {
  var hits = 0
  var next = 0
  for probe in 0..<probes {
    if tree.root.hitView(at: tree.points[next], with: nil) != nil { hits += 1 }
    next = next + 1 == tree.points.count ? 0 : next + 1
    if let change = tree.change { change(round * probes + probe) }
  }
  return hits
}

/// Switches the index on or off in the whole tree.
private func setIndexing(_ on: Bool, in view: View) {
  var waiting = [view]
  while let view = waiting.popLast() {
    view.indexesSubviews = on
    waiting += view.subviews
  }
}

/// "123 ns", "4.5 µs"
private func text(_ nanoseconds: Double) -> String {
  nanoseconds < 1000
    ? "\(Int(nanoseconds.rounded())) ns" : "\((nanoseconds / 100).rounded() / 10) µs"
}
