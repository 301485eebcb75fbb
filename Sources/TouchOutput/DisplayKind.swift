import TouchCore
import TouchPixels

package struct DisplayKind: Sendable {
  /// All kinds. A new display is a folder and one name here.
  package static let all: [DisplayKind] = [.framebuffer, .kms, .terminal, .headless]

  /// A display of this kind, not open yet.
  package struct Named: Sendable {
    package let open: Opening
    /// Makes a preview of the display; nil where colours are kept and the size is unknown before opening.
    package let preview: (@Sendable () throws(DisplayError) -> DisplayPreview)?

    package init(
      preview: (@Sendable () throws(DisplayError) -> DisplayPreview)? = nil, open: @escaping Opening
    ) {
      (self.open, self.preview) = (open, preview)
    }
  }

  /// Opens a display. The picture on it stays until something is composed.
  package typealias Opening = @Sendable (_ canvas: CanvasLayout) throws(DisplayError) -> any Display

  /// Opens the display that `auto` means; `others` has the errors of the earlier kinds, for the log.
  package typealias Choosing =
    @Sendable (_ canvas: CanvasLayout, _ others: [DisplayError]) throws(DisplayError) -> any Display

  /// A description with an example, for messages: "a framebuffer such as /dev/fb0".
  package let example: String
  /// Whether it is the terminal that the program runs in: its lines and its end concern the picture.
  package let usesTerminal: Bool
  /// Returns the display with a name, or nil for names of other kinds. Throws if the name is wrong.
  package let named: @Sendable (_ name: String) throws(DisplayError) -> Named?
  /// Opens the display that `auto` means, or throws why there is none; nil for kinds never meant.
  package let automatic: Choosing?
  /// Lists the displays of this kind, with the one marked that `auto` takes, or throws the reason why there
  /// is none. It is nil for kinds that are always there.
  package let survey: (@Sendable () throws(DisplayError) -> [DisplayReport])?

  package init(
    example: String, usesTerminal: Bool = false, automatic: Choosing? = nil,
    survey: (@Sendable () throws(DisplayError) -> [DisplayReport])? = nil,
    named: @escaping @Sendable (_ name: String) throws(DisplayError) -> Named?
  ) {
    (self.example, self.usesTerminal, self.automatic) = (example, usesTerminal, automatic)
    (self.survey, self.named) = (survey, named)
  }
}

/// A display's name on the command line and in the configuration: `auto`, `/dev/fb1`, `terminal:sixel`.
package struct DisplayName: Hashable, Sendable {
  package let text: String
  /// Whether the display is the terminal that the program runs in. (`DisplayKind`)
  package let usesTerminal: Bool
  /// Whether the display is a device of the machine, whose node gets its permissions from udev.
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

  init(_ text: String, of kind: DisplayKind, _ display: DisplayKind.Named) {
    self.text = text
    (usesTerminal, isOfMachine) = (kind.usesTerminal, kind.survey != nil)
    self.display = display
  }

  /// Opens the display of the first kind that has a usable one, in the order of `DisplayReport.survey`.
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
    // Errors of present devices can be fixed. Missing ones are reported only where nothing is present.
    let present = failures.filter { $0.kind != .missing }
    let reported = present.isEmpty ? failures : present
    guard let first = reported.first else {
      throw DisplayError(.missing, path: "auto", detail: "there is no such display; name one")
    }
    throw reported.dropFirst().reduce(first) { $0.followed(by: $1) }
  }

  /// Opens the display, after udev has set the permissions of the devices that are there.
  ///
  /// - Parameter report: gets a line for the log before a wait.
  /// - Throws: `DisplayError`.
  package func open(for canvas: CanvasLayout, report: (String) -> Void = { _ in }) throws(DisplayError)
    -> any Display
  {
    if isOfMachine { PendingDisplays.settle(report) }
    return try display.open(canvas)
  }

  /// Returns the look of pictures on the display in its present mode; nil if it has none before it is open.
  package func preview() throws(DisplayError) -> DisplayPreview? { try display.preview?() }

  package static func == (one: DisplayName, other: DisplayName) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension DisplayError {
  /// Returns this error joined with that of the display that would have been taken instead.
  fileprivate func followed(by next: DisplayError) -> DisplayError {
    DisplayError(kind, path: path, detail: "\(detail). Without it \(next)", cause: cause)
  }
}

/// The look of pictures on a display, which is neither taken nor changed.
package struct DisplayPreview {
  /// The display's size in pixels.
  package let size: Size
  /// Reduces a picture of that size to the colours that the display can show.
  package let reduce: (Surface) -> Void

  package init(size: Size, reduce: @escaping (Surface) -> Void) { (self.size, self.reduce) = (size, reduce) }
}
