import SystemPackage
import TouchConfig
import TouchRehearsal
import TouchSystem

/// A file as an editor has it, or as it is on the disk.
final class SourceFile {
  let path: String
  let lines: [[Unicode.Scalar]]
  private(set) lazy var outline = Outline(lines: lines)
  private(set) lazy var mentions = MentionFinder(outline, table).mentions

  init(path: String, lines: [[Unicode.Scalar]]) { (self.path, self.lines) = (path, lines) }

  /// Whether it is a panel's rehearsal, and not a panel.
  private(set) lazy var isRehearsal = outline.root["cases"] != nil && outline.root["window"] == nil

  /// The keys of the file.
  var table: KeyTable { isRehearsal ? Rehearsal.keys.table : .root }

  /// The text, with LF at the end of each line but the last one.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
      for scalar in line { bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
    }
    return bytes
  }

  /// The files that it reads, as the paths stand in it, and where: those that it includes, and the panel of a
  /// rehearsal.
  private(set) lazy var links: [(path: String, node: Outline.Node)] = {
    guard let node = outline.root[isRehearsal ? "panel" : "include"] else { return [] }
    return (node.items.isEmpty ? [node] : node.items).compactMap { node in
      node.text.map { (Configuration.path($0, from: path), node) }
    }
  }()
}

/// The files that are open in the editor, and those beside them.
struct Workspace {
  /// The open files, by their paths.
  private(set) var open: [String: SourceFile] = [:]

  /// The most files of one panel that are looked at.
  private static let mostFiles = 200

  mutating func set(_ file: SourceFile) { open[file.path] = file }
  mutating func close(_ path: String) { open[path] = nil }

  /// Returns a file, as the editor has it or else from the disk; nil for one that cannot be read.
  func file(_ path: String) -> SourceFile? {
    if let file = open[path] { return file }
    return (try? read(path)).map {
      SourceFile(path: path, lines: Outline.lines(of: String(decoding: $0, as: UTF8.self)))
    }
  }

  /// Reads a file that a panel includes.
  func read(_ path: String) throws(Errno) -> [UInt8] {
    if let file = open[Self.plain(path)] { return file.bytes }
    return try FileContents.read(path, upTo: Configuration.largestFile + 1, waits: false)
  }

  /// Returns a file with those that it includes.
  func files(of path: String) -> [SourceFile] {
    var (found, waiting): ([SourceFile], [String]) = ([], [path])
    var known: Set<String> = []
    while let path = waiting.popLast(), found.count < Self.mostFiles {
      guard known.insert(Self.plain(path)).inserted, let file = file(Self.plain(path)) else { continue }
      found.append(file)
      waiting += file.links.reversed().map(\.path)
    }
    return found
  }

  /// Returns the open panel that a file belongs to: one that includes it, or the file itself.
  func root(of path: String) -> String {
    open.values.filter { !$0.isRehearsal && $0.path != path }.map(\.path).sorted().first { other in
      files(of: other).contains { $0.path == path }
    } ?? path
  }

  /// Returns all files in which a name of a file may stand: those of its panel, and the open rehearsals of
  /// that.
  func project(of path: String) -> [SourceFile] {
    var files = files(of: root(of: path))
    for other in open.values.sorted(by: { $0.path < $1.path }) where other.isRehearsal {
      let known = Set(files.map(\.path))
      if !known.contains(other.path), other.links.contains(where: { known.contains(Self.plain($0.path)) }) {
        files.append(other)
      }
    }
    return files
  }

  /// Returns a path without `.`, and without `..` behind a folder.
  static func plain(_ path: String) -> String { FilePath(path).lexicallyNormalized().string }
}
