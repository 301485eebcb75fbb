import Glibc

/// A file's name may be any bytes, but arguments are texts here: a name that is not UTF-8 would lead to another file, or to
/// none.
enum TextArguments {
  /// Ends the program where an argument is not UTF-8.
  static func check() {
    for (index, argument) in CommandLine.arguments.enumerated()
    where argument.unicodeScalars.contains("\u{FFFD}") {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else {
        continue
      }
      StandardError.write(
        line:
          "touchtree: error: \(argument): this argument is not UTF-8; give the file another name, or a link to it"
      )
      exit(ExitStatus.usage.rawValue)
    }
  }
}
