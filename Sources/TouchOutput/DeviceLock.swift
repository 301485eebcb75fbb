import CLinux.Display
import Glibc
import SystemPackage

/// A lock that keeps other daemons off a framebuffer or a card. (`fcntl(2)`, open file description locks)
enum DeviceLock {
  /// Held together with other daemons that have a virtual terminal of their own and are visible by turns.
  case shared
  case exclusive, none

  /// Replaces the held lock in one step; false if another daemon's lock prevents it and nothing changes.
  func take(on descriptor: FileDescriptor) -> Bool {
    let kind =
      switch self {
      case .shared: F_RDLCK
      case .exclusive: F_WRLCK
      case .none: F_UNLCK
      }
    guard touchtree_lock_in_one_step(descriptor.rawValue, Int16(kind)) != 0 else { return true }
    return errno != EAGAIN && errno != EACCES
  }
}
