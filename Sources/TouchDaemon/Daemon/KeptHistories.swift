import Logging
import TouchCore
import TouchExpressions
import TouchJSON
import TouchSystem
import TouchViews

/// The histories of values that survive a restart (`keep: true` with `history:`), in a file beside that of
/// the values.
///
/// Times are on the wall clock, since the machine may have been off. The file is replaced as a whole, at most
/// once a minute, and at the end.
final class KeptHistories {
  private let file: StateFile
  private let host: Host
  private let log: Logger

  /// The most histories for which there is room, with samples of at most 96 bytes.
  private static let most = StateFile.longest / (Series.mostSamples * 96)

  init(besides path: String, _ host: Host, in loop: EventLoop, log: Logger) {
    file = StateFile(
      path.replacing(".values.json", with: ".histories.json"), pause: 60_000, in: loop, log: log)
    (self.host, self.log) = (host, log)
    file.write = { [weak self] in self?.write() }
  }

  private var histories: [(name: String, series: Series)] {
    let values = host.bindings.values
    return values.declarations.filter(\.isKept).prefix(Self.most).compactMap { declaration in
      values.series(of: declaration.name).map { (declaration.name, $0) }
    }
  }

  /// Fills the histories of the first shown tree.
  func load() {
    guard !histories.isEmpty, let kept = file.read("kept histories", otherwise: "charts begin empty") else {
      return
    }
    let now = WallClock.now()
    for (name, series) in histories {
      for sample in kept[name]?.elements ?? [] {
        // A clock that was set back makes the rest a thing to come.
        guard let parts = sample.elements, let time = parts.first?.number, time <= now else { continue }
        // Nothing was known from when it was written on.
        if parts.count == 1 { series.append(nil, at: WallClock.moment(of: time)) }
        for value in parts.dropFirst() { series.append(value.number, at: WallClock.moment(of: time)) }
      }
    }
  }

  func follow() {
    guard !histories.isEmpty else { return }
    let values = host.bindings.values
    values.observe(self) { [weak self, weak values] place in
      guard let self, let declaration = values?.declarations[place] else { return }
      if declaration.isKept, declaration.history != nil { file.changed() }
    }
  }

  func finish() { file.finish() }

  private func write() {
    var json = JSONWriter()
    json.beginObject()
    for (name, series) in histories {
      json.key(name)
      json.beginArray()
      for index in 0..<series.count { write(series[index], to: &json) }
      json.beginArray()
      json.value(WallClock.now())
      json.endArray()
      json.endArray()
    }
    json.endObject()
    do throws(SystemError) {
      try file.replace(with: json.bytes + [0x0A])
    } catch {
      log.warning("\(file.path): histories are not kept: \(error)")
    }
  }

  /// Writes the time, and the values: the least, the greatest and the last one, where they differ.
  private func write(_ sample: Series.Sample, to json: inout JSONWriter) {
    json.beginArray()
    json.value(WallClock.seconds(of: sample.time))
    if let value = sample.value {
      if sample.minimum != value { json.value(sample.minimum) }
      if sample.maximum != value { json.value(sample.maximum) }
      json.value(value)
    } else {
      json.value(String?.none)
    }
    json.endArray()
  }
}
