import PictureSupport
import Testing
import TouchPixels

@testable import TouchCore
@testable import TouchRender
@testable import TouchViews

@Suite("The size of what views show")
struct ContentMeasurerTests {
  struct Row: CustomTestStringConvertible {
    var text: String
    var size = 18.0
    var lines = 1
    var padding: Insets?
    /// The room for it.
    var width = Double.infinity

    var testDescription: String { "\(text) \(size) \(lines)" }
  }

  static let rows = [
    Row(text: "Hello"), Row(text: "W", size: 7.3), Row(text: "21.5 °C", size: 80),
    Row(text: "Padded", padding: Insets(top: 3, left: 20, bottom: 4, right: 1)),
    Row(text: "שלום", size: 21.1),
    Row(text: "Some words that take several lines in little room", lines: 0, width: 120),
    Row(text: "First line\nsecond line", lines: 2),
    Row(text: "Small words in several lines", size: 9.6, lines: 0, width: 70),
  ]

  private func label(_ row: Row) -> Label {
    Fixture.standardFonts
    let label = Label(id: "label")
    label.text = row.text
    (label.textStyle.size, label.textStyle.lines, label.textStyle.padding) = (
      row.size, row.lines, row.padding
    )
    label.textStyle.family = "DejaVu Sans"
    return label
  }

  /// Whether the painter cuts the text of a view of this size.
  private func isCut(_ label: Label, _ size: Size, scale: Double) throws -> Bool {
    label.layoutRect = LocalRect(origin: .zero, size: size)
    let window = Window(size: Size(width: 600, height: 300))
    window.addSubview(label)
    let display = Size(width: (600 * scale).rounded(.up), height: (300 * scale).rounded(.up))
    let painter = try Painter(geometry: DisplayGeometry(displaySize: display, canvasSize: window.bounds.size))
    var isCut = false
    painter.report = { notice in if case .textCut = notice { isCut = true } }
    painter.paintAll(
      window, highlights: nil, on: try Surface(width: Int(display.width), height: Int(display.height))
    )
    return isCut
  }

  @Test(arguments: rows)
  func `text in a view of its measured size is whole at every scale, and in a smaller one it is not`(row: Row)
    throws
  {
    let label = label(row)
    let size = try #require(ContentMeasurer().size(of: label, atWidth: row.width))
    #expect(size.width == size.width.rounded() && size.height == size.height.rounded())
    #expect(size.width <= row.width)
    for scale in [1, 0.4, 0.998, 1.003, 1.37, 2.4] {
      #expect(try !isCut(label, size, scale: scale), "\(size) at \(scale)")
    }
    let narrow =
      row.lines == 1
      ? Size(width: size.width - 2, height: size.height) : Size(width: size.width, height: size.height - 2)
    #expect(try isCut(label, narrow, scale: 1), "\(size)")
  }

  @Test func `a button has room for its padding, and for a finger`() throws {
    let button = Button(id: "button")
    Fixture.standardFonts
    #expect(ContentMeasurer().size(of: button, atWidth: .infinity) == Size(width: 44, height: 44))
    button.text = "A long title"
    let size = try #require(ContentMeasurer().size(of: button, atWidth: .infinity))
    let label = label(Row(text: button.text))
    label.textStyle.family = button.textStyle.family
    let text = try #require(ContentMeasurer().size(of: label, atWidth: .infinity))
    #expect(size == Size(width: text.width + 16, height: 44))
    button.textStyle.padding = Insets(top: 20, left: 1, bottom: 20, right: 1)
    #expect(
      ContentMeasurer().size(of: button, atWidth: .infinity)
        == Size(width: text.width + 2, height: text.height + 40))
  }

  @Test func `an image has the size of its picture, and other views have none`() throws {
    let image = ImageView(id: "image")
    image.path = Fixture.logo
    let picture = try PNGReader.read(path: image.path)
    #expect(
      ContentMeasurer().size(of: image, atWidth: 1)
        == Size(width: Double(picture.width), height: Double(picture.height)))
    image.path = "/no/such/picture.png"
    #expect(ContentMeasurer().size(of: image, atWidth: 1) == nil)
    #expect(ContentMeasurer().size(of: View(id: "view"), atWidth: 1) == nil)
    #expect(ContentMeasurer().size(of: Label(id: "label"), atWidth: 1) == .zero)
  }

  @Test func `a stack places labels by their text, and paints what moved`() throws {
    Fixture.standardFonts
    let window = Window(size: Size(width: 400, height: 100))
    let measurer = ContentMeasurer()
    window.contentMeasurer = { measurer.size(of: $0, atWidth: $1) }
    let stack = StackView(id: "stack", frame: LocalRect(x: 0, y: 0, width: 400, height: 100))
    window.addSubview(stack)
    let (name, value) = (label(Row(text: "Oil")), label(Row(text: "4.2 bar")))
    for view in [name, value] { stack.addArrangedSubview(view) }
    window.layoutIfNeeded()
    let width = value.layoutRect.minX
    #expect(width > 10 && width == name.layoutRect.maxX && value.layoutRect.maxX == 400)
    window.damage.removeAll()
    name.text = "Cooling water"
    var damage = Damage()
    window.takeDamage(into: &damage)
    #expect(value.layoutRect.minX > width + 50)
    #expect(damage.rects == [WindowRect(x: 0, y: 0, width: 400, height: 100)])
  }
}
