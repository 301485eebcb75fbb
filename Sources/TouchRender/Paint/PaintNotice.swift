import TouchPixels
import TouchSystem
import TouchViews

/// Something that cannot be painted. It is reported once, and everything else is painted.
package enum PaintNotice: Hashable, Sendable, CustomStringConvertible {
  /// A font family is not installed; another one is used.
  case fontReplaced(family: String, by: String)
  /// No font at all was found for a family; its text is not painted.
  case fontUnavailable(family: String)
  /// The library that paints text could not be loaded; no text is painted.
  case textUnavailable(reason: String)
  /// The library for right-to-left text could not be loaded; such text is painted from left to right.
  case orderUnavailable(reason: String)
  /// The library that breaks lines could not be loaded; they are broken at spaces, hyphens and East Asian
  /// letters.
  case breaksUnavailable(reason: String)
  /// The library that makes QR codes could not be loaded; no code is painted.
  case codesUnavailable(reason: String)
  /// The text of a QR code has no code; nothing is painted.
  case codeTooLong(view: String)
  /// A view's text does not fit.
  case textCut(view: String)
  /// A view is too low for its text, or for its icon, which is cut above or below.
  case textTooHigh(view: String)
  /// No font has some characters of a view's text; boxes are painted for them.
  case charactersUnknown([UInt32], view: String)
  /// A picture could not be read; a placeholder is painted.
  case imageUnreadable(DisplayError)
  /// No font of icons is installed; no icon is painted.
  case iconsUnavailable
  /// The font of icons has no icon of this name; nothing is painted in its place.
  case iconUnknown(name: String, view: String)
  /// Too many views that fade or clip are nested: this is the first that is not composed separately.
  case nestedTooDeep(view: String, most: Int)
  /// This many views have no name, because only `most` names are drawn.
  case namesLeftOut(Int, most: Int)
  /// This many further notices are not reported one by one.
  case more(Int)

  package var description: String {
    switch self {
    case .fontReplaced(let family, let name):
      "the font family \"\(family)\" is not installed, and \(name) is used; `fc-list : family` lists the installed ones"
    case .fontUnavailable(let family):
      "no font for the family \"\(family)\": its text is left out; install one, such as fonts-dejavu-core"
    case .textUnavailable(let reason): "\(reason); every text is left out; install Debian's libfcft4"
    case .orderUnavailable(let reason):
      "\(reason); right-to-left text is painted from left to right; " + "install Debian's libfribidi0"
    case .breaksUnavailable(let reason):
      "\(reason); lines of Chinese and Japanese may begin with a full stop or end with an opening bracket; "
        + "install Debian's libunibreak1"
    case .codesUnavailable(let reason):
      "\(reason); no QR code is shown; install Debian's libqrencode4"
    case .codeTooLong(let view):
      "the text of \(Self.name(view)) is too long for a QR code, which has at most about 2300 bytes; give a shorter one"
    case .textCut(let view):
      "the text of \(Self.name(view)) does not fit and is cut; enlarge the frame, or use a smaller font or more lines"
    case .textTooHigh(let view):
      "what \(Self.name(view)) shows is cut above or below; give it more height, or a smaller font or icon"
    case .charactersUnknown(let scalars, let view):
      "no font has \(Self.shown(scalars)), and \(Self.name(view)) shows boxes instead; \(Self.advice(for: scalars.first ?? 0))"
    case .imageUnreadable(let error): "\(error); a placeholder is shown"
    case .iconsUnavailable:
      "no icon is shown, since their font is not installed; install Debian's \(IconFont.package)"
    case .iconUnknown(let name, let view):
      "no icon is called \"\(name.escaped)\", and \(Self.name(view)) shows none; "
        + Self.advice(forIcon: name)
    case .nestedTooDeep(let view, let most):
      "\(Self.name(view)) fades or clips inside \(most) views that do, which is the limit; from here on, the subviews of such a view "
        + "neither fade with it nor are cut to its corners"
    case .namesLeftOut(let count, let most):
      "\(count) view\(count == 1 ? " is" : "s are") outlined without a name: at most \(most) names are drawn"
    case .more(let count):
      "\(count) more \(count == 1 ? "thing is" : "things are") not shown as they should be, and not logged one by one; "
        + "`touchtree check` lists those of the file"
    }
  }
}

