import TouchConfig
import TouchCore
import TouchJSON
import TouchPixels
import TouchRender
import TouchSystem
import TouchViews

/// The output of `touchtree icons`: the icons of the installed font, and touchtree's own, whose names contain
/// a word.
package struct IconSheet {
  package let names: [String]
  private let font: IconFont

  /// Lists names with a part, or all; throws a `Failure` without a font or a name.
  package init(_ word: String?) throws {
    guard let font = IconFont.installed else {
      throw Failure(
        .noSuchFile,
        "no font of icons is installed; install Debian's \(IconFont.package), which has them in \(IconFont.path)"
      )
    }
    self.font = font
    let wanted = word.map { String($0.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 }) } ?? ""
    names = Configuration.iconNames.filter { wanted.isEmpty || $0.contains(wanted) }
    guard names.isEmpty else { return }
    let near = IconNames.nearest(to: wanted, among: Configuration.iconNames)
    throw Failure(
      "no icon has \"\((word ?? "").escaped)\" in its name"
        + (near.isEmpty ? "; `touchtree icons` lists all" : "; did you mean \(near.joined(separator: ", "))?")
    )
  }

  // MARK: Lists

  /// Writes a name in each line; as JSON, an object in each line, with the character of an icon of the font.
  package func writeList(to output: LineOutput, json: Bool) {
    for name in names {
      guard json else {
        output.write(line: name)
        continue
      }
      var json = JSONWriter()
      json.beginObject()
      json.field("name", name)
      let character = font.character(name).map { "U+" + String($0.value, radix: 16, uppercase: true) }
      json.field("character", character)
      json.endObject()
      output.write(line: json.string)
    }
  }

  // MARK: A picture

  /// The size of a cell in pixels.
  private static let cell = Size(width: 150, height: 92)
  private static let margin = 16.0
  /// The usual number of columns; more if the rows would exceed 16384 pixels.
  private static let usualColumns = 8
  private static let mostRows = 150

  /// Returns one picture with all icons and names.
  package func picture() throws(DisplayError) -> Surface {
    let columns = min(max(Self.usualColumns, (names.count + Self.mostRows - 1) / Self.mostRows), names.count)
    let rows = (names.count + columns - 1) / columns
    let size = Size(
      width: 2 * Self.margin + Double(columns) * Self.cell.width,
      height: 2 * Self.margin + Double(rows) * Self.cell.height)
    let window = Window(id: "icons", size: size)
    for (index, name) in names.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let x = Self.margin + Double(column) * Self.cell.width
      let y = Self.margin + Double(row) * Self.cell.height
      let image = ImageView(
        frame: LocalRect(x: x + (Self.cell.width - 40) / 2, y: y + 10, width: 40, height: 40))
      image.icon = Icon(name, color: Color(red: 0xf3, green: 0xf6, blue: 0xfa))
      let label = Label(name, frame: LocalRect(x: x + 4, y: y + 54, width: Self.cell.width - 8, height: 24))
      label.textStyle = TextStyle(
        family: "Inter", size: 12, color: Color(red: 0xa3, green: 0xad, blue: 0xbb), alignment: .center)
      window.addSubview(image)
      window.addSubview(label)
    }
    return try Self.paint(window, size)
  }

  private static func paint(_ window: Window, _ size: Size) throws(DisplayError) -> Surface {
    let surface = try Surface(width: Int(size.width), height: Int(size.height))
    let painter = try Painter(
      geometry: DisplayGeometry(displaySize: size), background: Color(red: 0x0d, green: 0x10, blue: 0x15))
    painter.paintAll(window, highlights: nil, on: surface)
    return surface
  }

  // MARK: A terminal

  /// The side of an icon in pixels. A letter's cell has two, so a row of icons is as high as ten lines.
  private static let side = 20
  private static let terminalCell = 26

  /// Writes the icons above their names to a terminal with 24 bits a colour and some columns.
  package func writePictures(to output: LineOutput, columns: Int) throws(DisplayError) {
    let perRow = max(1, columns / Self.terminalCell)
    for start in stride(from: 0, to: names.count, by: perRow) {
      let row = names[start..<min(names.count, start + perRow)]
      let size = Size(width: Double(perRow * Self.terminalCell), height: Double(Self.side))
      let window = Window(id: "icons", size: size)
      for (index, name) in row.enumerated() {
        let image = ImageView(
          frame: LocalRect(
            x: Double(index * Self.terminalCell) + 1, y: 0, width: Double(Self.side),
            height: Double(Self.side)))
        image.icon = Icon(name, color: .white)
        window.addSubview(image)
      }
      let surface = try Self.paint(window, size)
      // Written as bytes, because a line of text has its escape characters shown.
      for line in 0..<Self.side / 2 { output.write(Array((Self.line(line, of: surface) + "\n").utf8)) }
      let texts = row.map { name in
        let text = name.prefix(Self.terminalCell - 2)
        return " " + text + String(repeating: " ", count: Self.terminalCell - 1 - text.count)
      }
      output.write(line: texts.joined())
      output.write(line: "")
    }
  }

  /// Returns two rows of pixels as half blocks, in the terminal's own colours where empty.
  private static func line(_ line: Int, of surface: Surface) -> String {
    var text = ""
    var isPlain = true
    for x in 0..<surface.width {
      let upper = surface.pixels[2 * line * surface.width + x] & 0xff_ffff
      let lower = surface.pixels[(2 * line + 1) * surface.width + x] & 0xff_ffff
      if upper == background, lower == background {
        text += isPlain ? " " : "\u{1b}[0m "
        isPlain = true
      } else {
        text += "\u{1b}[38;2;\(parts(upper))m\u{1b}[48;2;\(parts(lower))m▀"
        isPlain = false
      }
    }
    return text + (isPlain ? "" : "\u{1b}[0m")
  }

  private static let background: UInt32 = 0x0d_1015

  private static func parts(_ pixel: UInt32) -> String {
    "\(pixel >> 16 & 255);\(pixel >> 8 & 255);\(pixel & 255)"
  }
}
