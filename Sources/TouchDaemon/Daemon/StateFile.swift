import Glibc
import Logging
import SystemPackage
import TouchHandlers
import TouchJSON
import TouchSystem

/// A file of what survives a restart: read once, and replaced as a whole, at most once in a while and at the
/// end.
final class StateFile {
  let path: String
  /// Makes what is written, and writes it with `replace(with:)`.
  var write: () -> Void = {}
  private let pause: Int
  private let loop: EventLoop
  private let log: Logger
  private var timer: Int?

  /// The greatest length of the file, in bytes. A longer file was not written by touchtree.
  static let longest = 16 << 20

  /// - Parameter pause: the time between two writes, in milliseconds.
  init(_ path: String, pause: Int, in loop: EventLoop, log: Logger) {
    (self.path, self.pause, self.loop, self.log) = (path, pause, loop, log)
  }

  /// Returns the members of the file's object; nil where there is no file, or none that can be used, which is
  /// logged.
  ///
  /// - Parameters:
  ///   - what: what the file keeps, such as `kept values`.
  ///   - otherwise: what happens without it.
  func read(_ what: String, otherwise: String) -> JSONValue? {
    FileContents.removeRemainders(of: path)
    do {
      try FileTrust.ofRoot?.check(path)
      let bytes = try FileContents.read(path, upTo: Self.longest, waits: false)
      if let value = bytes.withUnsafeBytes({ try? JSONReader.read($0) }), value.members != nil {
        return value
      }
      log.warning("\(path): the \(what) are damaged, so \(otherwise); the next change replaces them")
    } catch let error as Errno where error == .noSuchFileOrDirectory {
    } catch {
      log.warning("\(path): \(what) cannot be read, so \(otherwise): \(error)")
    }
    return nil
  }

  func changed() {
    guard timer == nil else { return }
    timer = loop.addTimer(milliseconds: pause, repeats: false, as: .later) { [weak self] in
      self?.timer = nil
      self?.write()
    }
  }

  /// Writes what is pending.
  /// - Parameter isForced: whether also what could not be written before.
  func finish(isForced: Bool = false) {
    guard timer != nil || isForced else { return }
    if let timer { loop.cancelTimer(timer) }
    timer = nil
    write()
  }

  func replace(with bytes: [UInt8]) throws(SystemError) {
    SavedConfiguration.makeFolder(of: path)
    try FileContents.replace(path, with: bytes)
  }
}
