import TouchPixels

/// A part of the picture as the page takes it: its place as four 16-bit numbers (x, y, width, height), and
/// the pixels as 32 bits each, blue first. The lowest byte of a number comes first.
///
/// The pixels are not packed: the page is on the same machine. A picture of 800 × 480 is copied in 0.2 ms;
/// deflate takes 3 ms at its fastest, and the browser has to unpack it.
enum Picture {
  static func bytes(of part: PixelRect, in picture: Surface) -> [UInt8] {
    let numbers = [part.minX, part.minY, part.width, part.height]
    let head = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let row = part.width * 4
    return [UInt8](unsafeUninitializedCapacity: head.count + row * part.height) { bytes, count in
      _ = bytes.update(fromContentsOf: head)
      for y in 0..<part.height {
        let source = picture.pixels + ((part.minY + y) * picture.width + part.minX)
        let target = UnsafeMutableRawBufferPointer(bytes).dropFirst(head.count + y * row)
        UnsafeMutableRawBufferPointer(rebasing: target)
          .copyMemory(from: UnsafeRawBufferPointer(start: source, count: row))
      }
      count = bytes.count
    }
  }
}
