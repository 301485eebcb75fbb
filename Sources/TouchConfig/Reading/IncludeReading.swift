import SystemPackage
import TouchCore
import TouchSystem

/// Finds the files that a configuration includes, and puts them under it:
/// `include: [styles.yaml, pages/home.yaml]`.
///
/// An included file has the keys of any other, and includes files of its own. Paths in it are relative to
/// itself. What two files give is put together as `YAMLDocument.over` says; a file that is included twice
/// counts once.
struct IncludeReader {
  let report: Report
  /// Nil where nothing but the text is looked at.
  let read: ((String) throws(Errno) -> [UInt8])?
  /// The files that were read, without `.` and `..`.
  private var known: Set<String> = []

  /// More files than a person keeps apart.
  private static let mostFiles = 1000

  init(report: Report, read: ((String) throws(Errno) -> [UInt8])?) {
    (self.report, self.read) = (report, read)
  }

  /// The document with everything that it includes.
  /// - Parameter file: the path that relative ones start from.
  mutating func joined(_ document: YAMLDocument, of file: String) -> YAMLDocument {
    var others: [(document: YAMLDocument, file: Int32)] = []
    find(in: document, file, number: 0, path: [Self.plain(file)], into: &others)
    return others.isEmpty ? document : document.over(others)
  }

  /// Adds the files that a document includes, each after those that it includes itself.
  private mutating func find(
    in document: YAMLDocument, _ file: String, number: Int32, path: [String],
    into others: inout [(document: YAMLDocument, file: Int32)]
  ) {
    guard let include = document.root.entries?.first(where: { $0.key.text == "include" })?.value,
      !include.isNull
    else { return }
    func complain(_ node: YAMLNode, _ message: String) {
      let place = node.place
      report.add(at: SourceLocation(line: place.line, column: place.column, file: number), message)
    }
    for item in include.items ?? [include] {
      guard case .text(let name)? = item.scalar, !name.isEmpty else {
        complain(item, "include is \(item.shown); give the path of a file, or a list of them: [styles.yaml]")
        continue
      }
      let other = Configuration.path(name, from: file)
      let plain = Self.plain(other)
      if let start = path.firstIndex(of: plain) {
        let circle = (path[start...] + [plain]).map { "\"\($0.escaped(upTo: .max))\"" }.joined(
          separator: " → ")
        complain(item, "the file includes itself, \(circle); remove one of the includes")
        continue
      }
      guard known.insert(plain).inserted else { continue }
      guard let read else {
        complain(item, "files are only included where the configuration is a file; write its keys here")
        continue
      }
      guard report.sources.count < Self.mostFiles else {
        return complain(item, "more than \(Self.mostFiles) files are included; put some of them together")
      }
      if FileContents.isOther(other) {
        complain(
          item, "\"\(other.escaped(upTo: .max))\" is no file, so it may never end; include files alone")
        continue
      }
      do throws(Errno) {
        let bytes = try read(other)
        let length = report.sources.reduce(bytes.count) { $0 + $1.text.count }
        guard length <= Configuration.largestFile else {
          return complain(
            item,
            "with \"\(other.escaped(upTo: .max))\" the files are larger than \(Configuration.largestFile >> 20) MiB "
              + "together; make them smaller")
        }
        let next = Int32(clamping: report.sources.count)
        report.add(ConfigurationSource(file: other, text: bytes))
        guard let document = YAMLDocument.read(bytes, file: next, report: report) else { continue }
        guard document.root.entries != nil else {
          report.add(
            at: SourceLocation(line: 1, column: 1, file: next),
            "the file is \(document.root.shown); an included file has keys of a configuration, such as \"styles:\""
          )
          continue
        }
        find(in: document, other, number: next, path: path + [plain], into: &others)
        others.append((document, next))
      } catch {
        complain(item, "\"\(other.escaped(upTo: .max))\" cannot be read: \(error); check the path")
      }
    }
  }

  /// The path without `.`, and without `..` after a folder.
  private static func plain(_ path: String) -> String { FilePath(path).lexicallyNormalized().string }
}
