import CLinux.Raw
import Glibc
import SystemPackage
import TouchSystem

/// The measurements of a touch controller before any processing: a number for each crossing of its
/// electrodes. Drivers with them (`rmi4`, `atmel_mxt_ts`, `sur40`) make a V4L2 node, /dev/v4l-touchN, beside
/// their evdev node. (kernel `userspace-api/media/v4l/dev-touch.rst`)
package final class RawTouchNode {
  /// The meaning of a frame's numbers. (kernel `pixfmt-tch-td16.rst` and its siblings)
  package enum Format: String, Sendable, CaseIterable {
    /// Signed differences from the untouched state, two bytes each.
    case td16 = "TD16"
    /// Signed differences from the untouched state, one byte each.
    case td08 = "TD08"
    /// Unsigned capacitances, two bytes each.
    case tu16 = "TU16"
    /// Unsigned capacitances, one byte each.
    case tu08 = "TU08"

    /// Makes a format of the kernel's code of four letters.
    init?(code: UInt32) {
      self.init(
        rawValue: String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) }, as: UTF8.self)
      )
    }

    package var byteCount: Int {
      switch self {
      case .td16, .tu16: 2
      case .td08, .tu08: 1
      }
    }

    /// Returns the numbers of a frame, row by row.
    package func values(of bytes: UnsafeRawBufferPointer, count: Int) -> [Int32] {
      (0..<count).map { index in
        switch self {
        case .td16: Int32(bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        case .tu16: Int32(bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        case .td08: Int32(Int8(bitPattern: bytes[index]))
        case .tu08: Int32(bytes[index])
        }
      }
    }
  }

  package let path: String
  /// The driver's name of the device.
  package let name: String
  package let format: Format
  /// The number of columns, in electrodes.
  package let columns: Int
  package let rows: Int
  /// The measurements that the driver offers, by its names; the first is its default.
  package let inputs: [String]
  private let descriptor: OwnedDescriptor
  private var bytes: [UInt8]

  package static func nodes(in folder: String = "/dev") -> [String] {
    FileContents.names(in: folder).compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
      .sorted().map { "\(folder)/\(prefix)\($0)" }
  }
  private static let prefix = "v4l-touch"

  /// Opens a node and chooses one of `inputs`, by number or name; nil leaves the present one.
  package init(path: String, input: String? = nil) throws(Failure) {
    let descriptor = OwnedDescriptor(try Self.open(path).rawValue)
    let name = try Self.name(of: descriptor.rawValue, at: path)
    let inputs = Self.inputs(of: descriptor.rawValue)
    if let input {
      guard
        let index = Int(input).flatMap({ inputs.indices.contains($0) ? $0 : nil })
          ?? inputs.firstIndex(of: input)
      else {
        let known = inputs.enumerated().map { "\($0) (\($1))" }.joined(separator: ", ")
        throw Failure(.unavailable, "\(path): there is no input \(input); there are: \(known)")
      }
      guard touchtree_raw_choose(descriptor.rawValue, Int32(index)) == 0 else {
        throw Self.failed("the driver refuses the input \(inputs[index])", path)
      }
    }
    var pixels = v4l2_pix_format()
    guard touchtree_raw_format(descriptor.rawValue, &pixels) == 0 else {
      throw Self.failed("the driver does not say what it measures", path)
    }
    guard let format = Format(code: pixels.pixelformat), pixels.width > 0, pixels.height > 0,
      pixels.width <= Self.mostElectrodes, pixels.height <= Self.mostElectrodes
    else {
      throw Failure(
        .unavailable,
        "\(path): \(pixels.width)×\(pixels.height) numbers in a format that is not known; touchtree reads "
          + Format.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.path = path
    self.name = name
    self.inputs = inputs
    self.format = format
    (columns, rows) = (Int(pixels.width), Int(pixels.height))
    bytes = Array(repeating: 0, count: max(Int(pixels.sizeimage), columns * rows * format.byteCount))
    self.descriptor = descriptor
  }

  /// The most electrodes, more than any controller has. It bounds the size of a frame.
  private static let mostElectrodes: UInt32 = 1024

  /// The descriptor, readable when there is a frame.
  package var readiness: Int32 { descriptor.rawValue }

  /// Returns the next frame, row by row; nil for none yet. It throws for a removed device or another format.
  package func read() throws(Failure) -> [Int32]? {
    let count = Glibc.read(descriptor.rawValue, &bytes, bytes.count)
    guard count >= 0 else {
      let cause = Errno(rawValue: errno)
      if cause == .wouldBlock || cause == .interrupted { return nil }
      throw Self.failed("the device gives nothing any longer", path)
    }
    guard count >= columns * rows * format.byteCount else {
      throw Failure(
        .unavailable, "\(path): a frame of \(count) bytes, which is too short for \(columns)×\(rows) numbers")
    }
    return bytes.withUnsafeBytes { format.values(of: $0, count: columns * rows) }
  }

  private static func open(_ path: String) throws(Failure) -> FileDescriptor {
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch {
      let cause = error as? Errno ?? .ioError
      let advice =
        switch cause {
        case .permissionDenied, .notPermitted:
          ". Join the group `video` (usermod -aG video USER, then log in again)"
        case .noSuchFileOrDirectory: ". `touchtree raw` without a node takes the first one that there is"
        case .resourceBusy: ". Stop the program that holds it (`fuser \(path)` names it)"
        default: ""
        }
      let status: ExitStatus =
        cause == .permissionDenied || cause == .notPermitted ? .notPermitted : .unavailable
      throw Failure(status, "\(path): \(cause)\(advice)")
    }
  }

  private static func name(of descriptor: Int32, at path: String) throws(Failure) -> String {
    var capability = v4l2_capability()
    guard touchtree_raw_capabilities(descriptor, &capability) == 0 else {
      throw Failure(.unavailable, "\(path): not a V4L2 node. Touch controllers' are called /dev/v4l-touchN")
    }
    guard capability.device_caps & UInt32(V4L2_CAP_TOUCH) != 0 else {
      throw Failure(.unavailable, "\(path): a V4L2 node that has pictures, not what a touchscreen measures")
    }
    guard capability.device_caps & UInt32(V4L2_CAP_READWRITE) != 0 else {
      throw Failure(
        .unavailable,
        "\(path): its driver offers frames only by mapped buffers, which touchtree does not read")
    }
    return text(of: capability.card)
  }

  private static func inputs(of descriptor: Int32) -> [String] {
    var inputs: [String] = []
    var input = v4l2_input()
    while touchtree_raw_input(descriptor, &input) == 0, inputs.count < 64 {
      inputs.append(text(of: input.name))
      input = v4l2_input()
      input.index = UInt32(inputs.count)
    }
    return inputs
  }

  /// Returns the text of a C array of characters, which ends with a zero or fills the array.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func failed(_ what: String, _ path: String) -> Failure {
    Failure(.unavailable, "\(path): \(what) (\(Errno(rawValue: errno)))")
  }
}
