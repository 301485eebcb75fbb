import Glibc
import SystemPackage

/// Owns an inotify descriptor and the buffer that it is read into. (`inotify(7)`.)
package struct Inotify: ~Copyable {
  package struct Event {
    package var watch: Int32
    /// IN_ bits.
    package var mask: UInt32
    /// The entry of the directory that it happened to; empty when it happened to the directory itself.
    package var name: String
  }

  /// Readable when something happened. It stays the owner's: do not close it.
  package let descriptor: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Throws: what the kernel answers, such as EMFILE at the user's limit.
  package init() throws(Errno) {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: number)
    buffer = .allocate(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment)
  }

  deinit {
    buffer.deallocate()
    try? descriptor.close()
  }

  /// Watches a path. The result is what its events carry; a path that is watched already keeps its watch.
  /// (`inotify_add_watch`.)
  package func add(_ path: String, mask: UInt32) throws(Errno) -> Int32 {
    let watch = inotify_add_watch(descriptor.rawValue, path, mask)
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    return watch
  }

  /// Removes a watch, if it is still there. (`inotify_rm_watch`.)
  package func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor.rawValue, watch)
  }

  /// Returns the events that fit the buffer; empty when there are none. (`read`.)
  package func read() throws(Errno) -> [Event] {
    let count: Int
    do {
      count = try descriptor.read(into: buffer)
    } catch Errno.wouldBlock {
      return []
    } catch {
      throw error as? Errno ?? .ioError
    }
    return Self.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  private static func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
    let headerSize = MemoryLayout<inotify_event>.size
    var events: [Event] = []
    var offset = 0
    while offset + headerSize <= bytes.count {
      let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(bytes.count, offset + headerSize + Int(header.len))
      // The name is filled up with zeros.
      let name = bytes[offset + headerSize..<end].prefix { $0 != 0 }
      events.append(Event(watch: header.wd, mask: header.mask, name: String(decoding: name, as: UTF8.self)))
      offset = end
    }
    return events
  }
}
