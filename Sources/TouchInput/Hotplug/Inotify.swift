import Glibc
import SystemPackage

/// Owns an inotify descriptor and the buffer that it is read into. (`inotify(7)`.)
struct Inotify: ~Copyable {
  struct Event {
    var watch: Int32
    /// IN_ bits.
    var mask: UInt32
    /// The entry of the directory that it happened to; empty when it happened to the directory itself.
    var name: String
  }

  let descriptor: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer

  /// `path` is what is going to be watched, for the error.
  init(for path: String) throws(DeviceError) {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else {
      let cause = Errno(rawValue: errno)
      throw DeviceError(watching: path, cause: cause)
    }
    descriptor = FileDescriptor(rawValue: number)
    buffer = .allocate(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment)
  }

  deinit {
    buffer.deallocate()
    try? descriptor.close()
  }

  /// Watches a directory, or answers nil when there is none. (`inotify_add_watch`.)
  func add(_ path: String, mask: UInt32) throws(DeviceError) -> Int32? {
    let watch = inotify_add_watch(descriptor.rawValue, path, mask | UInt32(IN_ONLYDIR))
    guard watch < 0 else { return watch }
    let cause = Errno(rawValue: errno)
    if cause == .noSuchFileOrDirectory { return nil }
    throw DeviceError(watching: path, cause: cause)
  }

  /// (`inotify_rm_watch`.) A watch that is gone already is no error.
  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor.rawValue, watch)
  }

  /// Everything that fits the buffer, or nothing when there is nothing. (`read`.)
  func read(for path: String) throws(DeviceError) -> [Event] {
    let count: Int
    do {
      count = try descriptor.read(into: buffer)
    } catch Errno.wouldBlock {
      return []
    } catch {
      throw DeviceError(.failed, path: path, cause: error as? Errno, detail: "its changes cannot be read")
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

extension DeviceError {
  /// A place that cannot be watched, and which of inotify's limits keeps it from that. (inotify(7).)
  init(watching path: String, cause: Errno) {
    self.init(path: path, cause: cause, detail: "it cannot be watched")
    let limit: String
    switch cause {
    case .tooManyOpenFiles: limit = "max_user_instances"
    case .noSpace: limit = "max_user_watches"
    default: return
    }
    reason = .failed
    detail += ", since programs of this user watch as much as fs.inotify.\(limit) allows"
    if cause == .tooManyOpenFiles { detail += ", or since this one may open no more files" }
    detail += "; raise it (sysctl fs.inotify.\(limit)=1024), or end programs that watch files"
  }
}
