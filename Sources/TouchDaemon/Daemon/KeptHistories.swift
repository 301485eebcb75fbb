import Glibc
import Logging
import SystemPackage
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchJSON
import TouchSystem
import TouchViews

/// The histories of values that survive a restart (`keep: true` with `history:`), in a file beside that of the values.
///
/// Times are on the wall clock, since the machine may have been off. The file is replaced as a whole, at most once a minute, and at
/// the end.
final class KeptHistories {
  private let path: String
  private let host: Host
  private let loop: EventLoop
  private let log: Logger
  /// The timer for the next write; nil while the file is up to date.
  private var timer: Int?

  /// The time between two writes, in milliseconds.
  private static let pause = 60_000
  /// The greatest length of the file, in bytes, and the longest sample in it.
  private static let (longest, longestSample) = (16 << 20, 96)
  /// The most histories for which there is room.
  private static let most = longest / (Series.mostSamples * longestSample)

  /// - Parameter path: of the file of the values.
  init(besides path: String, _ host: Host, in loop: EventLoop, log: Logger) {
    self.path = path.replacing(".values.json", with: ".histories.json")
    (self.host, self.loop, self.log) = (host, loop, log)
  }

  private var histories: [(name: String, series: Series)] {
    let values = host.bindings.values
    return values.declarations.filter(\.isKept).prefix(Self.most).compactMap { declaration in
      values.series(of: declaration.name).map { (declaration.name, $0) }
    }
  }

  /// Fills the histories of the first shown tree.
  func load() {
    guard !histories.isEmpty else { return }
    FileContents.removeRemainders(of: path)
    let bytes: [UInt8]
    do {
      try FileTrust.ofRoot?.check(path)
      bytes = try FileContents.read(path, upTo: Self.longest, waits: false)
    } catch let error as Errno where error == .noSuchFileOrDirectory {
      return
    } catch {
      return log.warning("\(path): kept histories cannot be read, so charts begin empty: \(error)")
    }
    guard let file = bytes.withUnsafeBytes({ try? JSONReader.read($0) }), file.members != nil else {
      return log.warning("\(path): the kept histories are damaged, so charts begin empty")
    }
    let now = WallClock.now()
    for (name, series) in histories {
      for sample in file[name]?.elements ?? [] {
        // A clock that was set back makes the rest a thing to come.
        guard let parts = sample.elements, let time = parts.first?.number, time <= now else { continue }
        // Nothing was known from when it was written on.
        if parts.count == 1 { series.append(nil, at: WallClock.moment(of: time)) }
        for value in parts.dropFirst() { series.append(value.number, at: WallClock.moment(of: time)) }
      }
    }
  }

  /// Follows changes of the shown tree's values from now on.
  func follow() {
    guard !histories.isEmpty else { return }
    let values = host.bindings.values
    values.observe(self) { [weak self, weak values] place in
      guard let self, let values, timer == nil else { return }
      guard values.declarations[place].isKept, values.declarations[place].history != nil else { return }
      timer = loop.addTimer(milliseconds: Self.pause, repeats: false, as: .later) { [weak self] in
        self?.timer = nil
        self?.write()
      }
    }
  }

  /// Writes what is pending.
  func finish() {
    guard let timer else { return }
    loop.cancelTimer(timer)
    self.timer = nil
    write()
  }

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
    SavedConfiguration.makeFolder(of: path)
    do throws(SystemError) {
      try FileContents.replace(path, with: json.bytes + [0x0A])
    } catch {
      log.warning("\(path): histories are not kept: \(error)")
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
