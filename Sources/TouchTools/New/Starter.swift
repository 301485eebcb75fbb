import Glibc
import SystemPackage
import TouchSystem

/// The files of `touchtree new`: a panel that runs, its test, settings of an editor, and a handler in Python,
/// C and Swift.
package struct Starter {
  private struct File {
    let path: String
    let bytes: [UInt8]
    var isProgram = false
  }

  private static let folders = [
    ".vscode", "lamp", "lamp/Sources", "lamp/Sources/CTouchtree", "lamp/Sources/lamp",
  ]

  private static let files = [
    File(path: "README.md", bytes: PackageResources.README_md),
    File(path: "touchtree.yaml", bytes: PackageResources.touchtree_yaml),
    File(path: "rehearsal.yaml", bytes: PackageResources.rehearsal_yaml),
    File(path: ".vscode/settings.json", bytes: PackageResources.settings_json),
    File(path: "greeter.py", bytes: PackageResources.greeter_py, isProgram: true),
    File(path: "touchtree.h", bytes: PackageResources.touchtree_h),
    File(path: "bell.c", bytes: PackageResources.bell_c),
    File(path: "lamp/Package.swift", bytes: PackageResources.Package_swift),
    File(path: "lamp/Sources/CTouchtree/module.modulemap", bytes: PackageResources.module_modulemap),
    File(path: "lamp/Sources/CTouchtree/touchtree.h", bytes: PackageResources.touchtree_h),
    File(path: "lamp/Sources/lamp/Lamp.swift", bytes: PackageResources.Lamp_swift),
  ]

  /// Writes the starter into a folder, which must be empty or missing, and returns the relative names of the
  /// files. A folder with files is left unchanged.
  package static func write(to folder: String) throws(SystemError) -> [String] {
    try makeRoot(folder)
    for name in folders { try make("\(folder)/\(name)") }
    for file in files { try write(file, in: folder) }
    return files.map(\.path)
  }

  private static func makeRoot(_ folder: String) throws(SystemError) {
    guard mkdir(folder, 0o777) != 0 else { return }
    let cause = Errno(rawValue: errno)
    let hint = "name a folder that is empty or does not exist"
    guard cause == .fileExists else { throw SystemError("mkdir", cause, path: folder, hint: hint) }
    do throws(Errno) {
      guard try FileContents.entries(of: folder).isEmpty else { throw .directoryNotEmpty }
    } catch {
      throw SystemError(error == .directoryNotEmpty ? "mkdir" : "opendir", error, path: folder, hint: hint)
    }
  }

  private static func make(_ folder: String) throws(SystemError) {
    guard mkdir(folder, 0o777) == 0 else {
      throw SystemError("mkdir", Errno(rawValue: errno), path: folder, hint: "check its permissions")
    }
  }

  private static func write(_ file: File, in folder: String) throws(SystemError) {
    let path = "\(folder)/\(file.path)"
    let mode: FilePermissions =
      file.isProgram
      ? [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute]
      : [.ownerReadWrite, .groupRead, .otherRead]
    do {
      let output = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: mode)
      try output.closeAfter { _ = try output.writeAll(file.bytes) }
    } catch {
      throw SystemError("write", error as? Errno ?? .ioError, path: path, hint: "name another folder")
    }
  }
}
