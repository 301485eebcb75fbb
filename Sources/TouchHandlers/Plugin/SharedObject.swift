import CTouchtree
import SystemPackage
import TouchSystem

/// Examines a plugin's file as the loader will, but runs nothing of it, because `check` must not call a
/// plugin. It finds only what the file states for certain. A table that the plugin makes at run time, and
/// missing libraries, show when the plugin is loaded. (System V ABI, "Object Files"; elf(5).)
struct SharedObject: ~Copyable {
  private let file: FileDescriptor
  private let sections: [Section]

  /// Returns why a file is no plugin for this touchtree, in the loader's words; nil if nothing is found.
  static func problem(withPluginAt path: String) -> String? {
    // The numbers below are those of 64-bit objects.
    guard Int.bitWidth == 64, let file = try? FileContents.open(path, waits: false) else { return nil }
    if let reason = headerProblem(file) {
      try? file.close()
      return PluginLibrary.unloadable(reason)
    }
    // Without sections there is nothing to read.
    let object = SharedObject(file)
    guard let symbols = object.symbols(inSectionOfType: .dynamicSymbols) else { return nil }
    guard symbols.contains(where: { $0.isDefined && $0.name == "touchtree_plugin_create" }) else {
      return PluginLibrary.noEntryPoint
    }
    return object.tableABI.flatMap { $0 == TOUCHTREE_ABI ? nil : PluginLibrary.otherABI($0) }
  }

  private init(_ file: FileDescriptor) {
    self.file = file
    guard let header = Self.bytes(of: file, at: 0, count: 64) else {
      sections = []
      return
    }
    let (offset, size, count) = (header.number(0x28, 8), header.number(0x3a, 2), header.number(0x3c, 2))
    let table = size >= 64 ? Self.bytes(of: file, at: offset, count: size * count) : nil
    sections = (0..<(table == nil ? 0 : count)).map { Section(table ?? [], at: $0 * size) }
  }

  deinit { try? file.close() }

  // MARK: Header

  /// Returns the error of the header, in glibc's own words.
  private static func headerProblem(_ file: FileDescriptor) -> String? {
    guard let header = bytes(of: file, at: 0, count: 64) else { return "file too short" }
    guard header.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else { return "invalid ELF header" }
    guard header[4] == 2 else { return "wrong ELF class: ELFCLASS32" }
    guard header.number(0x10, 2) == 3 else { return "only ET_DYN and ET_EXEC can be loaded" }
    if let own = machine(of: "/proc/self/exe"), own != header.number(0x12, 2) {
      return "it is for another kind of processor"
    }
    return nil
  }

  private static func machine(of path: String) -> Int? {
    (try? FileContents.read(path, upTo: 64)).flatMap { $0.count == 64 ? $0.number(0x12, 2) : nil }
  }

  // MARK: Symbols

  private struct Section {
    enum Kind: Int {
      case symbols = 2
      case noBits = 8
      case dynamicSymbols = 11
    }

    let type, address, offset, size, link: Int

    init(_ table: [UInt8], at start: Int) {
      type = table.number(start + 0x04, 4)
      address = table.number(start + 0x10, 8)
      offset = table.number(start + 0x18, 8)
      size = table.number(start + 0x20, 8)
      link = table.number(start + 0x28, 4)
    }
  }

  private struct Symbol {
    let name: String
    /// `STT_OBJECT`
    let isObject: Bool
    let section, address, size: Int

    var isDefined: Bool { section != 0 }
  }

  /// Returns the symbols of a section; nil if there is no such section, or it cannot be read.
  private func symbols(inSectionOfType kind: Section.Kind) -> [Symbol]? {
    guard let section = sections.first(where: { $0.type == kind.rawValue }),
      sections.indices.contains(section.link),
      let table = Self.bytes(of: file, at: section.offset, count: section.size),
      let names = Self.bytes(of: file, at: sections[section.link].offset, count: sections[section.link].size)
    else { return nil }
    return stride(from: 0, to: table.count - 23, by: 24).map { start in
      let name = min(table.number(start, 4), names.count)
      return Symbol(
        name: String(decoding: names[name...].prefix { $0 != 0 }, as: UTF8.self),
        isObject: table[start + 4] & 0xf == 1, section: table.number(start + 6, 2),
        address: table.number(start + 8, 8), size: table.number(start + 16, 8))
    }
  }

  /// The ABI in the plugin's table, if that is an object with a symbol that begins with its own size.
  private var tableABI: UInt32? {
    for symbol in symbols(inSectionOfType: .symbols) ?? [] where symbol.isObject && symbol.size >= 48 {
      guard sections.indices.contains(symbol.section) else { continue }
      let section = sections[symbol.section]
      guard section.type != Section.Kind.noBits.rawValue,
        let start = Self.bytes(of: file, at: section.offset &+ symbol.address &- section.address, count: 8),
        start.number(0, 4) == symbol.size, (0...999).contains(start.number(4, 4))
      else { continue }
      return UInt32(start.number(4, 4))
    }
    return nil
  }

  // MARK: Bytes

  private static let mostBytes = 64 << 20

  private static func bytes(of file: FileDescriptor, at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, (0...mostBytes).contains(count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        try? file.read(
          fromAbsoluteOffset: Int64(clamping: offset) + Int64(filled),
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      }
      guard let got, got > 0 else { return nil }
      filled += got
    }
    return bytes
  }
}

extension [UInt8] {
  /// Returns a number in the machine's byte order; 0 if it is not all there, or larger than any file.
  fileprivate func number(_ offset: Int, _ length: Int) -> Int {
    guard offset >= 0, offset + length <= count else { return 0 }
    let little = self[offset..<offset + length].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value = 1.littleEndian == 1 ? little : little.byteSwapped >> UInt64(64 - 8 * length)
    return Int(exactly: value) ?? 0
  }
}
