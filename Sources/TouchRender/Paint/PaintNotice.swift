import TouchPixels

/// Something that could not be painted. Said once, and everything else is painted.
package enum PaintNotice: Hashable, Sendable, CustomStringConvertible {
  /// There is no font of a family; another one is used.
  case fontReplaced(family: String, by: String)
  /// No font at all could be found for a family; its text is not painted.
  case fontUnavailable(family: String)
  /// The library that paints text could not be loaded; no text is painted.
  case textUnavailable(reason: String)
  /// The library that knows how text runs to the left could not be loaded; it is painted in the order in which it is
  /// written.
  case orderUnavailable(reason: String)
  /// There is no room for all of a view's text.
  case textCut(view: String)
  /// No font has some characters of a view's text; boxes are painted for them.
  case charactersUnknown([UInt32], view: String)
  /// A picture could not be read; a placeholder is painted.
  case imageUnreadable(PNGError)
  /// Views fade, or clip what is in them to another shape than upright whole pixels, inside more others that do than
  /// are painted; this view is the first one that is painted without.
  case nestedTooDeep(view: String, most: Int)
  /// So many views have no name on them, because `most` others have one already.
  case namesLeftOut(Int, most: Int)

  package var description: String {
    switch self {
    case .fontReplaced(let family, let name):
      "there is no font of the family \"\(family)\", and \(name) is used; `fc-list : family` lists those that are there"
    case .fontUnavailable(let family):
      "no font for the family \"\(family)\": its text is left out; install one, such as fonts-dejavu-core"
    case .textUnavailable(let reason):
      "\(reason); every text is left out; install Debian's libfcft4"
    case .orderUnavailable(let reason):
      "\(reason); words of scripts that run to the left stand in the order in which they are written; "
        + "install Debian's libfribidi0"
    case .textCut(let view):
      "the text of \(view) is cut, for it does not fit; enlarge the frame, or use a smaller font or more lines"
    case .charactersUnknown(let scalars, let view):
      "no font has \(Self.shown(scalars)), and \(view) shows boxes for it; install a font that has it, such as "
        + "fonts-noto-core"
    case .imageUnreadable(let error):
      "\(error); a placeholder is shown"
    case .nestedTooDeep(let view, let most):
      "\(view) fades or clips inside \(most) views that do; no more are painted inside each other, and from here on "
        + "what is in such a view neither fades with it nor is cut to its corners"
    case .namesLeftOut(let count, let most):
      "\(count) view\(count == 1 ? " is" : "s are") outlined without a name: at most \(most) names are drawn"
    }
  }
}

extension PaintNotice {
  /// The first few of some characters, by their codes: what no font has cannot be read here either.
  fileprivate static func shown(_ scalars: [UInt32]) -> String {
    let names = scalars.prefix(4).map { "U+" + String($0, radix: 16, uppercase: true) }
    return names.joined(separator: ", ") + (scalars.count > 4 ? " and \(scalars.count - 4) more" : "")
  }
}

/// Says each notice once.
final class PaintNoticeLog {
  var report: (PaintNotice) -> Void = { _ in }
  private var said: Set<PaintNotice> = []

  func say(_ notice: PaintNotice) {
    if said.insert(notice).inserted { report(notice) }
  }

  /// Says why a text in a font of the family was not painted.
  func sayNoText(family: String) {
    switch TextLibrary.shared {
    case .success: say(.fontUnavailable(family: family))
    case .failure(let missing): say(.textUnavailable(reason: missing.reason))
    }
  }

  /// Lets every notice be said again.
  func forget() {
    said.removeAll()
  }
}
