import CFcft

/// What a character does to the direction of a line. (Unicode's annex 9, table 4.)
enum BidiClass: Equatable {
  /// Strong: letters that run to the right, letters that run to the left.
  case left, right, arabicLetter
  /// Numbers run to the right everywhere, and what stands in and around them goes along.
  case europeanNumber, arabicNumber, numberSeparator, numberTerminator, commonSeparator
  /// Goes with what stands before it.
  case mark
  /// Goes with what is around it.
  case space, neutral

  init(_ scalar: UInt32, _ library: TextLibrary) {
    var functions = library.functions
    switch UInt32(bitPattern: touchtree_bidi_class(&functions, Int32(bitPattern: scalar))) {
    case UTF8PROC_BIDI_CLASS_L.rawValue: self = .left
    case UTF8PROC_BIDI_CLASS_R.rawValue: self = .right
    case UTF8PROC_BIDI_CLASS_AL.rawValue: self = .arabicLetter
    case UTF8PROC_BIDI_CLASS_EN.rawValue: self = .europeanNumber
    case UTF8PROC_BIDI_CLASS_AN.rawValue: self = .arabicNumber
    case UTF8PROC_BIDI_CLASS_ES.rawValue: self = .numberSeparator
    case UTF8PROC_BIDI_CLASS_ET.rawValue: self = .numberTerminator
    case UTF8PROC_BIDI_CLASS_CS.rawValue: self = .commonSeparator
    // What joins letters or is not seen belongs to the letters; explicit directions are not followed.
    case UTF8PROC_BIDI_CLASS_NSM.rawValue, UTF8PROC_BIDI_CLASS_BN.rawValue,
      UTF8PROC_BIDI_CLASS_LRE.rawValue...UTF8PROC_BIDI_CLASS_LRO.rawValue,
      UTF8PROC_BIDI_CLASS_RLE.rawValue...UTF8PROC_BIDI_CLASS_PDF.rawValue,
      UTF8PROC_BIDI_CLASS_LRI.rawValue...UTF8PROC_BIDI_CLASS_PDI.rawValue:
      self = .mark
    case UTF8PROC_BIDI_CLASS_WS.rawValue, UTF8PROC_BIDI_CLASS_S.rawValue, UTF8PROC_BIDI_CLASS_B.rawValue:
      self = .space
    default: self = .neutral
    }
  }

  var isNeutral: Bool { self == .space || self == .neutral }

  /// Which way a neutral character beside it goes; nil beside another neutral one. A number counts as running to the
  /// left there.
  var side: BidiLine.Direction? {
    switch self {
    case .left: .leftToRight
    case .right, .arabicLetter, .europeanNumber, .arabicNumber: .rightToLeft
    case .numberSeparator, .numberTerminator, .commonSeparator, .mark, .space, .neutral: nil
    }
  }
}

/// Brackets, which stand around something and are mirrored where it runs to the left.
enum Bracket {
  private static let pairs: [(UInt32, UInt32)] = [
    (0x28, 0x29), (0x5b, 0x5d), (0x7b, 0x7d), (0x2329, 0x232a), (0x27e8, 0x27e9), (0x3008, 0x3009),
    (0x300c, 0x300d), (0x3010, 0x3011),
  ]
  /// Mirrored, but no brackets.
  private static let others: [(UInt32, UInt32)] = [
    (0x3c, 0x3e), (0xab, 0xbb), (0x2039, 0x203a), (0x2264, 0x2265),
  ]

  /// The bracket that closes what this one opens; nil for anything else.
  static func closing(_ scalar: UInt32) -> UInt32? { pairs.first { $0.0 == scalar }?.1 }

  /// What the character looks like where text runs to the left.
  static func mirrored(_ scalar: UInt32) -> UInt32 {
    for (open, close) in pairs + others {
      if scalar == open { return close }
      if scalar == close { return open }
    }
    return scalar
  }
}
