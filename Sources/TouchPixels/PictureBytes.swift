import Glibc
import SystemPackage
import TouchSystem

/// The bytes of a picture's file. They do not move, because the decoder reads them until it is done.
final class PictureBytes {
  let path: String
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var file: OpenFile?

  private final class OpenFile {
    let descriptor: OwnedDescriptor
    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
  }

  /// The bytes of a read: a card reads them in some milliseconds.
  private static let piece = 1 << 16

  init(path: String) throws(DisplayError) {
    self.path = path
    let descriptor: FileDescriptor
    do throws(Errno) {
      // Without blocking: a pipe instead of a file must not stop the daemon.
      descriptor = try FileContents.open(path, waits: false)
    } catch {
      throw .file(path, error)
    }
    let file = OpenFile(OwnedDescriptor(descriptor.rawValue))
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else { throw .file(path, Errno(rawValue: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .broken(path, "not a regular file") }
    guard status.st_size <= PNGReader.largestFile else {
      throw DisplayError(
        .badPicture, path: path,
        detail: "the file has \(status.st_size) bytes; at most \(PNGReader.largestFile) are read")
    }
    memory = .allocate(byteCount: max(1, Int(status.st_size)), alignment: 16)
    self.file = file
  }

  init(_ bytes: [UInt8], path: String) {
    self.path = path
    memory = .allocate(byteCount: max(1, bytes.count), alignment: 16)
    memory.copyBytes(from: bytes)
    count = bytes.count
  }

  deinit { memory.deallocate() }

  var length: Int { memory.count }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  var header: [UInt8] { Array(bytes.prefix(PictureFile.photoHeaderLength)) }

  /// Reads the next piece. Returns whether all of it was read. A file that became longer meanwhile is cut.
  func readMore() throws(DisplayError) -> Bool {
    guard let file else { return true }
    let end = min(memory.count, count + Self.piece)
    do {
      let read = try FileDescriptor(rawValue: file.descriptor.rawValue).read(
        into: UnsafeMutableRawBufferPointer(rebasing: memory[count..<end]))
      count += read
      if read == 0 || count == memory.count { self.file = nil }
    } catch {
      throw .file(path, error)
    }
    return self.file == nil
  }
}
