import CLinux.Process
import Glibc
import SystemPackage

/// The arguments of the program. `CommandLine` needs /proc, and is empty without it.
package enum ProgramArguments {
  /// The program's name, and its arguments. Bytes that are not UTF-8 are replaced.
  package static let line = (0..<Int(touchtree_argument_count())).map {
    touchtree_argument(Int32($0)).map { String(cString: $0) } ?? ""
  }

  package static func isText(at index: Int) -> Bool {
    touchtree_argument(Int32(index)).map { String(validatingCString: $0) != nil } ?? true
  }
}

package enum OwnProgram {
  /// The folder of the file; nil where it is not known.
  package static var folder: FilePath? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    return FilePath(path).removingLastComponent()
  }

  /// Replaces this process with another program, which gets the same arguments. Returns only if that fails.
  package static func become(_ program: FilePath) {
    var arguments = (0..<touchtree_argument_count()).map {
      UnsafeMutablePointer(mutating: touchtree_argument($0))
    }
    arguments.append(nil)
    _ = program.withPlatformString { execv($0, arguments) }
  }
}

/// Standard input, output and error, which a program expects to be open.
package enum StandardDescriptors {
  /// Opens those that were closed at the start: the next file would get the number, and the log's lines.
  /// Input is opened for writing and output for reading, so they still fail.
  package static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // It gets the lowest free number: those below are open by now.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The limit of the stack, which bounds the depth of a tree: drawing and hit testing recurse, as in UIKit.
package enum StackLimit {
  /// Lets the stack grow for the deepest tree that a configuration may have. The kernel reads the limit when
  /// the stack grows, so this works for the thread that is running. (`setrlimit(2)`.)
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < needed else {
      return
    }
    limit.rlim_cur = min(needed, limit.rlim_max)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
  }

  /// The size in bytes. Painting takes about 7 KB a level, and a configuration may be 4096 levels deep.
  private static let needed: rlim_t = 64 << 20
}

package enum DataLimit {
  /// Makes the kernel refuse more bytes; a library without memory reports that. (`setrlimit(2)`, RLIMIT_DATA)
  package static func lower(to bytes: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_cur, rlim_t(bytes))
    _ = setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
  }
}

/// The version of the program, for `--version` and the greeting of peers.
package enum TouchtreeVersion {
  package static let text = "0.1.0"
}