extension PaintNotice {
  private static func name(_ view: String) -> String { view.isEmpty ? "a view without an id" : view }

  /// The approximate size, in bytes.
  fileprivate var size: Int {
    switch self {
    case .fontReplaced(let family, let name): 512 + family.utf8.count + name.utf8.count
    case .fontUnavailable(let text), .textUnavailable(let text), .orderUnavailable(let text),
      .breaksUnavailable(let text), .codesUnavailable(let text), .codeTooLong(let text), .textCut(let text),
      .textTooHigh(let text),
      .nestedTooDeep(let text, most: _):
      512 + text.utf8.count
    case .charactersUnknown(let scalars, let view): 512 + 4 * scalars.count + view.utf8.count
    case .imageUnreadable(let error): 512 + error.path.utf8.count
    case .iconUnknown(let name, let view): 512 + name.utf8.count + view.utf8.count
    case .namesLeftOut, .iconsUnavailable, .more: 512
    }
  }

  private static func advice(forIcon name: String) -> String {
    let names = ((IconFont.installed?.names ?? []) + IconNames.own).sorted()
    let near = IconNames.nearest(to: name, among: names)
    return near.isEmpty
      ? "`touchtree icons WORD` finds one"
      : "did you mean \(near.joined(separator: ", "))? `touchtree icons WORD` finds others"
  }

  /// Advises a font for a character. (Unicode 15.1: private use, East Asian writing, pictographs.)
  private static func advice(for scalar: UInt32) -> String {
    switch scalar {
    case 0xe000...0xf8ff, 0xf0000...0x10ffff:
      "only a font of icons has such a character: install the one that it is of, and name it: font: {family: ...}"
    case 0x1100...0x11ff, 0x2e80...0x9fff, 0xa960...0xa97f, 0xac00...0xd7ff, 0xf900...0xfaff, 0xfe30...0xfe4f,
      0xff00...0xffef, 0x1b000...0x1b16f, 0x20000...0x3ffff:
      "install a font that has it, such as Debian's fonts-noto-cjk"
    case 0x1f000...0x1faff, 0x2600...0x27bf, 0x2b00...0x2bff, 0xfe0f, 0x20e3:
      "install a font that has it, such as Debian's fonts-noto-color-emoji"
    default: "install a font that has it, such as Debian's fonts-noto-core"
    }
  }

  /// Returns the codes of the first few characters. No font can show the characters themselves.
  fileprivate static func shown(_ scalars: [UInt32]) -> String {
    let names = scalars.prefix(4).map { "U+" + String($0, radix: 16, uppercase: true) }
    return names.joined(separator: ", ") + (scalars.count > 4 ? " and \(scalars.count - 4) more" : "")
  }
}

/// Reports each notice once, and beyond a limit only the number of notices.
final class PaintNoticeLog {
  var report: (PaintNotice) -> Void = { _ in }
  var isBounded = true
  private var logged: Set<PaintNotice> = []
  /// The hashes of notices that are not reported one by one. Two notices with equal hashes are counted once.
  private var more: Set<Int> = []
  /// The number of these hashes at which their number is reported next.
  private var nextCount = 1

  /// The approximate size of the reported notices, in bytes.
  private(set) var cost = 0
  /// The most bytes of notices that are reported one by one, and of hashes.
  private static let mostLogged = 256 << 10
  private static let mostCounted = 64 << 10

  func log(_ notice: PaintNotice) {
    guard !logged.contains(notice) else { return }
    guard isBounded, cost + notice.size > Self.mostLogged else {
      logged.insert(notice)
      cost += notice.size
      return report(notice)
    }
    if more.count < Self.mostCounted / 16 { more.insert(notice.hashValue) }
  }

  /// Reports the number of notices not reported one by one, after a picture and when it has doubled.
  func finish() {
    guard more.count >= nextCount else { return }
    nextCount = 2 * more.count
    report(.more(more.count))
  }

  /// Reports the reason why a text in a font of this family is not painted.
  func logNoText(family: String) {
    switch TextLibrary.shared {
    case .success: log(.fontUnavailable(family: family))
    case .failure(let missing): log(.textUnavailable(reason: missing.reason))
    }
  }
}
