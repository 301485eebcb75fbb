import TouchCore
import TouchPixels

/// A kind of display: how its names are written, and how it is opened.
package struct DisplayKind: Sendable {
  /// The list of names. A new display is a folder and one name here.
  package static let all: [DisplayKind] = [.framebuffer, .kms, .terminal, .headless]

  /// A display of this kind, not open yet.
  package struct Named: Sendable {
    package let open: Opening
    /// How a picture would look on it; nil where it keeps each colour, and has no size before it is open.
    package let preview: (@Sendable () throws(DisplayError) -> DisplayPreview)?

    package init(
      preview: (@Sendable () throws(DisplayError) -> DisplayPreview)? = nil, open: @escaping Opening
    ) {
      self.open = open
      self.preview = preview
    }
  }

  /// Opens a display. The picture on it stays until something is composed.
  package typealias Opening = @Sendable (_ canvas: CanvasLayout) throws(DisplayError) -> any Display

  /// Opens the display that is meant by `auto`.
  ///
  /// - Parameter others: why those of the kinds before cannot be used, for the log.
  package typealias Choosing =
    @Sendable (_ canvas: CanvasLayout, _ others: [DisplayError]) throws(DisplayError) -> any Display

  /// A name, for messages: "a framebuffer such as /dev/fb0".
  package let example: String
  /// Whether it is the terminal that the program runs in. Lines that are written there run into the picture, and the program
  /// ends with it.
  package let usesTerminal: Bool
  /// The display with a name; nil where the name is not of this kind. Throws what is wrong with one that is.
  package let named: @Sendable (_ name: String) throws(DisplayError) -> Named?
  /// Opens the one that is meant by `auto`, or throws why there is none; nil if none of this kind ever is.
  package let automatic: Choosing?
  /// What is known of those that are there, the one that `auto` takes marked; nil for kinds that are always there. Throws why
  /// there is none.
  package let survey: (@Sendable () throws(DisplayError) -> [DisplayReport])?

  package init(
    example: String, usesTerminal: Bool = false, automatic: Choosing? = nil,
    survey: (@Sendable () throws(DisplayError) -> [DisplayReport])? = nil,
    named: @escaping @Sendable (_ name: String) throws(DisplayError) -> Named?
  ) {
    self.example = example
    self.usesTerminal = usesTerminal
    self.automatic = automatic
    self.survey = survey
    self.named = named
  }
}

/// A display by its name, as the command line and the configuration write it: `auto`, `/dev/fb1`, `terminal:sixel`.
package struct DisplayName: Hashable, Sendable {
  package let text: String
  /// See `DisplayKind`.
  package let usesTerminal: Bool
  /// Whether it is a device of the machine, whose node has permissions that udev sets.
  private let isOfMachine: Bool
  let display: DisplayKind.Named

  /// - Throws: `DisplayError` of kind `badName`.
  package init(_ text: String, among kinds: [DisplayKind] = DisplayKind.all) throws(DisplayError) {
    self.text = text
    if text == "auto" {
      (usesTerminal, isOfMachine) = (false, true)
      display = DisplayKind.Named { canvas throws(DisplayError) in
        try Self.automatic(among: kinds, for: canvas)
      }
      return
    }
    for kind in kinds {
      guard let named = try kind.named(text) else { continue }
      (usesTerminal, isOfMachine) = (kind.usesTerminal, kind.survey != nil)
      display = named
      return
    }
    let examples = kinds.map(\.example)
    throw DisplayError(
      .badName, path: text,
      detail: "a display is auto, " + examples.dropLast().map { $0 + ", " }.joined() + "or "
        + (examples.last ?? ""))
  }

  /// A display that is known to be of a kind.
  init(_ text: String, of kind: DisplayKind, _ display: DisplayKind.Named) {
    self.text = text
    (usesTerminal, isOfMachine) = (kind.usesTerminal, kind.survey != nil)
    self.display = display
  }

  /// That of the first kind that has one that can be used, by the order of the kinds: as `DisplayReport.survey` says.
  ///
  /// - Throws: why those that there are cannot be used, or why no kind has one.
  private static func automatic(
    among kinds: [DisplayKind], for canvas: CanvasLayout
  ) throws(DisplayError) -> any Display {
    var failures: [DisplayError] = []
    for open in kinds.compactMap(\.automatic) {
      do throws(DisplayError) {
        return try open(canvas, failures.filter { $0.kind != .missing })
      } catch {
        failures.append(error)
      }
    }
    // What is there can be helped; what is missing is told where nothing else is.
    let present = failures.filter { $0.kind != .missing }
    let told = present.isEmpty ? failures : present
    guard let first = told.first else {
      throw DisplayError(.missing, path: "auto", detail: "there is no such display; name one")
    }
    throw told.dropFirst().reduce(first) { $0.followed(by: $1) }
  }

  /// Opens it, after udev has set the permissions of what is there.
  ///
  /// - Parameter report: gets a line for the log if that takes a moment.
  /// - Throws: `DisplayError`.
  package func open(for canvas: CanvasLayout, report: (String) -> Void = { _ in }) throws(DisplayError)
    -> any Display
  {
    if isOfMachine { PendingDisplays.settle(report) }
    return try display.open(canvas)
  }

  /// How a picture would look on it, in its present mode; nil where it has none before it is open.
  ///
  /// - Throws: `DisplayError`.
  package func preview() throws(DisplayError) -> DisplayPreview? { try display.preview?() }

  package static func == (one: DisplayName, other: DisplayName) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension DisplayError {
  /// A display cannot be used, and the one that would have been taken instead cannot, either.
  fileprivate func followed(by next: DisplayError) -> DisplayError {
    DisplayError(kind, path: path, detail: "\(detail). Without it \(next)", cause: cause)
  }
}

/// How pictures would look on a display, which is neither taken nor changed.
package struct DisplayPreview {
  /// In pixels.
  package let size: Size
  /// Reduces a picture of that size to the colours that the display can show.
  package let reduce: (Surface) -> Void

  package init(size: Size, reduce: @escaping (Surface) -> Void) {
    self.size = size
    self.reduce = reduce
  }
}
