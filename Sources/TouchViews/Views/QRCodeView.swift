import TouchCore

extension ViewKind {
  package static let qr = ViewKind(
    "qr", "a QR code", "QR codes", .none, is: .text, alsoCalled: ["qrcode", "barcode", "datamatrix"]
  ) { QRCodeView(id: $0) }
}

/// The squares of a two-dimensional code.
package struct CodeModules {
  /// The number of squares along a side.
  package let side: Int
  /// Whether each square is dark, line by line.
  package let areDark: [Bool]

  package init(side: Int, areDark: [Bool]) { (self.side, self.areDark) = (side, areDark) }
}

/// A QR code, black on a white square, which phones read. (UIKit's way is `CIQRCodeGenerator`.)
open class QRCodeView: View, TextHolding {
  /// The text that a phone reads: an address, or what joins a network. At most about 2300 bytes.
  public final var text = "" {
    didSet {
      guard oldValue != text else { return }
      known = nil
      setNeedsDisplay()
    }
  }
  /// The code of the text; nil until it is drawn, and for a text without one.
  private var known: CodeModules?
  /// The squares that stay free around a code, at each side. (ISO/IEC 18004, quiet zone.)
  private static let margin = 4

  open override class var standardHitTestClass: View.Type { QRCodeView.self }

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    isUserInteractionEnabled = false
  }

  /// Draws the largest code in the middle of the bounds whose squares are whole pixels.
  open override func draw(in context: GraphicsContext) {
    guard !text.isEmpty, let code = known ?? context.canvas.code(of: text) else { return }
    known = code
    let count = Double(code.side + 2 * Self.margin)
    let room = min(bounds.size.width, bounds.size.height)
    let pixels = max(1e-6, min(context.canvas.pixelsPerUnit.width, context.canvas.pixelsPerUnit.height))
    let whole = (room * pixels / count).rounded(.down) / pixels
    let module = whole > 0 ? whole : room / count
    let plate = LocalRect(
      x: bounds.midX - module * count / 2, y: bounds.midY - module * count / 2, width: module * count,
      height: module * count)
    context.fill(plate, with: .white)
    for row in 0..<code.side {
      var column = 0
      while column < code.side {
        let start = column
        while column < code.side, code.areDark[row * code.side + column] { column += 1 }
        if column > start {
          let dark = LocalRect(
            x: plate.minX + module * Double(Self.margin + start),
            y: plate.minY + module * Double(Self.margin + row),
            width: module * Double(column - start), height: module)
          context.canvas.fillPixels(dark, isLine: false, with: .black)
        }
        column += 1
      }
    }
  }
}

extension QRCodeView: ContentDrawing {}
