/// Something that libevdev says about the events of a device.
///
/// Two of its remarks matter to the frame, because libevdev changed the event stream: it clamps a slot that does not
/// exist to the last one, and it discards a tracking id that is not the end or the beginning of a contact. They
/// are told apart by their words; a library that words them otherwise makes them `other`.
/// (libevdev `sanitize_event`.)
enum DeviceRepair: Equatable {
  case clampedSlot(Int32)
  case discardedTrackingID(Int32)
  case other(String)

  init(_ message: String) {
    let text = message.last == "\n" ? message.dropLast() : message[...]
    if let slot = Self.number(in: text, after: #"" received an invalid slot index "#) {
      self = .clampedSlot(slot)
    } else if let id = Self.number(in: text, after: #"" received a double tracking ID "#) {
      self = .discardedTrackingID(id)
    } else {
      self = .other(String(text))
    }
  }

  /// The number behind the last occurrence of `words`: earlier ones can be part of the device's name.
  private static func number(in text: Substring, after words: String) -> Int32? {
    guard let start = endOfLast(words, in: text) else { return nil }
    return Int32(text[start...].prefix { $0 == "-" || $0.isNumber })
  }

  private static func endOfLast(_ words: String, in text: Substring) -> Substring.Index? {
    let bytes = text.utf8
    var end = bytes.endIndex
    while end > bytes.startIndex {
      if bytes[..<end].suffix(words.utf8.count).elementsEqual(words.utf8) { return end }
      end = bytes.index(before: end)
    }
    return nil
  }
}

/// Collects the remarks of one device while libevdev reads an event.
final class DeviceRepairs {
  /// Whether the event that libevdev just handed out is a slot event whose number it changed.
  private(set) var hasClampedSlot = false
  /// The tracking ids that libevdev left out before that event, oldest first.
  private(set) var discardedTrackingIDs: [Int32] = []
  private let log: (String) -> Void

  /// `log` is given every other remark.
  init(log: @escaping (String) -> Void) {
    self.log = log
  }

  func removeAll() {
    hasClampedSlot = false
    if !discardedTrackingIDs.isEmpty { discardedTrackingIDs.removeAll(keepingCapacity: true) }
  }

  func hear(_ message: String) {
    switch DeviceRepair(message) {
    case .clampedSlot: hasClampedSlot = true
    case .discardedTrackingID(let id): discardedTrackingIDs.append(id)
    case .other(let text): log(text)
    }
  }
}
