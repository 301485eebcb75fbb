import PictureSupport
import Testing
import TouchCore
import TouchPixels
import TouchSystem
import TouchViews

@testable import TouchRender

/// QR codes, and spinners.
@Suite struct CodePainterTests {
  private func window(with view: View, _ side: Double) -> Window {
    let window = Window(size: Size(width: side, height: side))
    window.background = hex("#204060")
    window.addSubview(view)
    return window
  }

  @Test func `a code has its three eyes, and stands on white at whole pixels`() throws {
    let code = QRCodeView(id: "code", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    code.text = "https://example.org"
    let surface = try paint(window(with: code, 100), width: 100, height: 100)
    let modules = try #require(try CodeEncoder.shared.get().code(of: code.text))
    #expect(modules.side == 25)
    // 33 squares of 3 pixels, in the middle.
    func pixel(_ column: Int, _ row: Int) -> UInt32 {
      surface.pixels[100 * (3 * (row + 4) + 1) + 3 * (column + 4) + 1] & 0xffffff
    }
    for row in -4..<29 {
      for column in -4..<29 {
        let isInside = (0..<25).contains(row) && (0..<25).contains(column)
        let isDark = isInside && modules.areDark[row * 25 + column]
        #expect(pixel(column, row) == (isDark ? 0 : 0xffffff), "\(column), \(row)")
      }
    }
    for (column, row) in [(0, 0), (18, 0), (0, 18)] {
      #expect(
        pixel(column, row) == 0 && pixel(column + 1, row + 1) == 0xffffff && pixel(column + 3, row + 3) == 0)
    }
  }

  @Test func `a text that is too long is reported, and an empty one is nothing`() throws {
    let code = QRCodeView(id: "code", frame: LocalRect(x: 0, y: 0, width: 60, height: 60))
    let window = window(with: code, 60)
    let painter = try Painter(geometry: DisplayGeometry(displaySize: Size(width: 60, height: 60)))
    var notices: [PaintNotice] = []
    painter.report = { notices.append($0) }
    let surface = try Surface(width: 60, height: 60)
    painter.paintAll(window, highlights: nil, on: surface)
    #expect(notices.isEmpty)
    code.text = String(repeating: "é", count: 1500)
    painter.paintAll(window, highlights: nil, on: surface)
    #expect(notices == [.codeTooLong(view: "code")])
  }

  @Test func `a library that is not there is reported`() {
    #expect(throws: MissingLibrary.self) { try CodeEncoder("libnowhere.so") }
  }

  @Test func `a spinner has a bright spoke that goes round, and is not there while it stands still`() throws {
    let spinner = Spinner(id: "s", frame: LocalRect(x: 0, y: 0, width: 40, height: 40))
    let window = window(with: spinner, 40)
    func top() throws -> UInt32 { try paint(window, width: 40, height: 40).pixels[40 * 4 + 20] & 0xff }
    let first = try top()
    #expect(first > 0xf0, "the spoke at twelve o'clock is white")
    spinner.deadlinePassed(with: Event(at: .zero, observer: nil))
    #expect(try top() < first)
    spinner.isAnimating = false
    #expect(try top() == 0x60)
  }
}
