extension YAMLProblem {
  /// What keeps bytes from being the UTF-8 text that a parser needs; nil for nothing.
  package init?(encodingOf bytes: [UInt8]) {
    if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
      self.init(place: .start, message: "the file is UTF-16 text; save it as UTF-8")
      return
    }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      let offset = error.byteOffsets.lowerBound
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      self.init(
        place: SourceLocation(offset: offset, in: bytes),
        message: "the byte 0x\(byte) is not UTF-8 text; save the file as UTF-8")
    }
  }
}
