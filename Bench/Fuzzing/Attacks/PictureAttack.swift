import DispatchFuzzing
import Glibc
import TouchPixels

/// PNG and JPEG files with something changed in them, and the sums of a PNG's chunks made right again, so
/// that libpng reads on: each is refused, or has premultiplied pixels.
public enum PictureAttack {
  private static let originals: [[UInt8]] = [
    "Tests/PictureSupport/Fixtures", "Tests/TouchOutputTests/Golden",
  ].flatMap {
    Corpus.paths(in: $0, endingIn: ".png") + Corpus.paths(in: $0, endingIn: ".jpg")
  }.compactMap { try? Corpus.bytes($0) }.filter { $0.count < 6000 }

  /// Grey, RGB, palette, grey and alpha, RGB and alpha, with the depths of each. (PNG specification, 11.2.2.)
  private static let kinds: [(colors: UInt8, depths: [UInt8])] = [
    (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
  ]

  private static let mutation = Mutation(
    ["IHDR", "IDAT", "PLTE", "tRNS", "gAMA", "sRGB", "iCCP", "IEND", "acTL", "zTXt"], isText: false)

  /// - Returns: the rule that was broken, and whether the picture was read.
  public static func run(seed: UInt64) -> (fault: String?, isRead: Bool) {
    var random = RandomSource(seed: seed)
    var bytes = random.oneIn(8) ? random.pick(originals) : picture(&random)
    if random.oneIn(2) {
      mutation.apply(to: &bytes, &random)
      // A header that promises more than there is.
      if random.oneIn(8), bytes.count > 24 {
        let side = bigEndian(UInt32.random(in: 1...30_000, using: &random))
        bytes.replaceSubrange(random.oneIn(2) ? 16..<20 : 20..<24, with: side)
      }
      if !random.oneIn(8) { correctSums(&bytes) }
    }
    do throws(DisplayError) {
      let surface = try PictureReader.decode(bytes, path: "p")
      guard max(surface.width, surface.height) <= PNGReader.largestSide else {
        return ("larger than the limit", true)
      }
      for index in 0..<min(surface.width * surface.height, 1 << 16) {
        let pixel = surface.pixels[index]
        let alpha = pixel >> 24
        guard [16, 8, 0].allSatisfy({ pixel >> $0 & 255 <= alpha }) else {
          return ("pixel \(index) is \(String(pixel, radix: 16))", true)
        }
      }
      return (nil, true)
    } catch {
      return (SourceText.isShown("\(error)") ? nil : "control characters in: \(error)", false)
    }
  }

  /// Every chunk's checksum is that of what is in it.
  private static func correctSums(_ bytes: inout [UInt8]) {
    var start = 8
    while start + 12 <= bytes.count {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard start + 12 + length <= bytes.count else { return }
      let end = start + 8 + length
      bytes.replaceSubrange(end..<end + 4, with: bigEndian(checksum(bytes[start + 4..<end])))
      start = end + 4
    }
  }

  // MARK: Pictures of every kind

  /// A small picture of any kind, with senseless samples and filters, of the right length or nearly so.
  private static func picture(_ random: inout RandomSource) -> [UInt8] {
    let kind = random.pick(kinds)
    let (depth, interlace) = (random.pick(kind.depths), UInt8.random(in: 0...1, using: &random))
    let (width, height) = (Int.random(in: 1...20, using: &random), Int.random(in: 1...20, using: &random))
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind.colors] ?? 1
    let rowLength = 1 + (width * channels * Int(depth) + 7) / 8
    // An interlaced picture has more rows, which are shorter; what is left over is ignored.
    var samples = (0..<rowLength * height * (interlace == 1 ? 3 : 1)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    for start in stride(from: 0, to: samples.count, by: interlace == 1 ? 1 : rowLength) {
      samples[start] = UInt8.random(in: 0...(random.oneIn(40) ? 255 : 4), using: &random)
    }
    if random.oneIn(10) { samples.removeLast(Int.random(in: 0...samples.count, using: &random)) }
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += chunk(
      "IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [depth, kind.colors, 0, 0, interlace])
    if kind.colors == 3 {
      let colors = Int.random(in: 1...1 << Int(depth), using: &random)
      file += chunk("PLTE", (0..<3 * colors).map { UInt8($0 * 7 & 255) })
    }
    if random.oneIn(3) { file += chunk("tRNS", Array(samples.prefix([0: 2, 2: 6][kind.colors] ?? 3))) }
    file += chunk("IDAT", zlib(samples))
    return file + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body[...]))
  }

  /// Not compressed, so that a change of a byte is a change of a sample. (RFC 1950 and 1951.)
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    let count = UInt16(content.count)
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in content {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let length = [UInt8(count & 255), UInt8(count >> 8)]
    return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + content + bigEndian(b << 16 | a)
  }

  /// CRC-32. (PNG specification, annex D.)
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 255)] }
  }

  private static let table = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
