import PictureSupport
import Testing

@testable import TouchCore
@testable import TouchPixels
@testable import TouchRender
@testable import TouchViews

/// The ring around what is focused, while keys were used last.
@Suite struct FocusRingTests {
  private let window = Window(size: Size(width: 100, height: 100))
  private let presses: PressDispatcher
  private let dispatcher: Dispatcher
  private let list = ListView(id: "list", frame: LocalRect(x: 10, y: 40, width: 80, height: 60))
  private let background: UInt32 = 0xff10_1418

  init() {
    window.appearance.background = hex("#101418")
    dispatcher = Dispatcher(window: window)
    presses = PressDispatcher(window: window)
    view("plain", 10, 10, 20, 20, "#101418", in: window).isFocusable = true
    list.rowHeight = 30
    list.rows = ["", ""]
    list.colors.track = hex("#101418")
    window.addSubview(list)
  }

  private func press(_ code: KeyCode) {
    for kind in [PressChange.Kind.began, .ended] {
      presses.dispatch(
        [PressChange(device: DeviceID(rawValue: 1), kind: kind, key: Key(code))], at: .zero)
    }
  }

  private func pixel(_ x: Int, _ y: Int) throws -> UInt32 {
    let picture = try paint(window, width: 100, height: 100)
    return picture.pixels[y * picture.width + x] | 0xff00_0000
  }

  /// The highlight's colour.
  private let ring: UInt32 = {
    let color = HighlightStyle().view.color
    return 0xff00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
  }()

  @Test func `the first key puts a ring around a view, outside its edges, which fades`() throws {
    #expect(try pixel(6, 20) == background)
    press(.tab)
    #expect(try pixel(6, 20) == ring)
    #expect(try pixel(11, 20) == background && pixel(9, 20) == background, "a gap")
    let halo = try pixel(4, 20)
    #expect(halo != ring && halo != background)
  }

  @Test func `what covers the window has no ring, and a switch has one around its groove`() throws {
    let all = view("all", 0, 0, 100, 100, "#101418", in: window)
    all.isFocusable = true
    window.focusSystem.focus(FocusSystem.Item(all))
    window.focusSystem.isRingShown = true
    #expect(try pixel(3, 50) == background && pixel(1, 50) == background)
    all.removeFromSuperview()
    let heating = Switch(id: "s", frame: LocalRect(x: 30, y: 30, width: 40, height: 40))
    window.addSubview(heating)
    window.focusSystem.focus(FocusSystem.Item(heating))
    let middle = Int(heating.trackRect.midY) + 30
    #expect(try pixel(26, middle) == ring)
    // The corners of its frame are far from its round ends.
    #expect(try pixel(26, 31) == background)
  }

  @Test func `a row of a list has a ring of its own`() throws {
    press(.tab)
    press(.down)
    press(.down)
    #expect(try pixel(6, 20) == background)
    #expect(try pixel(12, 85) == ring)
    #expect(try pixel(11, 55) == background)
  }

  @Test func `a touch takes it away, and what has to be drawn again is the view with its ring`() throws {
    press(.tab)
    window.damage.removeAll()
    window.focusSystem.touchesAreUsed()
    #expect(!window.damage.isEmpty)
    #expect(window.damage.rects.allSatisfy { $0.minX >= 2 && $0.maxX <= 38 && $0.minY >= 2 && $0.maxY <= 38 })
    #expect(try pixel(6, 20) == background)
  }
}
