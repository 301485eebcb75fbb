import TouchPixels

/// A part of a picture as the kitty graphics protocol sends it: a PNG file in base64, shown where the cursor is.
enum KittyPicture {
  /// The most that one escape code may carry, in base64.
  private static let mostBytes = 4096

  /// - Parameter id: the picture's; one that is sent again replaces the one that was there.
  static func write(_ surface: Surface, _ area: PixelRect, id: Int, into output: inout [UInt8]) {
    guard let part = try? Surface(width: area.width, height: area.height) else { return }
    for y in 0..<area.height {
      (part.pixels + y * area.width).update(
        from: surface.pixels + ((y + area.minY) * surface.width + area.minX), count: area.width)
    }
    guard let file = try? PNGWriter.encode(part) else { return }
    let text = Base64.encode(file)
    var sent = 0
    repeat {
      let end = min(text.count, sent + mostBytes)
      output.append("\u{1b}_G")
      if sent == 0 {
        // Transmit and show (a=T) a PNG (f=100) without moving the cursor (C=1), and do not answer (q=2).
        output.append("a=T,f=100,q=2,C=1,p=1,i=")
        output.append(decimal: id)
        output.append(UInt8(ascii: ","))
      }
      output.append(end < text.count ? "m=1;" : "m=0;")
      output.append(contentsOf: text[sent..<end])
      output.append("\u{1b}\\")
      sent = end
    } while sent < text.count
  }
}

/// (RFC 4648.)
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
