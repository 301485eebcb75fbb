import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// Fields in all their states, one of them edited.
private func scene(_ dress: (inout [TextField]) -> Void) -> Window {
  let window = Window(size: Size(width: 320, height: 260))
  window.appearance.background = hex("#101418")
  let measurer = ContentMeasurer()
  window.caretMeasurer = { text, style in measurer.carets(of: text, style) }
  var fields = (0..<5).map { index in
    let field = TextField(
      id: "f\(index)", frame: LocalRect(x: 10, y: 8 + Double(index) * 50, width: 300, height: 44))
    window.addSubview(field)
    return field
  }
  dress(&fields)
  return window
}

@Suite struct TextFieldPainterTests {
  @Test(arguments: [1, 2])
  func `text, placeholder, dots, another direction, and a caret`(scale: Int) throws {
    let window = scene { fields in
      fields[0].text = "Waffel, Größe 12"
      fields[1].placeholder = "Name"
      (fields[2].isSecure, fields[2].text) = (true, "secret")
      fields[3].text = "שלום abc עולם"
      fields[3].textStyle.alignment = .right
      (fields[4].hasClearButton, fields[4].text) = (true, "A text that is longer than its field is wide")
      fields[4].becomeFirstResponder()
    }
    try expectGolden(paint(window, width: 320 * scale, height: 260 * scale), "text-fields-\(scale)")
  }

  @Test func `what is selected, in both directions`() throws {
    for (index, name) in [(0, "left"), (3, "both")] {
      let window = scene { fields in
        fields[0].text = "Waffel, Größe 12"
        fields[3].text = "abc שלום עולם"
        fields[1].isEnabled = false
        fields[1].text = "Disabled"
        (fields[2].textStyle.size, fields[2].text) = (26, "Large")
        fields[index].becomeFirstResponder()
        fields[index].selection = index == 0 ? 8..<13 : 2..<7
      }
      try expectGolden(paint(window, width: 320, height: 260), "text-field-selection-\(name)")
    }
  }

  @Test func `a caret stands between the letters that are painted`() throws {
    let measurer = ContentMeasurer()
    let style = textStyle(18, "#ffffff", .left)
    for text in ["Waffel fi", "office affair", "AVAToWa"] {
      let places = try #require(measurer.carets(of: text, style))
      #expect(places.carets == places.carets.sorted())
      #expect(places.carets.count == text.count + 1)
      let size = try #require(measurer.textSize(of: labelOf(text, style), atWidth: 1000))
      #expect(abs(places.width - size.width) < 1)
      #expect(places.carets.last == places.width)
    }
    // From right to left the caret begins at the right end.
    let arabic = try #require(measurer.carets(of: "سلام", style))
    #expect(arabic.carets.first == arabic.width)
    #expect(arabic.carets.last == 0)
    #expect(arabic.carets == arabic.carets.sorted(by: >))
    // A number in it runs left to right.
    let mixed = try #require(measurer.carets(of: "שלום 12", style))
    #expect(mixed.carets[0] == mixed.width)
    #expect(mixed.letters[5].lowerBound < mixed.letters[6].lowerBound)
    #expect(mixed.letters[6].upperBound < mixed.letters[4].upperBound)
    let empty = try #require(measurer.carets(of: "", style))
    #expect(empty == CaretPlaces(carets: [0], letters: [], width: 0))
  }

  private func labelOf(_ text: String, _ style: TextStyle) -> Label {
    let label = Label(text)
    label.textStyle = style
    return label
  }
}
