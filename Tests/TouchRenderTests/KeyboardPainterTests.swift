import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// A page with a field, and the keyboard under it.
private func scene(_ layout: KeyboardLayout?, _ kind: TextField.Keyboard = .text) -> (
  Window, TextField, KeyboardView
) {
  let window = Window(size: Size(width: 800, height: 480))
  window.appearance.background = hex("#101418")
  let measurer = ContentMeasurer()
  window.contentMeasurer = { view, width in measurer.size(of: view, atWidth: width) }
  window.caretMeasurer = { text, style in measurer.carets(of: text, style) }
  let field = TextField(id: "field", frame: LocalRect(x: 20, y: 20, width: 760, height: 52))
  (field.keyboard, field.autocapitalization) = (kind, .none)
  window.addSubview(field)
  let keyboard = KeyboardView(id: "keyboard")
  keyboard.placesItself = true
  if let layout { keyboard.layout = layout }
  window.addSubview(keyboard)
  field.becomeFirstResponder()
  return (window, field, keyboard)
}

@Suite struct KeyboardPainterTests {
  @Test(arguments: KeyboardLayout.names)
  func `each layout that ships`(name: String) throws {
    let (window, field, _) = scene(KeyboardLayout.shipped[name])
    field.insertText(name)
    try expectGolden(paint(window, width: 800, height: 480), "keyboard-\(name)")
  }

  @Test(arguments: TextField.Keyboard.allCases)
  func `the keys that a field asks for`(kind: TextField.Keyboard) throws {
    let (window, field, _) = scene(nil, kind)
    field.returnKey = kind == .url ? .search : .next
    field.resignFirstResponder()
    field.becomeFirstResponder()
    try expectGolden(paint(window, width: 800, height: 480), "keyboard-for-\(kind.rawValue)")
  }

  @Test func `fingers on keys, and what they are going to type`() throws {
    let (window, _, keyboard) = scene(KeyboardLayout.shipped["german"])
    let dispatcher = Dispatcher(window: window)
    keyboard.shift = .locked
    var time = Timestamp.zero
    // The second finger types the first one's letter, and stays until it can choose another one.
    for (number, letter) in ["K", "E"].enumerated() {
      let rect = try #require(keyboard.keys.first { keyboard.text(of: $0.key) == letter }?.rect)
      time = time.advanced(bySeconds: 0.01)
      let change = TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 1), serial: number), kind: .began,
        location: keyboard.convertToWindow(LocalPoint(x: rect.midX, y: rect.midY)))
      dispatcher.dispatch([change], at: time)
      if number == 0 { try expectGolden(paint(window, width: 800, height: 480), "keyboard-pressed") }
    }
    dispatcher.advance(to: time.advanced(bySeconds: 0.45))
    try expectGolden(paint(window, width: 800, height: 480), "keyboard-variants")
    // As a light theme has it.
    window.appearance.background = hex("#f1f3f6")
    keyboard.appearance.background = hex("#d3dae3")
    keyboard.textStyle.color = hex("#12171e")
    keyboard.changed()
    try expectGolden(paint(window, width: 800, height: 480), "keyboard-variants-light")
    let (other, _, signs) = scene(nil)
    signs.page = .symbols
    try expectGolden(paint(other, width: 800, height: 480), "keyboard-symbols")
    signs.page = .more
    try expectGolden(paint(other, width: 480, height: 288), "keyboard-more")
  }
}
