import Glibc
import SystemPackage
import TouchConfig
import TouchSystem
import TouchViews

/// The files that a panel is made of: its own, those that it includes, its themes, the pictures and other
/// files that it opens, and the programs that its handlers start by a path. What lies outside the folder that
/// has the file and all that it includes is the board's own.
struct PanelFiles {
  /// The archive of the files.
  private(set) var archive = TarArchive()
  /// The path of the panel's file in the archive.
  let panel: String
  /// The paths of the files on this machine, but for the panel's.
  let others: [String]

  /// The most files, and the most bytes of all.
  private static let mostFiles = 2000
  private static let mostBytes = 64 << 20

  /// - Parameter configuration: read by a relative path.
  /// - Throws: `Failure` for files that are too many, too large, or cannot be read.
  init(of configuration: Configuration) throws(Failure) {
    let own = FileContents.plain(configuration.file).string
    let sources = (configuration.sources.map(\.file) + configuration.themeFiles).filter { !$0.hasPrefix("/") }
    let root = Self.folder(of: sources.map { FileContents.plain($0).string })
    let programs = configuration.handlers.compactMap(\.program).filter { $0.contains("/") }
    let named = (sources + programs).map { FileContents.plain($0).string } + configuration.files.names
    let files = Set(named + configuration.files.beginnings.flatMap(Self.files)).filter {
      $0.hasPrefix(root) && !FileContents.isOther($0) && access($0, R_OK) == 0
    }.sorted()
    guard files.count <= Self.mostFiles else {
      throw Failure(.unavailable, "the panel has \(files.count) files; at most \(Self.mostFiles) are sent")
    }
    var size = 0
    for path in files {
      let contents: [UInt8]
      do throws(Errno) {
        contents = try FileContents.read(path, upTo: Self.mostBytes + 1, waits: false)
      } catch {
        throw Failure(.noSuchFile, "\(path): \(error)")
      }
      size += contents.count
      guard size <= Self.mostBytes else {
        throw Failure(
          .unavailable, "the panel's files have more than \(Self.mostBytes >> 20) MiB; \(path) is one")
      }
      let name = String(path.dropFirst(root.count))
      guard archive.add(name, contents, isProgram: access(path, X_OK) == 0) else {
        throw Failure(.unavailable, "\(path): the path is too long to be sent")
      }
    }
    archive.finish()
    panel = String(own.dropFirst(root.count))
    others = files.filter { $0 != own }
  }

  /// Returns the files whose path begins with some letters.
  private static func files(beginning letters: String) -> [String] {
    var files: [String] = []
    var folders = [FilePath(letters.hasSuffix("/") ? letters + "." : letters).removingLastComponent()]
    while let folder = folders.popLast(), files.count <= mostFiles {
      for name in FileContents.names(in: folder.string) {
        let path = folder.appending(name)
        var status = stat()
        guard stat(path.string, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(path)
        } else if path.string.hasPrefix(letters) {
          files.append(path.string)
        }
      }
    }
    return files
  }

  /// Returns the folder that has all files in it, with a slash at its end.
  private static func folder(of files: [String]) -> String {
    var folder = FilePath(files.first ?? "/").removingLastComponent()
    while folder.string != "/", files.contains(where: { !$0.hasPrefix(folder.string + "/") }) {
      folder.removeLastComponent()
    }
    return folder.string == "/" ? "/" : folder.string + "/"
  }
}

extension HandlerSettings {
  /// The program that the handler starts; nil for one that starts none.
  fileprivate var program: String? {
    switch kind {
    case .exec(on: _, let command, timeLimit: _): command.first
    case .process(let command, wants: _, configJSON: _, forwards: _): command.first
    case .plugin: nil
    }
  }
}
