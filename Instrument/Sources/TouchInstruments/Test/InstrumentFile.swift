import TouchCore
import TouchMeasure
import TouchSystem

/// The output of an instrument during a test, with a line for each observation: the seconds of
/// CLOCK_MONOTONIC, and `finger`, `beam` or `light`. `gpiomon --format="%S finger"` writes such lines.
///
/// ```
/// # a contact under the glass, by gpiomon
/// 5123.004211 finger
/// 5123.071940 light
/// ```
enum InstrumentFile {
  /// The largest file in bytes, for hours of taps.
  private static let largest = 1 << 22

  /// - Throws: for a file that cannot be read, and for the first wrong line.
  static func read(_ path: String) throws(Failure) -> [InstrumentStamp] {
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(path, upTo: largest)
    } catch {
      throw Failure(
        ExitStatus(error),
        "\(path): the instrument's stamps cannot be read (\(error)); name the file that it writes")
    }
    return try stamps(String(decoding: bytes, as: UTF8.self), file: path)
  }

  static func stamps(_ text: String, file: String) throws(Failure) -> [InstrumentStamp] {
    var stamps: [InstrumentStamp] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 2, let seconds = Double(first), (0...1e9).contains(seconds),
        let kind = InstrumentStamp.Kind(rawValue: String(words[1]))
      else {
        throw Failure(
          .badRecording,
          "\(file):\(index + 1): this is no stamp of an instrument; a line is \"SECONDS finger\", beam or light, on CLOCK_MONOTONIC"
        )
      }
      stamps.append(
        InstrumentStamp(kind, at: Timestamp(microseconds: Int64((seconds * 1_000_000).rounded()))))
    }
    return stamps
  }
}
