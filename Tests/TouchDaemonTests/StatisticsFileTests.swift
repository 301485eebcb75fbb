import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchSystem

@Suite struct StatisticsFileTests {
  /// Figures that are their revision.
  private final class Figures: MetricsSource {
    var revision = 1
    var metrics: String { "\(revision)\n" }
  }

  private let figures = Figures()
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func file(_ path: String, log: Logger = Logger(label: "test")) -> StatisticsFile {
    StatisticsFile(path: path, of: figures, in: loop, log: log)
  }

  @Test func `it is written at the start, 15 seconds after a change, and at the end, and else nothing waits`()
    throws
  {
    let folder = try #require(mkdtemp(strdup("/tmp/touchtree-statistics-XXXXXX")).map { String(cString: $0) })
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/touchtree.prom"
    let file = file(path)
    func turn(_ revision: Int, at seconds: Double) throws -> String {
      figures.revision = revision
      file.turnEnds(at: Timestamp.zero.advanced(bySeconds: seconds))
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    #expect(try turn(1, at: 1) == "1\n" && turn(1, at: 2) == "1\n" && file.due == nil)
    #expect(try turn(2, at: 100) == "1\n" && turn(3, at: 114.9) == "1\n")
    #expect(file.due == Timestamp.zero.advanced(bySeconds: 115))
    #expect(try turn(3, at: 115) == "3\n" && turn(3, at: 200) == "3\n" && file.due == nil)
    #expect(try turn(4, at: 300) == "3\n")
    file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "4\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["touchtree.prom"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test func `a pipe is written to, and stays one`() throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    file(path).turnEnds(at: .zero)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "1\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["pipe"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `one that cannot be written is logged once, with its path`() {
    let records = InMemoryLogHandler()
    let file = file("/nowhere/a.prom", log: Logger(label: "test") { _ in records })
    for revision in 1...5 {
      figures.revision = revision
      file.finish()
    }
    let lines = records.entries.map { "\($0.message)" }
    #expect(lines.count == 1 && lines[0].contains("/nowhere/a.prom"), "\(lines)")
    #expect(lines.first?.contains("--stats-file") == true)
  }
}
