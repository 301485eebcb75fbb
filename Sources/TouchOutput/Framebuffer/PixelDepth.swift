/// How many bits a pixel takes in memory, where a driver's number for it may be wrong.
struct PixelDepth: Equatable {
  /// 1, 2, 4, 8, 16, 24 or 32; another number is the driver's own and cannot be used.
  let bits: Int
  /// What was taken instead of what the driver says, in words.
  let notice: String?

  private static let stored = [1, 2, 4, 8, 16, 24, 32]

  /// The reported depth stands wherever it can be true. Where it cannot, rows and channels decide: a driver that gets
  /// the depth wrong still needs the right stride to show anything.
  init(_ report: FramebufferReport) {
    let reported = Int(report.bitsPerPixel)
    let reach = Self.reach(of: report)
    let row = Int(report.offsetX) + Int(report.width)
    let stride = Int(report.lineLength)
    func fits(_ bits: Int) -> Bool { reach <= bits && (row * bits + 7) / 8 <= stride }
    /// Whether rows without padding have this depth.
    func fillsRow(_ bits: Int) -> Bool {
      fits(bits) && max(row, Int(report.virtualWidth)) * bits == stride * 8
    }
    let isStored = Self.stored.contains(reported)
    if isStored && fits(reported) {
      (bits, notice) = (reported, nil)
      return
    }
    let wider = isStored ? [] : Self.stored.filter { $0 > max(reported, 8) }
    guard reported > 0, let found = Self.stored.last(where: fillsRow) ?? wider.first(where: fits) else {
      (bits, notice) = (reported, nil)
      return
    }
    bits = found
    // 15 and 18 bits are kept in 16 and 24 or 32, and many drivers count only the bits with a meaning.
    notice =
      wider.contains(found)
      ? nil
      : "the driver says \(reported) bits per pixel, but its rows of \(stride) bytes and its channels hold "
        + "\(found): taking \(found)"
  }

  /// The bits that the channels need.
  private static func reach(of report: FramebufferReport) -> Int {
    let channels = [report.red, report.green, report.blue]
    return Int(channels.filter { $0.length > 0 }.map(\.end).max() ?? 0)
  }
}
