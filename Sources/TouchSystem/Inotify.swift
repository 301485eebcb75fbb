import Glibc
import SystemPackage

/// The owner of an inotify descriptor and its buffer. (`inotify(7)`.)
package struct Inotify: ~Copyable {
  package struct Event {
    package var watch: Int32
    package var mask: UInt32
    /// The directory's entry that changed; empty for the directory itself.
    package var name: String
  }

  /// The descriptor, readable when something happened. The owner closes it.
  package let descriptor: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Throws: the kernel's error, such as EMFILE at the user's limit.
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

  /// Watches a path, if it is not watched yet, and returns the watch that its events carry.
  package func add(_ path: String, mask: UInt32) throws(Errno) -> Int32 {
    let watch = inotify_add_watch(descriptor.rawValue, path, mask)
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    return watch
  }

  /// Removes a watch, if it still exists. (`inotify_rm_watch`.)
  package func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor.rawValue, watch) }

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
      // The name is padded with zeros.
      let name = bytes[offset + headerSize..<end].prefix { $0 != 0 }
      events.append(Event(watch: header.wd, mask: header.mask, name: String(decoding: name, as: UTF8.self)))
      offset = end
    }
    return events
  }
}
