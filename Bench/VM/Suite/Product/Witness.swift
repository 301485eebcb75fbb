import Foundation

/// The calls of a program to framebuffers, cards and terminals, as the library that was preloaded into it
/// wrote it down. (Bench/VM/DisplayWitness)
struct Witness: Sendable {
  /// A lie that the display's driver tells, as the program sees it.
  enum Lie: String, Sendable {
    /// Rows are shorter than the pixels in them.
    case shortRows = "short-rows"
    /// The memory is shorter than the mode.
    case shortMemory = "short-memory"
    /// Half of the bits that pixels have.
    case depth
    /// A channel reaches beyond the pixel.
    case channel
    /// Two channels have the same bits.
    case sharedBits = "shared-bits"
    case noSize = "no-size"
    /// What is seen begins behind the memory.
    case offset
    /// Rows cannot be written by calls.
    case noWrites = "no-writes"
    /// Each call takes two milliseconds, in which the process sleeps.
    case slow
    /// Each call writes half of what it was given.
    case partial
    /// A card takes no atomic requests.
    case noAtomic = "no-atomic"
    /// A card shows at most 1024 pixels in a row.
    case narrow
    /// The card's planes have another program's pictures.
    case overlay
  }

  /// The accesses to the memory, by calls.
  struct Accesses: Equatable {
    /// Calls that read it, or map it.
    var reads: Int
    var writes: Int
    /// Those that were written.
    var rows: Set<Int>
  }

  let machine: VirtualMachine
  private let folder: URL
  private let guest: String

  init(in machine: VirtualMachine) async throws {
    self.machine = machine
    (folder, guest) = try await machine.newFolder()
  }

  /// Goes before the program's name.
  func prefix(_ lie: Lie? = nil, seesAccesses: Bool = false) -> String {
    "env LD_PRELOAD=/usr/lib/libdisplay-witness.so WITNESS_LOG=\(guest)/calls"
      + (lie.map { " WITNESS_LIE=\($0.rawValue)" } ?? "")
      + (seesAccesses ? " WITNESS_ROWS=/run/accesses" : "")
  }

  /// One line a call, in the order in which they were made.
  var calls: [String] {
    let text = (try? String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The accesses since `forgetAccesses()`.
  func accesses() async throws -> Accesses {
    let output = try await machine.run("od -A n -v -w8 -t d8 /run/accesses")
    let numbers = output.stdout.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count > 2 else { throw MachineError("no accesses were noted: \(output)") }
    let rows = numbers.dropFirst(2).enumerated().filter { $0.element > 0 }.map(\.offset)
    return Accesses(reads: numbers[0], writes: numbers[1], rows: Set(rows))
  }

  func forgetAccesses() async throws {
    try await machine.run("dd if=/dev/zero of=/run/accesses bs=32784 count=1 conv=notrunc")
  }
}
