import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// What is mirrored where the window is laid out from right to left.
/// (`UIView.effectiveUserInterfaceLayoutDirection`.)
@Suite struct RightToLeftTests {
  private let window = Window(size: Size(width: 200, height: 100))

  private func rects(_ stack: StackView) -> [LocalRect] {
    window.layoutIfNeeded()
    return stack.subviews.map(\.layoutRect)
  }

  @Test func `rows and grids of stacks begin at the right, with their insets`() {
    let stack = StackView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 100))
    stack.arrangement.insets = Insets(top: 0, left: 20, bottom: 0, right: 10)
    for id in ["a", "b", "c"] {
      let view = View(id: id)
      view.isArranged = true
      stack.addSubview(view)
    }
    stack.arrangement.distribution = .fillEqually
    stack.arrangement.spacing = 10
    window.addSubview(stack)
    #expect(rects(stack).map(\.minX) == [20, 80, 140])
    window.layoutDirection = .rightToLeft
    #expect(rects(stack).map(\.minX) == [130, 70, 10])
    #expect(rects(stack).map(\.size.width) == [50, 50, 50])
    stack.arrangement.columns = 2
    #expect(rects(stack).map(\.minX) == [100, 10, 100])
    window.layoutDirection = .leftToRight
    #expect(rects(stack).map(\.minX) == [20, 110, 20])
  }

  @Test func `a slider and a progress bar begin at the right`() {
    let slider = Slider(id: "s", frame: LocalRect(x: 0, y: 0, width: 132, height: 32))
    let progress = ProgressView(id: "p", frame: LocalRect(x: 0, y: 50, width: 100, height: 4))
    for control in [slider, progress] as [ValueControl] {
      window.addSubview(control)
      control.controlValue = ControlValue(0.25)
    }
    #expect(slider.thumbRect.minX == 25 && progress.fillRect.minX == 0)
    window.layoutDirection = .rightToLeft
    #expect(slider.thumbRect.minX == 75 && progress.fillRect.minX == 75)
    #expect(progress.fillRect.size.width == 25)
    // A finger that drags to the left makes it more.
    let dispatcher = Dispatcher(window: window)
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    for (kind, x, time) in [(.began, 91.0, 0), (.moved, 41, 100_000), (.ended, 41, 200_000)]
      as [(TouchChange.Kind, Double, Int64)]
    {
      dispatcher.dispatch(
        [TouchChange(contact: contact, kind: kind, location: WindowPoint(x: x, y: 16))],
        at: Timestamp(microseconds: time))
    }
    #expect(slider.controlValue?.number == 0.75)
  }

  @Test func `the next page is at the left`() throws {
    let pages = PagesView(id: "p", frame: LocalRect(x: 0, y: 0, width: 200, height: 100))
    for id in ["a", "b"] {
      pages.addSubview(View(id: id, frame: LocalRect(x: 0, y: 0, width: 200, height: 100)))
    }
    pages.slideAxis = .horizontal
    window.addSubview(pages)
    window.layoutDirection = .rightToLeft
    let dispatcher = Dispatcher(window: window)
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    var time: Int64 = 0
    func touch(_ kind: TouchChange.Kind, _ x: Double) {
      time += 10_000
      dispatcher.dispatch(
        [TouchChange(contact: contact, kind: kind, location: WindowPoint(x: x, y: 50))],
        at: Timestamp(microseconds: time))
    }
    touch(.began, 20)
    for x in stride(from: 30.0, through: 180, by: 10) { touch(.moved, x) }
    #expect(pages.subviews[1].layoutRect.minX == -200)
    #expect(pages.bounds.minX < -100)
    try pages.show(.next)
    #expect(pages.page?.id == "b")
    touch(.ended, 180)
    try pages.show(.previous, by: .slide)
    #expect(window.animator?.presented(.place, of: pages.subviews[0]) == .point(LocalPoint(x: 200, y: 0)))
  }
}
